import { errorCode } from '../../client/connection-fault.ts';
import { AbortedError } from '../../client/errors.ts';
import { fault, ok, type Verdict } from './finding.ts';
import { type Limits, withinLimits } from './limits.ts';

/** Codes that say that no name server was reached, which is nothing about the name. */
const NO_NAME_SERVER = new Set(['EAI_AGAIN', 'ETIMEDOUT']);

/** Looks the host of the base URL up, as requests do. @throws AbortedError */
export async function checkHost(url: URL, limits: Limits): Promise<Verdict> {
  const host = hostOf(url);
  if (isAddress(host)) return ok(`${host} is an address, there is nothing to look up`, { addresses: [host] });
  const { lookup } = process.getBuiltinModule('node:dns').promises;
  try {
    const found = await withinLimits(lookup(host, { all: true }), limits);
    const addresses = [...new Set(found.map(({ address }) => address))];
    return ok(`${host} is ${addresses.join(', ')}`, { addresses });
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    return judgeLookup(host, errorCode(error));
  }
}

/** Judges a look-up that failed with a code of the system. */
export function judgeLookup(host: string, code: string): Verdict {
  const remedy = NO_NAME_SERVER.has(code)
    ? 'No name server answers: see whether this machine has a network.'
    : 'See whether the base URL is spelt right.';
  return fault(`${host} cannot be resolved (${code || 'the reason is unknown'})`, remedy, { addresses: [] });
}

/** The host of a URL as sockets take it: an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function isAddress(host: string): boolean {
  return process.getBuiltinModule('node:net').isIP(host) !== 0;
}
