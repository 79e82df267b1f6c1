import { parseExactJson } from '../../json/exact-json.ts';
import { pickText } from '../json-at.ts';
import type { JsonMember } from '../json-scan.ts';
import type { ListPage, ListWriter } from '../list-page.ts';
import type { ListWriterOptions } from '../list-writer.ts';
import { toYaml } from '../yaml-text.ts';

/**
 * Writes exactly one YAML document. A single page is the service's document; with `whole` or with chosen columns the
 * items are streamed under `items:`, and the other members of the envelope follow.
 */
export function createYamlWriter(options: ListWriterOptions): ListWriter {
  if (!options.whole && !options.explicitColumns) return createPageWriter(options);
  let pages = 0;
  let anyItem = false;
  let firstRest: readonly JsonMember[] = [];
  let lastRest: readonly JsonMember[] = [];
  return {
    async page(page) {
      if (pages++ === 0) firstRest = page.rest();
      lastRest = page.rest();
      const items = itemsOf(page, options);
      if (items.length === 0) return;
      await options.stdout.write(`${anyItem ? '' : 'items:\n'}${toYaml(items)}`);
      anyItem = true;
    },
    async end({ nextCursor }) {
      if (pages > 0) {
        const envelope = closingMembers(firstRest, lastRest, nextCursor);
        const closing = Object.keys(envelope).length > 0 ? toYaml(envelope) : '';
        await options.stdout.write(`${anyItem ? '' : 'items: []\n'}${closing}`);
      }
      await options.stdout.end();
    },
  };
}

function createPageWriter(options: ListWriterOptions): ListWriter {
  return {
    page: (page) => options.stdout.write(toYaml(parseExactJson(page.text))),
    end: () => options.stdout.end(),
  };
}

function itemsOf(page: ListPage, options: ListWriterOptions): readonly unknown[] {
  if (!options.explicitColumns) return page.items;
  const paths = options.columns.map((column) => column.path);
  return page.texts().map((text) => parseExactJson(pickText(text, paths)));
}

function closingMembers(
  first: readonly JsonMember[],
  last: readonly JsonMember[],
  nextCursor: string | null,
): Record<string, unknown> {
  const members = new Map(last.map((member) => [member.key, parseExactJson(member.valueText)]));
  if (members.has('next_cursor') || nextCursor !== null) members.set('next_cursor', nextCursor);
  const previous = first.find((member) => member.key === 'previous_cursor');
  if (previous !== undefined) members.set('previous_cursor', parseExactJson(previous.valueText));
  return Object.fromEntries(members);
}
