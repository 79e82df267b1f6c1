import type { Config, Interfaces } from '@oclif/core';
import { Command } from '@oclif/core/command';
import type { Profile } from '../config/profile.ts';
import type { Settings } from '../config/settings.ts';
import type { Operation } from '../contract/operation.ts';
import { AbortedError } from '../errors.ts';
import type { Column } from '../output/columns.ts';
import { EXIT } from './failure/exit-code.ts';
import type { KnownFlags } from './failure/usage-error.ts';
import type { WriteFlagValues } from './flags/body.ts';
import { type ConnectionFlagValues, type DisplayFlagValues, displayFlags } from './flags/global.ts';
import { isWatchable, type OutputFlagValues } from './flags/list.ts';
import { CommandParser, joinSort, splitWatch, type WatchedWords, withFormatNames } from './flags/parser.ts';
import { flagWords } from './routing/leading-flags.ts';
import type { Runtime } from './runtime.ts';
import { Configuration, type ConfigurationParts } from './session/configuration.ts';
import type { SessionParts } from './session/connect.ts';
import type { DescriptionInputs } from './session/description-in-use.ts';
import { DryRunEnd } from './session/hooks.ts';
import { openSession, type Session } from './session/session.ts';
import { columnsOfProfile, takesColumns, withoutBareColumns } from './show/columns-flag.ts';
import { type Display, openDisplay } from './show/display.ts';

type Flags = Interfaces.OutputFlags<Interfaces.FlagInput>;
type Args = Interfaces.OutputArgs<Interfaces.ArgInput>;

type CommandClass = new (
  argv: string[],
  config: Config,
  runtime: Runtime,
  invocation: Invocation,
) => BaseCommand;

/** How a command was called. */
type Invocation = ConfigurationParts & {
  /** Its own words, such as `buyers list`. */
  readonly words?: readonly string[];
  /** The folder of all commands. */
  readonly commands?: string;
};

type SessionFlagValues = DisplayFlagValues &
  ConnectionFlagValues &
  WriteFlagValues & { readonly jq?: string | undefined };

/** What `auth login` tries before it stores it, and how a change is made from what the service holds. */
type Overrides = Partial<
  Pick<
    SessionParts,
    | 'scopeNeeded'
    | 'credentials'
    | 'isPolling'
    | 'isBatch'
    | 'readsFirst'
    | 'takesOtherCredentials'
    | 'secretHeaders'
  >
> & {
  readonly profiles?: ReadonlyMap<string, Profile>;
  /** The merchant account header of an imported description, where the settings name none. */
  readonly merchantHeader?: string | undefined;
};

/**
 * The base of every command. oclif parses the words; what a person sees comes from payctl. It has a parser, the configuration, one
 * display and at most one session.
 */
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
  protected readonly configuration: Configuration;
  readonly #invocation: Invocation;
  readonly #parser: CommandParser;
  #display: Display | undefined;
  #session: Session | undefined;

  constructor(argv: string[], config: Config, runtime: Runtime, invocation: Invocation = {}) {
    super(argv, config);
    this.runtime = runtime;
    this.configuration = new Configuration(runtime, invocation);
    this.#invocation = invocation;
    this.#parser = new CommandParser((this.constructor as typeof BaseCommand).operation, runtime);
  }

  /** Runs the command to its end and reports what fails; resolves to the exit code and never rejects. */
  static async execute(
    this: CommandClass,
    argv: readonly string[],
    runtime: Runtime,
    invocation: Invocation = {},
  ): Promise<number> {
    const command = new this([...argv], oclifConfig(runtime), runtime, invocation);
    try {
      const code: unknown = await command.runToEnd();
      await command.#display?.finish();
      await runtime.stdout.end();
      await runtime.stderr.end();
      return typeof code === 'number' ? code : EXIT.done;
    } catch (error) {
      const { reportFailure } = await import('./failure/report.ts');
      const { baseFlags, flags } = command.ctor;
      return await reportFailure(error, {
        argv,
        runtime,
        display: command.#display,
        session: command.#session,
        flags: { ...baseFlags, ...flags, ...command.#parser.furtherFlags } as KnownFlags,
        command: invocation.words?.join(' '),
      });
    } finally {
      await command.#session?.close({ atExit: true });
    }
  }

  /** Runs the command; showing the request in the place of sending it is one way to its end. */
  private async runToEnd(): Promise<unknown> {
    const watched = isWatchable(this.ctor.flags) ? splitWatch(this.argv, this.ctor.args) : undefined;
    if (watched) return await this.watch(watched);
    const others = takesColumns(this.ctor.flags) ? withoutBareColumns(this.argv) : undefined;
    if (others) return await this.listColumns(others);
    if (this.example && flagWords(this.argv).includes('--example'))
      return await this.showExample(() => this.example?.());
    try {
      return await this.run();
    } catch (error) {
      if (error instanceof DryRunEnd) return EXIT.done;
      throw error;
    }
  }

  /** Runs the command again and again. */
  private async watch({ argv, interval }: WatchedWords): Promise<void> {
    const { flags } = await this.parse(
      { args: this.ctor.args, flags: this.ctor.flags, baseFlags: this.ctor.baseFlags },
      [...argv],
    );
    const display = this.openDisplay(flags);
    const { watch } = await import('./watch.ts');
    await watch({
      runtime: this.runtime,
      display,
      interval,
      flags,
      poll: (runtime) => this.poll(argv, runtime),
    }).catch(async (error: unknown) => {
      if (!(error instanceof AbortedError)) throw error;
      const { StoppedFollowingError } = await import('./failure/stopped-following-error.ts');
      throw new StoppedFollowingError(error);
    });
  }

  /** Runs the command once with another runtime. @throws what the command throws */
  private async poll(argv: readonly string[], runtime: Runtime): Promise<void> {
    const command = new (this.constructor as CommandClass)([...argv], this.config, runtime, this.#invocation);
    try {
      await command.runToEnd();
      await command.#display?.finish();
      await runtime.stdout.end();
      await runtime.stderr.end();
    } finally {
      // What a failure is explained with.
      this.#session = command.#session;
      await command.#session?.close();
    }
  }

  /** Parses the arguments, and adds what the profile in use says about the columns. */
  protected override async parse<F extends Flags, B extends Flags, A extends Args>(
    options = this.ctor as Interfaces.Input<F, B, A>,
    given = this.argv,
  ): Promise<Interfaces.ParserOutput<F, B, A>> {
    const argv = withFormatNames(given);
    const { args, strict, baseFlags, flags: own } = options;
    const typed = own && 'sort' in own ? joinSort(argv) : argv;
    const parsed = await this.#parser.parse({ ...baseFlags, ...own }, typed, (flags) =>
      super.parse({ args, strict, flags } as typeof options, typed),
    );
    if (!takesColumns(this.ctor.flags)) return parsed;
    const { words = [] } = this.#invocation;
    const profileColumns = columnsOfProfile(this.configuration.profileFor(parsed.flags), words.join(' '));
    return profileColumns ? { ...parsed, flags: { ...parsed.flags, profileColumns } } : parsed;
  }

  /** Lists what --columns can name, in the format of the run; nothing else of the command is done. */
  private async listColumns(others: readonly string[]): Promise<void> {
    const { flags } = await this.parse(
      { flags: this.ctor.flags, baseFlags: this.ctor.baseFlags, strict: false },
      [...others],
    );
    const command = this.constructor as typeof BaseCommand;
    const { showColumns } = await import('./show/show-columns.ts');
    await showColumns(this.openDisplay(flags), flags as OutputFlagValues, command);
  }

  /** An example of the body that the command sends; undefined for a command that sends none, or needs its arguments to know it. */
  protected example?(): Promise<unknown>;

  /** Prints an example of a body; nothing else of the command is done, so that it needs no arguments. */
  protected async showExample(example: () => unknown): Promise<void> {
    const { flags: own, baseFlags } = this.ctor;
    const { flags } = await this.parse({ flags: own, baseFlags, strict: false }, this.argv);
    const display = this.openDisplay(flags);
    const { showExample } = await import('./show/show-example.ts');
    await showExample(display, await example());
  }

  /** The display of a command that talks to no service. */
  protected openDisplay(flags: DisplayFlagValues): Display {
    return this.show(this.configuration.resolveForDisplay(flags), flags);
  }

  /** What decides which description the run uses. */
  protected describedBy({ profile }: Pick<DisplayFlagValues, 'profile'>): DescriptionInputs {
    const { environment, signal } = this.runtime;
    return { environment, signal, profile, profiles: this.configuration.profiles };
  }

  /** Settings and, once asked for, the client of a command that talks to the service. */
  protected openSession(flags: SessionFlagValues, overrides: Overrides = {}): Session {
    const { profiles, merchantHeader, ...parts } = overrides;
    const settings = this.configuration.resolve(flags, { profiles, merchantHeader });
    const dryRun = flags['dry-run'] === true;
    // Every command that sends a change can show it instead.
    const isChange = !dryRun && 'dry-run' in this.ctor.flags;
    this.#session = openSession({
      ...parts,
      settings,
      display: this.show(settings, flags),
      runtime: this.runtime,
      dryRun,
      change: isChange ? { isSent: false, document: undefined } : undefined,
      confirmed: flags.yes === true,
      furtherQuery: this.#parser.furtherQuery,
      jq: flags.jq,
    });
    return this.#session;
  }

  /** The folder of all commands. */
  protected get commands(): string {
    return this.#invocation.commands ?? '';
  }

  /** The display of this run, made on the first call: there is one, so that a secret it knows is masked everywhere. */
  protected show(settings: Settings, flags: DisplayFlagValues): Display {
    this.#display ??= openDisplay(settings, flags, this.runtime);
    return this.#display;
  }
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
