import { isObject } from '../../json/is-object.ts';
import type { EmulatorResponse } from '../http/response.ts';

/** Names of the fields that tables show: of resources, of their buyers and users, of errors. */
const shownFields = new Set([
  'display_name',
  'name',
  'label',
  'merchant_name',
  'merchant_display_name',
  'message',
  'msg',
  'balance_raw_error_message',
]);

/** Colours, titles, links, cursor movements and clearing, also in the 8-bit form and cut off half way. */
const escapes =
  '\u001b[31mred\u001b]0;title\u0007\u001b]8;;https://evil.example\u001b\\link\u001b[2J\u009b1A\u001b[';
/** Overrides and isolates that reorder what follows, and marks that nobody sees. */
const reordering = 'abc\u202Egnp.exe\u202C \u2066x\u2069 \u200F\u200B\uFEFF\u00AD';
/** Forge a second row and further columns; line and paragraph separators count as ends of lines to some. */
const layout = 'one\ttwo\nthree\r\nfour\u000bfive\u2028six\u2029seven\u0085eight\u0000nine';
const formula = '=HYPERLINK("https://evil.example","click")';
const wide = '👨‍👩‍👧‍👦 ｆｕｌｌ Z͑ͫ̓a̴͝l̴̛g̸o\u0301';

const texts = [escapes, reordering, layout, formula, wide] as const;
const mebibyte = 1024 * 1024;

/**
 * Puts hostile text in the place of every shown name in the items of a list, or in the one object of a response. The
 * last item, or the one object, has a text of 1 MiB of it.
 */
export function makeHostile(body: EmulatorResponse['body']): string {
  const document: unknown = JSON.parse(body.toString());
  const items = (document as { items?: unknown }).items;
  if (!Array.isArray(items)) return JSON.stringify(replaceNames(document, texts.join(' ')));
  const hostile = items.map((item: unknown, index) =>
    replaceNames(item, index === items.length - 1 ? longText() : (texts[index % texts.length] ?? '')),
  );
  return JSON.stringify({ ...(document as object), items: hostile });
}

function longText(): string {
  const unit = `${texts.join(' ')} `;
  return unit.repeat(Math.ceil(mebibyte / unit.length)).slice(0, mebibyte);
}

function replaceNames(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceNames(item, text));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => {
    const isText = field === null || typeof field === 'string';
    return [name, shownFields.has(name) && isText ? text : replaceNames(field, text)];
  });
  return Object.fromEntries(fields);
}
