import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TIME_EXAMPLES } from '../../../src/cli/flags/types.ts';
import type { ImportedOperation } from '../../../src/descriptions/imported-operation.ts';
import { serve } from '../../client/live-client.ts';
import { type Answer, answers, type Handler } from '../../harness/http-server.ts';
import { folderForAll } from '../../harness/temporary-folder.ts';
import { createTransaction, deleteTransaction, operationOf, transactions } from './operations.ts';
import { runOperation } from './run-operation.ts';

const home = folderForAll();

/** Runs against a server that gives these answers. */
async function run(
  operation: ImportedOperation,
  argv: readonly string[],
  {
    script = [{ body: {} }],
    ...options
  }: { script?: (Answer | Handler)[]; columns?: number; stdin?: string; env?: Record<string, string> } = {},
) {
  const server = await serve(answers(script));
  const env = {
    PAYCTL_BASE_URL: server.origin,
    ...(options.env?.PAYCTL_PRIVATE_KEY ? {} : { PAYCTL_TOKEN: 'opaque' }),
    PAYCTL_CONFIG_DIR: home,
    PAYCTL_MAX_RETRIES: '0',
    ...options.env,
  };
  const done = await runOperation(operation, argv, { ...options, env });
  return {
    ...done,
    origin: server.origin,
    requests: server.requests.map(({ method, url, headers, body }) => ({ method, url, headers, body })),
  };
}

const page = (items: readonly unknown[], next: string | null = null): Answer => ({
  body: { items, next_cursor: next },
});

describe('a list of an imported description', () => {
  it('sends its flags as the parameters of the query', async () => {
    const argv = [
      '--status',
      'captured',
      '--status=declined',
      '--created-at-gte',
      '2026-03-01T10:00:00Z',
      '--amount-lte',
      '7',
      '--has-refunds',
      'true',
      '--param-timeout',
      '3',
      '--limit',
      '2',
      '-o',
      'json',
    ];
    const { requests, stdout, stderr, code } = await run(transactions, argv, {
      script: [page([{ id: 't1' }])],
    });
    expect({ stdout, stderr, code }).toEqual({
      stdout: '{"items":[{"id":"t1"}],"next_cursor":null}\n',
      stderr: '',
      code: 0,
    });
    expect(requests).toMatchObject([
      {
        method: 'GET',
        url: '/transactions?status=captured&status=declined&created_at_gte=2026-03-01T10%3A00%3A00Z&amount_lte=7&has_refunds=true&timeout=3&limit=2',
      },
    ]);
  });

  it('shows a table of the columns of the description, an amount with its currency', async () => {
    const item = {
      id: 't1',
      status: 'captured',
      amount: 13470,
      currency: 'GBP',
      created_at: '2026-03-01T10:00:00Z',
    };
    const { stdout } = await run(transactions, [], { script: [page([item])], columns: 100 });
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      'ID  STATUS        AMOUNT  CREATED AT (UTC)',
      't1  captured  134.70 GBP  2026-03-01 10:00Z',
      '',
    ]);
  });

  it('follows cursors with --all, and says how to continue without', async () => {
    const all = await run(transactions, ['--all', '-o', 'ndjson'], {
      script: [page([{ id: 1 }], 'c2'), page([{ id: 2 }])],
    });
    expect([all.stdout, all.requests.map(({ url }) => url)]).toEqual([
      '{"id":1}\n{"id":2}\n',
      ['/transactions?limit=10', '/transactions?cursor=c2&limit=10'],
    ]);
    const one = await run(transactions, ['--status', 'captured'], { script: [page([{ id: 1 }], 'c2')] });
    expect(one.stderr).toBe(
      'There are more transactions after this one. For all pages, add --all. Next page: payctl transactions list --status captured --cursor c2\n',
    );
  });

  it('prints the page of a list without a parameter for a cursor, and fails with --all', async () => {
    const { cursor: _, ...query } = transactions.query;
    const operation = { ...transactions, paginated: false, query };
    const { stdout, stderr, code } = await run(operation, ['--all', '-o', 'json'], {
      script: [page([{ id: 1 }], 'c2')],
    });
    expect({ stdout, code }).toEqual({ stdout: '{"items":[{"id":1}],"next_cursor":"c2"}\n', code: 9 });
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'paging_unknown',
      message:
        'The list may be incomplete. There are more transactions, but the description has no parameter for the cursor in the page',
    });
  });

  it('says with --all that a list without cursors may go on', async () => {
    const { cursor: _, ...query } = transactions.query;
    const operation = { ...transactions, paginated: false, query };
    const { stdout, stderr, code } = await run(operation, ['--all', '-o', 'ndjson'], {
      script: [page([{ id: 1 }])],
    });
    expect({ stdout, code }).toEqual({ stdout: '{"id":1}\n', code: 0 });
    expect(JSON.parse(stderr)).toEqual({
      warning: {
        code: 'list_may_be_cut',
        message:
          'The description defines no cursor for this list, so payctl cannot tell whether there are more transactions.',
      },
    });
    const one = await run(operation, ['-o', 'ndjson'], { script: [page([{ id: 1 }])] });
    expect(one.stderr).toBe('');
  });

  it('says that a list may go on that is paged by number, unless a page was chosen', async () => {
    const { cursor: _, ...others } = transactions.query;
    const query = { ...others, page: { type: 'integer' as const } };
    const operation = { ...transactions, paginated: false, query };
    const script = [page([{ id: 1 }])];
    const warning =
      'The list is paged by "page", which payctl does not follow, so there may be more transactions.\n';
    expect((await run(operation, ['--columns', 'id'], { script })).stderr).toBe(warning);
    expect((await run(operation, ['--columns', 'id', '--all'], { script })).stderr).toBe(warning);
    expect((await run(operation, ['--columns', 'id', '--page', '2'], { script })).stderr).toBe('');
    expect((await run(operation, ['--columns', 'id'], { script: [page([])] })).stderr).not.toContain('paged');
    const followed = {
      ...operation,
      query: { ...query, cursor: { type: 'string' as const } },
      paginated: true,
    };
    expect((await run(followed, ['--columns', 'id'], { script })).stderr).toBe('');
  });

  it.each([
    ['json', '[{"id":"a","big":12345678901234567890}]\n'],
    ['ndjson', '{"id":"a","big":12345678901234567890}\n'],
    ['csv', 'id\r\na\r\n'],
    ['table', 'ID\na\n'],
  ])('takes an array for a list in the format %s', async (format, shown) => {
    const operation = operationOf({ listShape: 'array', columns: ['id'], fields: ['id', 'big'] });
    const script = [{ body: '[{"id":"a","big":12345678901234567890}]' }];
    const { stdout, stderr } = await run(operation, ['-o', format], { script });
    expect({ stdout, stderr }).toEqual({ stdout: shown, stderr: '' });
  });

  it('filters the document with --jq, and reduces it with --columns', async () => {
    const script = () => [page([{ id: 'a', buyer: { email: 'x' } }])];
    expect((await run(transactions, ['--jq', '.items[0].id'], { script: script() })).stdout).toBe('a\n');
    expect(
      (await run(transactions, ['--columns', 'id,buyer', '-o', 'csv'], { script: script() })).stdout,
    ).toContain('a,');
    const wrong = await run(transactions, ['--columns', 'statsu'], { script: script() });
    expect([wrong.code, wrong.requests]).toEqual([2, []]);
    expect(wrong.stderr).toContain('Unknown column "statsu" (unknown_column)\nDid you mean status?');
  });

  it('masks secrets and, by name, personal data', async () => {
    const operation = { ...transactions, personalByName: true };
    const script = () => [page([{ id: 'a', api_key: 's3cret', buyer: { email: 'ada@example.com' } }])];
    const masked = await run(operation, ['-o', 'json'], { script: script() });
    expect(masked.stdout).toBe(
      '{"items":[{"id":"a","api_key":"********","buyer":{"email":"********"}}],"next_cursor":null}\n',
    );
    expect(masked.stderr).toContain('personal_data_masked');
    const shown = await run(operation, ['-o', 'json', '--reveal-pii', '--reveal-secrets'], {
      script: script(),
    });
    expect(shown.stdout).toContain('"s3cret","buyer":{"email":"ada@example.com"}');
  });

  it.each([
    [
      ['--status', 'capturd'],
      '--status cannot be "capturd" (bad_flag)\nDid you mean captured? Use one of captured, declined.\n',
    ],
    [
      ['--limit', '11'],
      '--limit must be a whole number from 1 to 10, not "11" (bad_flag)\nIt is the size of a page. Use --max-items N for the first N items, or --all for all of them.\n',
    ],
    [['--amount-lte', '1001'], '--amount-lte must be a whole number from 0 to 1000, not "1001" (bad_flag)\n'],
    [
      ['--amount-lte', '1.5'],
      '--amount-lte must be a whole number in minor units, or an amount with its currency, not "1.5" (bad_flag)\nFor example, 1.50 EUR is --amount-lte 150 or --amount-lte 1.50EUR.\n',
    ],
    [
      ['--created-at-gte', 'soon'],
      `--created-at-gte must be a time such as 2026-03-01T10:00:00Z, not "soon" (bad_flag)\nUse ${TIME_EXAMPLES}.\n`,
    ],
    [
      ['--status', 'captured,declined'],
      '--status cannot be "captured,declined" (bad_flag)\nRepeat the flag for each value: --status captured --status declined\n',
    ],
    [
      ['--has-refunds', 'true,false'],
      '--has-refunds cannot be "true,false" (bad_flag)\nThe flag takes one value: use one of true, false.\n',
    ],
    [['--has-refunds', 'yes'], '--has-refunds cannot be "yes" (bad_flag)\nUse one of true, false.\n'],
    [['--created-at-gte', ''], '--created-at-gte cannot be empty (bad_flag)\n'],
    [['--statsu', 'captured'], 'Unknown flag --statsu (unknown_flag)\nDid you mean --status?\n'],
  ])('refuses %j before it sends anything', async (argv, message) => {
    const { code, requests, stderr } = await run(transactions, argv);
    expect({ code, requests, stderr }).toEqual({ code: 2, requests: [], stderr: `Error: ${message}` });
  });

  it.each([
    ['--created-at-gte', '2025-11-20', '2025-11-20T00:00:00.000Z'],
    ['--created-at-lte', '2025-11-20', '2025-11-20T23:59:59.999999Z'],
    ['--created-at-lte', '2025-11-20 10:00:00Z', '2025-11-20T10:00:00.999999Z'],
    ['--created-at-gte', '2025-11-20t10:00', '2025-11-20T10:00:00.000Z'],
    ['--created-on', '2025-11-20T23:30:00', '2025-11-20'],
  ])('takes times as payctl takes them: %s %s', async (flag, typed, sent) => {
    const time = { type: 'string', format: 'date-time' } as const;
    const query = { created_at_gte: time, created_at_lte: time, created_on: { ...time, format: 'date' } };
    const script = [{ body: { items: [{ id: 'a' }] } }];
    const { requests, stderr } = await run({ ...transactions, query }, [flag, typed], { script });
    const name = flag.slice(2).replaceAll('-', '_');
    expect(requests.map(({ url }) => url)).toEqual([`/transactions?${name}=${encodeURIComponent(sent)}`]);
    expect(stderr).toBe(`${flag} ${typed} is ${sent}.\n`);
  });

  it('continues a list from the instant that a time was', async () => {
    const script = [{ body: { items: [{ id: 'a' }], next_cursor: 'c' } }];
    const { stderr } = await run(transactions, ['--created-at-gte', '7d'], { script });
    const [, instant = ''] = /^--created-at-gte 7d is (\S+Z)\.\n/.exec(stderr) ?? [];
    expect(Date.now() - Date.parse(instant)).toBeGreaterThanOrEqual(7 * 86_400_000);
    expect(stderr).toContain(`payctl transactions list --created-at-gte ${instant} --cursor c`);
    const exact = await run(transactions, ['--created-at-gte=2026-03-01T10:00:00Z']);
    expect(exact.stderr).not.toContain('--created-at-gte');
  });

  it.each([
    ['ids', {}, '--ids', 'Add --ids TEXT.'],
    ['ids', { summary: 'What to look up.' }, '--ids', 'Add --ids TEXT: What to look up.'],
    ['buyer_id', { summary: 'The buyer' }, '--buyer-id', 'Add --buyer-id ID: The buyer.'],
    ['api_key', {}, '--api-key', 'Add --api-key @FILE.'],
  ])('demands a required parameter and says what it is: %s, %j', async (name, more, flag, hint) => {
    const operation = operationOf({ query: { [name]: { type: 'string', required: true, ...more } } });
    const { code, requests, stderr } = await run(operation, []);
    expect({ code, requests, stderr }).toEqual({
      code: 2,
      requests: [],
      stderr: `Error: Missing flag ${flag} (bad_flag)\n${hint}\n`,
    });
  });

  it('takes a secret from a file or standard input alone', async () => {
    const operation = operationOf({ query: { api_key: { type: 'string' } } });
    const refused = await run(operation, ['--api-key', 's3cret']);
    expect([refused.code, refused.requests, refused.stderr.includes('s3cret')]).toEqual([2, [], false]);
    const { requests } = await run(operation, ['--api-key', '-'], { stdin: 's3cret\n' });
    expect(requests[0]?.url).toBe('/transactions?api_key=s3cret');
  });
});

describe('one record', () => {
  const get = operationOf({
    path: '/transactions/{transaction_id}/refunds/{refundId}',
    summary: 'Get a refund.',
    command: 'transactions refunds get',
    pathValues: {
      transaction_id: { type: 'string', format: 'uuid' },
      refundId: { type: 'string', enum: ['first', 'last'] },
    },
  });
  const id = '8b1f5c0e-6c1d-4b52-9a53-2f1f0d9c8f11';

  it('is asked for by arguments in the order of the path, and shown field by field', async () => {
    const { requests, stdout } = await run(get, [id, 'last'], {
      script: [{ body: { id: 'r1', amount: 5 } }],
    });
    expect([requests[0]?.url, stdout]).toEqual([`/transactions/${id}/refunds/last`, 'id\tr1\namount\t5\n']);
  });

  it.each([
    [['x', 'last'], 'TRANSACTION_ID must be a UUID, not "x" (bad_flag)'],
    [[id, 'lsat'], 'REFUND_ID must be one of first, last, not "lsat" (bad_flag)\nDid you mean last?'],
    [[id], 'Missing argument REFUND_ID (missing_argument)'],
  ])('is refused for the arguments %j', async (argv, message) => {
    const { code, requests, stderr } = await run(get, argv);
    expect([code, requests]).toEqual([2, []]);
    expect(stderr).toContain(message);
  });
});

describe('a change', () => {
  it('builds the body from -F by the types of the schema, over --data', async () => {
    const argv = [
      '--data',
      '{"amount":1,"big":12345678901234567890}',
      '-F',
      'amount=1299',
      '-F',
      'currency=GBP',
      '-F',
      'capture=true',
      '-F',
      'tags[]=new',
      '-F',
      'tags[]=5',
      '-F',
      'items[0].name=7',
      '-F',
      'items[0].quantity=2',
      '-F',
      'items[].name=b',
      '-F',
      'metadata.order=17',
      '-F',
      'more:={"x":1.0}',
      '-o',
      'json',
    ];
    const { requests, code } = await run(createTransaction, argv);
    expect(code).toBe(0);
    expect(requests[0]?.body).toBe(
      '{"amount":1299,"big":12345678901234567890,"currency":"GBP","capture":true,"tags":["new","5"],"items":[{"name":"7","quantity":2},{"name":"b"}],"metadata":{"order":"17"},"more":{"x":1.0}}',
    );
  });

  it.each([
    [
      ['-F', 'amount=x'],
      'amount must be a whole number in minor units, or an amount with its currency, not "x" (bad_field)\nFor example, 5.00 EUR is amount=500 or amount=5.00EUR.',
    ],
    [['-F', 'amount=5'], 'The request body is not valid: /currency is required (bad_body)'],
    [
      ['-F', 'amount=0', '-F', 'currency=GBP'],
      'The request body is not valid: /amount must be 1 or more (bad_body)',
    ],
    [['-F', 'items[2].name=x'], '--field items[2].name cannot be set: items has 0 elements (bad_field)'],
    [
      ['-F', 'currency.x=1', '-F', 'currency=GBP', '-F', 'currency.y=1'],
      '--field currency.y cannot be set: currency is not an object (bad_field)',
    ],
    [
      ['-F', `x${'.x'.repeat(100)}=1`],
      `--field "${'x.'.repeat(40)}..." is nested more than 100 levels deep (bad_field)`,
    ],
    [['-F', `x${'[0]'.repeat(20_000)}=1`], '--field "x[0][0]'],
    [['-F', 'nonsense'], '--field must be PATH=VALUE, not "nonsense" (bad_field)'],
    ...[
      ...['password=hunter2', 'credentials.password.value=hunter2', 'oldPassword.value=hunter2'],
      ...['items[0].secret[1]=hunter2', `key=whsec_${'hunter2BQIhrscChlQIMV'}`, 'user:={"pwd":"hunter2"}'],
    ].map((field): [string[], string] => [
      ['-F', field],
      `${/^[^:=]*/.exec(field)?.[0]} is a secret, which must not be an argument (bad_field)`,
    ]),
    [['--data', '[]'], 'The request body is not valid: the body must be an object, not an array (bad_body)'],
    [
      [],
      'The request needs a body (no_body)\nNothing was sent. Add -F PATH=VALUE or --data. Required: amount, currency.',
    ],
  ])('refuses %j before it sends anything', async (argv, message) => {
    const { code, requests, stderr } = await run(createTransaction, argv);
    expect([code, requests]).toEqual([2, []]);
    expect(stderr).toContain(`Error: ${message}`);
    expect(stderr).not.toContain('hunter2');
  });

  it('sends a body that does not fit with --no-validate', async () => {
    const { requests } = await run(createTransaction, ['-F', 'amount=5', '--no-validate']);
    expect(requests[0]?.body).toBe('{"amount":5}');
  });

  it('reads a secret of the body from a file, and never changes a prototype', async () => {
    const file = join(home, 'secret');
    writeFileSync(file, 'hunter2\n');
    const argv = [
      '--no-validate',
      '-F',
      `password=@${file}`,
      '-F',
      '__proto__.polluted=1',
      '-F',
      'constructor.prototype.polluted=1',
    ];
    const { requests } = await run(createTransaction, argv);
    expect(requests[0]?.body).toBe(
      '{"password":"hunter2","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('shows the request with its idempotency key under --dry-run, and sends nothing', async () => {
    const argv = [
      '-F',
      'amount=5',
      '-F',
      'currency=GBP',
      '--idempotency-key',
      'order-17',
      '--dry-run',
      '-o',
      'json',
    ];
    const { requests, stdout, origin } = await run(createTransaction, argv);
    expect(requests).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'POST',
      url: `${origin}/transactions`,
      headers: { 'idempotency-key': 'order-17' },
      body: { amount: 5, currency: 'GBP' },
    });
  });

  it('says with which key it can be repeated where its outcome is unknown', async () => {
    const argv = ['-F', 'amount=5', '-F', 'currency=GBP'];
    const { stderr, code, requests } = await run(createTransaction, argv, { script: [{ status: 503 }] });
    const key = requests[0]?.headers['idempotency-key'];
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(code).toBe(8);
    expect(stderr).toContain(
      `Outcome unknown: the service may have processed this request. Under its key it is carried out only once. Send it again with: --idempotency-key ${key}\n`,
    );
  });

  it('is refused where only reading is allowed, by its method', async () => {
    const operation = { ...createTransaction, scopes: ['transactions.read'] };
    const { code, stderr, requests } = await run(operation, ['-F', 'amount=5'], {
      env: { PAYCTL_READ_ONLY: '1' },
    });
    expect([code, requests]).toEqual([2, []]);
    expect(stderr).toContain('PAYCTL_READ_ONLY allows only read access (read_only)');
  });
});

describe('a DELETE', () => {
  it('is refused without --yes where nobody can be asked', async () => {
    const { code, stderr, requests } = await run(deleteTransaction, ['t1']);
    expect({ code, requests, stderr }).toEqual({
      code: 2,
      requests: [],
      stderr:
        'Error: Nothing was sent: DELETE /transactions/t1 was not confirmed (not_confirmed)\nAdd --yes to send it without confirmation, or --dry-run to see it first.\n',
    });
  });

  it('is sent with --yes, and its empty answer is said', async () => {
    const { code, stdout, stderr, requests } = await run(deleteTransaction, ['t1', '--yes'], {
      script: [{ status: 204 }],
    });
    expect({ code, stdout, stderr, sent: requests.map(({ method, url }) => [method, url]) }).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Done. The service sent no content.\n',
      sent: [['DELETE', '/transactions/t1']],
    });
  });
});

describe('an operation without scopes', () => {
  const open = operationOf({ scopes: [], path: '/exports', command: 'exports get' });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  it('takes a token as it is', async () => {
    expect((await run(open, [])).code).toBe(0);
  });

  it('needs --scope where a key signs', async () => {
    const env = { PAYCTL_PRIVATE_KEY: pem };
    const refused = await run(open, [], { env });
    expect([refused.code, refused.requests]).toEqual([2, []]);
    expect(refused.stderr).toBe(
      'Error: The description names no scope for this request, so payctl cannot sign a token for it (scope_needed)\nAdd --scope NAME, or use a token instead of a key.\n',
    );
    const { requests, code } = await run(open, ['--scope', 'exports.read', '--scope', 'reports.read'], {
      env,
    });
    expect(code).toBe(0);
    const [, claims = ''] = String(requests[0]?.headers.authorization).split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString()).scopes).toEqual([
      'exports.read',
      'reports.read',
    ]);
  });

  const items = { items: [{ email: 'a@example.com' }] };
  const own = { items: 'data', nextCursor: 'next' };
  const paged = { listShape: 'envelope', paginated: true, query: { cursor: { type: 'string' } } } as const;

  it.each<readonly [string, Partial<ImportedOperation>, readonly string[], readonly object[]]>([
    ['one document', {}, [], [{ email: 'a@example.com' }]],
    ['one page', paged, [], [items]],
    ['all pages', paged, ['--all'], [{ ...items, next_cursor: 'b' }, items]],
    ['pages in an envelope of their own', { ...paged, envelope: own }, ['--all'], [{ data: items.items }]],
  ])(
    'asks for the scope of personal data beside those that are named, for %s',
    async (_, parts, argv, bodies) => {
      const operation = { ...open, ...parts, personalByName: true, piiScope: 'personal.read' };
      const scopesAsked = async (...flags: readonly string[]) => {
        const { requests, stdout } = await run(
          operation,
          [...flags, ...argv, '--scope', 'x.read', '-o', 'json'],
          {
            env: { PAYCTL_PRIVATE_KEY: pem },
            script: bodies.map((body) => ({ body })),
          },
        );
        const tokens = requests.map(({ headers }) => String(headers.authorization).split('.')[1] ?? '');
        const scopes = tokens.map((claims) => JSON.parse(Buffer.from(claims, 'base64url').toString()).scopes);
        return { scopes, isShown: stdout.includes('a@example.com') };
      };
      const plain = bodies.map(() => ['x.read']);
      expect(await scopesAsked()).toEqual({ scopes: plain, isShown: false });
      const revealed = bodies.map(() => ['personal.read', 'x.read']);
      expect(await scopesAsked('--reveal-pii')).toEqual({ scopes: revealed, isShown: true });
    },
  );
});
