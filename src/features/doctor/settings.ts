import type { DisplayFlagValues } from '../../cli/flags/global.ts';
import { openTarget, type Target } from '../../cli/session/target.ts';
import type { RunParts } from '../../cli/show/display.ts';
import { type Environment, readEnvironment } from '../../config/environment.ts';
import { type Production, productionAt } from '../../config/origin.ts';
import { BUILT_IN_PROFILES, type Profile } from '../../config/profile.ts';
import type { Profiles } from '../../config/profiles.ts';
import { nameOfSource, resolveSettings, type Settings } from '../../config/settings.ts';
import { PayctlError } from '../../errors.ts';
import { type CheckResult, fail, pass, skip, warn } from './finding.ts';

/** The settings as far as they can be resolved, or why they cannot. */
export type ResolvedSettings =
  | { readonly settings: Settings; readonly error?: undefined }
  | { readonly settings?: undefined; readonly error: PayctlError };

/** The result of the settings check; without a target if the settings name no service. */
export type SettingsResult = {
  readonly result: CheckResult;
  readonly target?: Target;
};

/**
 * Determines the service from the settings; starts the emulator if they select it. `profiles` is undefined when
 * their file cannot be used.
 */
export async function checkSettings(
  { settings, error }: ResolvedSettings,
  profiles: Profiles | undefined,
  parts: Omit<RunParts, 'settings'>,
): Promise<SettingsResult> {
  if (error) return { result: evaluateUnresolved(error, profiles !== undefined) };
  try {
    // Its messages are part of the result.
    const display = { ...parts.display, info: () => {}, warn: () => {} };
    const target = await openTarget({ ...parts, settings, display });
    return { result: evaluateSettings(settings, target.baseUrl), target };
  } catch (failure) {
    return { result: evaluateNoTarget(failure, settings, profiles) };
  }
}

/** Evaluates settings that could not be resolved; without the profiles a name that is not known says nothing. */
export function evaluateUnresolved({ code, message, hint }: PayctlError, hasProfiles: boolean): CheckResult {
  return code === 'unknown_profile' && !hasProfiles ? notKnown() : fail(message, hint);
}

/** Evaluates settings with a base URL. */
export function evaluateSettings(settings: Settings, baseUrl: string): CheckResult {
  const { profile, baseUrl: given } = settings;
  const { name, environment } = profile.value ?? {};
  const source = given.source.kind === 'default' ? `profile ${name}` : nameOfSource(given.source);
  const production = productionAt(settings, new URL(baseUrl).origin);
  const facts = {
    profile: name ?? null,
    profile_source: name === undefined ? null : nameOfSource(profile.source),
    environment: production ? 'production' : environment === 'sandbox' ? environment : null,
    environment_source: production?.reason ?? null,
    read_only: settings.readOnly.value,
    base_url: baseUrl,
    base_url_source: source,
  };
  const who = name === undefined ? 'no profile' : `profile ${name} (${nameOfSource(profile.source)})`;
  const kind = production ? ', production' : environment === 'sandbox' ? ', sandbox' : '';
  const found = [
    `${who}${kind}; base URL ${baseUrl} (${source})`,
    ...(production && !isOwn(production, name) ? [`production, because ${production.reason}`] : []),
    ...(settings.readOnly.value ? [`read-only (${nameOfSource(settings.readOnly.source)})`] : []),
  ].join('; ');
  if (!isOverridden(settings)) return pass(found, facts);
  return warn(
    `${found}, which overrides the base URL of the profile`,
    `Unset ${source}, unless you mean the other service.`,
    facts,
  );
}

function isOwn(production: Production, profile: string | undefined): boolean {
  return production.by === 'profile' && production.name === profile;
}

/** Whether a variable overrides the base URL of a profile, usually by mistake. */
function isOverridden({ profile, baseUrl }: Settings): boolean {
  if (baseUrl.source.kind !== 'environment' || !profile.value) return false;
  return profile.value.name === 'emulator' || profile.value.baseUrl !== undefined;
}

/**
 * Evaluates settings that name no service.
 * @throws what neither payctl nor the system raised on purpose
 */
export function evaluateNoTarget(
  failure: unknown,
  settings: Settings,
  profiles: Profiles | undefined,
): CheckResult {
  if (!(failure instanceof PayctlError)) {
    if (!(failure instanceof Error && 'syscall' in failure)) throw failure;
    return fail(failure.message);
  }
  const { code, message, hint } = failure;
  if (code !== 'not_configured') return fail(message, hint);
  if (!profiles) return notKnown();
  return evaluateNotConfigured(settings.profile.value, [...profiles.profiles.keys()]) ?? fail(message, hint);
}

function evaluateNotConfigured(
  profile: Profile | undefined,
  names: readonly string[],
): CheckResult | undefined {
  if (profile) {
    const command = `payctl profiles set ${profile.name} --base-url https://api.example.com`;
    return fail(`the profile ${profile.name} has no base URL`, `Set it: ${command}`);
  }
  const [first, ...others] = names.filter((name) => !BUILT_IN_PROFILES.has(name)).sort();
  if (first === undefined) return undefined;
  return fail(
    `no profile is in use; available: ${[first, ...others].join(', ')}`,
    `Use one: payctl profiles use ${first}`,
  );
}

function notKnown(): CheckResult {
  return skip('not checked: the profiles cannot be read');
}

/** The settings that `resolve` gives, or the error that says which of them is wrong. */
export function resolveOrExplain(resolve: () => Settings): ResolvedSettings {
  try {
    return { settings: resolve() };
  } catch (error) {
    if (error instanceof PayctlError) return { error };
    throw error;
  }
}

/** Settings for the display where the others cannot be resolved: flags, and the format that the environment asks for. */
export function settingsForDisplay(flags: DisplayFlagValues, { output }: Environment): Settings {
  const { json, utc, verbose, quiet } = flags;
  const nothing = readEnvironment({});
  const settle = (environment: Environment): Settings =>
    resolveSettings({
      flags: { output: flags.output, json, utc, verbose, quiet },
      environment,
      profiles: BUILT_IN_PROFILES,
    });
  return resolveOrExplain(() => settle({ ...nothing, output })).settings ?? settle(nothing);
}
