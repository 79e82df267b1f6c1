/**
 * A made-up description of a payment service with 150 operations, the same on every call: cursors and lists without them,
 * arrays, lists that are POSTs, unions, recursion, scopes of every kind, a merchant header and idempotency keys.
 */
export function largeDescription(): Readonly<Record<string, unknown>> {
  const resources = RESOURCES.map(resourcePaths);
  return {
    openapi: '3.1.0',
    info: { title: 'Example payments', version: '2.4.0', description: 'A service that nobody runs.' },
    tags: RESOURCES.map(({ noun }) => ({ name: titleOf(noun) })),
    paths: Object.fromEntries([
      ...resources.flatMap((paths) => Object.entries(paths)),
      ...Object.entries({ ...SPECIAL, ...OTHERS }),
    ]),
    components: { schemas, parameters, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}

/** Name of the header that names the merchant account in `largeDescription`. */
export const LARGE_MERCHANT_HEADER = 'x-example-merchant-account-id';

type Resource = {
  /** Singular, in kebab case. */
  readonly noun: string;
  readonly plural?: string;
  /** How the list is sent. */
  readonly list: 'cursor' | 'cursor-without-parameter' | 'items' | 'array';
  readonly verbs: string;
  readonly scope?: string;
  readonly embed?: boolean;
  readonly idempotent?: boolean;
  readonly largest?: number;
  /** Without the merchant header. */
  readonly isGlobal?: boolean;
};

/** Verbs: l(ist), c(reate), g(et), u(pdate), d(elete). */
const RESOURCES: readonly Resource[] = [
  { noun: 'transaction', list: 'cursor', verbs: 'lg', embed: true },
  { noun: 'payout', list: 'cursor', verbs: 'lcg', idempotent: true },
  { noun: 'merchant-account', list: 'cursor', verbs: 'lcgu', isGlobal: true },
  { noun: 'payment-link', list: 'cursor', verbs: 'lcg', idempotent: true },
  { noun: 'payment-service', list: 'cursor', verbs: 'lcgud' },
  { noun: 'report', list: 'cursor', verbs: 'lcgu' },
  { noun: 'api-key-pair', list: 'cursor', verbs: 'lcgud', isGlobal: true },
  { noun: 'network-token', list: 'items', verbs: 'lcd', embed: true },
  { noun: 'card-scheme-definition', list: 'items', verbs: 'l' },
  { noun: 'payment-method-definition', list: 'items', verbs: 'lg' },
  { noun: 'connection', list: 'cursor', verbs: 'lcgud' },
  { noun: 'routing-rule', list: 'cursor', verbs: 'lcgud' },
  { noun: 'anti-fraud-service', list: 'cursor', verbs: 'lcgud' },
  { noun: 'anti-fraud-decision', list: 'cursor', verbs: 'lg' },
  { noun: 'settlement', list: 'cursor', verbs: 'lg' },
  { noun: 'chargeback', list: 'cursor', verbs: 'lg' },
  { noun: 'dispute-document', list: 'items', verbs: 'lcg' },
  { noun: 'currency-pair', list: 'array', verbs: 'lg' },
  { noun: 'balance', list: 'array', verbs: 'l' },
  { noun: 'ledger-entry', plural: 'ledger-entries', list: 'cursor', verbs: 'lg', largest: 10 },
  { noun: 'invoice', list: 'cursor', verbs: 'lcgud', idempotent: true },
  { noun: 'subscription', list: 'cursor', verbs: 'lcgud', idempotent: true },
  { noun: 'plan', list: 'items', verbs: 'lcgud' },
  { noun: 'coupon', list: 'items', verbs: 'lcgd' },
  { noun: 'store', list: 'items', verbs: 'lcgud' },
  { noun: 'terminal', list: 'cursor-without-parameter', verbs: 'lcgud' },
  { noun: 'team-member', list: 'cursor-without-parameter', verbs: 'lgd', isGlobal: true },
  { noun: 'invitation', list: 'cursor-without-parameter', verbs: 'lcd', isGlobal: true },
  { noun: 'export-schedule', list: 'items', verbs: 'lcgud' },
  { noun: 'monitoring-alert', list: 'items', verbs: 'lgu' },
  { noun: 'three-ds-scenario', list: 'items', verbs: 'lcud' },
  { noun: 'account-updater-job', list: 'items', verbs: 'lcg' },
  { noun: 'webhook-delivery', plural: 'webhook-deliveries', list: 'cursor', verbs: 'lg' },
  { noun: 'buyer-group', list: 'cursor', verbs: 'lcgud', embed: true },
  { noun: 'tax-rate', list: 'items', verbs: 'lcg' },
  { noun: 'fee-schedule', list: 'items', verbs: 'lgu' },
  { noun: 'bank', list: 'items', verbs: 'l' },
  { noun: 'country', plural: 'countries', list: 'items', verbs: 'l', isGlobal: true },
];

type Json = Readonly<Record<string, unknown>>;
type Operation = Json & { readonly operationId: string };

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const parameterRef = (name: string) => ({ $ref: `#/components/parameters/${name}` });
const json = (schema: unknown) => ({ 'application/json': { schema } });

const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: Json, required?: readonly string[]) => ({
  type: 'object',
  ...(required && { required }),
  properties,
});
const listOf = (name: string) => ({ type: 'array', items: schemaRef(name) });
const pageOf = (name: string, others: Json = {}) => object({ items: listOf(name), ...others }, ['items']);

function pluralOf({ noun, plural }: Resource): string {
  return plural ?? `${noun}s`;
}

function titleOf(noun: string): string {
  return noun.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
}

function pascal(noun: string): string {
  return noun
    .split('-')
    .map((word) => word.replace(/^./, (letter) => letter.toUpperCase()))
    .join('');
}

function snake(noun: string): string {
  return noun.replaceAll('-', '_');
}

function security(scopes: readonly string[]): Json {
  return { security: [{ bearer: scopes }] };
}

function answers(status: string, schema?: unknown): Json {
  const error = { description: 'An error.', content: json(schemaRef('Error')) };
  const success =
    schema === undefined ? { description: 'Done.' } : { description: 'Done.', content: json(schema) };
  return { responses: { [status]: success, '400': error, '401': error, '404': error, '429': error } };
}

function resourcePaths(resource: Resource): Record<string, Json> {
  const { noun, verbs, isGlobal, embed } = resource;
  const plural = pluralOf(resource);
  const id = `${snake(noun)}_id`;
  const merchant = isGlobal ? [] : [parameterRef('Merchant')];
  const scope = (verb: 'read' | 'write') => [
    `${plural}.${verb}`,
    ...(embed && verb === 'read' ? ['embed'] : []),
  ];
  const tags = [titleOf(noun)];
  const operation = (operationId: string, summary: string, parts: Json): Operation => ({
    operationId,
    summary,
    tags,
    ...parts,
  });
  const body = { requestBody: { required: true, content: json(schemaRef(`${pascal(noun)}Create`)) } };
  const collection: Record<string, Json> = {};
  const item: Record<string, Json> = {};
  if (verbs.includes('l')) collection.get = listOperation(resource, [...merchant], operation, scope('read'));
  if (verbs.includes('c')) {
    const headers = resource.idempotent ? [parameterRef('IdempotencyKey')] : [];
    collection.post = operation(`add_${snake(noun)}`, `Make a ${noun.replaceAll('-', ' ')}.`, {
      parameters: [...merchant, ...headers],
      ...body,
      ...answers('201', schemaRef(pascal(noun))),
      ...security(scope('write')),
    });
  }
  if (verbs.includes('g')) {
    item.get = operation(`read_${snake(noun)}`, `Show a ${noun.replaceAll('-', ' ')}.`, {
      parameters: merchant,
      ...answers('200', schemaRef(pascal(noun))),
      ...security(scope('read')),
    });
  }
  if (verbs.includes('u')) {
    item.put = operation(`edit_${snake(noun)}`, `Change a ${noun.replaceAll('-', ' ')}.`, {
      parameters: merchant,
      ...body,
      ...answers('200', schemaRef(pascal(noun))),
      ...security(scope('write')),
    });
  }
  if (verbs.includes('d')) {
    item.delete = operation(`remove_${snake(noun)}`, `Delete a ${noun.replaceAll('-', ' ')}.`, {
      parameters: merchant,
      ...answers('204'),
      ...security(scope('write')),
    });
  }
  const parameter = {
    name: id,
    in: 'path',
    required: true,
    description: `ID of the ${noun.replaceAll('-', ' ')}.`,
    schema: { type: 'string', format: 'uuid' },
  };
  return {
    [`/${plural}`]: collection,
    ...(Object.keys(item).length > 0 && { [`/${plural}/{${id}}`]: { parameters: [parameter], ...item } }),
  };
}

type MakeOperation = (id: string, summary: string, parts: Json) => Operation;

/** Its operationId says `get`, as in services whose ids are made from the names of functions. */
function listOperation(
  resource: Resource,
  merchant: readonly unknown[],
  make: MakeOperation,
  scopes: readonly string[],
): Operation {
  const { noun, list, largest } = resource;
  const limit =
    largest === undefined
      ? parameterRef('Limit')
      : { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: largest } };
  const paging = list === 'cursor' ? [parameterRef('Cursor'), limit] : [];
  const filters = [
    {
      name: 'status',
      in: 'query',
      description: 'Only those with one of these states.',
      schema: listOf('Status'),
    },
    {
      name: 'created_at_gte',
      in: 'query',
      description: 'Only those made at or after this time.',
      schema: { type: 'string', format: 'date-time' },
    },
    {
      name: 'external_identifier',
      in: 'query',
      schema: { anyOf: [{ type: 'string', maxLength: 200 }, { type: 'null' }] },
    },
  ];
  const items = listOf(pascal(noun));
  const cursor = { anyOf: [text, { type: 'null' }] };
  const page = {
    type: 'object',
    required: ['items'],
    properties:
      list === 'items' ? { items } : { items, limit: integer, next_cursor: cursor, previous_cursor: cursor },
  };
  return make(
    `get_${snake(pluralOf(resource))}`,
    `Returns the ${pluralOf(resource).replaceAll('-', ' ')} of an account.`,
    {
      parameters: [
        ...merchant,
        ...paging,
        ...(noun === 'transaction' ? [...filters, ...MANY_FILTERS] : filters),
      ],
      ...answers('200', list === 'array' ? items : page),
      ...security(scopes),
    },
  );
}

/** The filters of the list that has the most. */
const MANY_FILTERS = Array.from({ length: 41 }, (_, index) => {
  const types = [
    text,
    { type: 'integer', minimum: 0 },
    { type: 'boolean' },
    { type: 'array', items: { type: 'string', minLength: 1 } },
    { type: 'string', format: 'date' },
  ];
  return {
    name: `filter_${index + 1}`,
    in: 'query',
    description: `Filter number ${index + 1}.`,
    schema: types[index % types.length],
  };
});

const id = (name: string) => ({ name, in: 'path', required: true, schema: text });
const merchant = parameterRef('Merchant');

function action(operationId: string, schema: string | undefined, parts: Json = {}): Json {
  const body = schema === undefined ? {} : { requestBody: { content: json(schemaRef(schema)) } };
  return {
    operationId,
    summary: `${titleOf(operationId.replaceAll('_', '-'))}.`,
    tags: ['Transaction'],
    ...body,
    ...parts,
  };
}

/** What does not follow the pattern. */
const SPECIAL: Readonly<Record<string, Json>> = {
  '/transactions/{transaction_id}/capture': {
    parameters: [id('transaction_id'), merchant, parameterRef('IdempotencyKey')],
    post: action('capture_transaction', 'Capture', {
      ...answers('200', schemaRef('Transaction')),
      ...security(['transactions.write']),
    }),
  },
  '/transactions/{transaction_id}/void': {
    parameters: [id('transaction_id'), merchant, parameterRef('IdempotencyKey')],
    post: action('void_transaction', undefined, {
      ...answers('200', schemaRef('Transaction')),
      ...security(['transactions.write']),
    }),
  },
  '/transactions/{transaction_id}/refunds': {
    parameters: [id('transaction_id'), merchant],
    get: action('get_transaction_refunds', undefined, {
      'x-speakeasy-group': 'transactions.refunds',
      'x-speakeasy-name-override': 'all',
      ...answers('200', pageOf('Refund')),
      ...security(['transactions.read', 'embed']),
    }),
    post: action('create_refund', 'RefundCreate', {
      parameters: [parameterRef('IdempotencyKey')],
      ...answers('201', schemaRef('Refund')),
      ...security(['transactions.write']),
    }),
  },
  '/transactions/{transaction_id}/refunds/{refund_id}': {
    parameters: [id('transaction_id'), id('refund_id'), merchant],
    get: action('read_refund', undefined, {
      ...answers('200', schemaRef('Refund')),
      ...security(['transactions.read']),
    }),
  },
  '/transactions/{transaction_id}/summary': {
    parameters: [id('transaction_id'), merchant],
    get: action('read_transaction_summary', undefined, {
      ...answers('200', schemaRef('Tree')),
      ...security(['transactions.read', 'reports.read']),
    }),
  },
  '/payments': {
    post: action('create_payment', 'PaymentCreate', {
      parameters: [merchant, parameterRef('IdempotencyKey')],
      tags: ['Payment'],
      ...answers('201', schemaRef('Transaction')),
      ...security(['transactions.write', 'embed']),
    }),
  },
  '/transactions/search': {
    post: action('search_transactions', 'Search', {
      ...answers('200', pageOf('Transaction')),
      parameters: [merchant],
      ...security(['transactions.read']),
    }),
  },
  '/payment-options': {
    post: action('get_payment_options', 'Search', {
      ...answers('200', pageOf('Bank')),
      parameters: [merchant],
      ...security(['payment-options.read', 'embed']),
    }),
  },
  '/exchange-rates': {
    get: action('get_exchange_rate', undefined, {
      parameters: [
        { name: 'from', in: 'query', required: true, schema: { type: 'string', pattern: '^[A-Z]{3}$' } },
        { name: 'to', in: 'query', required: true, schema: { type: 'string', minLength: 3, maxLength: 3 } },
        { name: 'token', in: 'query', schema: text },
        { name: 'output', in: 'query', schema: { type: 'string', enum: ['short', 'long'] } },
      ],
      ...answers('200', { type: 'object', required: ['rate'], properties: { rate: { type: 'number' } } }),
      security: [],
    }),
  },
  '/caches/warm': {
    post: action('warm_caches', undefined, {
      'x-payctl-name': 'caches refresh',
      ...answers('204'),
      security: [],
    }),
  },
  '/transactions/{transaction_id}/receipt-template': {
    parameters: [id('transaction_id'), merchant],
    delete: action('remove_receipt_template', 'Capture', { ...answers('204'), security: [] }),
  },
};

const actions = [
  ['/payouts/{payout_id}/cancel', 'cancel_payout', 'Payout'],
  ['/payment-links/{payment_link_id}/expire', 'expire_payment_link', 'PaymentLink'],
  ['/invoices/{invoice_id}/send', 'send_invoice', 'Invoice'],
  ['/subscriptions/{subscription_id}/pause', 'pause_subscription', 'Subscription'],
  ['/subscriptions/{subscription_id}/resume', 'resume_subscription', 'Subscription'],
  ['/coupons/{coupon_id}/activate', 'activate_coupon', 'Coupon'],
] as const;

/** Actions on one record, and paths that payctl has commands of its own for. */
const OTHERS: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(
    actions.map(([path, operationId, schema]) => [
      path,
      {
        parameters: [id(path.replace(/^.*\{|\}.*$/g, '')), merchant],
        post: action(operationId, undefined, {
          ...answers('200', schemaRef(schema)),
          ...security([`${path.split('/')[1]}.write`]),
        }),
      },
    ]),
  ),
  '/reports/{report_id}/executions': {
    parameters: [id('report_id'), merchant],
    get: action('get_report_executions', undefined, {
      parameters: [parameterRef('Cursor'), parameterRef('Limit')],
      ...answers('200', pageOf('Report', { next_cursor: { type: ['string', 'null'] } })),
      ...security(['reports.read']),
    }),
  },
  '/buyers': {
    get: action('get_buyers', undefined, {
      parameters: [
        merchant,
        parameterRef('Cursor'),
        parameterRef('Limit'),
        {
          name: 'segment',
          in: 'query',
          description: 'Only buyers of this segment.',
          schema: text,
        },
      ],
      ...answers('200', pageOf('BuyerGroup', { next_cursor: { type: ['string', 'null'] } })),
      ...security(['buyers.read']),
    }),
    post: action('add_buyer', 'BuyerGroupCreate', {
      parameters: [merchant],
      ...answers('201', schemaRef('BuyerGroup')),
      ...security(['buyers.write']),
    }),
  },
  '/buyers/{buyer_id}': {
    parameters: [id('buyer_id'), merchant],
    get: action('read_buyer', undefined, {
      ...answers('200', schemaRef('BuyerGroup')),
      ...security(['buyers.read']),
    }),
    delete: action('remove_buyer', undefined, { ...answers('204'), ...security(['buyers.write']) }),
  },
  '/checkout/sessions/{session_id}': {
    parameters: [id('session_id'), merchant],
    get: action('read_checkout_session', undefined, {
      ...answers('200', schemaRef('Transaction')),
      ...security(['checkout-sessions.read', 'embed']),
    }),
  },
};

const parameters = {
  Merchant: { name: LARGE_MERCHANT_HEADER, in: 'header', schema: text },
  IdempotencyKey: { name: 'idempotency-key', in: 'header', schema: { type: 'string', maxLength: 100 } },
  Cursor: {
    name: 'cursor',
    in: 'query',
    schema: { anyOf: [{ type: 'string', maxLength: 1000 }, { type: 'null' }] },
  },
  Limit: { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
};

function resourceSchemas(resource: Resource): [string, Json][] {
  const name = pascal(resource.noun);
  return [
    [
      name,
      object(
        {
          type: { const: resource.noun },
          id: { type: 'string', format: 'uuid' },
          merchant_account_id: text,
          status: schemaRef('Status'),
          amount: integer,
          currency: text,
          display_name: { type: ['string', 'null'] },
          created_at: { type: 'string', format: 'date-time' },
          metadata: schemaRef('Metadata'),
          owner: schemaRef('Person'),
          webhook_secret: text,
        },
        ['type', 'id', 'status', 'amount', 'currency', 'created_at'],
      ),
    ],
    [
      `${name}Create`,
      object(
        {
          amount: { type: 'integer', minimum: 0, maximum: 99_999_999 },
          currency: { type: 'string', pattern: '^[A-Z]{3}$' },
          display_name: { anyOf: [{ type: 'string', minLength: 1, maxLength: 200 }, { type: 'null' }] },
          external_identifier: { type: 'string', maxLength: 200 },
          status: schemaRef('Status'),
          metadata: schemaRef('Metadata'),
          lines: { type: 'array', maxItems: 50, items: schemaRef('Line') },
          active: { type: 'boolean', default: true },
          starts_at: { type: 'string', format: 'date-time' },
        },
        ['amount', 'currency'],
      ),
    ],
  ];
}

const METHODS = ['card', 'token', 'wallet', 'bank-transfer', 'voucher', 'gift-card', 'redirect'] as const;

function paymentBranch(method: string, index: number): [string, Json] {
  return [
    `${pascal(method)}Payment`,
    object(
      {
        method: { const: method },
        amount: integer,
        currency: text,
        [`${snake(method)}_reference`]: { type: 'string', minLength: index + 1 },
        buyer: schemaRef('Person'),
      },
      ['method', 'amount', 'currency', `${snake(method)}_reference`],
    ),
  ];
}

const members = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `field_${index + 1}`,
      { type: index % 2 === 0 ? 'string' : 'integer' },
    ]),
  );

const schemas: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(RESOURCES.flatMap(resourceSchemas)),
  ...Object.fromEntries(METHODS.map(paymentBranch)),
  /** One of seven, with nothing that tells them apart but a constant. */
  PaymentCreate: { oneOf: METHODS.map((method) => schemaRef(`${pascal(method)}Payment`)) },
  Status: { type: 'string', enum: ['pending', 'active', 'captured', 'canceled', 'failed', 'expired'] },
  Metadata: { type: 'object', maxProperties: 20, additionalProperties: { type: 'string', maxLength: 200 } },
  Person: object({
    first_name: text,
    last_name: text,
    email_address: { type: 'string', format: 'email' },
    address: schemaRef('Address'),
  }),
  Address: object({
    line1: text,
    city: text,
    country: { type: 'string', pattern: '^[A-Z]{2}$' },
  }),
  Line: {
    oneOf: [schemaRef('ProductLine'), schemaRef('FeeLine')],
    discriminator: {
      propertyName: 'kind',
      mapping: { product: '#/components/schemas/ProductLine', fee: '#/components/schemas/FeeLine' },
    },
  },
  ProductLine: object(
    {
      kind: { const: 'product' },
      name: text,
      quantity: { type: 'integer', minimum: 1 },
    },
    ['name'],
  ),
  FeeLine: object({ kind: { const: 'fee' }, amount: integer }, ['amount']),
  Capture: { type: 'object', properties: { amount: { type: 'integer', minimum: 1 }, ...members(42) } },
  RefundCreate: {
    allOf: [
      { type: 'object', properties: { amount: { type: 'integer', minimum: 1 } } },
      object({ reason: { type: 'string', maxLength: 100 }, target: schemaRef('Line') }),
    ],
  },
  Refund: object(
    {
      id: text,
      transaction_id: text,
      status: schemaRef('Status'),
      amount: integer,
      currency: text,
      reason: text,
      created_at: { type: 'string', format: 'date-time' },
    },
    ['id', 'status', 'amount', 'currency', 'created_at'],
  ),
  /** Holds itself. */
  Tree: object(
    {
      name: text,
      parts: listOf('Tree'),
      parent: { anyOf: [schemaRef('Tree'), { type: 'null' }] },
    },
    ['name'],
  ),
  Search: object({
    country: text,
    amounts: { type: 'array', items: integer },
    nested: schemaRef('Tree'),
  }),
  Error: { type: 'object', properties: { code: text, message: text } },
};
