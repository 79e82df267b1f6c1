import { readClaimsIfAny } from '../../auth/claims.ts';

/** A token as data. Everything but the token is null where the token is no JWT, or does not say it. */
export type TokenRecord = {
  readonly token: string;
  readonly scopes: readonly string[] | null;
  /** ISO 8601, UTC. */
  readonly expires_at: string | null;
  readonly key_id: string | null;
};

/** Describes a token by what stands in it. */
export function toTokenRecord(token: string): TokenRecord {
  const content = readClaimsIfAny(token);
  return {
    token,
    scopes: content?.scopes ?? null,
    expires_at: content?.expiresAt?.toISOString() ?? null,
    key_id: content?.keyId ?? null,
  };
}

/** What a person is told of a token that stands on stdout: a sentence that does not hold it. */
export function summaryOf({ scopes, expires_at: expiresAt }: TokenRecord): string {
  if (!scopes) return 'This token is no JWT: only the service knows its scopes and its end.';
  return `Scopes: ${scopes.join(', ') || 'none'}. Expires: ${expiresAt ?? 'never'}.`;
}
