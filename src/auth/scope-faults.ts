import { kindOfScope, reachOfWildcard } from './scope-kind.ts';
import { type Inspection, shown, type TokenFault } from './token-fault.ts';

/** More names would bury the sentence that they stand in. */
const MOST_NAMES = 10;

/** What is unusual about the scopes of a token. */
export function scopeFaults({ content: { scopes }, knownScopes }: Inspection): TokenFault[] {
  if (scopes.length === 0) {
    const message = 'The token names no scopes, so as far as it says it opens nothing.';
    return [{ code: 'scopes_missing', severity: 'warning', message }];
  }
  const faults: TokenFault[] = [];
  const unknown = scopes.filter((scope) => kindOfScope(scope, knownScopes) === 'unknown');
  if (unknown.length > 0) {
    const message = `The contract does not name ${listed(unknown.map(shown))}.`;
    faults.push({ code: 'scopes_unknown', severity: 'warning', message });
  }
  const wildcards = scopes.filter((scope) => kindOfScope(scope, knownScopes) === 'wildcard');
  if (wildcards.length > 0) {
    const reaches = wildcards.map((scope) => `${scope} opens ${reachOfWildcard(scope)}`);
    faults.push({ code: 'scopes_wildcard', severity: 'warning', message: `${listed(reaches)}.` });
  }
  return faults;
}

function listed(texts: readonly string[]): string {
  const rest = texts.length - MOST_NAMES;
  return `${texts.slice(0, MOST_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
