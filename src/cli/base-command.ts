import type { Config } from '@oclif/core';
import { Command } from '@oclif/core/command';
import { configDirectory } from '../config/environment.ts';
import { BUILT_IN_PROFILES, type Profile, type Profiles, readProfiles } from '../config/profiles.ts';
import { resolveSettings, type Settings } from '../config/settings.ts';
import type { Credentials } from '../credentials/read.ts';
import { UsageError } from '../errors.ts';
import type { Column } from '../output/columns.ts';
import { createDisplay, type Display, displayOptions } from './display.ts';
import { EXIT } from './failure/exit-code.ts';
import { reportFailure } from './failure/report.ts';
import type { KnownFlags } from './failure/usage-error.ts';
import type { WriteFlagValues } from './flags/body.ts';
import { type ConnectionFlagValues, type DisplayFlagValues, displayFlags } from './flags/global.ts';
import { DryRunEnd } from './hooks.ts';
import type { Runtime } from './runtime.ts';
import { openSession, type Session } from './session.ts';

type CommandClass = new (argv: string[], config: Config, runtime: Runtime) => BaseCommand;

type SessionFlagValues = DisplayFlagValues & ConnectionFlagValues & WriteFlagValues;

/** What `auth login` tries out before it is stored. */
type Overrides = {
  readonly profiles?: ReadonlyMap<string, Profile>;
  readonly credentials?: Credentials;
};

/** What every command is built on: flags and their parsing from oclif, everything that a person sees from payctl. */
export abstract class BaseCommand extends Command {
  static override readonly baseFlags = displayFlags();

  /** The columns of its table; completion offers their paths after --columns. */
  static readonly columns: readonly Column[] = [];

  protected readonly runtime: Runtime;
  #display: Display | undefined;
  #session: Session | undefined;
  #profiles: Profiles | undefined;

  constructor(argv: string[], config: Config, runtime: Runtime) {
    super(argv, config);
    this.runtime = runtime;
  }

  /** Runs the command to its end and reports what fails; resolves to the exit code and never rejects. */
  static async execute(this: CommandClass, argv: readonly string[], runtime: Runtime): Promise<number> {
    const command = new this([...argv], oclifConfig(runtime), runtime);
    try {
      const code: unknown = await command.run();
      await runtime.stdout.end();
      await runtime.stderr.end();
      return typeof code === 'number' ? code : EXIT.done;
    } catch (error) {
      if (error instanceof DryRunEnd) return EXIT.done;
      return await reportFailure(error, {
        argv,
        runtime,
        display: command.#display,
        session: command.#session,
        flags: { ...command.ctor.baseFlags, ...command.ctor.flags } as KnownFlags,
      });
    } finally {
      await command.#session?.close();
    }
  }

  /**
   * How this run speaks, from its flags and the environment. For commands that talk to no service: they must work also where
   * the profile in use is not there or holds nonsense, or else nobody could look at it and mend it.
   */
  protected openDisplay(flags: DisplayFlagValues): Display {
    return this.show(this.resolveForDisplay(flags), flags);
  }

  /** The settings of `openDisplay`. @throws UsageError for a flag or variable that cannot be used */
  protected resolveForDisplay(flags: DisplayFlagValues): Settings {
    try {
      return this.resolve(flags);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      // The built-in profile has no settings that could be wrong; what is wrong elsewhere is wrong here, too.
      return this.resolve({ profile: 'emulator', ...flags });
    }
  }

  /** Settings and, once asked for, the client of a command that talks to the service. */
  protected openSession(flags: SessionFlagValues, overrides: Overrides = {}): Session {
    const settings = this.resolve(flags, overrides.profiles);
    const display = this.show(settings, flags);
    this.#session = openSession({
      settings,
      display,
      runtime: this.runtime,
      dryRun: flags['dry-run'] === true,
      confirmed: flags.yes === true,
      credentials: overrides.credentials,
    });
    return this.#session;
  }

  /** Absolute path of the directory of the configuration. */
  protected get directory(): string {
    return configDirectory(this.runtime.environment);
  }

  /** The profiles that there are; read once. @throws UsageError when their file cannot be used. */
  protected get profiles(): Profiles {
    this.#profiles ??= readProfiles(this.directory);
    return this.#profiles;
  }

  /** Goes on as if only the built-in profiles were there: for the command that says what is wrong with the others. */
  protected doWithoutProfiles(): void {
    this.#profiles = { profiles: BUILT_IN_PROFILES, active: undefined };
  }

  /** The settings of this run; `profiles` are those that there are, unless a command makes one. */
  protected resolve(
    flags: DisplayFlagValues & ConnectionFlagValues,
    profiles = this.profiles.profiles,
  ): Settings {
    return resolveSettings({
      flags: {
        profile: flags.profile,
        baseUrl: flags['base-url'],
        instance: flags.instance,
        merchantAccount: flags['merchant-account'],
        timeout: flags.timeout,
        maxRetries: flags['max-retries'],
        output: flags.output,
        json: flags.json,
        verbose: flags.verbose,
        quiet: flags.quiet,
      },
      environment: this.runtime.environment,
      profiles,
      activeProfile: this.profiles.active,
    });
  }

  /** Opens the display of these settings. */
  protected show(settings: Settings, flags: DisplayFlagValues): Display {
    this.#display = createDisplay(displayOptions(settings, flags['no-color'] === true), this.runtime);
    return this.#display;
  }
}

/**
 * The little that oclif's Command and parser ask of their configuration. Loading the real one reads the manifest of every
 * command and looks for plugins, which payctl has none of; that is a third of the start-up time of a command.
 */
export function oclifConfig(runtime: Runtime): Config {
  const config = {
    bin: 'payctl',
    name: 'payctl',
    version: runtime.version,
    userAgent: `payctl/${runtime.version}`,
    pjson: { name: 'payctl', version: runtime.version, oclif: {} },
    plugins: new Map(),
    topicSeparator: ' ',
    runHook: async () => ({ successes: [], failures: [] }),
  };
  return config as unknown as Config;
}
