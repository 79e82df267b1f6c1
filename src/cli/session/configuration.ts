import { configDirectory } from '../../config/environment.ts';
import { BUILT_IN_PROFILES, type Profile } from '../../config/profile.ts';
import { type Profiles, readProfiles } from '../../config/profiles.ts';
import { resolveSettings, type Settings } from '../../config/settings.ts';
import { UsageError } from '../../errors.ts';
import type { ConnectionFlagValues, DisplayFlagValues } from '../flags/global.ts';
import type { LeadingSettings } from '../routing/leading-flags.ts';
import type { Runtime } from '../runtime.ts';

/** What the settings of a run are resolved from in addition to its flags and variables. */
export type ConfigurationParts = {
  /** What flags before the command set that its parser does not read. */
  readonly settings?: LeadingSettings;
  /** The profiles, where they were read to find the command. */
  readonly profiles?: Profiles | undefined;
};

/** How settings are resolved otherwise than from the stored profiles. */
type ResolveOptions = {
  readonly profiles?: ReadonlyMap<string, Profile> | undefined;
  /** Name of the profile to use where no flag names one. */
  readonly inUse?: string | undefined;
  /** The merchant account header where the settings name none. */
  readonly merchantHeader?: string | undefined;
};

/** The flags that set something, if a command has them. */
type SettingFlagValues = DisplayFlagValues &
  ConnectionFlagValues & { readonly 'header-prefix'?: string | undefined };

/** The stored profiles, and the settings that they give to one run. */
export class Configuration {
  readonly #environment: Runtime['environment'];
  readonly #leading: LeadingSettings;
  #profiles: Profiles | undefined;

  constructor(
    { environment }: Pick<Runtime, 'environment'>,
    { settings = {}, profiles }: ConfigurationParts,
  ) {
    this.#environment = environment;
    this.#leading = settings;
    this.#profiles = profiles;
  }

  /** Absolute path of its directory. */
  get directory(): string {
    return configDirectory(this.#environment);
  }

  /** The stored and built-in profiles; read once. @throws UsageError when their file cannot be used. */
  get profiles(): Profiles {
    this.#profiles ??= readProfiles(this.directory);
    return this.#profiles;
  }

  /**
   * Name of the profile that commands use where none is named with `--profile`: that of `PAYCTL_PROFILE`, else the one that
   * `profiles use` set.
   */
  get activeProfile(): string | undefined {
    return this.#environment.profile ?? this.profiles.active;
  }

  /** Uses only the built-in profiles from now on: for the command that reports what is wrong with the others. */
  doWithoutProfiles(): void {
    this.#profiles = { profiles: BUILT_IN_PROFILES, active: undefined };
  }

  /** The settings of this run, from the stored profiles unless a command makes one. @throws UsageError for one that cannot be used */
  resolve(flags: SettingFlagValues, options: ResolveOptions = {}): Settings {
    const { profiles = this.profiles.profiles, inUse, merchantHeader } = options;
    const given = Object.entries(flags).filter(([, value]) => value !== undefined);
    const settings = resolveSettings({
      flags: { ...this.#leading, ...Object.fromEntries(given) },
      environment: inUse === undefined ? this.#environment : { ...this.#environment, profile: inUse },
      profiles,
      activeProfile: this.profiles.active,
      description: this.profiles.description,
    });
    if (merchantHeader === undefined || settings.merchantHeader.source.kind !== 'default') return settings;
    return { ...settings, merchantHeader: { ...settings.merchantHeader, value: merchantHeader } };
  }

  /**
   * The settings of a command that talks to no service. Works also where the profile in use does not exist or is invalid:
   * otherwise users could not inspect and correct it. @throws UsageError for a flag or variable that cannot be used
   */
  resolveForDisplay(flags: DisplayFlagValues): Settings {
    try {
      return this.resolve(flags);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      // The built-in profile has no settings that could be invalid; a flag or a variable that is invalid fails here, too.
      return this.resolve({ profile: 'emulator', ...flags });
    }
  }

  /** The profile in use. One that cannot be used is reported where settings are needed. */
  profileFor(flags: DisplayFlagValues): Profile | undefined {
    try {
      return this.resolve(flags).profile.value;
    } catch (error) {
      if (error instanceof UsageError) return undefined;
      throw error;
    }
  }
}
