import type { ImportedOperation } from '../../../src/descriptions/imported-operation.ts';

/** An operation as an import gives it, with these parts of its own. */
export function operationOf(changes: Partial<ImportedOperation>): ImportedOperation {
  const { path = '/transactions' } = changes;
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  return {
    id: 'list_transactions',
    method: 'GET',
    path,
    summary: 'List transactions.',
    scopes: ['transactions.read'],
    merchantAccount: true,
    isList: false,
    paginated: false,
    pathParameters: names,
    pathValues: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    query: {},
    hasBody: false,
    successStatus: 200,
    responseSchema: 'Transactions',
    errors: [],
    command: 'transactions list',
    columns: [],
    fields: [],
    ...changes,
  };
}

/** A list with cursors. */
export const transactions = operationOf({
  listShape: 'envelope',
  paginated: true,
  query: {
    cursor: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 10 },
    status: {
      type: 'string',
      enum: ['captured', 'declined'],
      multiple: true,
      summary: 'Only with this status.',
    },
    created_at_gte: { type: 'string', format: 'date-time' },
    amount_lte: { type: 'integer', minimum: 0, maximum: 1000 },
    has_refunds: { type: 'boolean' },
    timeout: { type: 'integer' },
  },
  columns: ['id', 'status', 'amount', 'currency', 'created_at'],
  fields: ['id', 'status', 'amount', 'currency', 'created_at', 'buyer', 'buyer.email', 'card.number'],
});

/** A POST that takes an idempotency key. */
export const createTransaction = operationOf({
  id: 'new_transaction',
  method: 'POST',
  summary: 'Create a transaction.',
  scopes: ['transactions.write'],
  hasBody: true,
  bodyRequired: true,
  idempotencyHeader: 'idempotency-key',
  command: 'transactions create',
  requestSchema: {
    type: 'object',
    required: ['amount', 'currency'],
    properties: {
      amount: { type: 'integer', minimum: 1 },
      currency: { type: 'string', minLength: 3, maxLength: 3 },
      capture: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      items: { type: 'array', items: { $ref: '#/$defs/Item' } },
      password: { type: 'string' },
      metadata: { type: 'object', additionalProperties: { type: 'string' } },
    },
    $defs: {
      Item: { type: 'object', properties: { name: { type: 'string' }, quantity: { type: 'integer' } } },
    },
  },
});

/** A DELETE without an answer. */
export const deleteTransaction = operationOf({
  id: 'delete_transaction',
  method: 'DELETE',
  path: '/transactions/{transaction_id}',
  summary: 'Delete a transaction.',
  scopes: ['transactions.write'],
  successStatus: 204,
  command: 'transactions delete',
});
