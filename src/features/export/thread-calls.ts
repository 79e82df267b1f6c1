import type { Counts, Pass } from './copy-list.ts';
import type { CopySettings, ListEntry } from './manifest.ts';

/** The first message to the thread of a copy. */
export type Opening = { readonly directory: string; readonly settings: CopySettings };

/** The texts of a page as one, which is quicker to send, and where each ends. */
export type PackedPage = { readonly text: string; readonly ends: Uint32Array };

/** What the thread is asked to do with a list, which is named by its place in the copy. */
export type CopyCall = {
  readonly id: number;
  readonly list: number;
  readonly call:
    | { readonly method: 'begin' | 'restart'; readonly pass: Pass }
    | {
        readonly method: 'add';
        readonly page: PackedPage;
        readonly cursor: string | null;
        readonly sentAt: number | undefined;
      }
    | { readonly method: 'addChanged'; readonly page: PackedPage }
    | { readonly method: 'finish'; readonly readsAll: boolean }
    | { readonly method: 'endReading' | 'fail' };
};

/** What came of a call: what is known about the list then. */
export type CopyReply = {
  readonly id: number;
  readonly entry: ListEntry | undefined;
  readonly counts: Counts | undefined;
  readonly error?: {
    readonly message: string;
    readonly stack: string;
    /** The code and the hint of an error of payctl. */
    readonly known: { readonly code: string; readonly hint: string | undefined } | undefined;
  };
};

/** Packs the texts of a page. */
export function packed(texts: readonly string[]): PackedPage {
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (const [index, text] of texts.entries()) {
    end += text.length;
    ends[index] = end;
  }
  return { text: texts.join(''), ends };
}

/** The texts of a page. */
export function textsOf({ text, ends }: PackedPage): readonly string[] {
  let start = 0;
  return Array.from(ends, (end) => {
    const one = text.slice(start, end);
    start = end;
    return one;
  });
}
