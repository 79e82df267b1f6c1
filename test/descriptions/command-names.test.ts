import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInCommands } from '../../src/cli/built-in-commands.ts';
import { answer, codes, document, imported, type Json } from './describe.ts';

const list = answer({ type: 'array', items: {} });

/** The commands of operations, written as `METHOD /path`; `list` after it answers with a list. */
async function commands(lines: readonly string[], extra: Json = {}) {
  const paths: Record<string, Record<string, Json>> = {};
  for (const line of lines) {
    const [method = '', path = '', kind] = line.split(' ');
    paths[path] ??= {};
    Object.assign(paths[path], {
      [method.toLowerCase()]: { responses: kind === 'list' ? list : {}, ...extra },
    });
  }
  return await imported(document(paths), { builtIn: builtInCommands() });
}

const names = async (lines: readonly string[]) =>
  (await commands(lines)).index.operations.map(({ command }) => command);

describe('the command of an operation', () => {
  it.each([
    [
      [
        'GET /transactions list',
        'GET /transactions/{id}',
        'POST /transactions',
        'PUT /transactions/{id}',
        'DELETE /transactions/{id}',
      ],
      [
        'transactions list',
        'transactions create',
        'transactions get',
        'transactions update',
        'transactions delete',
      ],
    ],
    [
      ['POST /transactions/{id}/capture', 'GET /transactions list'],
      ['transactions capture', 'transactions list'],
    ],
    [
      [
        'POST /gift-cards/activations',
        'POST /gift-cards/{id}/refunds',
        'GET /gift-cards/{id}/refunds/{refund}',
      ],
      ['gift-cards activations', 'gift-cards refunds create', 'gift-cards refunds get'],
    ],
    [
      ['POST /payment-options list', 'POST /zip_lookups'],
      ['payment-options list', 'zip-lookups create'],
    ],
    [
      ['GET /v1/a list', 'GET /v1/b/{id}'],
      ['a list', 'b get'],
    ],
    [['GET /api/v2/a list'], ['a list']],
    [
      [
        'GET /v1/customer/disputes list',
        'GET /v1/customer/disputes/{id}',
        'POST /v1/customer/disputes/{id}/appeal',
      ],
      ['disputes list', 'disputes get', 'disputes appeal'],
    ],
    [
      ['GET /reports list', 'GET /v2/reports list'],
      ['reports list', 'v2 reports list'],
    ],
    [
      ['GET /v1/customers list', 'POST /v1/customers/{id}', 'GET /v2/invoices list', 'GET /v2/events/{id}'],
      ['customers list', 'customers update', 'invoices list', 'events get'],
    ],
    [
      ['GET /v1/customers list', 'POST /v1/customers', 'GET /v2/customers list', 'GET /v2/events list'],
      ['v1 customers list', 'v1 customers create', 'v2 customers list', 'events list'],
    ],
    [
      ['GET /v1/buyers list', 'GET /v2/events list'],
      ['v1 buyers list', 'events list'],
    ],
    [
      ['GET /health', 'GET /api/v1/orders list', 'GET /v1/{id}', 'GET /v2'],
      ['health get', 'orders list', 'v1 get', 'v2 get'],
    ],
    [
      ['PUT /invoices/{id}', 'PATCH /invoices/{id}', 'PUT /vehicles/{id}', 'PATCH /events/{id}'],
      ['invoices replace', 'invoices update', 'vehicles update', 'events update'],
    ],
    [
      ['GET /merchantAccounts list', 'PATCH /merchant_settings/{id}', 'GET /3ds/HTTPLogs'],
      ['merchant-accounts list', 'merchant-settings update', 'x3ds http-logs get'],
    ],
    [
      ['GET /cards list', 'POST /cards/{id}', 'POST /cards'],
      ['cards list', 'cards create', 'cards update'],
    ],
    [
      ['GET /templates', 'GET /templates/{id}'],
      ['templates list', 'templates get'],
    ],
    [['GET /x/{a}/{b}', 'GET /caf\u00e9/{a}.json'], ['x get']],
  ])('of %j is %j', async (lines, expected) => {
    expect(await names(lines)).toEqual(expected);
  });

  it('is that of payctl where payctl has one for the request', async () => {
    expect(
      await names([
        'GET /buyers list',
        'GET /checkout/sessions/{any}',
        'PUT /checkout/sessions/{any}',
        'POST /buyers/{b}/shipping-details',
      ]),
    ).toEqual([
      'buyers list',
      'checkout-sessions get',
      'checkout-sessions update',
      'buyers shipping-details create',
    ]);
  });

  it.each([
    ['GET /buyers/{id}', 'buyers get', 'payctl itself', 'buyers-get-by-id'],
    ['POST /auth/login', 'auth login', 'payctl itself', 'auth-login-by-post'],
  ])('of %s is another one, because payctl has %s', async (line, taken, what, name) => {
    const result = await commands([line]);
    expect(result.index.operations[0]?.command.replaceAll(' ', '-')).toBe(name.replaceAll(' ', '-'));
    expect(result.index.issues.at(-1)?.message).toContain(`The command name "${taken}" is taken by ${what}`);
  });

  it('goes to the operation with the fewest arguments; others are named by their ids', async () => {
    const get = (operationId: string) => ({ get: { operationId, responses: list } });
    const result = await imported(
      document({ '/buyers/{id}/orders': get('listBuyerOrders'), '/buyers/orders': get('list.orders') }),
    );
    expect(result.index.operations.map(({ command }) => command)).toEqual([
      'list-buyer-orders',
      'buyers orders list',
    ]);
    expect(codes(result)).toEqual([
      'parameter_undeclared /paths/~1buyers~1{id}~1orders/get',
      'name_taken /paths/~1buyers~1{id}~1orders/get',
    ]);
  });

  it('is the name that the document gives it', async () => {
    const operation = (others: Json) => ({ post: { responses: {}, ...others } });
    const result = await imported(
      document({
        '/a': operation({ 'x-payctl-name': 'widgets refresh' }),
        '/b': operation({ 'x-payctl-name': 'widgets refresh', operationId: 'second' }),
        '/c': operation({ 'x-payctl-name': '../Bad; rm' }),
        '/d': operation({ 'x-payctl-name': 'auth login', operationId: 'login' }),
        '/e': operation({ 'x-payctl-name': 'help me', operationId: 'helpMe' }),
      }),
      { builtIn: builtInCommands() },
    );
    expect(result.index.operations.map(({ command }) => command)).toEqual([
      'widgets refresh',
      'second',
      'c create',
      'login',
      'help-me',
    ]);
    expect(codes(result)).toEqual([
      'name_taken /paths/~1b/post',
      'name_invalid /paths/~1c/post',
      'name_taken /paths/~1d/post',
      'name_taken /paths/~1e/post',
    ]);
  });

  it('has further names from the vendor extensions', async () => {
    const result = await imported(
      document({
        '/a': { get: { 'x-cli-name': 'show-a', responses: {} } },
        '/b': {
          get: {
            'x-speakeasy-group': 'things.parts',
            'x-speakeasy-name-override': 'fetchAll',
            responses: {},
          },
        },
        '/c': { get: { 'x-cli-name': 'a get', responses: {} } },
        '/d': { get: { 'x-cli-name': 'd get', responses: {} } },
        '/e': { get: { 'x-cli-name': {}, responses: {} } },
      }),
    );
    expect(result.index.operations.map(({ aliases }) => aliases)).toEqual([
      ['show-a'],
      ['things parts fetch-all'],
      undefined,
      undefined,
      undefined,
    ]);
    expect(codes(result)).toEqual(['alias_ignored /paths/~1c/get', 'alias_ignored /paths/~1e/get']);
  });

  it('is one of its own, of plain words, whatever the document says', async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'buyers',
        'auth',
        'login',
        'v1',
        'help',
        '{id}',
        '{}',
        '..',
        '__proto__',
        'constructor',
        'toString',
        '$(id)',
        '`x`',
        'a;b',
        '3',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    );
    const path = fc
      .array(segment, { minLength: 1, maxLength: 4 })
      .map((segments) => `/${segments.join('/')}`);
    const operation = fc.record(
      {
        operationId: fc.oneof(fc.string(), fc.constantFrom('auth', 'doctor', 'x')),
        'x-payctl-name': fc.string(),
        'x-cli-name': fc.oneof(fc.string(), fc.constantFrom('buyers list', 'x')),
      },
      { requiredKeys: [] },
    );
    const item = fc.dictionary(fc.constantFrom('get', 'post', 'put', 'patch', 'delete'), operation);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(path, item, { maxKeys: 8 }), async (paths) => {
        const builtIn = builtInCommands();
        const { index } = await imported(document(paths), { builtIn });
        const all = index.operations.flatMap(({ command, aliases = [] }) => [command, ...aliases]);
        expect(new Set(all).size).toBe(all.length);
        for (const { command, method, path: called } of index.operations) {
          expect(command).toMatch(/^[a-z][a-z0-9-]*( [a-z][a-z0-9-]*)*$/);
          if (builtIn.has(command))
            expect(builtIn.get(command)).toBe(
              `${method} ${called.replace(/\{[^}]*\}/g, '{}').replace(/(?<=.)\/$/, '')}`,
            );
        }
        for (const { pointer, message } of index.issues) expect(`${pointer}${message}`).not.toBe('');
      }),
      { numRuns: 200 },
    );
  });
});
