import { pickText } from '../../json/edit.ts';
import { parseShownJson } from '../../json/exact.ts';
import type { JsonMember } from '../../json/scan.ts';
import { pathsOf } from '../columns.ts';
import type { ListWriterOptions, ShownDocument } from '../format.ts';
import type { JqResult, ListPage, ListWriter } from '../list-page.ts';
import { endsAt } from './json.ts';
import { toYaml } from './yaml-text.ts';

/**
 * Writes exactly one YAML document. A single page is the service's document; with `whole` or with chosen columns the
 * items are streamed first, and the other members of the envelope follow.
 */
export function createWriter(options: ListWriterOptions): ListWriter {
  if (!options.whole && !options.explicitColumns) return createPageWriter(options);
  const { listName = 'items', isArray } = options;
  const name = isArray ? '' : toYaml({ [listName]: [] }).slice(0, -' []\n'.length);
  let pages = 0;
  let anyItem = false;
  let firstRest: readonly JsonMember[] = [];
  let lastRest: readonly JsonMember[] = [];
  let restBefore: readonly JsonMember[] = [];
  return {
    async page(page) {
      if (pages++ === 0) firstRest = page.rest();
      restBefore = lastRest;
      lastRest = page.rest();
      const items = itemsOf(page, options);
      if (items.length === 0) return;
      if (!anyItem && !isArray) await options.stdout.write(`${name}\n`);
      anyItem = true;
      await writeElements(items, options);
    },
    async end({ nextCursor }) {
      if (pages > 0) {
        const last = endsAt(restBefore, nextCursor) ? restBefore : lastRest;
        const envelope = isArray ? {} : closingMembers(firstRest, last, nextCursor);
        const closing = Object.keys(envelope).length > 0 ? toYaml(envelope) : '';
        await options.stdout.write(`${anyItem ? '' : `${name} []\n`.trimStart()}${closing}`);
      }
      await options.stdout.end();
    },
  };
}

function createPageWriter(options: ListWriterOptions): ListWriter {
  const { stdout } = options;
  return {
    async page(page) {
      const document = parseShownJson(page.text) as Readonly<Record<string, unknown>> | readonly unknown[];
      if (Array.isArray(document) && document.length > 0) return await writeElements(document, options);
      if (Array.isArray(document)) return await stdout.write('[]\n');
      const members = Object.entries(document);
      if (members.length === 0) await stdout.write('{}\n');
      for (const [name, value] of members) {
        if (name === 'items' && Array.isArray(value) && value.length > 0) {
          await stdout.write('items:\n');
          await writeElements(value, options);
        } else {
          await stdout.write(toYaml({ [name]: value }));
        }
      }
    },
    end: () => stdout.end(),
  };
}

/** Gives a document as YAML. */
export function documentText({ chosen }: ShownDocument): string {
  return toYaml(parseShownJson(chosen));
}

/** Gives results of jq as YAML, each as a document of its own. */
export function resultsText(results: readonly JqResult[]): string {
  return results.map(({ text, isJson }) => toYaml(isJson ? parseShownJson(text) : text)).join('---\n');
}

/** Writes elements one by one: the text of a whole page may be many times as large as the page. */
async function writeElements(elements: readonly unknown[], { stdout }: ListWriterOptions): Promise<void> {
  for (const element of elements) await stdout.write(toYaml([element]));
}

function itemsOf(page: ListPage, options: ListWriterOptions): readonly unknown[] {
  if (!options.explicitColumns) return page.items;
  const paths = pathsOf(options.columns);
  return page.texts().map((text) => parseShownJson(pickText(text, paths)));
}

function closingMembers(
  first: readonly JsonMember[],
  last: readonly JsonMember[],
  nextCursor: string | null,
): Record<string, unknown> {
  const members = new Map(last.map((member) => [member.key, parseShownJson(member.valueText)]));
  if (members.has('next_cursor') || nextCursor !== null) members.set('next_cursor', nextCursor);
  const previous = first.find((member) => member.key === 'previous_cursor');
  if (previous !== undefined) members.set('previous_cursor', parseShownJson(previous.valueText));
  return Object.fromEntries(members);
}
