import { describe, expect, it } from 'vitest';
import { createDisplay } from '../../../src/cli/display.ts';
import { type FailedRun, reportFailure } from '../../../src/cli/failure/report.ts';
import { createRuntime } from '../../../src/cli/runtime.ts';
import { AbortedError, UsageError } from '../../../src/errors.ts';
import { MemoryStream } from '../../output/memory-stream.ts';

const failure = new UsageError('some_code', 'Some message', { hint: 'Some hint.' });

/** A run that fails with these arguments, before its flags are parsed unless it has a display. */
function failedRun(argv: readonly string[], { env = {}, verbose = false } = {}) {
  const stdout = new MemoryStream();
  const stderr = new MemoryStream();
  const controller = new AbortController();
  const { signal } = controller;
  const stdin = async function* () {};
  const runtime = createRuntime({ stdout, stderr, stdin, env, signal, version: '0.0.0' });
  const options = { format: 'table', verbose, quiet: false, noColor: true } as const;
  const run: FailedRun = {
    argv,
    runtime,
    ...(verbose ? { display: createDisplay(options, runtime) } : {}),
  };
  return { run, stdout, stderr, abort: () => controller.abort() };
}

describe('a failure', () => {
  it.each([
    [['--json']],
    [['-o', 'json']],
    [['-ojson']],
    [['-o=ndjson']],
    [['--output', 'json']],
    [['--output=json']],
    [['-o', 'csv', '--json']],
    [['--json', '-o', 'csv']],
  ])('is one JSON object where the arguments ask for JSON: %j', async (argv) => {
    const { run, stdout, stderr } = failedRun(['buyers', 'list', ...argv]);
    expect(await reportFailure(failure, run)).toBe(2);
    expect(JSON.parse(stderr.text)).toMatchObject({ error: { code: 'some_code', exit_code: 2 } });
    expect(stdout.text).toBe('');
  });

  it.each([[['-o', 'csv']], [['-o', 'jsn']], [['-o']], [['--', '--json']], [[]]])(
    'is text where they do not: %j',
    async (argv) => {
      const { run, stderr } = failedRun(['buyers', 'list', ...argv]);
      await reportFailure(failure, run);
      expect(stderr.text).toBe('Error: Some message (some_code)\nSome hint.\n');
    },
  );

  it('is JSON where PAYCTL_OUTPUT asks for it and the arguments ask for nothing', async () => {
    const env = { PAYCTL_OUTPUT: 'json' };
    const asJson = failedRun(['buyers', 'list'], { env });
    await reportFailure(failure, asJson.run);
    expect(JSON.parse(asJson.stderr.text)).toHaveProperty('error');
    const asText = failedRun(['buyers', 'list', '-o', 'table'], { env });
    await reportFailure(failure, asText.run);
    expect(asText.stderr.text).toMatch(/^Error: /);
  });

  it('of payctl itself comes with a stack trace under --verbose alone', async () => {
    const bug = new TypeError('x is not a function');
    const verbose = failedRun([], { verbose: true });
    expect(await reportFailure(bug, verbose.run)).toBe(1);
    expect(verbose.stderr.text).toContain('report.test.ts:');
    const terse = failedRun([]);
    expect(await reportFailure(bug, terse.run)).toBe(1);
    expect(terse.stderr.text).not.toContain('report.test.ts:');
  });
});

describe('when the reader has closed stdout', () => {
  it('a failure is none: nothing is printed, and the run ends with 0', async () => {
    const { run, stdout, stderr } = failedRun(['buyers', 'list']);
    stdout.emit('close');
    expect(await reportFailure(failure, run)).toBe(0);
    expect(stderr.text).toBe('');
  });

  it('an interrupt is reported all the same, and the run ends with 130', async () => {
    const { run, stdout, stderr, abort } = failedRun(['buyers', 'list']);
    stdout.emit('close');
    abort();
    expect(await reportFailure(new AbortedError(true), run)).toBe(130);
    expect(stderr.text).toContain('(aborted)\n');
  });
});
