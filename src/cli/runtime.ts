import { type Environment, readEnvironment } from '../config/environment.ts';
import { createSink, type OutputStream, type Sink } from '../output/streams.ts';

/** The world outside of one run: what a test replaces. */
export type Runtime = {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Everything that comes on standard input, to its end, as UTF-8. */
  readStdin(): Promise<string>;
  readonly environment: Environment;
  /** Aborted by Ctrl-C and by a request to terminate. */
  readonly signal: AbortSignal;
  readonly version: string;
  readonly platform: string;
};

type RuntimeInputs = {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: () => AsyncIterable<Uint8Array>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly version: string;
};

/** Makes the runtime of a process, or of a test that gives streams and variables of its own. */
export function createRuntime({ stdout, stderr, stdin, env, signal, version }: RuntimeInputs): Runtime {
  return {
    stdout: createSink(stdout),
    stderr: createSink(stderr, { mayFail: true }),
    readStdin: async () => Buffer.concat(await Array.fromAsync(stdin())).toString('utf8'),
    environment: readEnvironment(env),
    signal,
    version,
    platform: `${process.platform}-${process.arch} node-${process.version}`,
  };
}
