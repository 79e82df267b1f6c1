import { resolveBaseUrl } from './base-url.ts';
import type { Profile } from './profiles.ts';
import type { Settings } from './settings.ts';

type Address = Pick<Profile, 'baseUrl' | 'instance'>;

/** Stands for any instance; no real one, because a label of a host name has at most 63 characters. */
const ANY = `any${'x'.repeat(60)}`;

/** `{id}` before the path, where it decides which host a request reaches. */
const INSTANCE_IN_HOST = /^\s*https?:\/\/[^/]*\{id\}/i;

/**
 * The origin (scheme, host, port) that a profile's own base URL and instance lead to; undefined where they do not decide it,
 * or cannot be used. The profile's stored credentials are for this origin only.
 */
export function profileOrigin({ baseUrl, instance }: Address): string | undefined {
  if (baseUrl === undefined) return undefined;
  if (instance === undefined && INSTANCE_IN_HOST.test(baseUrl)) return undefined;
  return originOf(baseUrl, instance ?? ANY);
}

/** The origin of a base URL that may contain `{id}`; undefined for one that cannot be used. */
function originOf(baseUrl: string, instance: string): string | undefined {
  try {
    return new URL(resolveBaseUrl(baseUrl, instance)).origin;
  } catch {
    return undefined;
  }
}

/** Whether a profile leads to this origin; one without an instance leads to those of all instances. */
function leadsTo({ baseUrl, instance }: Address, origin: string): boolean {
  if (baseUrl === undefined) return false;
  const own = originOf(baseUrl, instance ?? ANY);
  const before = own?.split(ANY, 1)[0] ?? '';
  if (own === undefined || own === before) return own === origin;
  const [candidate] = /^[a-z0-9-]+/.exec(origin.slice(before.length)) ?? [];
  return candidate !== undefined && originOf(baseUrl, candidate) === origin;
}

/** Why a request counts as one to production: a variable says so, or a profile that is marked production leads there. */
export type Production =
  | { readonly by: 'environment'; readonly reason: string }
  | { readonly by: 'profile'; readonly name: string; readonly reason: string };

/**
 * Decides whether a request to this origin is one to production; undefined if not. The profile in use makes no difference,
 * unless it is marked production and does not say where it leads.
 */
export function productionAt(
  { environment, productionProfiles, profile: { value: inUse } }: Settings,
  origin: string,
): Production | undefined {
  if (environment.value === 'production') {
    return { by: 'environment', reason: 'PAYCTL_ENVIRONMENT is production' };
  }
  const candidates = productionProfiles.filter(
    (profile) => leadsTo(profile, origin) || (profile.name === inUse?.name && !hasAddress(profile)),
  );
  const profile = candidates.find(({ name }) => name === inUse?.name) ?? candidates[0];
  if (!profile) return undefined;
  const { name } = profile;
  return { by: 'profile', name, reason: `the profile ${name} is marked production` };
}

function hasAddress({ baseUrl, instance }: Address): boolean {
  return baseUrl !== undefined && originOf(baseUrl, instance ?? ANY) !== undefined;
}
