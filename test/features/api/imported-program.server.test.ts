import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mayBeImported } from '../../../src/cli/routing/may-be-imported.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { importedCompletion } from '../../../src/features/api/imported-completion.ts';
import { largeDescription } from '../../descriptions/large-description.ts';
import type { Answer } from '../../harness/http-server.ts';
import { importedForAll, runImported } from './run-imported.ts';

const imported = importedForAll(largeDescription());
const { home, file } = imported;
const described = { PAYCTL_CONFIG_DIR: home, PAYCTL_DESCRIPTION: file };
const nothing = { home: join(home, 'none'), file: undefined };
const run = (
  argv: readonly string[],
  script: readonly Answer[] = [],
  where: typeof nothing | typeof imported = imported,
) => runImported(argv, where, { script });

const empty: Answer = { body: { items: [], next_cursor: null } };

describe('words that name no command of payctl', () => {
  it.each([
    [['transactions', 'list', '-o', 'json'], '/transactions'],
    [['-o', 'json', 'transactions', 'list'], '/transactions'],
    [['transactions', 'refunds', 'all', 'abc', '-o', 'json'], '/transactions/abc/refunds'],
    [['api', 'call', 'get_transactions', '-o', 'json'], '/transactions'],
    [['api', 'call', 'GET', '/transactions', '-o', 'json'], '/transactions'],
    [
      ['api', 'call', '--json', 'GET /transactions/{transaction_id}/refunds', 'abc'],
      '/transactions/abc/refunds',
    ],
    [['api', 'get', '/transactions', '-o', 'json'], '/transactions'],
    [['buyers', 'list', '--segment', 'vip', '-o', 'json'], '/buyers?segment=vip'],
  ])('call an operation of the description: %j', async (argv, url) => {
    expect(await run(argv, [empty])).toEqual({
      stdout: '{"items":[],"next_cursor":null}\n',
      stderr: '',
      code: 0,
      sent: [['GET', url]],
    });
  });

  it('prefers a command of payctl itself', async () => {
    const { stdout } = await run(['buyers', 'list', '-o', 'json', '--jq', '.items | length'], [empty]);
    expect(stdout).toBe('0\n');
  });

  it.each([
    [
      ['transactoins', 'list'],
      'Unknown command "transactoins list" (unknown_command)\nDid you mean: payctl transactions list\n',
    ],
    [
      ['transactions', 'lsit', '--limit', '3'],
      'Unknown command "transactions lsit" (unknown_command)\nDid you mean: payctl transactions list\n',
    ],
    [
      ['buyers', 'list', '--segmnet', 'x'],
      'Unknown flag --segmnet (unknown_flag)\nDid you mean --segment?\n',
    ],
    [
      ['api', 'call', 'get_transactoins'],
      'There is no operation "get_transactoins" (unknown_operation)\nDid you mean get_transactions? List all of them: payctl api list\n',
    ],
    [
      ['api', 'get', '//evil.example/x'],
      'The path "//evil.example/x" could lead to another host (bad_path)\nUse a path below the base URL, such as \'/transactions?limit=5\'. --base-url or --profile choose the service.\n',
    ],
  ])('suggest the nearest: %j', async (argv, message) => {
    expect(await run(argv)).toEqual({ stdout: '', stderr: `Error: ${message}`, code: 2, sent: [] });
  });

  it('are unknown without a description', async () => {
    expect(await run(['transactions', 'list'], [], nothing)).toMatchObject({ code: 2, sent: [] });
  });
});

describe('the help of a description', () => {
  it('is that of every command: arguments, flags, request, body', async () => {
    const { stdout, code } = await run(['transactions', 'refunds', 'create', '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Create refund\.\n\nUsage: payctl transactions refunds create TRANSACTION_ID \[FLAGS\]\n/,
    );
    expect(stdout).toContain('ARGUMENTS\n  TRANSACTION_ID');
    expect(stdout).toContain('--idempotency-key KEY');
    expect(stdout).toContain(
      'Request: POST /transactions/{transaction_id}/refunds with the scope\ntransactions.write.',
    );
    expect(stdout).toContain('BODY (-F NAME=VALUE)\n  amount  Integer.\n');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it.each([[['transactions']], [['transactions', '--help']], [['help', 'Transactions']]])(
    'lists the commands of a group: %j',
    async (argv) => {
      const { stdout } = await run(argv);
      expect(stdout).toContain('Usage: payctl transactions COMMAND [FLAGS]');
      expect(stdout).toContain('  transactions list            Returns the transactions of an account.\n');
    },
  );

  it('names a required flag, and both scopes that are needed or only a token where the description names none', async () => {
    const rate = await run(['exchange-rates', 'get', '--help']);
    expect(rate.stdout).toContain('--from TEXT');
    expect(rate.stdout).toContain('Required.');
    expect(rate.stdout).toContain(
      'Request: GET /exchange-rates with a token; the description names no scope.\n',
    );
    const summary = await run(['help', 'transactions', 'summary', 'get']);
    expect(summary.stdout).toContain('with the scopes\ntransactions.read and reports.read.');
  });
});

describe('completion in a description', () => {
  const complete = (words: readonly string[]) => importedCompletion(words, readEnvironment(described));

  it('knows the commands by their names, and the one that is typed with its flags and arguments', async () => {
    const { commands = {}, topics = {} } = (await complete(['transactions', 'list'])) ?? {};
    expect(topics).toHaveProperty('transactions refunds');
    expect(commands['payouts list']).toMatchObject({ flags: [], args: [] });
    const status = commands['transactions list']?.flags.find(({ name }) => name === 'status');
    expect(status).toMatchObject({
      multiple: true,
      value: ['pending', 'active', 'captured', 'canceled', 'failed', 'expired'],
    });
    expect(commands['transactions list']?.columns).toContain('id');
  });

  it('offers the operations after api call', async () => {
    expect(Object.keys((await complete(['api', 'call']))?.commands ?? {})).toContain(
      'api call get_transactions',
    );
  });
});

describe('mayBeImported', () => {
  it('says whether anything was imported, or a variable names a description', () => {
    const directory = join(home, 'other');
    const environment = { PAYCTL_CONFIG_DIR: directory };
    expect(mayBeImported(readEnvironment(environment))).toBe(false);
    expect(mayBeImported(readEnvironment({ ...environment, PAYCTL_DESCRIPTION: file }))).toBe(true);
    mkdirSync(join(directory, 'data', 'descriptions'), { recursive: true });
    expect(mayBeImported(readEnvironment(environment))).toBe(true);
    expect(mayBeImported(readEnvironment(described))).toBe(true);
  });
});

describe('a request to any path', () => {
  it('asks with the scopes, masks and paging of the operation that the path is one of', async () => {
    const item = { id: 'a', owner: { email_address: 'ada@example.com' }, webhook_secret: 's3cret' };
    const pages = [
      { body: { items: [item], next_cursor: 'c2' } },
      { body: { items: [{ id: 'b' }], next_cursor: null } },
    ];
    const { stdout, sent } = await run(
      ['api', 'get', '/payouts?status=active&limit=7', '--all', '-o', 'ndjson'],
      pages,
    );
    expect(stdout).toBe(
      '{"id":"a","owner":{"email_address":"********"},"webhook_secret":"********"}\n{"id":"b"}\n',
    );
    expect(sent).toEqual([
      ['GET', '/payouts?status=active&limit=7'],
      ['GET', '/payouts?status=active&cursor=c2&limit=7'],
    ]);
  });

  it('compares the body with the schema of that operation, unless told otherwise', async () => {
    const refused = await run(['api', 'post', '/payouts', '-F', 'amount=-1', '-F', 'currency=GBP']);
    expect([refused.code, refused.sent]).toEqual([2, []]);
    expect(refused.stderr).toContain('/amount must be 0 or more');
    const { sent } = await run(
      ['api', 'post', '/payouts', '-F', 'amount=-1', '--no-validate', '-o', 'json'],
      [{ body: { id: 'p' } }],
    );
    expect(sent).toEqual([['POST', '/payouts', '{"amount":-1}']]);
  });

  it('works without any import, with an operation of payctl itself', async () => {
    const { sent, stdout } = await run(
      ['api', 'get', '/roles', '-o', 'json'],
      [{ body: { items: [] } }],
      nothing,
    );
    expect([sent, stdout]).toEqual([[['GET', '/roles']], '{"items":[]}\n']);
    const refused = await run(
      ['api', 'put', '/checkout/sessions/x', '--data', '{"metadata":5}'],
      [],
      nothing,
    );
    expect([refused.code, refused.sent]).toEqual([2, []]);
  });

  it('shows what no description knows: a list as rows, anything else as the document that it is', async () => {
    const list = { body: { items: [{ id: 'a', n: 1, deep: {} }], next_cursor: 'c' } };
    expect((await run(['api', 'get', '/new/things'], [list])).stdout).toBe('ID\tN\na\t1\n');
    expect((await run(['api', 'get', '/new/things', '-o', 'json'], [list])).stdout).toBe(
      '{"items":[{"id":"a","n":1,"deep":{}}],"next_cursor":"c"}\n',
    );
    expect((await run(['api', 'get', '/new/thing'], [{ body: { id: 'a', n: 1 } }])).stdout).toBe(
      'id\ta\nn\t1\n',
    );
    const all = await run(
      ['api', 'get', '/new/things?cursor=b', '--all', '-o', 'ndjson'],
      [list, { body: { items: [{ id: 'b' }] } }],
    );
    expect(all.sent).toEqual([
      ['GET', '/new/things?cursor=b'],
      ['GET', '/new/things?cursor=c'],
    ]);
    expect(all.stdout).toBe('{"id":"a","n":1,"deep":{}}\n{"id":"b"}\n');
  });

  it('asks before a DELETE, as everywhere', async () => {
    const { code, sent } = await run(['api', 'delete', '/new/things/1']);
    expect([code, sent]).toEqual([2, []]);
    expect((await run(['api', 'delete', '/new/things/1', '--yes'], [{ status: 204 }])).sent).toEqual([
      ['DELETE', '/new/things/1'],
    ]);
  });
});
