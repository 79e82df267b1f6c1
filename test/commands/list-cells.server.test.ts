import { describe, expect, it } from 'vitest';
import { serviceForAll } from './service-for-all.ts';

let items: readonly object[] = [];
const service = serviceForAll(() => ({ body: { items } }));

async function run(command: string, records: readonly object[], flags: readonly string[] = []) {
  items = records;
  return await service.run([...command.split(' '), 'list', '--no-header', ...flags]);
}

/** The first cells of each row. */
async function cells(command: string, records: readonly object[], count = 1) {
  const { stdout } = await run(command, records);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((row) => row.split('\t').slice(0, count).join(' | '));
}

describe('cells', () => {
  it('name a payment method by scheme and digits, else by its type', async () => {
    const methods = [
      { method: 'card', scheme: 'visa', label: '4190' },
      { method: 'card', scheme: null, label: '4190' },
      { method: 'applepay', scheme: 'visa', label: '1111' },
      { method: 'paypal', label: 'a***@example.com' },
      { method: 'bank-debit', label: null },
      {},
    ];
    expect(await cells('payment-methods', methods)).toEqual([
      'visa ···4190',
      'card ···4190',
      'applepay visa ···1111',
      'paypal a***@example.com',
      'bank-debit',
      '',
    ]);
  });

  it('give the balance of a gift card in major units, or why there is none', async () => {
    const cards = [
      { bin: '608460', last4: '9813', balance: 13470, currency: 'GBP' },
      { last4: '1', balance: 28473, currency: 'JPY' },
      { balance: null, currency: 'EUR', balance_error_code: 'invalid_card' },
    ];
    expect(await cells('buyers gift-cards', cards, 2)).toEqual([
      '608460 ···9813 | 134.70 GBP',
      '1 | 28473 JPY',
      ' | invalid_card',
    ]);
    const csv = await run('buyers gift-cards', cards.slice(0, 1), ['-o', 'csv']);
    expect(csv.stdout).toBe('608460,9813,13470,GBP,,,,\r\n');
    const chosen = await run('buyers gift-cards', cards.slice(0, 1), ['--columns', 'balance,currency']);
    expect(chosen.stdout).toBe('134.70 GBP\tGBP\n');
    const alone = async (...flags: string[]) =>
      (await run('buyers gift-cards', cards.slice(0, 1), ['--columns', 'balance', ...flags])).stdout;
    expect([await alone(), await alone('-o', 'csv'), await alone('-o', 'ndjson')]).toEqual([
      '134.70 GBP\n',
      '13470\r\n',
      '{"balance":13470}\n',
    ]);
    expect(await alone('-o', 'detail')).toBe('balance  13470 (134.70 GBP)\n');
  });

  it('are the same where columns are chosen by header, and their fields in the formats for programs', async () => {
    const card = { id: 'g-1', bin: '608460', last4: '9813', balance: 13470, currency: 'GBP' };
    const chosen = async (...flags: string[]) =>
      (await run('buyers gift-cards', [card], ['--columns', 'CARD,Balance', ...flags])).stdout;
    expect(await chosen()).toBe('608460 ···9813\t134.70 GBP\n');
    expect(await chosen('-o', 'csv')).toBe('608460,9813,13470,GBP,\r\n');
    expect(await chosen('-o', 'ndjson')).toBe(
      '{"bin":"608460","last4":"9813","balance":13470,"currency":"GBP","balance_error_code":null}\n',
    );
    expect(await chosen('-o', 'json')).toBe(
      '{"items":[{"bin":"608460","last4":"9813","balance":13470,"currency":"GBP","balance_error_code":null}]}\n',
    );
    expect(await chosen('-o', 'yaml')).toBe(
      'items:\n- bin: "608460"\n  last4: "9813"\n  balance: 13470\n  currency: GBP\n  balance_error_code: null\n',
    );
    expect(await chosen('-o', 'detail')).toBe(
      'bin                 608460\nlast4               9813\nbalance             13470 (134.70 GBP)\ncurrency            GBP\nbalance_error_code  -\n',
    );
  });

  it('count the certificates of a digital wallet by their state', async () => {
    const wallets = [
      {
        provider: 'apple',
        active_certificate_count: 1,
        pending_certificate_count: 0,
        expired_certificate_count: 2,
      },
      { provider: 'google', active_certificate_count: 0 },
    ];
    expect(await cells('digital-wallets', wallets, 2)).toEqual([
      'apple | 1 active, 2 expired',
      'google | none',
    ]);
  });

  it('say whether a webhook subscription delivers', async () => {
    const hooks = [{ url: 'u', active: true }, { url: 'u', active: false, rotating: true }, { url: 'u' }];
    expect(await cells('webhook-subscriptions', hooks, 2)).toEqual([
      'u | active',
      'u | inactive, rotating',
      'u | ',
    ]);
  });

  it('name what an audit log is about by type and name, else by ID', async () => {
    const logs = [
      { user: { name: 'Lea' }, action: 'updated', resource: { type: 'buyer', name: 'Jo', id: 'b1' } },
      {
        user: { name: null, email_address: 'l@x' },
        action: 'captured',
        resource: { type: 'transaction', id: 't1' },
      },
      { user: null, resource: null },
      { user: null, resource: { type: 'transaction', name: 'Transaction', id: 't2' } },
      { user: null, resource: { type: 'api-key', name: 'API key', id: 'k1' } },
    ];
    const rows = (await run('audit-logs', logs)).stdout.split('\n').map((row) => row.split('\t').slice(1, 4));
    expect(rows.slice(0, -1)).toEqual([
      ['Lea', 'updated', 'buyer Jo'],
      ['l@x', 'captured', 'transaction t1'],
      ['', '', ''],
      // A name that only repeats the type says nothing.
      ['', '', 'transaction t2'],
      ['', '', 'api-key k1'],
    ]);
  });

  it('give the host and the path of an API log, and why it failed', async () => {
    const log = (request_url: string, response_body: unknown) => ({
      request_method: 'GET',
      request_url,
      response_body,
    });
    const detail = { location: 'body', pointer: '/limit', message: 'must be at most 100' };
    const logs = [
      log('https://api.example.com/buyers?limit=1', {
        code: 'bad_request',
        message: 'Generic',
        details: [detail],
      }),
      log('https://api.example.com', {
        message: 'Unauthorized',
        details: [{ ...detail, location: 'header' }],
      }),
      log('/relative', { detail: [{ loc: ['query', 'limit'], msg: 'must be an integer' }] }),
      log('x', 'not an object'),
    ];
    const rows = (await run('api-logs', logs)).stdout.split('\n').map((row) => row.split('\t').slice(3, 6));
    expect(rows.slice(0, 4)).toEqual([
      ['api.example.com', '/buyers', '/limit must be at most 100'],
      ['api.example.com', '/', 'must be at most 100'],
      ['', '/relative', 'query/limit must be an integer'],
      ['', 'x', 'not an object'],
    ]);
  });

  it('group what a role allows by what can be done', async () => {
    const role = (...allow: string[]) => ({ name: 'r', permissions: { allow } });
    const roles = [
      role('*'),
      role('*.read', 'buyers.write', 'checkout-sessions.write'),
      role('embed', 'buyers.billing-details.read', 'buyers.*'),
      role(),
      { name: 'r' },
    ];
    expect(await cells('roles', roles, 2)).toEqual([
      'r | everything',
      'r | read: everything; write: buyers, checkout-sessions',
      'r | embed; read: buyers.billing-details; all: buyers',
      'r | none',
      'r | none',
    ]);
  });
});

describe('roles list --allows', () => {
  it('keeps the roles that grant a scope, wildcards included, and says with -v that payctl filters', async () => {
    const role = (name: string, ...allow: string[]) => ({ name, permissions: { allow } });
    const roles = [
      role('all', '*'),
      role('writer', '*.write'),
      role('exact', 'transactions.write'),
      role('below', 'transactions.*'),
      role('reader', '*.read', 'transactions.read'),
      { name: 'none' },
    ];
    const { stdout, stderr } = await run('roles', roles, [
      '--allows',
      'transactions.write',
      '--columns',
      'name',
    ]);
    expect(stdout).toBe('all\nwriter\nexact\nbelow\n');
    expect(stderr).toBe('');
    const verbose = await run('roles', roles, ['--allows', 'transactions.write', '-v']);
    expect(verbose.stderr).toContain('* the API has no filters for roles; payctl filters the response\n');
    const none = await run('roles', roles.slice(5), ['--allows', 'x.read']);
    expect(none.stderr.split('\n')[0]).toBe('No roles match --allows "x.read".');
  });
});
