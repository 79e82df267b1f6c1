import sample from '../../../src/emulator/sample.json' with { type: 'json' };

const AMOUNTS = ['amount', 'captured_amount', 'refunded_amount'];

/** The sample with other schemas for its amounts; `change` gets the schema of each, and the name of its member. */
export function withAmounts(change: (schema: object, name: string) => object): unknown {
  return JSON.parse(JSON.stringify(sample), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('amount' in value)) return value;
    const members = Object.entries(value);
    if (members.some(([, schema]) => typeof schema !== 'object')) return value;
    return Object.fromEntries(
      members.map(([name, schema]) => [
        name,
        AMOUNTS.includes(name) ? change(schema as object, name) : schema,
      ]),
    );
  });
}

/** The sample with decimal texts for amounts. */
export const textAmounts = withAmounts(() => ({ type: 'string' }));

/** The sample with an amount that is an object: a decimal text and its currency. */
export const nestedAmounts = withAmounts((_schema, name) => {
  const value = { type: 'string', pattern: '^\\d+\\.\\d{2}$' };
  if (name !== 'amount') return value;
  return {
    type: 'object',
    required: ['value', 'currency_code'],
    properties: { value, currency_code: { type: 'string', pattern: '^[A-Z]{3}$' } },
  };
});

/** The sample whose payments say nowhere what was captured or refunded, and of which no status says it either. */
export const silentAmounts: unknown = JSON.parse(
  JSON.stringify(sample),
  function (this: unknown, key, value: unknown) {
    if (key === 'captured_amount' || key === 'refunded_amount') return undefined;
    if (Array.isArray(value) && key === 'required')
      return value.filter((name) => !AMOUNTS.slice(1).includes(name));
    return key === 'enum' && Array.isArray(value) && value.includes('captured') ? ['open', 'closed'] : value;
  },
);

/** The sample with an operation that changes a transaction, by `method`, with the members that `properties` names. */
export function withUpdate(document: unknown, properties: object, method = 'put'): unknown {
  const copy = structuredClone(document) as typeof sample;
  const path = copy.paths['/transactions/{transaction_id}'] as unknown as Record<string, unknown>;
  const { responses } = copy.paths['/transactions/{transaction_id}'].get;
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  path[method] = { operationId: 'update_transaction', requestBody: { content }, responses };
  return copy;
}

/** The sample whose operations take no idempotency key. */
export const withoutKeys: unknown = JSON.parse(JSON.stringify(sample), (name, value: unknown) =>
  name === 'parameters' && Array.isArray(value)
    ? value.filter(({ $ref }) => $ref !== '#/components/parameters/IdempotencyKey')
    : value,
);

/** The same sample, whose refunds need their key in the body. */
export const withKeysInBodies: unknown = JSON.parse(JSON.stringify(withoutKeys), (name, value: unknown) => {
  if (name !== 'RefundCreate') return value;
  const { properties, ...schema } = value as { properties: object };
  const key = { type: 'string', minLength: 1, maxLength: 45 };
  return { ...schema, required: ['idempotency_key'], properties: { ...properties, idempotency_key: key } };
});

/** The sample with a request that captures the transaction that its body names. */
export function withNamedCaptures(): unknown {
  const copy = structuredClone(sample);
  const transaction_id = { type: 'string' };
  const schema = { properties: { transaction_id, amount: { type: 'integer' } }, type: 'object' };
  const capture = {
    ...{ ...copy.paths['/transactions/{transaction_id}/capture'].post, operationId: 'capture_by_id' },
    ...{ 'x-payctl-action': 'custom', 'x-payctl-resource': '/transactions', 'x-payctl-status': 'captured' },
    requestBody: { required: true, content: { 'application/json': { schema } } },
  };
  return { ...copy, paths: { ...copy.paths, '/capture': { post: capture } } };
}

/** The sample with a list of all refunds, and a request that refunds the transaction that one of two members of its body names. */
export function withNamedPayments(document: unknown = sample): unknown {
  const copy = structuredClone(document) as typeof sample;
  const { get, post } = copy.paths['/transactions/{transaction_id}/refunds'];
  const { RefundCreate } = copy.components.schemas;
  const id = { type: 'string', format: 'uuid' };
  const schema = {
    ...RefundCreate,
    properties: {
      report_id: { type: 'string' },
      transaction_id: id,
      transaction: id,
      ...RefundCreate.properties,
    },
  };
  const refund = {
    ...{ ...post, operationId: 'refund_by_id' },
    requestBody: { required: true, content: { 'application/json': { schema } } },
  };
  const { parameters } = copy.paths['/transactions'].get;
  const list = { ...get, operationId: 'list_all_refunds', parameters };
  return { ...copy, paths: { ...copy.paths, '/refunds': { get: list, post: refund } } };
}

/** A sample whose refunds have an identifier of the merchant and the time of their last change. */
export function withNamedRefunds(document: unknown): unknown {
  const copy = structuredClone(document) as typeof sample;
  const name = { type: 'string', maxLength: 200 };
  const { Refund, RefundCreate } = copy.components.schemas;
  Object.assign(Refund.properties, {
    external_identifier: { ...name, type: ['string', 'null'] },
    updated_at: { type: 'string', format: 'date-time' },
  });
  Object.assign(RefundCreate.properties, { external_identifier: name });
  return copy;
}
