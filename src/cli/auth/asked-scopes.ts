import { kindOfScope, reachOfWildcard } from '../../auth/scope-kind.ts';
import { nearest } from '../../config/nearest.ts';
import { quoted } from '../../config/quoted.ts';
import { scopes as known } from '../../contract/operations.ts';

/** The scopes that the values of `--scope` name, each of which may hold several: in their order, each once. */
export function readScopes(values: readonly string[]): string[] {
  const names = values.flatMap((value) => value.split(/[\s,]+/));
  return [...new Set(names.filter((name) => name !== ''))];
}

/** What a person should know of the scopes before using the token: names that nobody knows, wildcards that open much. */
export function remarksOn(scopes: readonly string[]): string[] {
  return scopes.map(remarkOn).filter((remark) => remark !== undefined);
}

function remarkOn(scope: string): string | undefined {
  switch (kindOfScope(scope, known)) {
    case 'known':
      return undefined;
    case 'wildcard':
      return `The scope ${scope} grants much: ${reachOfWildcard(scope)}.`;
    case 'unknown': {
      const suggestion = nearest(scope, known);
      const question = suggestion ? ` Did you mean ${suggestion}?` : '';
      return `Unknown scope ${quoted(scope)}; the token carries it all the same.${question}`;
    }
  }
}
