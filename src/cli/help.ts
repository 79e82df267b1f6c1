import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The text of a help page, as the build rendered it: the program's own for no words, else a topic's or a command's.
 * `undefined` when there is no such page (in the source tree nothing has been rendered).
 */
export function helpText(words: readonly string[], moduleUrl: string): string | undefined {
  const name = words.length === 0 ? 'index' : words.join('/');
  try {
    return readFileSync(fileURLToPath(new URL(`./help/${name}.txt`, moduleUrl)), 'utf8');
  } catch {
    return undefined;
  }
}
