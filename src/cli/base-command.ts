import type { Config } from '@oclif/core';
import { Command } from '@oclif/core/command';
import { BUILT_IN_PROFILES } from '../config/profile.ts';
import { resolveSettings, type Settings } from '../config/settings.ts';
import { createDisplay, type Display, displayOptions } from './display.ts';
import { DryRunEnd } from './dry-run-end.ts';
import { EXIT } from './failure/exit-code.ts';
import { reportFailure } from './failure/report-failure.ts';
import type { KnownFlags } from './failure/usage-error.ts';
import type { WriteFlagValues } from './flags/body-flags.ts';
import { type ConnectionFlagValues, type DisplayFlagValues, displayFlags } from './flags/global-flags.ts';
import { oclifConfig } from './oclif-config.ts';
import type { Runtime } from './runtime.ts';
import { openSession, type Session } from './session.ts';

type CommandClass = new (argv: string[], config: Config, runtime: Runtime) => BaseCommand;

/** What every command is built on: flags and their parsing from oclif, everything that a person sees from payctl. */
export abstract class BaseCommand extends Command {
  static override readonly baseFlags = displayFlags();

  protected readonly runtime: Runtime;
  #display: Display | undefined;
  #session: Session | undefined;

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

  /** How this run speaks, from its flags and the environment. */
  protected openDisplay(flags: DisplayFlagValues): Display {
    return this.#show(this.#resolve(flags), flags);
  }

  /** Settings and, once asked for, the client of a command that talks to the service. */
  protected openSession(flags: DisplayFlagValues & ConnectionFlagValues & WriteFlagValues): Session {
    const settings = this.#resolve(flags);
    const display = this.#show(settings, flags);
    this.#session = openSession({
      settings,
      display,
      runtime: this.runtime,
      dryRun: flags['dry-run'] === true,
    });
    return this.#session;
  }

  #resolve(flags: DisplayFlagValues & ConnectionFlagValues): Settings {
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
      profiles: BUILT_IN_PROFILES,
    });
  }

  #show(settings: Settings, flags: DisplayFlagValues): Display {
    this.#display = createDisplay(displayOptions(settings, flags['no-color'] === true), this.runtime);
    return this.#display;
  }
}
