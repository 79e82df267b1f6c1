import { pickText } from '../../json/edit.ts';
import { type PrettyOptions, prettyJson } from '../../json/pretty.ts';
import type { JsonMember } from '../../json/scan.ts';
import { pathsOf } from '../columns.ts';
import type { ListWriterOptions, ShownDocument } from '../format.ts';
import type { JqResult, ListPage, ListWriter } from '../list-page.ts';
import { escapeJsonText, sanitizeLines } from '../sanitize.ts';
import { jsonPainter, loadColors, type Terminal } from '../terminal.ts';

/**
 * Writes exactly one JSON document. A single page is written as the service sent it, on a terminal laid out over lines;
 * with `whole` or with chosen columns it is one envelope that is streamed, complete even when the list is cut short.
 */
export async function createWriter(options: ListWriterOptions): Promise<ListWriter> {
  const layout = await layoutFor(options.terminal);
  if (!options.whole && !options.explicitColumns) return createPageWriter(options, layout);
  const envelope = createJsonEnvelope({ layout, listName: options.listName, isArray: options.isArray });
  let opened = false;
  return {
    async page(page) {
      opened = true;
      await options.stdout.write(envelope.items(itemTexts(page, options), page.rest()));
    },
    async end({ nextCursor }) {
      if (opened) await options.stdout.write(`${envelope.end(nextCursor)}\n`);
      await options.stdout.end();
    },
  };
}

function createPageWriter(options: ListWriterOptions, layout: EnvelopeLayout | undefined): ListWriter {
  return {
    async page(page) {
      await options.stdout.write(documentLine(page.text, layout));
    },
    end: () => options.stdout.end(),
  };
}

/** Gives a document as JSON: unchanged, or laid out over lines on a terminal. */
export async function documentText({ chosen, terminal }: ShownDocument): Promise<string> {
  return documentLine(chosen, await layoutFor(terminal));
}

/** Gives results of jq as JSON, of which each begins a line; a string is raw. */
export async function resultsText(results: readonly JqResult[], terminal: Terminal): Promise<string> {
  const layout = await layoutFor(terminal);
  const rawLine = (text: string) => `${layout ? sanitizeLines(text) : text}\n`;
  return results.map(({ text, isJson }) => (isJson ? documentLine(text, layout) : rawLine(text))).join('');
}

async function layoutFor({ isTerminal, color }: Terminal): Promise<EnvelopeLayout | undefined> {
  return isTerminal ? { paint: jsonPainter(await loadColors(color)) } : undefined;
}

function documentLine(json: string, layout: EnvelopeLayout | undefined): string {
  const text = escapeJsonText(json);
  return `${layout ? prettyJson(text, layout) : text.trim()}\n`;
}

/** The texts of the items as they are printed: reduced to the chosen columns, and escaped for a terminal. */
export function itemTexts(page: ListPage, options: ListWriterOptions): readonly string[] {
  return chosenTexts(page, options).map(escapeJsonText);
}

/** The texts of the items, reduced to the chosen columns. */
export function chosenTexts(page: ListPage, options: ListWriterOptions): readonly string[] {
  if (!options.explicitColumns) return page.texts();
  const paths = pathsOf(options.columns);
  return page.texts().map((text) => pickText(text, paths));
}

/** Gives the text of one JSON document piece by piece; joined, the pieces are the document. Keeps no items. */
export type JsonEnvelope = {
  items(texts: readonly string[], rest: readonly JsonMember[]): string;
  end(nextCursor: string | null): string;
};

/** Lays the document out over lines; without it, it is compact. */
export type EnvelopeLayout = Required<Pick<PrettyOptions, 'paint'>>;

type EnvelopeOptions = Pick<ListWriterOptions, 'listName' | 'isArray'> & {
  readonly layout?: EnvelopeLayout | undefined;
};

/**
 * One envelope for many pages: the items of all of them first, then the other members as the last page that is whole has them, with
 * `previous_cursor` of the first page and the `next_cursor` that `end` is given. Item texts have to be escaped already.
 */
export function createJsonEnvelope({
  listName = 'items',
  isArray = false,
  layout,
}: EnvelopeOptions = {}): JsonEnvelope {
  const name = JSON.stringify(listName);
  const level = isArray ? 1 : 2;
  let opened = false;
  let anyItem = false;
  const closing = new ClosingMembers();
  return {
    items(texts, rest) {
      let text = '';
      if (!opened) {
        if (isArray) text = '[';
        else text = layout ? `{\n  ${layout.paint(name, 'name')}: [` : `{${name}:[`;
      }
      opened = true;
      closing.add(rest);
      if (texts.length === 0) return text;
      const line = `\n${'  '.repeat(level)}`;
      const separator = layout ? `,${line}` : ',';
      if (anyItem) text += separator;
      else if (layout) text += line;
      anyItem = true;
      const pieces = layout ? texts.map((item) => prettyJson(item, { level, paint: layout.paint })) : texts;
      return text + pieces.join(separator);
    },
    end(nextCursor) {
      if (isArray) return anyItem && layout ? '\n]' : ']';
      const members = closing.end(nextCursor).map(({ keyText, valueText }) => ({
        keyText: escapeJsonText(keyText),
        valueText: escapeJsonText(valueText),
      }));
      if (layout === undefined) {
        return `]${members.map((member) => `,${member.keyText}:${member.valueText}`).join('')}}`;
      }
      const lines = members.map(({ keyText, valueText }) => {
        return `,\n  ${layout.paint(keyText, 'name')}: ${prettyJson(valueText, { level: 1, paint: layout.paint })}`;
      });
      return `${anyItem ? '\n  ]' : ']'}${lines.join('')}\n}`;
    },
  };
}

/**
 * What one document of many pages has after its items: the other members as the last page that is whole has them, with
 * `previous_cursor` of the first page.
 */
export class ClosingMembers {
  #first: readonly JsonMember[] | undefined;
  #last: readonly JsonMember[] = [];
  #before: readonly JsonMember[] = [];

  /** Adds those of the next page. */
  add(rest: readonly JsonMember[]): void {
    this.#first ??= rest;
    this.#before = this.#last;
    this.#last = rest;
  }

  /** All of them; `nextCursor` as in `ListTail`. */
  end(nextCursor: string | null): JsonMember[] {
    const last = endsAt(this.#before, nextCursor) ? this.#before : this.#last;
    const previous = this.#first?.find((member) => member.key === 'previous_cursor')?.valueText;
    const next = JSON.stringify(nextCursor);
    const members = last.map((member) => {
      if (member.key === 'next_cursor') return { ...member, valueText: next };
      if (member.key === 'previous_cursor') return { ...member, valueText: previous ?? member.valueText };
      return member;
    });
    const has = (key: string): boolean => members.some((member) => member.key === key);
    if (nextCursor !== null && !has('next_cursor')) members.push(memberOf('next_cursor', next));
    if (previous !== undefined && !has('previous_cursor'))
      members.push(memberOf('previous_cursor', previous));
    return members;
  }
}

/**
 * Whether the page with these members is the last one that is shown whole: what continues at its cursor repeats the next page,
 * and a cursor that the service has elsewhere in that page would leave out the rest of it.
 */
function endsAt(rest: readonly JsonMember[], nextCursor: string | null): boolean {
  if (nextCursor === null) return false;
  return rest.some(({ key, valueText }) => key === 'next_cursor' && valueText === JSON.stringify(nextCursor));
}

function memberOf(key: string, valueText: string): JsonMember {
  return { key, keyText: JSON.stringify(key), valueText };
}
