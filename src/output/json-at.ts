import { elementsOf, endOfValue, skipSpace, walkMembers } from './json-scan.ts';
import { minifyJson } from './json-text.ts';

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
