import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInCommands } from '../../src/cli/routing/built-in-commands.ts';
import { propertyRuns } from '../harness/property-runs.ts';
import { answer, codes, document, imported, type Json } from './describe.ts';

const list = answer({ type: 'array', items: {} });
const record = answer({ type: 'object', properties: { name: { type: 'string' } } });

/** The commands of operations, written as `METHOD /path`; `list` after it answers with a list, `record` with a record. */
async function commands(lines: readonly string[], extra: Json = {}) {
  const paths: Record<string, Record<string, Json>> = {};
  for (const line of lines) {
    const [method = '', path = '', kind] = line.split(' ');
    paths[path] ??= {};
    Object.assign(paths[path], {
      [method.toLowerCase()]: {
        responses: kind === 'list' ? list : kind === 'record' ? record : {},
        ...extra,
      },
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
      ['GET /rooms.list list', 'GET /rooms.get record', 'POST /rooms.archive', 'POST /files.v2'],
      ['rooms list', 'rooms get', 'rooms archive', 'files-v2 create'],
    ],
    [
      [
        'GET /apps/list list',
        'POST /apps',
        'GET /boards list',
        'GET /boards/list list',
        'GET /list list',
        'GET /list/{id}',
      ],
      ['apps list', 'apps create', 'boards list', 'boards list list', 'list list', 'list get'],
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
      ['payment-options create', 'zip-lookups create'],
    ],
    [
      ['POST /accounts/get list', 'POST /dashboard_user/list list', 'POST /transactions/sync list'],
      ['accounts get', 'dashboard-user list', 'transactions sync'],
    ],
    [
      ['POST /search list', 'POST /listFolder', 'POST /search-invoices list', 'POST /searches'],
      ['search', 'list-folder', 'search-invoices', 'searches create'],
    ],
    [
      ['DELETE /ns/{ns}/pods', 'DELETE /ns/{ns}/pods/{name}', 'PATCH /ns/{ns}/pods/{name}'],
      ['ns pods delete-all', 'ns pods delete', 'ns pods update'],
    ],
    [
      ['PUT /incidents', 'PUT /incidents/{id}', 'GET /labels list', 'PUT /labels', 'PATCH /labels'],
      ['incidents update-all', 'incidents update', 'labels list', 'labels replace-all', 'labels update-all'],
    ],
    [
      [
        'GET /users/{id}/sessions',
        'DELETE /users/{id}/sessions',
        'GET /users/{id}/sessions/{type}/{session}',
      ],
      ['users sessions list', 'users sessions delete-all', 'users sessions get'],
    ],
    [
      ['GET /gists list', 'GET /gists/{id} list', 'GET /gists/{id}/{sha} list', 'GET /files/{kind} list'],
      ['gists list', 'gists get', 'gists get-by-id-sha', 'files list'],
    ],
    [
      [
        'GET /Accounts.json',
        'POST /Accounts.json',
        'GET /Accounts/{Sid}.json',
        'POST /Accounts/{Sid}.json',
        'DELETE /Accounts/{Sid}.json',
        'POST /Accounts/{Sid}/Calls/{Call}/Feedback.json',
      ],
      [
        'accounts list',
        'accounts create',
        'accounts get',
        'accounts update',
        'accounts delete',
        'accounts calls feedback',
      ],
    ],
    [
      ['GET /report.json', 'GET /report.csv', 'GET /a.pdf'],
      ['report-json get', 'report-csv get', 'a-pdf get'],
    ],
    [
      ['PUT /files/{id}', 'POST /files/{id}', 'POST /payments/{id}', 'GET /payments/{id}'],
      ['files update', 'files create', 'payments update', 'payments get'],
    ],
    [
      // The action of an item has the plain name, and not that of the collection; a collection and a search keep theirs.
      [
        ...['POST /payments/cancel', 'POST /payments/{id}/cancel', 'GET /payments/{id}'],
        ...['POST /v1/jobs/{id}/stop', 'POST /v1/jobs/stop', 'GET /v1/jobs/{id}'],
        ...['GET /orders/notes list', 'POST /orders/notes', 'POST /orders/{id}/notes', 'GET /orders/{id}'],
        ...['POST /files/search', 'POST /files/{id}/search', 'GET /files/{id}'],
      ],
      [
        ...['payments cancel-by-post', 'payments cancel', 'payments get'],
        ...['jobs stop', 'jobs stop-by-post', 'jobs get'],
        ...['orders notes list', 'orders notes create', 'orders notes', 'orders get'],
        ...['files search', 'files search-by-id', 'files get'],
      ],
    ],
    [
      ['POST /jobs/{id}:cancel', 'GET /files/{id}', 'GET /files/{id}/thumbnail.{ext}', 'GET /c/{a}...{b}'],
      ['jobs cancel', 'files get', 'files thumbnail get', 'c get'],
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
    [
      ['GET /settings', 'PUT /settings'],
      ['settings get', 'settings update'],
    ],
    [
      ['POST /x/y', 'GET /x/y/z'],
      ['x y', 'x y z get'],
    ],
    [
      ['GET /x/y/ list', 'POST /x/y'],
      ['x y list', 'x y create'],
    ],
    [
      ['GET /a/b/{x}/{y} list', 'GET /a/{a_very_long_name}/b list'],
      ['a b list-by-x-y', 'a b list'],
    ],
    [
      ['GET /a/{x}/b list', 'GET /{x}/a/b list', 'GET /A/{x}/b list', 'GET /a/{x}/B list'],
      ['a b list', 'a b list-by-x', 'a b list-by-x-2', 'a b list-by-x-3'],
    ],
    [
      ['GET /a/b/c/d/e/f/g/h/i/j', 'GET /a/b/c/d/e/f/g/h/i/J', 'GET /a/b/c/d/e/f/g/h/I/j', 'GET /z'],
      ['a b c d e f g h i j get', 'operation-2', 'operation-3', 'z get'],
    ],
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
    ['GET /buyers/{id}', 'buyers get', 'is taken by payctl itself', 'buyers get-by-id'],
    ['POST /auth/login', 'auth login', 'is reserved for payctl itself', 'service-auth login'],
    ['GET /auth', 'auth get', 'is reserved for payctl itself', 'service-auth get'],
    ['GET /profiles list', 'profiles list', 'is reserved for payctl itself', 'service-profiles list'],
    [
      'GET /profiles/{id}/keys',
      'profiles keys get',
      'is reserved for payctl itself',
      'service-profiles keys get',
    ],
    ['DELETE /api/{id}', 'api delete', 'is reserved for payctl itself', 'service-api delete'],
    ['POST /emulator', 'emulator create', 'is reserved for payctl itself', 'service-emulator create'],
    ['GET /completion', 'completion get', 'is reserved for payctl itself', 'service-completion get'],
    ['GET /doctor/{id}', 'doctor get', 'is reserved for payctl itself', 'service-doctor get'],
    ['GET /help', 'help get', 'is reserved for payctl itself', 'service-help get'],
    ['GET /version', 'version get', 'is reserved for payctl itself', 'service-version get'],
    ['POST /bulk', 'bulk create', 'is reserved for payctl itself', 'service-bulk create'],
    ['GET /export', 'export get', 'is reserved for payctl itself', 'service-export get'],
    ['POST /sync', 'sync create', 'is reserved for payctl itself', 'service-sync create'],
    ['GET /webhooks list', 'webhooks list', 'is reserved for payctl itself', 'service-webhooks list'],
  ])('of %s is not %s, which %s', async (line, taken, why, name) => {
    const { index } = await commands([line]);
    expect(index.operations[0]?.command).toBe(name);
    expect(index.issues.filter(({ code }) => code === 'name_taken').map(({ message }) => message)).toEqual([
      `The command name "${taken}" ${why}; this operation is "${name}"`,
    ]);
  });

  it.each([
    [
      ['GET /v1/webhooks list', 'GET /v1/orders list', 'GET /health'],
      ['v1 webhooks list', 'orders list', 'health get'],
    ],
    [
      ['GET /webhook-events list', 'GET /exports list', 'GET /auth-tokens list'],
      ['webhook-events list', 'exports list', 'auth-tokens list'],
    ],
    [
      ['GET /auth', 'GET /service-auth'],
      ['service-auth get', 'service-auth get-by-get'],
    ],
  ])('of %j stands below none of the topics of payctl itself: %j', async (lines, expected) => {
    expect(await names(lines)).toEqual(expected);
  });

  /** The commands of operations with these ids, by `METHOD /path`. */
  const named = async (operations: Readonly<Record<string, Json>>) => {
    const paths: Record<string, Record<string, Json>> = {};
    for (const [line, operation] of Object.entries(operations)) {
      const [method = '', path = ''] = line.split(' ');
      paths[path] = { ...paths[path], [method.toLowerCase()]: { responses: {}, ...operation } };
    }
    const { index } = await imported(document(paths), { builtIn: builtInCommands() });
    return Object.fromEntries(
      index.operations.map(({ method, path, command }) => [`${method} ${path}`, command]),
    );
  };
  const item = { responses: answer({ type: 'object', properties: { id: { type: 'string' } } }) };

  it('is an action where the path and the id of a PUT name one, and an update where they name a document', async () => {
    expect(
      await named({
        'GET /routes/{id}': item,
        'PUT /routes/{id}/disable': { operationId: 'disableRoute' },
        'PUT /routes/{id}/closeRoute': { operationId: 'closeRoute' },
        'PUT /routes/{id}/bulk_update': { operationId: 'bulkUpdate' },
        'DELETE /routes/{id}/delete': {},
        'PATCH /routes/{id}/owner': { operationId: 'updateOwner' },
        'PUT /routes/{id}/pause': { operationId: 'pauseRoute' },
        'GET /routes/{id}/pause': item,
      }),
    ).toMatchObject({
      'PUT /routes/{id}/disable': 'routes disable',
      'PUT /routes/{id}/closeRoute': 'routes close-route',
      'PUT /routes/{id}/bulk_update': 'routes bulk-update',
      'DELETE /routes/{id}/delete': 'routes delete',
      'PATCH /routes/{id}/owner': 'routes owner update',
      'PUT /routes/{id}/pause': 'routes pause update',
    });
  });

  it('follows the id of a POST on one record, which updates, creates or acts on it', async () => {
    const list = { responses: answer({ type: 'array', items: {} }) };
    expect(
      await named({
        'GET /runs': list,
        'POST /runs/{id}': { operationId: 'cancelTestRun' },
        'GET /users': list,
        'POST /users': {},
        'POST /users/{id}': { operationId: 'updateUser' },
        'PUT /users/{id}': { operationId: 'replaceUser' },
        'POST /keys/{id}': { operationId: 'addKey' },
        'PUT /keys/{id}': { operationId: 'changeKey' },
      }),
    ).toMatchObject({
      'POST /runs/{id}': 'runs cancel',
      'POST /users': 'users create',
      'POST /users/{id}': 'users update',
      'PUT /users/{id}': 'users replace',
      'POST /keys/{id}': 'keys create',
      'PUT /keys/{id}': 'keys update',
    });
  });

  it('is get where one record comes, also above others', async () => {
    expect(
      await named({
        'GET /hooks/{id}': item,
        'GET /hooks/{id}/{token}': { ...item, operationId: 'getHookByToken' },
        'GET /session': item,
        'GET /session/{id}': { ...item, operationId: 'getSessionOf' },
        'GET /rules': item,
        'GET /rules/{id}': { ...item, operationId: 'getOneRule' },
      }),
    ).toEqual({
      'GET /hooks/{id}': 'hooks get',
      'GET /hooks/{id}/{token}': 'get-hook-by-token',
      'GET /session': 'session get',
      'GET /session/{id}': 'get-session-of',
      'GET /rules': 'rules list',
      'GET /rules/{id}': 'rules get',
    });
  });

  it('goes to the DELETE of a record before a POST whose path ends in delete', async () => {
    expect(
      await named({
        'POST /indexes/{index}/documents/delete': { operationId: 'deleteByFilter' },
        'DELETE /indexes/{index}/documents/{id}': { operationId: 'deleteOne' },
      }),
    ).toEqual({
      'POST /indexes/{index}/documents/delete': 'delete-by-filter',
      'DELETE /indexes/{index}/documents/{id}': 'indexes documents delete',
    });
  });

  it('leaves out a version before a parameter that has words after it', async () => {
    expect(await names(['GET /api/{type}/{id}/lines list', 'GET /api/orders list', 'GET /v1/{id}'])).toEqual([
      'lines list',
      'orders list',
      'v1 get',
    ]);
  });

  it('leaves out a version that is a number or a date, and one between a resource and its verb', async () => {
    const lines = [
      'GET /1.0/orders list',
      'GET /2024-05/notes list',
      'GET /health',
      'GET /terminals/v1/list list',
    ];
    expect(await names(lines)).toEqual(['orders list', 'notes list', 'health get', 'terminals v1 list']);
  });

  it('is for one item, and not for all, where the request has the IDs of those that it changes', async () => {
    const ids = (required: boolean) => ({
      parameters: [{ name: 'ids', in: 'query', required, schema: { type: 'string' } }],
    });
    const body = {
      type: 'object',
      required: ['item_ids'],
      properties: { item_ids: { type: 'array', items: {} } },
    };
    const list = { responses: answer({ type: 'array', items: {} }) };
    const { records } = await imported(
      document({
        '/albums': {
          get: list,
          delete: { responses: {}, ...ids(true) },
          put: { responses: {}, ...ids(false) },
        },
        '/tracks': {
          get: list,
          put: { responses: {}, requestBody: { content: { 'application/json': { schema: body } } } },
        },
      }),
    );
    const found = records.filter(({ operation }) => operation.method !== 'GET');
    expect(found.map(({ operation }) => [operation.command, operation.isForAll === true])).toEqual([
      ['albums delete', false],
      ['albums update-all', true],
      ['tracks update', false],
    ]);
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

  it('goes to an operation that can be run before one that cannot, whichever has more arguments', async () => {
    const requestBody = { content: { 'multipart/mixed': { schema: { type: 'object' } } } };
    const { index } = await imported(
      document({
        '/orders/refund': { post: { requestBody, responses: {} } },
        '/orders/{id}/refund': { post: { responses: {} } },
        '/named': { post: { requestBody, 'x-payctl-name': 'orders settle', responses: {} } },
        '/orders/settle': { post: { responses: {} } },
      }),
      { builtIn: builtInCommands() },
    );
    expect(index.operations.map(({ command }) => command)).toEqual(['orders refund', 'orders settle']);
    expect(index.notRun?.map(({ command }) => command)).toEqual([
      'orders refund-by-post',
      'orders settle-by-post',
    ]);
    expect(index.issues.filter(({ code }) => code === 'name_taken')).toEqual([]);
  });

  it.each(['buyers', 'buyers gift-cards', 'payment-methods', 'audit-logs'])(
    'is never that of a topic of payctl itself: %s',
    async (topic) => {
      const { index } = await imported(
        document({
          '/a': {
            post: { operationId: 'makeA', 'x-payctl-name': topic, 'x-cli-name': topic, responses: {} },
          },
        }),
        { builtIn: builtInCommands() },
      );
      const [operation] = index.operations;
      expect([operation?.command, operation?.aliases]).toEqual(['make-a', undefined]);
      expect(index.issues.map(({ message }) => message)).toEqual([
        `The command name "${topic}" is taken by payctl itself; this operation is "make-a"`,
        `The alias "${topic}" is taken; it is ignored`,
      ]);
    },
  );

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
      'service-auth login',
      'service-help me',
    ]);
    expect(codes(result)).toEqual([
      'name_taken /paths/~1b/post',
      'name_invalid /paths/~1c/post',
      'name_taken /paths/~1d/post',
      'name_taken /paths/~1e/post',
    ]);
  });

  it('goes to the operation that the document gives it before one that it would be derived for', async () => {
    const { index } = await imported(
      document({
        '/orders': { get: { operationId: 'allOrders', responses: list } },
        '/z/{id}': { post: { 'x-payctl-name': 'orders list', responses: {} } },
        '/y': { post: { 'x-payctl-name': ['y'], responses: {} } },
      }),
    );
    expect(index.operations.map(({ command }) => command)).toEqual(['all-orders', 'orders list', 'y create']);
    expect(index.issues.map(({ code, message }) => [code, message])).toEqual(
      expect.arrayContaining([
        [
          'name_taken',
          'The command name "orders list" is taken by POST /z/{id}; this operation is "all-orders"',
        ],
        [
          'name_invalid',
          '"x-payctl-name" may contain only words of lower-case letters, digits and hyphens; it is ignored',
        ],
      ]),
    );
  });

  it('is by its path where its operation ID cannot be one', async () => {
    const get = (operationId: string) => ({ get: { operationId, responses: list } });
    const { index } = await imported(
      document({
        '/a/b': get('one'),
        '/A/b': get('auth'),
        '/a/B': get('webhooks'),
        '/A/B': get('\u00e9 \u00e8'),
      }),
      { builtIn: builtInCommands() },
    );
    expect(index.operations.map(({ command }) => command)).toEqual([
      'a b list',
      'a b list-by-get',
      'a b list-by-get-2',
      'a b list-by-get-3',
    ]);
  });

  it('goes by the arguments among operations that cannot be run, too', async () => {
    const requestBody = { content: { 'multipart/mixed': { schema: { type: 'object' } } } };
    const post = { post: { requestBody, responses: {} } };
    const { index } = await imported(document({ '/a/{id}/b': post, '/a/b': post }));
    expect(index.notRun?.map(({ command }) => command)).toEqual(['a b-by-id', 'a b']);
  });

  it('has further names of plain words, and says which names are none', async () => {
    const { index } = await imported(
      document({
        '/a': { get: { 'x-cli-name': ' .show//it. ', responses: {} } },
        '/b': { get: { 'x-cli-name': '\u00bf?', responses: {} } },
        '/c': { get: { responses: {} } },
      }),
    );
    expect(index.operations.map(({ aliases }) => aliases)).toEqual([['show it'], undefined, undefined]);
    expect(index.issues.map(({ message }) => message)).toEqual([
      'The alias "\u00bf?" is not a valid command name; it is ignored',
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

  it.each([
    ['PUT /accounts', 'createAccount', 'accounts create'],
    ['PUT /accounts', 'create_accounts', 'accounts create'],
    ['PUT /accounts', 'createOrUpdateAccounts', 'accounts upsert'],
    ['PUT /accounts', 'upsertAccount', 'accounts upsert'],
    ['PATCH /accounts', 'bulkUpsertAccounts', 'accounts upsert'],
    ['POST /accounts', 'updateOrCreateAccounts', 'accounts upsert'],
    ['PUT /accounts', 'addOrUpdateContacts', 'accounts update-all'],
    ['PUT /accounts/{id}', 'createOrUpdateAccount', 'accounts update'],
    ['PUT /accounts/{id}/notes', 'createAccountNote', 'accounts notes create'],
    ['PUT /accounts', 'setAccounts', 'accounts update-all'],
    ['PUT /accounts/{id}', 'createAccount', 'accounts update'],
    ['POST /accounts', 'deleteAccounts', 'accounts delete'],
    ['POST /accounts', 'deleteContacts', 'accounts create'],
    ['POST /accounts', 'deleteAllAccounts', 'accounts delete'],
    ['POST /accounts', 'bulkRemoveAccounts', 'accounts delete'],
    ['PATCH /accounts/{id}', 'destroyAccount', 'accounts delete'],
    ['POST /accounts/{id}', 'deleteAccountByUrlParam', 'accounts delete'],
    ['POST /accounts/{id}', 'deleteAccountNote', 'accounts update'],
  ])('of %s with the id %s is %s: it never says the contrary', async (line, operationId, expected) => {
    const [method = '', path = ''] = line.split(' ');
    const { index } = await imported(
      document({
        '/accounts': { get: { operationId: 'listAccounts', responses: list } },
        '/accounts/{id}': { get: { operationId: 'getAccount', responses: record } },
        [path]: {
          get: { operationId: `get ${path}`, responses: path.endsWith('}') ? record : list },
          [method.toLowerCase()]: { operationId, responses: {} },
        },
      }),
      { builtIn: builtInCommands() },
    );
    expect(index.operations.find(({ id }) => id === operationId)?.command).toBe(expected);
  });

  it('is that of the path with most operations below it, of two that take one argument', async () => {
    const lines = [
      'GET /contacts/{number} record',
      'GET /contacts/{id} record',
      'GET /contacts/{id}/notes list',
    ];
    expect(await names(lines)).toEqual(['contacts get-by-number', 'contacts get', 'contacts notes list']);
  });

  const OWN_TOPICS =
    /^(?:api|auth|bulk|completion|doctor|emulator|export|help|profiles|sync|version|webhooks)(?: |$)/;

  it('is one of its own, of plain words, whatever the document says', { tags: 'slow' }, async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'buyers',
        'auth',
        'login',
        'profiles',
        'webhooks',
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
        operationId: fc.oneof(fc.string(), fc.constantFrom('auth', 'doctor', 'sync', 'x')),
        'x-payctl-name': fc.oneof(fc.string(), fc.constantFrom('auth get', 'profiles', 'webhooks x')),
        'x-cli-name': fc.oneof(fc.string(), fc.constantFrom('buyers list', 'auth x', 'x')),
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
        for (const alias of all) expect(alias).not.toMatch(OWN_TOPICS);
        for (const { command, method, path: called } of index.operations) {
          expect(command).toMatch(/^[a-z][a-z0-9-]*( [a-z][a-z0-9-]*)*$/);
          if (builtIn.has(command))
            expect(builtIn.get(command)).toBe(
              `${method} ${called.replace(/\{[^}]*\}/g, '{}').replace(/(?<=.)\/$/, '')}`,
            );
        }
        for (const { pointer, message } of index.issues) expect(`${pointer}${message}`).not.toBe('');
      }),
      propertyRuns(200),
    );
  });
});
