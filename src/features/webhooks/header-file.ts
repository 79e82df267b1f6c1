import { UsageError } from '../../errors.ts';
import { jsonOrNone } from '../../json/is-json.ts';
import { isObject } from '../../json/is-object.ts';

/** Headers by their names in lower case; the values of one that is there several times are joined by commas. */
export type Headers = Readonly<Record<string, string>>;

/**
 * Reads the headers in a text: lines as curl prints them (`-v`, `-i`, `-D`), a request as it was received, of which the body is ignored, or
 * the JSON of `webhooks get`. `origin` is what messages call the text; they show nothing of it.
 * @throws UsageError `invalid_headers`
 */
export function parseHeaders(text: string, origin: string): Headers {
  const headers = text.trimStart().startsWith('{') ? membersOf(text, origin) : linesOf(text, origin);
  if (headers.length === 0) throw invalid(`${origin} contains no headers`);
  const found = new Map<string, string>();
  for (const [typed, value] of headers) {
    const name = typed.toLowerCase();
    const before = found.get(name);
    found.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(found);
}

type Pairs = (readonly [name: string, value: string])[];

function membersOf(text: string, origin: string): Pairs {
  const document = jsonOrNone(text);
  if (document === undefined) throw invalid(`${origin} is neither a list of headers nor valid JSON`);
  const headers = isObject(document) && isObject(document.headers) ? document.headers : document;
  return Object.entries(isObject(headers) ? headers : {}).flatMap(([name, value]): Pairs => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.flatMap((one) => (typeof one === 'string' ? [[name, one] as const] : []));
  });
}

/** The first line of a request or a response. */
const START_LINE = /^(?:HTTP\/\d(?:\.\d)?(?: |$)|[A-Z]+ \S+ HTTP\/\d)/;

/** A line that curl -v marks. */
const MARKED = /^[<>] (?:[\w-]+:|HTTP\/|[A-Z]+ \S+ HTTP\/)/;

const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;

function linesOf(text: string, origin: string): Pairs {
  const lines = text.split(/\r?\n/);
  // curl -v marks the lines that it sent and received; the others are its own remarks, and the body.
  const isTrace = lines.some((line) => MARKED.test(line));
  const pairs: Pairs = [];
  for (const [index, written] of lines.entries()) {
    if (isTrace && !/^[<>]/.test(written)) continue;
    const line = isTrace ? written.replace(/^[<>] ?/, '') : written;
    if (line.trim() === '') {
      if (isTrace || pairs.length === 0 || startsAgain(lines, index)) continue;
      break;
    }
    if (START_LINE.test(line)) continue;
    const where = `Line ${index + 1} of ${origin}`;
    if (/^[ \t]/.test(line)) {
      throw invalid(`${where} continues a header`, 'Write each header on one line.');
    }
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) throw invalid(`${where} is not a header`);
    pairs.push([name, value]);
  }
  return pairs;
}

/** Whether the headers of another response follow: curl -D writes those of all. Otherwise what follows is the body. */
function startsAgain(lines: readonly string[], index: number): boolean {
  const next = lines.slice(index + 1).find((line) => line.trim() !== '');
  return next !== undefined && START_LINE.test(next);
}

const EXPECTED = 'It must have lines such as "x-service-timestamp: 1767225600", as curl prints them.';

function invalid(message: string, hint = EXPECTED): UsageError {
  return new UsageError('invalid_headers', message, { hint });
}
