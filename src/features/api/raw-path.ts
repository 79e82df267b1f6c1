import { valuesIn } from '../../cli/routing/match-operation.ts';
import type { Operation, QueryParameter } from '../../contract/operation.ts';
import { UsageError } from '../../errors.ts';
import { isOddInteger } from '../../json/integers.ts';
import { decodeComponent } from '../../text/decode.ts';
import { quote } from '../../text/format.ts';
import { inShell } from '../../text/shell.ts';

/** A path below the base URL, percent-encoded, and the pairs of its query as they are written. */
export type RawPath = { readonly path: string; readonly pairs: readonly string[] };

/**
 * Reads a path that somebody typed. It leads to the configured base URL and nowhere else: what a client or a proxy could read as
 * another address, or as a path outside of the base URL, is refused, encoded or not.
 * @throws UsageError `bad_path`
 */
export function parseRawPath(text: string): RawPath {
  const problem = problemOf(text);
  if (problem) {
    throw new UsageError('bad_path', `The path ${quote(text)} ${problem}`, {
      hint: inShell(
        "Use a path below the base URL, such as '/transactions?limit=5'. --base-url or --profile choose the service.",
      ),
    });
  }
  const [path = '', query] = splitQuery(text.startsWith('/') ? text : `/${text}`);
  return {
    path: encodeRest(path),
    pairs: (query ?? '').split('&').flatMap((pair) => (pair === '' ? [] : [encodeRest(pair)])),
  };
}

function splitQuery(text: string): readonly [path: string, query?: string] {
  const at = text.indexOf('?');
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function problemOf(text: string): string | undefined {
  if (text === '') return 'is empty';
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return 'is a full URL';
  // White space, control characters and a lone surrogate have no place in a request line.
  if (/[\s\p{Cc}]/u.test(text) || !text.isWellFormed()) return 'contains white space or control characters';
  if (text.includes('#')) return 'has a fragment, which is never sent';
  const [path] = splitQuery(text);
  if (path.startsWith('//') || path.includes('\\')) return 'could lead to another host';
  return segmentProblem(path);
}

/** How often a segment is decoded: proxies may decode once too often. */
const MOST_DECODED = 4;

function segmentProblem(path: string): string | undefined {
  for (const segment of path.split('/')) {
    let decoded = segment;
    for (let count = 0; count < MOST_DECODED; count += 1) {
      if (decoded === '.' || decoded === '..' || /^\.{1,2};/.test(decoded))
        return 'leads outside the base URL';
      if (/[/\\]/.test(decoded)) return 'has an escaped slash in a segment';
      if (/\p{Cc}/u.test(decoded)) return 'contains white space or control characters';
      const next = decodeComponent(decoded);
      // An escape never stands for itself.
      const isInvalid = next === decoded && decoded.includes('%');
      if (isInvalid && count === 0) return 'has a percent sign that is not part of an escape';
      if (next === decoded) break;
      decoded = next;
    }
  }
  return undefined;
}

/** Encodes what a URL may not contain; what is encoded already, and what has a meaning, stays. */
function encodeRest(text: string): string {
  return text.replaceAll(/[^\w!$&'()*+,\-./:;=?@~%]/gu, encodeURIComponent);
}

type Parameters = Pick<Operation, 'path' | 'query'> & {
  readonly pathValues: Readonly<Record<string, QueryParameter>>;
};

/**
 * Refuses a number such as `5.00` in the path or the query where the operation takes an integer.
 * @throws UsageError `bad_path`
 */
export function requireIntegers({ path, pairs }: RawPath, { path: template, query, pathValues }: Parameters) {
  for (const [name, text] of valuesOfPath(path, template)) {
    if (Object.hasOwn(pathValues, name)) requireInteger(name, text, pathValues[name]);
  }
  for (const pair of pairs) {
    const [name = '', text = ''] = pair
      .split(/=(.*)/s)
      .map((one) => decodeComponent(one.replaceAll('+', ' ')));
    const known = [name, name.replace(/\[[^\]]*\]$/, '')].find((one) => Object.hasOwn(query, one));
    if (known !== undefined) requireInteger(name, text, query[known]);
  }
}

/** The values that a path has for the parameters of a template, decoded. */
export function valuesOfPath(path: string, template: string): ReadonlyMap<string, string> {
  const segments = path.split('/');
  return new Map(
    template.split('/').flatMap((part, index) => [...(valuesIn(part, segments[index] ?? '') ?? [])]),
  );
}

function requireInteger(name: string, text: string, parameter: QueryParameter | undefined): void {
  if (!parameter) return;
  const texts = parameter.multiple ? text.split(parameter.separator ?? ',') : [text];
  const odd = texts.find((one) => isOddInteger(one, parameter));
  if (odd === undefined) return;
  throw new UsageError('bad_path', `${quote(name)} must be an integer in digits only, not ${quote(odd)}`);
}
