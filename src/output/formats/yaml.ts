import { parseShownJson } from '../../json/exact.ts';
import type { ListWriterOptions, ShownDocument } from '../format.ts';
import type { JqResult, ListWriter } from '../list-page.ts';
import { ClosingMembers, chosenTexts } from './json.ts';
import { toYaml } from './yaml-text.ts';

/**
 * Writes exactly one YAML document. A single page is the service's document; with `whole` or with chosen columns the
 * items are streamed first, and the other members of the envelope follow.
 */
export function createWriter(options: ListWriterOptions): ListWriter {
  if (!options.whole && !options.explicitColumns) return createPageWriter(options);
  const { listName = 'items', isArray } = options;
  const name = isArray ? '' : toYaml({ [listName]: [] }).slice(0, -' []\n'.length);
  let anyPage = false;
  let anyItem = false;
  const closing = new ClosingMembers();
  return {
    async page(page) {
      anyPage = true;
      closing.add(page.rest());
      const items = options.explicitColumns ? chosenTexts(page, options).map(parseShownJson) : page.items;
      if (items.length === 0) return;
      if (!anyItem && !isArray) await options.stdout.write(`${name}\n`);
      anyItem = true;
      await writeElements(items, options);
    },
    async end({ nextCursor }) {
      if (anyPage) {
        const members = isArray ? [] : closing.end(nextCursor);
        const values = members.map(({ key, valueText }) => [key, parseShownJson(valueText)]);
        const text = values.length > 0 ? toYaml(Object.fromEntries(values)) : '';
        await options.stdout.write(`${anyItem ? '' : `${name} []\n`.trimStart()}${text}`);
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
