import { Document, Scalar, visit } from 'yaml';
import { OutputError } from '../../errors.ts';
import { pickText } from '../../json/edit.ts';
import { parseExactJson } from '../../json/exact.ts';
import type { JsonMember } from '../../json/scan.ts';
import type { ListPage, ListWriter, ListWriterOptions } from '../list-page.ts';
import { replaceHidden, sanitizeText } from '../sanitize.ts';

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

/**
 * Writes a parsed value as YAML that readers of YAML 1.1 and 1.2 understand alike: strings that either of them would
 * take for a number, a boolean, a date or null are quoted, big integers keep all digits, every string stays on one
 * line. Characters that must not reach a terminal raw are escaped within double quotes.
 * @throws OutputError `nested_too_deep`
 */
export function toYaml(value: unknown): string {
  try {
    const document = new Document(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false });
    visit(document, {
      Scalar: (_, node) => {
        if (needsQuotes(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      },
    });
    const text = document.toString({
      lineWidth: 0,
      blockQuote: false,
      indentSeq: false,
      doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    });
    return replaceHidden(text, yamlEscape);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OutputError('nested_too_deep', 'The data is nested too deeply for YAML', {
      hint: 'Use -o json instead.',
    });
  }
}

/** `=` alone is the default value of YAML 1.1, which several readers refuse. */
function needsQuotes(value: unknown): boolean {
  return typeof value === 'string' && (value === '=' || sanitizeText(value) !== value);
}

function yamlEscape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
