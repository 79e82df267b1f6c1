import { describe, expect, it } from 'vitest';
import { reportFailure } from '../../../src/cli/failure/report.ts';
import { ApiError } from '../../../src/client/errors.ts';
import { AbortedError, UsageError } from '../../../src/errors.ts';
import { fakeSession } from '../session/fake-session.ts';
import { failedRun } from './failed-run.ts';

const request = { method: 'GET', path: '/buyers', origin: 'https://api.example.com' };
const failure = new UsageError('some_code', 'Some message', { hint: 'Some hint.' });

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
    [['-o', 'json', '--', '-o', 'csv']],
    [['-o', 'json', '-o', 'csv']],
  ])('is one JSON object where the arguments ask for JSON: %j', async (argv) => {
    const { run, stdout, stderr } = failedRun(['buyers', 'list', ...argv]);
    expect(await reportFailure(failure, run)).toBe(2);
    expect(JSON.parse(stderr.text)).toMatchObject({ error: { code: 'some_code', exit_code: 2 } });
    expect(stdout.text).toBe('');
  });

  it.each([
    [['-o', 'csv']],
    [['-o', 'jsn']],
    [['-o']],
    [['--output']],
    [['-o=']],
    [['--output=jsn']],
    [['-o=json\nx']],
    [['--output=x\njson']],
    [['x--output=json']],
    [['x-ojson']],
    [['--outputjson']],
    [['-o', 'csv', '-o', 'json']],
    [['--', '--json']],
    [['--', '-ojson']],
    [['json']],
    [[]],
  ])('is text where they do not: %j', async (argv) => {
    const { run, stderr } = failedRun(['buyers', 'list', ...argv]);
    await reportFailure(failure, run);
    expect(stderr.text).toBe('Error: Some message (some_code)\nSome hint.\n');
  });

  it('is JSON where PAYCTL_OUTPUT asks for it and the arguments ask for nothing', async () => {
    const env = { PAYCTL_OUTPUT: 'json' };
    const asJson = failedRun(['buyers', 'list'], { env });
    await reportFailure(failure, asJson.run);
    expect(JSON.parse(asJson.stderr.text)).toHaveProperty('error');
    const asText = failedRun(['buyers', 'list', '-o', 'table'], { env });
    await reportFailure(failure, asText.run);
    expect(asText.stderr.text).toMatch(/^Error: /);
  });

  it('is text where PAYCTL_OUTPUT is no format', async () => {
    const { run, stderr } = failedRun([], { env: { PAYCTL_OUTPUT: 'jsn' } });
    await reportFailure(failure, run);
    expect(stderr.text).toMatch(/^Error: /);
  });

  it.each([
    ['json', true],
    ['ndjson', true],
    ['csv', false],
    ['yaml', false],
  ] as const)('follows the display, once there is one, and not the arguments: %s', async (format, asJson) => {
    const { run, stderr } = failedRun(asJson ? [] : ['--json'], { format });
    await reportFailure(failure, run);
    expect(stderr.text.startsWith('{"error":')).toBe(asJson);
  });

  it('has colours on a terminal, unless --no-color is among the arguments', async () => {
    const env = { FORCE_COLOR: '1', TERM: 'xterm' };
    const colored = failedRun([], { env });
    await reportFailure(failure, colored.run);
    expect(colored.stderr.text).toContain('\u001b[');
    const plain = failedRun(['--no-color'], { env });
    await reportFailure(failure, plain.run);
    expect(plain.stderr.text).toMatch(/^Error: /);
    const other = failedRun(['--', '--no-color'], { env });
    await reportFailure(failure, other.run);
    expect(other.stderr.text).toContain('\u001b[');
  });

  it('of the parser suggests one of the flags of the command, where they are known', async () => {
    const error = Object.assign(new Error('Nonexistent flag'), { oclif: {}, flags: ['--serch'] });
    const { run, stderr } = failedRun([]);
    expect(await reportFailure(error, { ...run, flags: { search: {} } })).toBe(2);
    expect(stderr.text).toBe('Error: Unknown flag --serch (unknown_flag)\nDid you mean --search?\n');
    const early = failedRun([]);
    expect(await reportFailure(error, early.run)).toBe(2);
    expect(early.stderr.text).toContain('Unknown flag --serch (unknown_flag)\nAdd --help');
  });

  it('comes with advice that takes the session into account', async () => {
    const error = new ApiError('unauthorized', 'No', { status: 401, request, attempts: 1 });
    const { session } = fakeSession();
    const { run, stderr } = failedRun([]);
    await reportFailure(error, { ...run, session: { ...session, isTrial: true } });
    expect(stderr.text).not.toContain('Try');
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

  it('comes without a stack trace where it is no bug, has none, is no error, or is JSON', async () => {
    const expected = failedRun([], { verbose: true });
    expect(await reportFailure(failure, expected.run)).toBe(2);
    expect(expected.stderr.text).toBe('Error: Some message (some_code)\nSome hint.\n');
    const hint = 'This is a bug in payctl. Run again with --verbose for a stack trace, and please report it.';
    const stackless = failedRun([], { verbose: true });
    await reportFailure(Object.assign(new TypeError('x'), { stack: undefined }), stackless.run);
    expect(stackless.stderr.text).toBe(`Error: x (internal_error)\n${hint}\n\n`);
    const thrown = failedRun([], { verbose: true });
    await reportFailure('x', thrown.run);
    expect(thrown.stderr.text).toBe(`Error: x (internal_error)\n${hint}\n`);
    const json = failedRun([], { verbose: true, format: 'json' });
    await reportFailure(new TypeError('x'), json.run);
    expect(JSON.parse(json.stderr.text)).toEqual({
      error: { code: 'internal_error', message: 'x', details: [], hint, exit_code: 1 },
    });
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
