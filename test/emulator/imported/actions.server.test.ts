import { describe, expect, it } from 'vitest';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { startImported } from './imported-emulator.ts';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The sample, whose actions respond with values of this schema. */
function withResponses(schema: object): unknown {
  const copy = structuredClone(sample) as unknown as {
    paths: Record<string, { post: { responses: Record<string, unknown> } }>;
    components: { schemas: Record<string, unknown> };
  };
  for (const path of ['/transactions/{transaction_id}/capture', '/transactions/{transaction_id}/void']) {
    const operation = copy.paths[path];
    if (!operation) throw new Error(`The sample has no ${path}`);
    operation.post.responses = { 200: { description: 'D', content: { 'application/json': { schema } } } };
  }
  copy.components.schemas.Action = {
    type: 'object',
    required: ['type', 'code', 'transaction'],
    properties: {
      type: { const: 'action' },
      code: { type: 'string' },
      transaction: reference('Transaction'),
    },
  };
  return copy;
}

describe('an action whose response is the record or another schema', () => {
  it.each([[['Transaction', 'Action']], [['Action', 'Transaction']]])(
    'responds with the record that it changed: %j',
    async (names) => {
      await using emulator = await startImported(withResponses({ anyOf: names.map(reference) }));
      const body = { amount: 1000, currency: 'EUR', intent: 'authorize' };
      for (const action of ['capture', 'void']) {
        const made = await emulator.call('POST', '/transactions', { body });
        const path = `/transactions/${String(made.body.id)}`;
        const acted = await emulator.call('POST', `${path}/${action}`, { body: {} });
        expect(acted).toMatchObject({ status: 200, body: { id: made.body.id, amount: 1000 } });
        expect((await emulator.call('GET', path)).body).toEqual(acted.body);
      }
    },
  );

  it('responds with the record in the member that has its schema, next to a field of the response', async () => {
    const properties = { receipt_url: { type: 'string' }, payment: reference('Transaction') };
    const schema = { type: 'object', required: Object.keys(properties), properties };
    await using emulator = await startImported(withResponses(schema));
    const body = { amount: 1000, currency: 'EUR', intent: 'authorize' };
    const { id } = (await emulator.call('POST', '/transactions', { body })).body;
    const acted = await emulator.call('POST', `/transactions/${String(id)}/capture`, { body: {} });
    expect(acted).toMatchObject({ status: 200, body: { payment: { id, captured_amount: 1000 } } });
  });
});
