import type { Inspection, TokenFault } from './token-fault.ts';

const DATES = ['iat', 'nbf', 'exp'] as const;
const CLOCK_TOLERANCE = 60_000;
const DAY = 86_400_000;
/** As milliseconds the years 2001 to 5138; as seconds, years with five digits and more. */
const MILLISECONDS = { from: 1e12, to: 1e14 } as const;

type Times = Readonly<Record<(typeof DATES)[number], Date | undefined>>;

/** What is wrong with the times of a token: unreadable ones, its validity period, and the clock that it was made by. */
export function timeFaults(inspection: Inspection): TokenFault[] {
  const { claims } = inspection.content;
  const times = timesOf(inspection);
  return [
    ...DATES.filter((name) => Object.hasOwn(claims, name)).flatMap((name) => dateFaults(name, inspection)),
    ...periodFaults(times, inspection),
    ...skewFaults(times, inspection),
    ...(Object.hasOwn(claims, 'exp') ? lifetimeFaults(times, inspection) : [NO_EXPIRY]),
  ];
}

const NO_EXPIRY: TokenFault = {
  code: 'no_expiry',
  severity: 'fault',
  message: 'The token has no exp: it never expires.',
};

/** A claim in milliseconds is left out: whatever followed from it would be about a year tens of thousands away. */
function timesOf({ content: { claims, issuedAt, notBefore, expiresAt } }: Inspection): Times {
  const sane = (date: Date | undefined, name: string) => (isInMilliseconds(claims[name]) ? undefined : date);
  return { iat: sane(issuedAt, 'iat'), nbf: sane(notBefore, 'nbf'), exp: sane(expiresAt, 'exp') };
}

function isInMilliseconds(value: unknown): boolean {
  return typeof value === 'number' && value >= MILLISECONDS.from && value < MILLISECONDS.to;
}

function dateFaults(name: (typeof DATES)[number], { content }: Inspection): TokenFault[] {
  const { claims, issuedAt, notBefore, expiresAt } = content;
  if (isInMilliseconds(claims[name])) {
    const message = `${name} is written in milliseconds, as it seems; a JWT counts seconds.`;
    return [{ code: 'date_in_milliseconds', severity: 'fault', message }];
  }
  const date = { iat: issuedAt, nbf: notBefore, exp: expiresAt }[name];
  if (date) return [];
  const message = `${name} is no number of seconds since 1970 that a date can express.`;
  return [{ code: 'date_unreadable', severity: 'fault', message }];
}

function periodFaults({ nbf, exp }: Times, { now, inWords }: Inspection): TokenFault[] {
  const faults: TokenFault[] = [];
  if (exp && exp <= now) {
    const message = `The token expired ${inWords(now.getTime() - exp.getTime())} ago, at ${exp.toISOString()}.`;
    faults.push({ code: 'expired', severity: 'fault', message });
  }
  if (nbf && nbf > now) {
    const wait = inWords(nbf.getTime() - now.getTime());
    const message = `The token is not valid yet: it will be in ${wait}, at ${nbf.toISOString()}.`;
    faults.push({ code: 'not_yet_valid', severity: 'fault', message });
  }
  return faults;
}

function skewFaults({ iat, nbf }: Times, { now, inWords }: Inspection): TokenFault[] {
  const ahead = Object.entries({ iat, nbf }).flatMap(([name, date]) => {
    const milliseconds = (date?.getTime() ?? 0) - now.getTime();
    return milliseconds > CLOCK_TOLERANCE ? [{ name, milliseconds }] : [];
  });
  if (ahead.length === 0) return [];
  const names = ahead.map(({ name }) => name).join(' and ');
  const distance = inWords(Math.max(...ahead.map(({ milliseconds }) => milliseconds)));
  const message = `${names} ${ahead.length > 1 ? 'are' : 'is'} ${distance} ahead of the clock of this machine: one of the two clocks is wrong.`;
  return [{ code: 'clock_skew', severity: 'warning', message }];
}

function lifetimeFaults({ iat, nbf, exp }: Times, { now, inWords }: Inspection): TokenFault[] {
  if (!exp) return [];
  const lifetime = exp.getTime() - (iat ?? nbf ?? now).getTime();
  if (lifetime <= DAY) return [];
  const message = `The token lives longer than 24 hours, about ${inWords(lifetime)}; a stolen one can be used that long.`;
  return [{ code: 'long_lifetime', severity: 'warning', message }];
}
