import { createHmac, timingSafeEqual } from 'node:crypto';
import { formatDuration } from '../text/format.ts';

/** What the names of the headers of a delivery begin with, unless a setting says otherwise. */
export const HEADER_PREFIX = 'x-service-';

/** How old a timestamp may be, and how far in the future, in milliseconds. */
export const TOLERANCE_MS = 5 * 60_000;

/** The names of the headers of a delivery, in lower case. */
export type HeaderNames = {
  /** Signatures in hexadecimal, separated by commas: more than one while a secret is rotated. */
  readonly signature: string;
  /** When the delivery was signed, in seconds since 1970. */
  readonly timestamp: string;
  /** The type of the event. */
  readonly event: string;
  /** A UUID, the same for every attempt. */
  readonly delivery: string;
};

/** The names of the headers that begin with a prefix such as `x-service-`. */
export function headerNames(prefix: string): HeaderNames {
  return {
    signature: `${prefix}signature`,
    timestamp: `${prefix}timestamp`,
    event: `${prefix}event`,
    delivery: `${prefix}delivery`,
  };
}

/** What a signature says about a delivery; `unchecked` where no secret is known. */
export type Verdict = 'ok' | 'wrong' | 'missing' | 'old' | 'unchecked';

/** A verdict, and why, as a clause without a full stop. */
export type Checked = { readonly verdict: Verdict; readonly reason: string };

/** What is signed: `TIMESTAMP.BODY`. */
function hmac(secret: string, timestamp: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

/** The value of the header with the signatures: one for each secret, in lower-case hexadecimal. */
export function sign(body: Uint8Array, timestamp: string, secrets: readonly string[]): string {
  return secrets.map((secret) => hmac(secret, timestamp, body).toString('hex')).join(',');
}

/** The timestamp that a delivery is signed with at a moment, in milliseconds since 1970. */
export function timestampAt(nowMs: number): string {
  return String(Math.floor(nowMs / 1000));
}

/** How deliveries are signed. */
export type Scheme = {
  readonly names: HeaderNames;
  /** None leaves deliveries unsigned and unchecked; there are two while a secret is rotated. */
  readonly secrets: readonly string[];
  readonly toleranceMs: number;
};

/** What a delivery is signed with. */
export type Signing = Pick<Scheme, 'names' | 'secrets'> & {
  readonly deliveryId: string;
  /** The type of the event. */
  readonly event: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
};

/** The headers of a delivery. */
export function deliveryHeaders(
  body: Uint8Array,
  { names, secrets, deliveryId, event, nowMs }: Signing,
): Readonly<Record<string, string>> {
  const timestamp = timestampAt(nowMs);
  return {
    'content-type': 'application/json',
    [names.event]: event,
    [names.delivery]: deliveryId,
    [names.timestamp]: timestamp,
    ...(secrets.length > 0 && { [names.signature]: sign(body, timestamp, secrets) }),
  };
}

/** More are never sent; each takes time to compare. */
const MOST_SIGNATURES = 10;

/** How a signature is checked. */
export type SignatureCheck = Pick<Scheme, 'secrets' | 'toleranceMs'> & {
  /** The value of the header with the signatures; undefined where there is none. */
  readonly signature: string | undefined;
  /** The value of the header with the timestamp. */
  readonly timestamp: string | undefined;
  readonly nowMs: number;
};

/**
 * Checks the signature of a body. A signature that is not of the secret is `wrong`, whatever its age. The time that it takes says nothing about
 * a secret or its signature.
 */
export function checkSignature(body: Uint8Array, check: SignatureCheck): Checked {
  const { signature, timestamp, secrets, nowMs, toleranceMs } = check;
  if (secrets.length === 0) return { verdict: 'unchecked', reason: 'no secret is known' };
  if (!signature) return { verdict: 'missing', reason: 'there is no signature' };
  if (!timestamp) return { verdict: 'missing', reason: 'there is no timestamp' };
  if (/^[0-9]{13}$/.test(timestamp))
    return { verdict: 'wrong', reason: 'the timestamp looks like milliseconds; it must be in seconds' };
  if (!/^[0-9]{1,12}$/.test(timestamp))
    return { verdict: 'wrong', reason: 'the timestamp is not a number of seconds' };
  const given = signature.split(',', MOST_SIGNATURES + 1);
  if (given.length > MOST_SIGNATURES)
    return { verdict: 'wrong', reason: `there are more than ${MOST_SIGNATURES} signatures` };
  const texts = given.map((one) => one.trim());
  const wellFormed = texts.filter((one) => /^[0-9a-f]{64}$/.test(one)).map((one) => Buffer.from(one, 'hex'));
  if (wellFormed.length === 0)
    return { verdict: 'wrong', reason: 'no signature consists of 64 lower-case hexadecimal digits' };
  const expected = secrets.map((secret) => hmac(secret, timestamp, body));
  // Compares all of them, so that the time does not say which one fits.
  const fitting = expected.flatMap((own) => wellFormed.filter((one) => timingSafeEqual(own, one)));
  if (fitting.length === 0)
    return {
      verdict: 'wrong',
      reason: 'the secret is different, or the body or the timestamp was changed',
    };
  const aheadMs = Number(timestamp) * 1000 - nowMs;
  if (-aheadMs > toleranceMs + 999)
    return { verdict: 'old', reason: `it was signed ${formatDuration(-aheadMs)} ago` };
  if (aheadMs > toleranceMs)
    return { verdict: 'old', reason: `it was signed ${formatDuration(aheadMs)} in the future` };
  return { verdict: 'ok', reason: 'the signature is correct' };
}
