import type { Config, Interfaces } from '@oclif/core';
import { Command } from '@oclif/core/command';
import { configDirectory, ENVIRONMENT_VARIABLES } from '../config/environment.ts';
import { BUILT_IN_PROFILES, type Profile } from '../config/profile.ts';
import { type Profiles, readProfiles } from '../config/profiles.ts';
import { resolveSettings, type Settings } from '../config/settings.ts';
import type { Operation } from '../contract/operation.ts';
import { UsageError } from '../errors.ts';
import type { Column } from '../output/columns.ts';
import type { Credentials } from '../tokens/provider.ts';
import { EXIT } from './failure/exit-code.ts';
import type { KnownFlags } from './failure/usage-error.ts';
import type { WriteFlagValues } from './flags/body.ts';
import { type ConnectionFlagValues, type DisplayFlagValues, displayFlags } from './flags/global.ts';
import type { OutputFlagValues } from './flags/list.ts';
import { namedFlags } from './flags/named.ts';
import type { LeadingSettings } from './routing/leading-flags.ts';
import type { Runtime } from './runtime.ts';
import type { FurtherQuery, ReadsFirst, SessionParts } from './session/connect.ts';
import { DryRunEnd } from './session/hooks.ts';
import { openSession, type Session } from './session/session.ts';
import { columnsOfProfile, knownColumnsOf, takesColumns, withoutBareColumns } from './show/columns-flag.ts';
import { createDisplay, type Display, displayOptions } from './show/display.ts';

type Flags = Interfaces.OutputFlags<Interfaces.FlagInput>;
type Args = Interfaces.OutputArgs<Interfaces.ArgInput>;

type CommandClass = new (argv: string[], config: Config, runtime: Runtime) => BaseCommand;

/** How a command was called. */
type Call = {
  /** Its own words, such as `buyers list`. */
  readonly words?: readonly string[];
  /** What flags before it set that its parser does not read. */
  readonly settings?: LeadingSettings;
  /** The folder of all commands. */
  readonly commands?: string;
  /** The profiles, where they were read to find the command. */
  readonly profiles?: Profiles | undefined;
};

type SessionFlagValues = DisplayFlagValues &
  ConnectionFlagValues &
  WriteFlagValues & { readonly jq?: string | undefined };

/** What `auth login` tries before it stores it, and how a change is made from what the service holds. */
type Overrides = Partial<Pick<SessionParts, 'scopeNeeded'>> & {
  readonly profiles?: ReadonlyMap<string, Profile>;
  readonly credentials?: Credentials;
  readonly isPolling?: boolean;
  /** The merchant account header of an imported description, where the settings name none. */
  readonly merchantHeader?: string | undefined;
  readonly readsFirst?: ReadsFirst | undefined;
};

/** What settings are resolved from in addition to flags and variables; by default, the stored profiles. */
type ProfilesInUse = {
  readonly profiles?: ReadonlyMap<string, Profile> | undefined;
  /** Name of the profile to use where no flag names one. */
  readonly inUse?: string | undefined;
};

/** The base of every command: flags and their parsing come from oclif, everything that a person sees from payctl. */
export abstract class BaseCommand extends Command {
  static override readonly baseFlags = displayFlags();

  /** The columns of its table; completion offers their paths after --columns. */
  static readonly columns: readonly Column[] = [];

  /** The operation whose fields its data have; --columns takes no others. */
  static readonly operation: Operation | undefined = undefined;

  /** The operation that it calls, where its data do not have the fields of that one. */
  static readonly calls: Operation | undefined = undefined;
  /** The fields of its data, where an imported description says what they are. */
  static readonly fields: readonly string[] | undefined = undefined;

  /** The operations whose items are at these paths of its document, where it is made of several. */
  static readonly members: Readonly<Record<string, Operation>> | undefined = undefined;

  /** Its own flags are stored instead of being used in this run; before the command, they are settings of this run. */
  static readonly storesSettings: boolean = false;

  protected readonly runtime: Runtime;
  #call: Call = {};
  #display: Display | undefined;
  #session: Session | undefined;
  #profiles: Profiles | undefined;
  #furtherFlags: Interfaces.FlagInput = {};
  #furtherQuery: FurtherQuery | undefined;

  constructor(argv: string[], config: Config, runtime: Runtime) {
    super(argv, config);
    this.runtime = runtime;
  }

  /** Runs the command to its end and reports what fails; resolves to the exit code and never rejects. */
  static async execute(
    this: CommandClass,
    argv: readonly string[],
    runtime: Runtime,
    call: Call = {},
  ): Promise<number> {
    const command = new this([...argv], oclifConfig(runtime), runtime);
    command.#call = call;
    try {
      const code: unknown = await command.runToEnd();
      await command.#display?.finish();
      await runtime.stdout.end();
      await runtime.stderr.end();
      return typeof code === 'number' ? code : EXIT.done;
    } catch (error) {
      const { reportFailure } = await import('./failure/report.ts');
      return await reportFailure(error, {
        argv,
        runtime,
        display: command.#display,
        session: command.#session,
        flags: { ...command.ctor.baseFlags, ...command.ctor.flags, ...command.#furtherFlags } as KnownFlags,
      });
    } finally {
      await command.#session?.close({ atExit: true });
    }
  }

  /** Runs the command; showing the request in the place of sending it is one way to its end. */
  private async runToEnd(): Promise<unknown> {
    const others = takesColumns(this.ctor.flags) ? withoutBareColumns(this.argv) : undefined;
    if (others) return await this.listColumns(others);
    try {
      return await this.run();
    } catch (error) {
      if (error instanceof DryRunEnd) return EXIT.done;
      throw error;
    }
  }

  /** Parses the arguments, and adds what the profile in use says about the columns. */
  protected override async parse<F extends Flags, B extends Flags, A extends Args>(
    options?: Interfaces.Input<F, B, A>,
    argv?: string[],
  ): Promise<Interfaces.ParserOutput<F, B, A>> {
    const parsed = await this.parseFlags(
      options ?? (this.ctor as Interfaces.Input<F, B, A>),
      argv ?? this.argv,
    );
    if (!takesColumns(this.ctor.flags)) return parsed;
    const profileColumns = columnsOfProfile(this.profileFor(parsed.flags), this.#call.words?.join(' ') ?? '');
    return profileColumns ? { ...parsed, flags: { ...parsed.flags, profileColumns } } : parsed;
  }

  /**
   * Only an unknown flag makes it look at the imported description, which may know further parameters for the operation of the
   * command; they are sent with it.
   */
  private async parseFlags<F extends Flags, B extends Flags, A extends Args>(
    options: Interfaces.Input<F, B, A>,
    argv: string[],
  ): Promise<Interfaces.ParserOutput<F, B, A>> {
    const { args, strict } = options;
    const own = { ...options.baseFlags, ...options.flags };
    const parse = (flags: Interfaces.FlagInput) =>
      super.parse({ args, strict, flags } as typeof options, argv);
    try {
      return await parse(namedFlags(own, argv));
    } catch (error) {
      const { operation } = this.constructor as typeof BaseCommand;
      if (!operation) throw error;
      const { isUnknownFlag } = await import('./failure/usage-error.ts');
      if (!isUnknownFlag(error)) throw error;
      const { furtherFlags, readParameters } = await import('./flags/further-flags.ts');
      const taken = Object.keys({ ...own, ...BaseCommand.baseFlags });
      const further = await furtherFlags(operation, { argv, environment: this.runtime.environment, taken });
      if (!further) throw error;
      this.#furtherFlags = further.flags;
      const parsed = await parse({ ...own, ...further.flags });
      const query = await readParameters(parsed.flags, further, {
        query: further.query,
        runtime: this.runtime,
      });
      this.#furtherQuery = { operation, query };
      return parsed;
    }
  }

  /** The profile in use. One that cannot be used is reported where settings are needed. */
  private profileFor(flags: DisplayFlagValues): Profile | undefined {
    try {
      return this.resolve(flags).profile.value;
    } catch (error) {
      if (error instanceof UsageError) return undefined;
      throw error;
    }
  }

  /** Lists what --columns can name, in the format of the run; nothing else of the command is done. */
  private async listColumns(others: readonly string[]): Promise<void> {
    const { flags } = await this.parse(
      { flags: this.ctor.flags, baseFlags: this.ctor.baseFlags, strict: false },
      [...others],
    );
    const known = knownColumnsOf(this.constructor as typeof BaseCommand) ?? { columns: [] };
    const { showColumns } = await import('./show/show-columns.ts');
    await showColumns(this.openDisplay(flags), flags as OutputFlagValues, known);
  }

  /**
   * The display of a command that talks to no service. Works also where the profile in use does not exist or is invalid:
   * otherwise users could not inspect and correct it.
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
      // The built-in profile has no settings that could be invalid; a flag or a variable that is invalid fails here, too.
      return this.resolve({ profile: 'emulator', ...flags });
    }
  }

  /** Settings and, once asked for, the client of a command that talks to the service. */
  protected openSession(flags: SessionFlagValues, overrides: Overrides = {}): Session {
    const resolved = this.resolve(flags, { profiles: overrides.profiles });
    const settings = withMerchantHeader(resolved, overrides.merchantHeader);
    const display = this.show(settings, flags);
    const dryRun = flags['dry-run'] === true;
    // Every command that sends a change can show it instead.
    const isChange = !dryRun && 'dry-run' in this.ctor.flags;
    this.#session = openSession({
      settings,
      display,
      runtime: this.runtime,
      dryRun,
      change: isChange ? { isSent: false, document: undefined } : undefined,
      confirmed: flags.yes === true,
      credentials: overrides.credentials,
      isPolling: overrides.isPolling,
      readsFirst: overrides.readsFirst,
      scopeNeeded: overrides.scopeNeeded,
      furtherQuery: this.#furtherQuery,
      jq: flags.jq,
    });
    return this.#session;
  }

  /** The folder of all commands. */
  protected get commands(): string {
    return this.#call.commands ?? '';
  }

  /** Absolute path of the directory of the configuration. */
  protected get directory(): string {
    return configDirectory(this.runtime.environment);
  }

  /** The stored and built-in profiles; read once. @throws UsageError when their file cannot be used. */
  protected get profiles(): Profiles {
    this.#profiles ??= this.#call.profiles ?? readProfiles(this.directory);
    return this.#profiles;
  }

  /**
   * Name of the profile that commands use where none is named with `--profile`: that of `PAYCTL_PROFILE`, else the one that
   * `profiles use` set.
   */
  protected get activeProfile(): string | undefined {
    return this.runtime.environment.profile ?? this.profiles.active;
  }

  /** Uses only the built-in profiles from now on: for the command that reports what is wrong with the others. */
  protected doWithoutProfiles(): void {
    this.#profiles = { profiles: BUILT_IN_PROFILES, active: undefined };
  }

  /** The settings of this run, from the stored profiles unless a command makes one. */
  protected resolve(
    flags: DisplayFlagValues & ConnectionFlagValues,
    { profiles = this.profiles.profiles, inUse }: ProfilesInUse = {},
  ): Settings {
    const { environment } = this.runtime;
    const { settings = {} } = this.#call;
    return resolveSettings({
      flags: {
        profile: flags.profile,
        baseUrl: flags['base-url'] ?? settings['base-url'],
        instance: flags.instance ?? settings.instance,
        proxy: flags.proxy ?? settings.proxy,
        merchantAccount: flags['merchant-account'] ?? settings['merchant-account'],
        timeout: flags.timeout ?? settings.timeout,
        maxRetries: flags['max-retries'] ?? settings['max-retries'],
        output: flags.output ?? settings.output,
        json: flags.json,
        verbose: flags.verbose,
        quiet: flags.quiet,
      },
      environment: inUse === undefined ? environment : { ...environment, profile: inUse },
      profiles,
      activeProfile: this.profiles.active,
      description: this.profiles.description,
    });
  }

  /** The display of this run, made on the first call: there is one, so that a secret it knows is masked everywhere. */
  protected show(settings: Settings, flags: DisplayFlagValues): Display {
    const options = displayOptions(settings, flags['no-color'] === true);
    if (this.#display) return this.#display;
    this.#display = createDisplay({ ...options, noPager: flags['no-pager'] === true }, this.runtime);
    if (this.runtime.emptyVariables.profile) warnOfEmptyProfile(settings, this.#display);
    return this.#display;
  }
}

/** A job whose variable is missing must not silently act for another profile. */
function warnOfEmptyProfile({ profile: { value, source } }: Settings, display: Display): void {
  if (source.kind === 'flag') return;
  const name = ENVIRONMENT_VARIABLES.profile;
  const instead = value ? `the profile ${value.name} is used` : 'no profile is used';
  const message = `${name} is set but empty, so it is ignored; ${instead}.`;
  display.warn('empty_variable', message, { variables: [name] });
}

function withMerchantHeader(settings: Settings, header: string | undefined): Settings {
  const { merchantHeader } = settings;
  if (header === undefined || merchantHeader.source.kind !== 'default') return settings;
  return { ...settings, merchantHeader: { ...merchantHeader, value: header } };
}

/**
 * The part of oclif's configuration that its Command and parser read. Loading the real one reads the manifest of every
 * command and looks for plugins, of which payctl has none; that takes a third of the start-up time of a command.
 */
function oclifConfig(runtime: Runtime): Config {
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
