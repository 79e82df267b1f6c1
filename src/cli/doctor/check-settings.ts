import { PayctlError } from '../../client/errors.ts';
import { BUILT_IN_PROFILES, type Profile } from '../../config/profile.ts';
import type { Profiles } from '../../config/profile-store.ts';
import { nameOfSource } from '../../config/setting-source.ts';
import type { Settings } from '../../config/settings.ts';
import { openTarget, type Target, type TargetParts } from '../target.ts';
import { fault, ok, skipped, type Verdict, warning } from './finding.ts';

/** The settings as far as they can be resolved, or why they cannot. */
export type ResolvedSettings =
  | { readonly settings: Settings; readonly error?: undefined }
  | { readonly settings?: undefined; readonly error: PayctlError };

/** What the settings come to; no target where they lead nowhere. */
export type SettingsResult = {
  readonly verdict: Verdict;
  readonly target?: Target;
};

/**
 * Finds the service that the settings lead to; starts the emulator where they ask for it. `profiles` is undefined when
 * their file cannot be used.
 */
export async function checkSettings(
  { settings, error }: ResolvedSettings,
  profiles: Profiles | undefined,
  parts: Omit<TargetParts, 'settings'>,
): Promise<SettingsResult> {
  if (error) return { verdict: judgeUnresolved(error, profiles !== undefined) };
  try {
    // What it would say is part of the verdict.
    const target = await openTarget({ ...parts, settings, display: { ...parts.display, note: () => {} } });
    return { verdict: judgeSettings(settings, target.baseUrl), target };
  } catch (failure) {
    return { verdict: judgeNoTarget(failure, settings, profiles) };
  }
}

/** Judges settings that could not be resolved; without the profiles a name that is not known says nothing. */
export function judgeUnresolved({ code, message, hint }: PayctlError, hasProfiles: boolean): Verdict {
  return code === 'unknown_profile' && !hasProfiles ? notKnown() : fault(message, hint);
}

/** Judges settings that lead to a base URL. */
export function judgeSettings(settings: Settings, baseUrl: string): Verdict {
  const { profile, baseUrl: given } = settings;
  const { name, environment } = profile.value ?? {};
  const source = given.source.kind === 'default' ? `profile ${name}` : nameOfSource(given.source);
  const facts = {
    profile: name ?? null,
    profile_source: name === undefined ? null : nameOfSource(profile.source),
    environment: environment ?? null,
    base_url: baseUrl,
    base_url_source: source,
  };
  const who = name === undefined ? 'no profile' : `profile ${name} (${nameOfSource(profile.source)})`;
  const found = `${environment ? `${who}, ${environment}` : who}; base URL ${baseUrl} (${source})`;
  if (!isOverridden(settings)) return ok(found, facts);
  return warning(`${found}, which wins over that of the profile`, `unset ${source}`, facts);
}

/** Whether a variable leads a profile elsewhere than it says itself, mostly one that was forgotten. */
function isOverridden({ profile, baseUrl }: Settings): boolean {
  if (baseUrl.source.kind !== 'environment' || !profile.value) return false;
  return profile.value.name === 'emulator' || profile.value.baseUrl !== undefined;
}

/**
 * Judges settings that lead to no service.
 * @throws what is no fault of settings or of the system
 */
export function judgeNoTarget(failure: unknown, settings: Settings, profiles: Profiles | undefined): Verdict {
  if (!(failure instanceof PayctlError)) {
    if (!(failure instanceof Error && 'syscall' in failure)) throw failure;
    return fault(failure.message);
  }
  const { code, message, hint } = failure;
  if (code !== 'not_configured') return fault(message, hint);
  if (!profiles) return notKnown();
  return judgeNotConfigured(settings.profile.value, [...profiles.profiles.keys()]) ?? fault(message, hint);
}

function judgeNotConfigured(profile: Profile | undefined, names: readonly string[]): Verdict | undefined {
  if (profile) {
    const command = `payctl profiles set ${profile.name} --base-url https://api.example.com`;
    return fault(`the profile ${profile.name} has no base URL`, `Give it the one of the service: ${command}`);
  }
  const [first, ...others] = names.filter((name) => !BUILT_IN_PROFILES.has(name)).sort();
  if (first === undefined) return undefined;
  return fault(
    `no profile is in use; there ${others.length === 0 ? 'is' : 'are'} ${[first, ...others].join(', ')}`,
    `Use one: payctl profiles use ${first}`,
  );
}

function notKnown(): Verdict {
  return skipped('not known without the profiles');
}
