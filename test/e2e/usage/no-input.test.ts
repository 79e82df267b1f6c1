import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useHome } from '../../harness/run-payctl.ts';

const home = useHome();
/** A person at a terminal, who would be asked. */
const terminal = { columns: 80, withStderr: true };
const LOGIN = ['auth', 'login', '--base-url', 'http://127.0.0.1:1', '--insecure-storage'];
const CALL = ['--base-url', 'http://127.0.0.1:1', '-o', 'json'];

describe('--no-input', () => {
  it.each([
    [['api', 'delete', '/buyers/1', ...CALL], 'not_confirmed', '--yes'],
    [LOGIN, 'no_secret_source', '--with-token'],
    [[...LOGIN, '--with-token'], 'no_input', 'Pass the text by a pipe or from a file.'],
    [['auth', 'inspect'], 'no_input', 'Pass the text by a pipe or from a file.'],
    [['api', 'post', '/buyers', '--data', '-', ...CALL], 'no_input', 'Pass the text by a pipe'],
  ])('fails on a terminal in the place of a question: %j', async (words, code, remedy) => {
    const env = { PAYCTL_TOKEN: words[0] === 'api' ? 'token' : undefined };
    for (const run of [
      await home.payctl(['--no-input', ...words], { terminal, env }),
      await home.payctl(words, { terminal, env: { ...env, PAYCTL_NO_INPUT: '1' } }),
    ]) {
      expect(run.stdout).toContain(code);
      expect(run.stdout.replaceAll('\n', ' ')).toContain(remedy);
      expect(run.code).toBe(2);
    }
  });

  it('opens no pager', async () => {
    const log = Array.from({ length: 40 }, (_, at) => JSON.stringify({ type: 'api-log', id: `id-${at}` }));
    const file = join(home.path, 'log.ndjson');
    writeFileSync(file, log.map((line) => `${line}\n`).join(''));
    const list = ['api-logs', 'list', '--file', file, '--all'];
    const env = { PAYCTL_PAGER: 'sed s/^/paged:/' };
    expect((await home.payctl(list, { terminal, env })).stdout).toContain('paged:');
    expect((await home.payctl([...list, '--no-input'], { terminal, env })).stdout).not.toContain('paged:');
  });

  it('reads a pipe', async () => {
    const run = await home.payctl(['auth', 'inspect', '--no-input', '-o', 'json'], {
      stdin: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.',
    });
    expect(JSON.parse(run.stdout)).toMatchObject({ claims: { sub: 'ada' } });
  });

  it('refuses a variable that is neither yes nor no', async () => {
    const run = await home.payctl(LOGIN, { terminal, env: { PAYCTL_NO_INPUT: 'maybe' } });
    expect(run.stdout).toContain('PAYCTL_NO_INPUT is "maybe", which is neither yes nor no (invalid_switch)');
    expect(run.code).toBe(2);
  });
});
