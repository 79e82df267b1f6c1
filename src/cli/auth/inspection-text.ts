import type { OpenedToken } from '../../auth/open-token.ts';
import type { TokenFault } from '../../auth/token-fault.ts';
import { stringifyExactJson } from '../../json/exact-json.ts';
import type { InspectionMember } from '../columns/auth-inspect.ts';
import type { CommandVerdict } from './command-verdicts.ts';

/** A token that was looked into, and what was found. */
export type InspectedToken = {
  readonly token: OpenedToken;
  readonly now: Date;
  readonly faults: readonly TokenFault[];
  readonly verdicts: readonly CommandVerdict[];
};

/**
 * The inspection as JSON text. Header and claims stand in it as they were signed, so that no number is rounded; times are
 * ISO 8601 or null, `expires_in_seconds` is negative for what has expired.
 */
export function inspectionText({ token, now, faults, verdicts }: InspectedToken): string {
  const { scopes, keyId, issuedAt, notBefore, expiresAt } = token.content;
  const isGood = ({ lacking }: CommandVerdict) => lacking.length === 0;
  const found: Readonly<Record<Exclude<InspectionMember, 'header' | 'claims'>, unknown>> = {
    scopes,
    key_id: keyId ?? null,
    issued_at: issuedAt?.toISOString() ?? null,
    not_before: notBefore?.toISOString() ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
    expires_in_seconds: expiresAt ? Math.floor((expiresAt.getTime() - now.getTime()) / 1000) : null,
    faults,
    good_for: verdicts.filter(isGood).map(({ command }) => command),
    not_good_for: verdicts.filter((verdict) => !isGood(verdict)).map(({ command }) => command),
  };
  const rest = stringifyExactJson(found).slice(1);
  return `{"header":${token.headerText},"claims":${token.claimsText},${rest}`;
}
