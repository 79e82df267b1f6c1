import { namesScopes } from '../../auth/scopes.ts';
import type { CredentialSource } from '../../config/credential-sources.ts';
import type { OpenCredentials } from './open-credentials.ts';
import { momentOf, timeSpan } from './time-span.ts';

/** Credentials as verdicts name them: `the key of profile acme (keychain)`. */
export function nameOf({ kind, origin }: CredentialSource): string {
  return `the ${kind} of ${origin}`;
}

/** Everything that credentials say of themselves, behind a beginning and without anything secret. */
export function describeCredentials(
  beginning: string,
  { keyId, claims, others }: OpenCredentials,
  now: Date,
): string {
  const parts = [beginning];
  if (keyId !== undefined) parts.push(`key id ${keyId}`);
  if (claims) parts.push(...timesOf(claims, now), scopesOf(claims));
  if (others.length > 0) parts.push(`not used: ${others.join(', ')}`);
  return parts.join('; ');
}

type Claims = NonNullable<OpenCredentials['claims']>;

function timesOf({ notBefore, expiresAt }: Claims, now: Date): string[] {
  const between = (moment: Date) => timeSpan((moment.getTime() - now.getTime()) / 1000);
  const times: string[] = [];
  if (notBefore && notBefore > now) {
    times.push(`not valid before ${momentOf(notBefore)}, in ${between(notBefore)}`);
  }
  if (expiresAt) {
    const at = momentOf(expiresAt);
    const isOver = expiresAt <= now;
    times.push(
      isOver ? `expired at ${at}, ${between(expiresAt)} ago` : `expires at ${at}, in ${between(expiresAt)}`,
    );
  }
  return times;
}

function scopesOf({ claims, scopes }: Claims): string {
  if (!namesScopes(claims)) return 'names no scopes';
  return scopes.length === 0 ? 'no scopes' : `scopes ${scopes.join(', ')}`;
}

/** Whether a token says of itself that it is not valid now. */
export function isOutOfTime({ claims }: OpenCredentials, now: Date): boolean {
  const { notBefore, expiresAt } = claims ?? {};
  return Boolean((expiresAt && expiresAt <= now) || (notBefore && notBefore > now));
}
