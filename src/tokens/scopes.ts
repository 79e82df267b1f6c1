/**
 * Whether one of the held scopes opens what needs `needed`. The same name does, and the wildcards `*` (everything),
 * `*.read`, `*.write` (every scope with that ending) and `X.*` (everything below `X`).
 * The contract does not define them: see docs/decisions/0048-where-the-specification-is-silent.md.
 */
export function grants(held: readonly string[], needed: string): boolean {
  return held.some((scope) => covers(scope, needed));
}

/** What the scopes of a token say about a call; `unknown`: they say nothing, only the service can tell. */
export type Access = 'allowed' | 'refused' | 'unknown';

/**
 * Decides what the scopes of a token say about a call that needs one scope of each group. Everything is `unknown` for a
 * token without a scope claim (`undefined`), nothing for one whose claim is empty. `lacking` holds the groups of which no
 * scope is held.
 */
export function checkAccess<Group extends readonly string[]>(
  held: readonly string[] | undefined,
  groups: readonly Group[],
): { readonly access: Access; readonly lacking: readonly Group[] } {
  if (held === undefined) return { access: 'unknown', lacking: [] };
  const lacking = groups.filter((group) => !group.some((scope) => grants(held, scope)));
  return { access: lacking.length === 0 ? 'allowed' : 'refused', lacking };
}

/**
 * The scopes that the claims of a token carry, in their order and each once: `scopes` (an array, or names separated by
 * white space), else `scope` (names separated by white space). Empty when nothing in the claim is readable; undefined
 * without either claim: such a token may carry its permissions elsewhere.
 */
export function scopesOf(claims: Readonly<Record<string, unknown>>): string[] | undefined {
  const { scopes, scope } = claims;
  if (scopes === undefined && scope === undefined) return undefined;
  if (Array.isArray(scopes)) {
    return unique(scopes.filter((name) => typeof name === 'string'));
  }
  if (typeof scopes === 'string') {
    return unique(scopes.split(/\s/));
  }
  return typeof scope === 'string' ? unique(scope.split(/\s/)) : [];
}

/** The scopes that the values of `--scope` name, each of which may hold several: in their order, each once. */
export function readScopes(values: readonly string[]): string[] {
  return unique(values.flatMap((value) => value.split(/[\s,]/)));
}

function covers(scope: string, needed: string): boolean {
  if (scope === '*' || scope === needed) {
    return true;
  }
  if (scope === '*.read' || scope === '*.write') {
    const ending = scope.slice(1);
    return needed.endsWith(ending) && needed.length > ending.length;
  }
  if (scope.endsWith('.*')) {
    const beginning = scope.slice(0, -1);
    return beginning.length > 1 && needed.startsWith(beginning) && needed.length > beginning.length;
  }
  return false;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names.filter((name) => name !== ''))];
}

/** A scope of the contract, a wildcard that covers such scopes, or neither. */
export type ScopeKind = 'known' | 'wildcard' | 'unknown';

/**
 * Classifies a scope by the names in the contract. Wildcards are those that `grants` accepts; `X.*` is one only if the
 * contract has a scope that starts with `X.`.
 */
export function kindOfScope(scope: string, known: readonly string[]): ScopeKind {
  if (known.includes(scope)) return 'known';
  if (scope === '*' || scope === '*.read' || scope === '*.write') return 'wildcard';
  const isArea = scope.endsWith('.*') && scope.length > 2;
  return isArea && known.some((name) => name.startsWith(scope.slice(0, -1))) ? 'wildcard' : 'unknown';
}

/** What a wildcard grants, as the end of a sentence: `everything`, `every scope under buyers`. */
export function reachOfWildcard(scope: string): string {
  if (scope === '*') return 'everything';
  return scope.startsWith('*')
    ? `every scope that ends in ${scope.slice(1)}`
    : `every scope under ${scope.slice(0, -2)}`;
}
