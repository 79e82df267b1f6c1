import { shellWord } from './shell-word.ts';

/** The flag that goes on from a cursor, as it can be typed into a shell whatever the cursor holds. */
export function cursorFlag(cursor: string): string {
  return cursor.startsWith('-') ? `--cursor=${shellWord(cursor)}` : `--cursor ${shellWord(cursor)}`;
}
