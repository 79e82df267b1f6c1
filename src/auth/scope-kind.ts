/** What a scope is to the contract: a name of it, a wildcard that covers such names, or neither. */
export type ScopeKind = 'known' | 'wildcard' | 'unknown';

/**
 * Tells a scope by the names of the contract. Wildcards are those that `grants` of scopes.ts heeds; `X.*` is one only where
 * the contract has something below `X`.
 */
export function kindOfScope(scope: string, known: readonly string[]): ScopeKind {
  if (known.includes(scope)) return 'known';
  if (scope === '*' || scope === '*.read' || scope === '*.write') return 'wildcard';
  const isArea = scope.endsWith('.*') && scope.length > 2;
  return isArea && known.some((name) => name.startsWith(scope.slice(0, -1))) ? 'wildcard' : 'unknown';
}

/** What a wildcard opens, as the end of a sentence: `everything`, `everything below buyers`. */
export function reachOfWildcard(scope: string): string {
  if (scope === '*') return 'everything';
  return scope.startsWith('*')
    ? `every scope that ends in ${scope.slice(1)}`
    : `everything below ${scope.slice(0, -2)}`;
}
