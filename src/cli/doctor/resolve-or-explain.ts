import { PayctlError } from '../../client/errors.ts';
import { type Environment, readEnvironment } from '../../config/environment.ts';
import { BUILT_IN_PROFILES } from '../../config/profile.ts';
import { resolveSettings, type Settings } from '../../config/settings.ts';
import type { DisplayFlagValues } from '../flags/global-flags.ts';
import type { ResolvedSettings } from './check-settings.ts';

/** The settings that `resolve` gives, or the error that says which of them is wrong. */
export function resolveOrExplain(resolve: () => Settings): ResolvedSettings {
  try {
    return { settings: resolve() };
  } catch (error) {
    if (error instanceof PayctlError) return { error };
    throw error;
  }
}

/** Settings to speak by where the others cannot be resolved: flags, and the format that the environment asks for. */
export function settingsToSpeakBy(flags: DisplayFlagValues, { output }: Environment): Settings {
  const { json, verbose, quiet } = flags;
  const nothing = readEnvironment({});
  const settle = (environment: Environment): Settings =>
    resolveSettings({
      flags: { output: flags.output, json, verbose, quiet },
      environment,
      profiles: BUILT_IN_PROFILES,
    });
  return resolveOrExplain(() => settle({ ...nothing, output })).settings ?? settle(nothing);
}
