import { isLoopback, resolveBaseUrl } from './base-url.ts';
import type { LIMIT_FIELDS, Profile } from './profile.ts';
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

/**
 * One form of an origin for all names of its host that are known to be the same: with and without the dot that may end it, as in DNS, and
 * those of this machine.
 */
function sameHost(origin: string): string {
  const plain = origin.replace(/\.(?=:\d+$|$)/, '');
  return isLoopback(plain) ? plain.replace(/(?<=:\/\/)(?:\[::1\]|[^:]+)/, 'localhost') : plain;
}

/** Whether a profile leads to this origin; one without an instance leads to those of all instances. */
function leadsTo({ baseUrl, instance }: Address, origin: string): boolean {
  if (baseUrl === undefined) return false;
  const target = sameHost(origin);
  const isTarget = (own: string | undefined) => own !== undefined && sameHost(own) === target;
  if (instance !== undefined || !INSTANCE_IN_HOST.test(baseUrl)) {
    return isTarget(originOf(baseUrl, instance ?? ANY));
  }
  return possibleInstances(target).some((candidate) => isTarget(originOf(baseUrl, candidate)));
}

/**
 * Every part of an origin's host and port that may have been an instance. The encoded form of a host (`xn--`) keeps the letters of an
 * instance together, and an instance may itself be such a form.
 */
function possibleInstances(origin: string): readonly string[] {
  const { hostname, port } = new URL(origin);
  const runs = `${hostname}:${port}`.match(/[a-z0-9-]+/g) ?? [];
  const parts = runs.flatMap((run) =>
    Array.from(run, (_, start) =>
      Array.from(run.slice(start), (__, size) => run.slice(start, start + size + 1)),
    ),
  );
  return [...new Set(parts.flat())].filter((part) => !part.startsWith('-') && !part.endsWith('-'));
}

/**
 * Whether a profile that changes like this no longer leads where it led, so that requests to there are no longer known as its
 * own. A profile that led nowhere loses nothing.
 */
export function leavesAddress(before: Address, after: Address): boolean {
  const was = addressOf(before);
  return was !== undefined && was !== addressOf(after);
}

/** The origin, or the base URL itself where an instance is missing that decides about the origin. */
function addressOf(address: Address): string | undefined {
  return profileOrigin(address) ?? address.baseUrl;
}

/** Why a request counts as one to production: a variable says so, or a profile that is marked production leads there. */
export type Production =
  | { readonly by: 'environment'; readonly reason: string }
  | { readonly by: 'profile'; readonly name: string; readonly reason: string };

/**
 * Decides whether a request to this origin is one to production; undefined if not. The profile in use makes no difference,
 * unless it is marked production and does not say where it leads.
 */
export function productionAt(settings: Settings, origin: string): Production | undefined {
  const { environment, productionProfiles } = settings;
  if (environment.value === 'production') {
    return { by: 'environment', reason: 'PAYCTL_ENVIRONMENT is production' };
  }
  const candidates = profilesAt(origin, productionProfiles, settings);
  const profile = candidates.find(({ name }) => name === settings.profile.value?.name) ?? candidates[0];
  if (!profile) return undefined;
  const { name } = profile;
  return { by: 'profile', name, reason: `the profile ${name} is marked production` };
}

/** The profiles whose limits of these kinds hold for a request to this origin, whichever profile is in use. */
export function limitedAt(
  settings: Settings,
  origin: string,
  kinds: readonly (typeof LIMIT_FIELDS)[number][],
): readonly Profile[] {
  const limited = settings.limitedProfiles.filter((profile) =>
    kinds.some((kind) => profile[kind] !== undefined),
  );
  return profilesAt(origin, limited, settings);
}

/** Those of the profiles that lead to an origin; the one in use also where it does not say where it leads. */
function profilesAt(
  origin: string,
  profiles: readonly Profile[],
  { profile: { value: inUse } }: Settings,
): readonly Profile[] {
  return profiles.filter(
    (profile) => leadsTo(profile, origin) || (profile.name === inUse?.name && !hasAddress(profile)),
  );
}

function hasAddress({ baseUrl, instance }: Address): boolean {
  return baseUrl !== undefined && originOf(baseUrl, instance ?? ANY) !== undefined;
}
