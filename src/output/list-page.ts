import type { OutputError } from '../errors.ts';
import { type SplitPage, splitItems } from '../json/edit.ts';
import { parseShownJson } from '../json/exact.ts';
import type { PageParts } from '../json/mask.ts';
import type { JsonMember } from '../json/scan.ts';
import type { Column } from './columns.ts';

/** One page of a list as the service sent it, in the two forms that formats need: parsed, and as exact source text. */
export type ListPage = {
  /** How many items there are. */
  readonly count: number;
  /** The whole document of the page. */
  readonly text: string;
  /** Whether there may be a line end between its tokens. */
  readonly hasLines: boolean;
  /** The items, parsed by `parseShownJson`; only when a format asks for them, once. */
  readonly items: readonly unknown[];
  /** The exact source text of each of `items`. */
  texts(): readonly string[];
  /** The other members of the envelope, in their order. */
  rest(): readonly JsonMember[];
};

/** What is known when the list ends, complete or not. */
export type ListTail = {
  /** The cursor to continue from: of the next page, or of the page that failed; null when the list is complete. */
  readonly nextCursor: string | null;
};

/** Writes the pages of one list. `end` is called exactly once, also after a failure, and flushes stdout. */
export type ListWriter = {
  page(page: ListPage): Promise<void>;
  end(tail: ListTail): Promise<void>;
  /** The columns that were not shown for lack of width, once it has ended; none by default. */
  leftOut?(): readonly Column[];
};

/** One result: the characters of a string, or the compact JSON of anything else with all digits of its numbers. */
export type JqResult = { readonly text: string; readonly isJson: boolean };

/** What an expression gave for some JSON. */
export type JqOutcome = {
  readonly results: readonly JqResult[];
  /** What the expression printed with `debug` or `stderr`. */
  readonly messages: readonly string[];
  /** Why the expression failed on the data; `results` holds what came before. */
  readonly failure: OutputError | undefined;
};

/** A compiled jq expression. */
export type Jq = {
  /** Runs the expression on JSON text; several values in a row are filtered one by one. */
  run(json: string): Promise<JqOutcome>;
  /** Ends what is still running. */
  close(): void;
};

/** How a page of a list is reduced. */
export type ListPageOptions = {
  /** For each item, whether it is kept. Only `text` still contains the others; such a list is written with `whole`. */
  readonly kept?: readonly boolean[] | undefined;
};

/**
 * Makes a page of its document and its items as the service sent them, from which `text` differs where values are masked.
 * The text is taken apart only when a format asks for it, once. Where `items` is shorter than the page (`--max-items`), the
 * page is cut to the same number.
 */
export function createListPage(
  text: string | PageParts,
  items: { readonly length: number },
  { kept }: ListPageOptions = {},
): ListPage {
  return new SentPage(text, items.length, kept);
}

/** A page of values that were made here, for formats that show columns: it has no text. */
export function pageOfValues(items: readonly unknown[]): ListPage {
  return { text: '', hasLines: false, count: items.length, items, texts: () => [], rest: () => [] };
}

/**
 * A class, because an object literal with a getter has a hidden class of its own, which V8 keeps with everything that the getter
 * refers to until its next large collection.
 */
class SentPage implements ListPage {
  readonly count: number;
  readonly #length: number;
  readonly #kept: readonly boolean[] | undefined;
  readonly #parts: PageParts | undefined;
  #text: string | undefined;
  #parsed: readonly unknown[] | undefined;
  #split: SplitPage | undefined;

  constructor(text: string | PageParts, length: number, kept: readonly boolean[] | undefined) {
    if (typeof text === 'string') this.#text = text;
    else this.#parts = text;
    this.#length = length;
    this.#kept = kept;
    this.count = kept ? kept.slice(0, length).filter(Boolean).length : length;
  }

  get text(): string {
    this.#text ??= this.#parts?.text() ?? '';
    return this.#text;
  }

  get hasLines(): boolean {
    return this.#parts?.hasLines ?? /[\n\r]/.test(this.text);
  }

  get items(): readonly unknown[] {
    this.#parsed ??= this.#keptOf(itemsIn(this.text));
    return this.#parsed;
  }

  texts(): readonly string[] {
    return this.#keptOf(this.#parts?.texts ?? this.#splitOnce().texts);
  }

  rest(): readonly JsonMember[] {
    return this.#splitOnce().rest;
  }

  #keptOf<T>(all: readonly T[]): readonly T[] {
    const wanted = all.length > this.#length ? all.slice(0, this.#length) : all;
    return this.#kept ? wanted.filter((_, index) => this.#kept?.[index]) : wanted;
  }

  #splitOnce(): SplitPage {
    this.#split ??= splitItems(this.#parts?.envelope ?? this.text);
    return this.#split;
  }
}

function itemsIn(text: string): readonly unknown[] {
  const document = parseShownJson(text);
  return Array.isArray(document)
    ? document
    : ((document as { readonly items?: readonly unknown[] }).items ?? []);
}
