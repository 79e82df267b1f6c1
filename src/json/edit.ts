import { elementsOf, endOfString, endOfValue, type JsonMember, skipSpace, walkMembers } from './scan.ts';

/** A page taken apart: the exact source text of each item, and the other members of the envelope in their order. */
export type SplitPage = { readonly texts: readonly string[]; readonly rest: readonly JsonMember[] };

/**
 * Takes the array at the dotted path `key` of a page apart without parsing it, so that field order, duplicate names, the
 * spelling of numbers and big integers stay as the service wrote them. A document without such an array has no items,
 * and all of its members are in `rest`; one that is an array has its elements. Of a duplicate `key` the last one counts, as with JSON.parse.
 * Members next to the array stay in the objects around it.
 */
export function splitItems(pageText: string, key = 'items'): SplitPage {
  const dot = key.indexOf('.');
  const [own, inner] = dot === -1 ? [key, undefined] : [key.slice(0, dot), key.slice(dot + 1)];
  const start = skipSpace(pageText, 0);
  if (pageText[start] === '[') return { texts: elementsOf(pageText, start).texts, rest: [] };
  if (pageText[start] !== '{') return { texts: [], rest: [] };
  let texts: readonly string[] = [];
  const rest: JsonMember[] = [];
  walkMembers(pageText, start, ({ key: name, keyText, valueStart }) => {
    if (name === own && inner === undefined && pageText[valueStart] === '[') {
      const elements = elementsOf(pageText, valueStart);
      texts = elements.texts;
      return elements.end;
    }
    const end = endOfValue(pageText, valueStart);
    if (name === own && inner !== undefined && pageText[valueStart] === '{') {
      const within = splitItems(pageText.slice(valueStart, end), inner);
      texts = within.texts;
      const others = within.rest.map((member) => `${member.keyText}:${member.valueText}`);
      if (others.length > 0) rest.push({ key: name, keyText, valueText: `{${others.join(',')}}` });
      return end;
    }
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

/**
 * Looks a dotted path up in JSON text and returns the exact source text of the value, undefined where there is none.
 * Finds what `valueAt` finds in the parsed value; of duplicate names the last one counts.
 */
export function textAt(text: string, path: string): string | undefined {
  let value: string | undefined = text;
  let rest = path;
  while (value !== undefined) {
    const whole = childText(value, rest);
    if (whole !== undefined) return whole;
    const dot = rest.indexOf('.');
    if (dot === -1) return undefined;
    value = childText(value, rest.slice(0, dot));
    rest = rest.slice(dot + 1);
  }
  return undefined;
}

/**
 * Reduces the text of an item to an object of the given paths: `{"id":"b1","billing_details.first_name":"Ada"}`. What
 * an item does not have is null, so that all objects have the same shape. Values keep their exact spelling.
 */
export function pickText(itemText: string, paths: readonly string[]): string {
  const members = paths.map(
    (path) => `${JSON.stringify(path)}:${minifyJson(textAt(itemText, path) ?? 'null')}`,
  );
  return `{${members.join(',')}}`;
}

function childText(text: string, name: string): string | undefined {
  const start = skipSpace(text, 0);
  if (text[start] === '{') {
    let found: string | undefined;
    walkMembers(text, start, ({ key, valueStart }) => {
      const end = endOfValue(text, valueStart);
      if (key === name) found = text.slice(valueStart, end);
      return end;
    });
    return found;
  }
  if (text[start] !== '[' || !/^(?:0|[1-9]\d*)$/.test(name)) return undefined;
  return elementsOf(text, start).texts[Number(name)];
}
