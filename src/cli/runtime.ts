import {
  type EmptyVariables,
  ENVIRONMENT_VARIABLES,
  type Environment,
  findEmptyVariables,
  readEnvironment,
} from '../config/environment.ts';
import type { CredentialDeps } from '../credentials/read.ts';
import { UsageError } from '../errors.ts';
import type { InputStream } from '../files/read-input.ts';
import { createSink, type OutputStream, type Sink } from '../output/streams.ts';
import type { Prompter } from './prompt/prompter.ts';
import { flagWords } from './routing/leading-flags.ts';

/** The environment of one run, which a test replaces. */
export type Runtime = {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /**
   * Reads standard input to its end, as UTF-8 without a byte order mark. `limit` is in bytes.
   * @throws InputError, AbortedError; UsageError `no_input` for a terminal with `--no-input`
   */
  readStdin(limit: number): Promise<string>;
  /** Reads standard input piece by piece, without a limit. @throws AbortedError */
  streamStdin(): AsyncIterable<Uint8Array>;
  /**
   * Asks the person at the terminal; undefined unless both standard input and stderr are a terminal, and with `--no-input`.
   * @throws UsageError `invalid_switch` for the variable of that flag
   */
  prompter(): Promise<Prompter | undefined>;
  readonly environment: Environment;
  readonly emptyVariables: EmptyVariables;
  /** Nobody sees the output while it is written: there is neither progress nor a pager. */
  readonly isHidden?: boolean;
  /** Reads an entry of the keychain, by default that of the operating system. */
  readonly readKeychain?: CredentialDeps['readKeychain'];
  /** Called with each secret of the run, for what is said about the run elsewhere. */
  readonly onSecret?: (secret: string) => void;
  /** Aborted by Ctrl-C and by a request to terminate. */
  readonly signal: AbortSignal;
  /** Lets the run take longer to end after the first signal; a second one ends it at once in any case. */
  allowTimeToEnd(milliseconds: number): void;
  readonly version: string;
  readonly platform: string;
};

type RuntimeInputs = {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: () => InputStream;
  /** Standard input where it is a terminal; none by default. */
  readonly terminalInput?: () => NodeJS.ReadableStream | undefined;
  /** The words of the command line, for `--no-input`; none by default. */
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly allowTimeToEnd?: (milliseconds: number) => void;
  readonly version: string;
};

/** Makes the runtime of a process, or of a test with its own streams and variables. */
export function createRuntime(inputs: RuntimeInputs): Runtime {
  const { stdin, env, signal, version } = inputs;
  const stdout = createSink(inputs.stdout, { signal });
  const stderr = createSink(inputs.stderr, { mayFail: true });
  const environment = readEnvironment(env);
  const asksNothing = async () => {
    if (flagWords(inputs.argv ?? []).includes('--no-input')) return true;
    if (environment.noInput === undefined) return false;
    const { parseSwitch } = await import('../config/values.ts');
    return parseSwitch(environment.noInput, ENVIRONMENT_VARIABLES.noInput);
  };
  const requireNoTerminal = async () => {
    if (!inputs.terminalInput?.() || !(await asksNothing())) return;
    throw new UsageError('no_input', 'Standard input is a terminal, which --no-input does not read', {
      hint: 'Pass the text by a pipe or from a file.',
    });
  };
  return {
    stdout,
    stderr,
    async readStdin(limit) {
      await requireNoTerminal();
      const { readStream } = await import('../files/read-input.ts');
      return await readStream(stdin(), { limit, signal });
    },
    async *streamStdin() {
      await requireNoTerminal();
      const { readStreamPieces } = await import('../files/read-input.ts');
      yield* readStreamPieces(stdin(), signal);
    },
    async prompter() {
      const input = stderr.isTerminal && !(await asksNothing()) ? inputs.terminalInput?.() : undefined;
      if (!input) return undefined;
      const { createTerminalPrompter } = await import('./prompt/terminal-prompter.ts');
      return createTerminalPrompter({ input, output: stderr, signal });
    },
    environment,
    emptyVariables: findEmptyVariables(env),
    signal,
    allowTimeToEnd: inputs.allowTimeToEnd ?? (() => {}),
    version,
    platform: `${process.platform}-${process.arch} node-${process.version}`,
  };
}

/** `iss` of the tokens that payctl signs: `payctl/VERSION`. */
export function issuerOf({ version }: Pick<Runtime, 'version'>): string {
  return `payctl/${version}`;
}

/** What requests call themselves: `payctl/VERSION (PLATFORM)`. */
export function userAgentOf(runtime: Pick<Runtime, 'version' | 'platform'>): string {
  return `${issuerOf(runtime)} (${runtime.platform})`;
}
