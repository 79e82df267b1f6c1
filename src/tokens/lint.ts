import { formatDuration } from '../text/format.ts';
import type { TokenContent } from './claims.ts';
import type { Algorithm } from './keys.ts';
import { kindOfScope, reachOfWildcard } from './scopes.ts';

/** All problems of a token that can be found without its key: errors first, then warnings. */
export function lintToken(inspection: Inspection): TokenIssue[] {
  const found = [...checkTimes(inspection), ...checkHeader(inspection), ...checkScopes(inspection)];
  return [
    ...found.filter(({ severity }) => severity === 'error'),
    ...found.filter(({ severity }) => severity === 'warning'),
  ];
}

/** One thing that is wrong with a token. Codes are stable. */
export type TokenIssue = {
  readonly code:
    | 'expired'
    | 'not_yet_valid'
    | 'clock_skew'
    | 'no_expiry'
    | 'long_lifetime'
    | 'date_unreadable'
    | 'date_in_milliseconds'
    | 'algorithm_none'
    | 'algorithm_shared_secret'
    | 'algorithm_unknown'
    | 'signature_missing'
    | 'no_key_id'
    | 'other_key'
    | 'type_unusual'
    | 'scopes_missing'
    | 'scopes_empty'
    | 'scopes_unknown'
    | 'scopes_wildcard';
  /** A service such as the emulator refuses a token with an `error`; with a `warning` it may take it. */
  readonly severity: 'error' | 'warning';
  /** A sentence with its full stop. May hold text of the token, so it is sanitised before a terminal sees it. */
  readonly message: string;
};

/** What a token is checked with. */
export type Inspection = {
  readonly content: TokenContent;
  /** Whether there is anything in the place of the signature. */
  readonly isSigned: boolean;
  readonly now: Date;
  /** The key that the settings in use name, and its name in messages; undefined: keys are not compared. */
  readonly ownKey: { readonly keyId: string; readonly origin: string } | undefined;
  /** Every scope that the contract names. */
  readonly knownScopes: readonly string[];
};

const LONGEST = 80;

/** A value of a token as messages show it: as JSON, at most 80 characters of it. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}

const ALGORITHMS: readonly Algorithm[] = ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256', 'PS256'];

/** What is wrong with how a token is signed, and by which key. */
export function checkHeader(inspection: Inspection): TokenIssue[] {
  return [...checkAlgorithm(inspection), ...checkKey(inspection), ...checkType(inspection)];
}

function checkAlgorithm({ content: { header }, isSigned }: Inspection): TokenIssue[] {
  const alg = typeof header.alg === 'string' ? header.alg : '';
  if (alg.toLowerCase() === 'none') {
    const message = 'The algorithm is none: the token is not signed, so anyone could have created it.';
    return [{ code: 'algorithm_none', severity: 'error', message }];
  }
  const unsigned: TokenIssue[] = isSigned ? [] : [SIGNATURE_MISSING];
  if (ALGORITHMS.some((name) => name === alg)) return unsigned;
  if (/^HS\d+$/.test(alg)) {
    const message = `${shown(alg)} signs with a shared secret; the service expects a key pair.`;
    return [{ code: 'algorithm_shared_secret', severity: 'error', message }, ...unsigned];
  }
  const message = Object.hasOwn(header, 'alg')
    ? `The algorithm ${shown(header.alg)} is not supported; the service accepts ${ALGORITHMS.join(', ')}.`
    : 'The header has no algorithm (alg).';
  return [{ code: 'algorithm_unknown', severity: 'error', message }, ...unsigned];
}

const SIGNATURE_MISSING: TokenIssue = {
  code: 'signature_missing',
  severity: 'error',
  message: 'The token has no signature: it was truncated or never signed.',
};

function checkKey({ content: { keyId }, ownKey }: Inspection): TokenIssue[] {
  if (keyId === undefined) {
    const message =
      'The header has no key ID (kid), so the service cannot tell which key to verify the token with.';
    return [{ code: 'no_key_id', severity: 'error', message }];
  }
  if (!ownKey || ownKey.keyId === keyId) return [];
  const message = `The token names the key ${shown(keyId)}, but the key in use is ${ownKey.keyId} (${ownKey.origin}).`;
  return [{ code: 'other_key', severity: 'warning', message }];
}

function checkType({ content: { header } }: Inspection): TokenIssue[] {
  const { typ } = header;
  if (typ === undefined || (typeof typ === 'string' && typ.toUpperCase() === 'JWT')) return [];
  return [{ code: 'type_unusual', severity: 'warning', message: `typ is ${shown(typ)} instead of "JWT".` }];
}

/** More names would make the sentence unreadable. */
const MOST_NAMES = 10;

/** What is unusual about the scopes of a token. */
export function checkScopes({ content: { scopes }, knownScopes }: Inspection): TokenIssue[] {
  if (scopes === undefined) {
    const message = 'The token has no scope claim; only the service knows what it allows.';
    return [{ code: 'scopes_missing', severity: 'warning', message }];
  }
  if (scopes.length === 0) {
    const message = 'The token has no scopes; it may not grant access to anything.';
    return [{ code: 'scopes_empty', severity: 'warning', message }];
  }
  const issues: TokenIssue[] = [];
  const unknown = scopes.filter((scope) => kindOfScope(scope, knownScopes) === 'unknown');
  if (unknown.length > 0) {
    const message = `The API does not define ${listed(unknown.map(shown))}.`;
    issues.push({ code: 'scopes_unknown', severity: 'warning', message });
  }
  const wildcards = scopes.filter((scope) => kindOfScope(scope, knownScopes) === 'wildcard');
  if (wildcards.length > 0) {
    const reaches = wildcards.map((scope) => `${scope} grants ${reachOfWildcard(scope)}`);
    issues.push({ code: 'scopes_wildcard', severity: 'warning', message: `${listed(reaches)}.` });
  }
  return issues;
}

function listed(texts: readonly string[]): string {
  const rest = texts.length - MOST_NAMES;
  return `${texts.slice(0, MOST_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const DATES = ['iat', 'nbf', 'exp'] as const;
const CLOCK_TOLERANCE = 60_000;
const DAY = 86_400_000;
/** As milliseconds the years 2001 to 5138; as seconds, years with five digits and more. */
const MILLISECONDS = { from: 1e12, to: 1e14 } as const;

type Times = Readonly<Record<(typeof DATES)[number], Date | undefined>>;

/** What is wrong with the times of a token: unreadable ones, its validity period, and the clock that it was made by. */
export function checkTimes(inspection: Inspection): TokenIssue[] {
  const { claims } = inspection.content;
  const times = timesOf(inspection);
  return [
    ...DATES.filter((name) => Object.hasOwn(claims, name)).flatMap((name) => checkDates(name, inspection)),
    ...checkPeriod(times, inspection),
    ...checkSkew(times, inspection),
    ...(Object.hasOwn(claims, 'exp') ? checkLifetime(times, inspection) : [NO_EXPIRY]),
  ];
}

const NO_EXPIRY: TokenIssue = {
  code: 'no_expiry',
  severity: 'error',
  message: 'The token has no expiry (exp), so it never expires.',
};

/** A claim in milliseconds is left out: whatever followed from it would be about a year tens of thousands away. */
function timesOf({ content: { claims, issuedAt, notBefore, expiresAt } }: Inspection): Times {
  const sane = (date: Date | undefined, name: string) => (isInMilliseconds(claims[name]) ? undefined : date);
  return { iat: sane(issuedAt, 'iat'), nbf: sane(notBefore, 'nbf'), exp: sane(expiresAt, 'exp') };
}

function isInMilliseconds(value: unknown): boolean {
  return typeof value === 'number' && value >= MILLISECONDS.from && value < MILLISECONDS.to;
}

function checkDates(name: (typeof DATES)[number], { content }: Inspection): TokenIssue[] {
  const { claims, issuedAt, notBefore, expiresAt } = content;
  if (isInMilliseconds(claims[name])) {
    const message = `${name} looks like milliseconds; JWT times are in seconds.`;
    return [{ code: 'date_in_milliseconds', severity: 'error', message }];
  }
  const date = { iat: issuedAt, nbf: notBefore, exp: expiresAt }[name];
  if (date) return [];
  const message = `${name} is not a valid time: it must be a number of seconds since 1970.`;
  return [{ code: 'date_unreadable', severity: 'error', message }];
}

function checkPeriod({ nbf, exp }: Times, { now }: Inspection): TokenIssue[] {
  const issues: TokenIssue[] = [];
  if (exp && exp <= now) {
    const message = `The token expired ${formatDuration(now.getTime() - exp.getTime())} ago, at ${exp.toISOString()}.`;
    issues.push({ code: 'expired', severity: 'error', message });
  }
  if (nbf && nbf > now) {
    const wait = formatDuration(nbf.getTime() - now.getTime());
    const message = `The token is not valid yet: it becomes valid in ${wait}, at ${nbf.toISOString()}.`;
    issues.push({ code: 'not_yet_valid', severity: 'error', message });
  }
  return issues;
}

function checkSkew({ iat, nbf }: Times, { now }: Inspection): TokenIssue[] {
  const ahead = Object.entries({ iat, nbf }).flatMap(([name, date]) => {
    const milliseconds = (date?.getTime() ?? 0) - now.getTime();
    return milliseconds > CLOCK_TOLERANCE ? [{ name, milliseconds }] : [];
  });
  if (ahead.length === 0) return [];
  const names = ahead.map(({ name }) => name).join(' and ');
  const distance = formatDuration(Math.max(...ahead.map(({ milliseconds }) => milliseconds)));
  const message = `${names} ${ahead.length > 1 ? 'are' : 'is'} ${distance} ahead of the clock of this machine: one of the clocks is wrong.`;
  return [{ code: 'clock_skew', severity: 'warning', message }];
}

function checkLifetime({ iat, nbf, exp }: Times, { now }: Inspection): TokenIssue[] {
  if (!exp) return [];
  const lifetime = exp.getTime() - (iat ?? nbf ?? now).getTime();
  if (lifetime <= DAY) return [];
  const message = `The token is valid for about ${formatDuration(lifetime)}, more than 24 hours; if it is stolen, it can be used that long.`;
  return [{ code: 'long_lifetime', severity: 'warning', message }];
}
