/** More of a header than that is not read. */
const LONGEST = 20_000;

/**
 * The target of the first link with this relation in the value of a `Link` header (RFC 8288), as it is written there, and the
 * rest of the value from that link on, or from the first text that is not a link: reading ends there. A link with an `anchor` is
 * about something other than the page, and one with `results="false"` leads to an empty page.
 */
export function findLink(
  value: string,
  relation: string,
): { readonly target?: string | undefined; readonly rest: string; readonly isEmpty?: boolean } {
  if (value.length > LONGEST) return { rest: value };
  const scan = { text: value, at: 0 };
  for (;;) {
    take(scan, /[\t ,]*/y);
    const rest = value.slice(scan.at);
    const target = take(scan, /<([^<>]*)>/y)?.[1];
    const parameters = target === undefined ? undefined : parametersAt(scan);
    if (!parameters || !take(scan, /[\t ]*(?=,|$)/y)) return { rest };
    const relations =
      parameters
        .get('rel')
        ?.toLowerCase()
        .split(/[\t ]+/) ?? [];
    if (!relations.includes(relation) || parameters.has('anchor')) continue;
    // Some services link a next page with every page, and say whether it has items.
    return parameters.get('results')?.toLowerCase() === 'false'
      ? { rest: '', isEmpty: true }
      : { target, rest };
  }
}

type Scan = { readonly text: string; at: number };

/** Reads a token at the position of the scan and moves the scan past it, in time proportional to the length of the token. */
function take(scan: Scan, token: RegExp): RegExpExecArray | undefined {
  token.lastIndex = scan.at;
  const match = token.exec(scan.text);
  if (match) scan.at = token.lastIndex;
  return match ?? undefined;
}

/** The parameters of a link by their names in lower case, of two with one name the first; undefined where a value is missing. */
function parametersAt(scan: Scan): ReadonlyMap<string, string> | undefined {
  const named = new Map<string, string>();
  while (take(scan, /[\t ]*;[\t ]*/y)) {
    const name = take(scan, /[!#$%&'*+.^_`|~\w-]+/y)?.[0].toLowerCase();
    if (name === undefined) continue;
    const hasValue = take(scan, /[\t ]*=[\t ]*/y) !== undefined;
    const value = hasValue ? take(scan, /[!#$%&'*+.^_`|~\w-]+|"((?:[^"\\]|\\.)*)"/sy) : undefined;
    if (hasValue && !value) return undefined;
    if (!named.has(name)) named.set(name, value?.[1]?.replace(/\\(.)/gs, '$1') ?? value?.[0] ?? '');
  }
  return named;
}
