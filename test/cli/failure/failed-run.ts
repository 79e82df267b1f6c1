import type { FailedRun } from '../../../src/cli/failure/report.ts';
import { createRuntime } from '../../../src/cli/runtime.ts';
import { createDisplay } from '../../../src/cli/show/display.ts';
import type { OutputName } from '../../../src/output/formats.ts';
import { MemoryStream } from '../../output/memory-stream.ts';

type RunOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly verbose?: boolean;
  readonly format?: OutputName;
};

/** A run that fails with these arguments, before its flags are parsed unless it has a display: it is verbose, or has a format. */
export function failedRun(argv: readonly string[], { env = {}, verbose = false, format }: RunOptions = {}) {
  const stdout = new MemoryStream();
  const stderr = new MemoryStream();
  const controller = new AbortController();
  const { signal } = controller;
  const stdin = async function* () {};
  const runtime = createRuntime({ stdout, stderr, stdin, env, signal, version: '0.0.0' });
  const options = { format: format ?? 'table', verbose, quiet: false, noColor: true } as const;
  const run: FailedRun = {
    argv,
    runtime,
    ...(verbose || format ? { display: createDisplay(options, runtime) } : {}),
  };
  return { run, stdout, stderr, abort: () => controller.abort() };
}
