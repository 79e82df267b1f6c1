import { elementsOf, endOfString, endOfValue, type JsonMember, skipSpace, walkMembers } from './json-scan.ts';

/** A page taken apart: the exact source text of each item, and the other members of the envelope in their order. */
export type SplitPage = { readonly texts: readonly string[]; readonly rest: readonly JsonMember[] };

/**
 * Takes the top-level array `key` of a page apart without parsing it, so that field order, duplicate names, the
 * spelling of numbers and big integers stay as the service wrote them. A document without such an array has no items,
 * and all of its members are in `rest`. Of a duplicate `key` the last one counts, as with JSON.parse.
 */
export function splitItems(pageText: string, key = 'items'): SplitPage {
  const start = skipSpace(pageText, 0);
  if (pageText[start] !== '{') return { texts: [], rest: [] };
  let texts: readonly string[] = [];
  const rest: JsonMember[] = [];
  walkMembers(pageText, start, ({ key: name, keyText, valueStart }) => {
    if (name === key && pageText[valueStart] === '[') {
      const elements = elementsOf(pageText, valueStart);
      texts = elements.texts;
      return elements.end;
    }
    const end = endOfValue(pageText, valueStart);
    rest.push({ key: name, keyText, valueText: pageText.slice(valueStart, end) });
    return end;
  });
  return { texts, rest };
}

const anySpace = /[\t\n\r ]/;

/** Removes the white space between tokens and changes nothing else. Expects text that JSON.parse accepts. */
export function minifyJson(text: string): string {
  if (!anySpace.test(text)) return text;
  let minified = '';
  let from = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
    } else if (code <= 0x20) {
      minified += text.slice(from, at);
      at = skipSpace(text, at);
      from = at;
    } else {
      at++;
    }
  }
  return minified + text.slice(from);
}
