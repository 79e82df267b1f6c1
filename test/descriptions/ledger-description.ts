import { answer, document, type Json } from './describe.ts';

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const integer64 = {
  type: 'integer',
  format: 'int64',
  minimum: Number('-9223372036854775808'),
  maximum: Number('9223372036854775807'),
};
const entry = { $ref: '#/components/schemas/LedgerEntry' };

/** The parameters with which entries are listed by their times. */
const TIMES: Json = { updated_at_gte: time, updated_at_lte: time, created_at_gte: time };

/**
 * A service with one list, `/ledger-entries`, for copies of it: the entries can be created, changed and deleted, say when they were,
 * come in pages by cursor, and have integers of 64 bits, also those that a double does not hold. `times` are the schemas of the
 * parameters by time.
 */
export function ledgerDescription(times = TIMES, members: Json = {}): Json {
  const query = {
    cursor: text,
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    status: text,
    ...times,
  };
  const inPath = { name: 'entry_id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } };
  const body = (schema: Json) => ({ content: { 'application/json': { schema } } });
  const sent = { label: text, amount: integer64, currency: { type: 'string', pattern: '^[A-Z]{3}$' } };
  const page = {
    type: 'object',
    required: ['items'],
    properties: { items: { type: 'array', items: entry }, next_cursor: { type: ['string', 'null'] } },
  };
  return document(
    {
      '/ledger-entries': {
        get: {
          operationId: 'list_ledger_entries',
          parameters: Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema })),
          responses: answer(page),
        },
        post: {
          operationId: 'create_ledger_entry',
          requestBody: body({ type: 'object', properties: sent }),
          responses: answer(entry, '201'),
        },
      },
      '/ledger-entries/{entry_id}': {
        parameters: [inPath],
        get: { operationId: 'get_ledger_entry', responses: answer(entry) },
        patch: {
          operationId: 'update_ledger_entry',
          requestBody: body({ type: 'object', properties: sent }),
          responses: answer(entry),
        },
        delete: { operationId: 'delete_ledger_entry', responses: { 204: { description: 'Deleted.' } } },
      },
    },
    {
      components: {
        schemas: {
          LedgerEntry: {
            type: 'object',
            required: ['id', 'sequence', 'amount', 'currency', 'created_at', 'updated_at'],
            properties: {
              id: { type: 'string', format: 'uuid' },
              sequence: integer64,
              status: { type: 'string', enum: ['pending', 'posted', 'reversed'] },
              ...sent,
              tags: { type: 'object', additionalProperties: text },
              created_at: time,
              updated_at: time,
              ...members,
            },
          },
        },
      },
    },
  );
}
