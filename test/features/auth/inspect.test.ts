import { describe, expect, it } from 'vitest';
import { commandAccess } from '../../../src/cli/routing/catalog/allowed-commands.ts';
import { operationAccess } from '../../../src/cli/routing/catalog/allowed-operations.ts';
import { inspectionText, viewInspection } from '../../../src/features/auth/inspect.ts';
import { loadColors } from '../../../src/output/terminal.ts';
import { openToken } from '../../../src/tokens/claims.ts';
import { runInProcess } from '../../commands/run-in-process.ts';
import { freshDirectory } from '../../config/config-directory.ts';
import { lines } from '../../harness/lines.ts';
import { makeToken } from '../../tokens/make-token.ts';

async function sectionsOf(claims: Readonly<Record<string, unknown>>): Promise<string[]> {
  const token = openToken(makeToken({ alg: 'ES512' }, claims));
  const commands = commandAccess(token.content.scopes);
  const colors = await loadColors(false);
  const inspected = { token, now: new Date(0), issues: [], commands };
  return viewInspection(inspected, { width: 100, colors }).split('\n\n').slice(5);
}

describe('the view of what a token is good for', () => {
  it('is unknown without a scope claim', async () => {
    expect(await sectionsOf({ sub: 'somebody' })).toEqual([
      'allowed commands  unknown, because the token has no scope claim\n',
    ]);
  });

  it('is nothing with an empty scope claim', async () => {
    const [good, notGood] = await sectionsOf({ scopes: [] });
    expect(good).toBe('allowed commands  none');
    expect(notGood).toContain('lacks buyers.read\n');
  });
});

describe('auth inspect on a terminal', () => {
  const token = makeToken({ alg: 'ES512' }, { scopes: ['buyers.read'] });
  const inspect = (...flags: string[]) =>
    runInProcess(['auth', 'inspect', '--no-color', ...flags], {
      ...{ env: { PAYCTL_CONFIG_DIR: freshDirectory() }, columns: 80, stdin: Buffer.from(token) },
    });

  it('shows sections, and with --columns or --jq only what was asked for', async () => {
    expect((await inspect()).stdout).toMatch(/^header\n {2}alg {2}ES512\n/);
    expect(await inspect('--columns', 'scopes,key_id')).toEqual({
      stdout: lines('scopes', '  1     buyers.read', 'key_id  -'),
      stderr: '',
      code: 0,
    });
    expect(await inspect('--jq', '.scopes[0]')).toEqual({ stdout: 'buyers.read\n', stderr: '', code: 0 });
  });
});

describe('the operations of an imported description', () => {
  it('are counted, and those that the token does not allow are named', () => {
    const token = openToken(makeToken({ alg: 'ES512' }, { scopes: ['a.read'] }));
    const operation = (id: string, scopes: readonly string[]) =>
      ({ id, command: `${id} list`, method: 'GET', path: `/${id}`, summary: '', scopes }) as const;
    const operations = [operation('a', ['a.read']), operation('b', ['b.read']), operation('c', [])];
    const imported = operationAccess(token.content.scopes, { title: 'Acme', operations });
    const inspected = { token, now: new Date(0), issues: [], commands: [], imported };
    expect(JSON.parse(inspectionText(inspected)).operations).toEqual({
      title: 'Acme',
      total: 3,
      good_for: 1,
      not_good_for: ['b'],
      unknown_for: ['c'],
    });
  });
});
