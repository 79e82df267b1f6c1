import { describe, expect, it } from 'vitest';
import { answer, document } from '../../descriptions/describe.ts';
import { importedForAll, runImported } from './run-imported.ts';

const ID = 'c127d095-5e35-4c7d-9be1-6425bf77a794';
const uuid = { type: 'string', format: 'uuid' };
const thing = { type: 'object', properties: { id: uuid, name: { type: 'string' } } };
const list = {
  responses: answer({ type: 'object', properties: { items: { type: 'array', items: thing } } }),
};
const parameter = (name: string, where: string, schema: object = uuid) => [
  { name, in: where, required: where === 'path', schema },
];
const text = { type: 'string' };

const description = importedForAll(
  document({
    '/v1/customers': { get: list },
    '/v1/customers/{id}': {
      get: { parameters: parameter('id', 'path'), responses: answer(thing) },
      delete: { parameters: parameter('id', 'path'), responses: { 204: { description: 'D' } } },
    },
    '/v1/customers/{id}/cards': { get: { ...list, parameters: parameter('id', 'path') } },
    '/v1/plans': { get: list },
    '/v1/plans/{id}': { get: { parameters: parameter('id', 'path', text), responses: answer(thing) } },
    '/v1/orders': {
      get: { ...list, parameters: [...parameter('customer_id', 'query'), ...parameter('shop', 'query')] },
    },
    '/v1/shops/{id}': { get: { parameters: parameter('id', 'path'), responses: answer(thing) } },
  }),
);
const page = (...ids: string[]) => ({ body: { items: ids.map((id) => ({ id })) } });
const run = (argv: readonly string[], script: Parameters<typeof runImported>[2] = {}) =>
  runImported(argv, description, script);

describe('a short ID in an imported command', () => {
  it('is looked up in the list above a record that is read', async () => {
    const script = [page('a', ID), { body: { id: ID } }];
    expect(await run(['customers', 'get', 'C127D095', '--jq', '.id'], { script })).toMatchObject({
      stdout: `${ID}\n`,
      stderr: `ID C127D095 is ${ID}.\n`,
      sent: [
        ['GET', '/v1/customers'],
        ['GET', `/v1/customers/${ID}`],
      ],
    });
    const cards = await run(['customers', 'cards', 'list', 'c127d095', '-o', 'wide'], {
      script: [page(ID), page('x')],
    });
    expect(cards.sent.at(-1)).toEqual(['GET', `/v1/customers/${ID}/cards`]);
    expect(cards.stderr).toContain(`ID c127d095 is ${ID}.\n`);
  });

  it('is first sent as it is where IDs may be of another kind', async () => {
    const script = [{ body: { id: 'c127d095' } }];
    const whole = await run(['plans', 'get', 'c127d095', '--jq', '.id'], { script });
    expect(whole).toMatchObject({ stdout: 'c127d095\n', sent: [['GET', '/v1/plans/c127d095']] });
    const found = await run(['plans', 'get', 'c127d095', '--jq', '.id'], {
      script: [{ status: 404, body: {} }, page(ID), { body: { id: ID } }],
    });
    expect(found).toMatchObject({ stdout: `${ID}\n`, code: 0 });
    expect(found.sent.map(([, url]) => url)).toEqual(['/v1/plans/c127d095', '/v1/plans', `/v1/plans/${ID}`]);
  });

  it('is looked up in the list that a filter is named after', async () => {
    const { sent, stderr } = await run(['orders', 'list', '--customer-id', 'c127d095', '-o', 'wide'], {
      script: [page(ID), page('x')],
    });
    expect(sent.at(-1)).toEqual(['GET', `/v1/orders?customer_id=${ID}`]);
    expect(stderr).toContain(`--customer-id c127d095 is ${ID}.\n`);
  });

  it('is an error where several have it, where none has it, and where there is no list', async () => {
    const several = await run(['customers', 'get', 'c127d095'], {
      script: [page(ID, 'c127d095-0000-4000-8000-000000000000')],
    });
    expect(several).toMatchObject({ code: 2, stdout: '' });
    expect(several.stderr).toMatch(
      /^Error: Several customers have IDs that begin with "c127d095" \(several_match\)\n/,
    );
    const none = await run(['customers', 'get', 'c127d095'], { script: [page('a', 'b')] });
    expect(none.code).toBe(5);
    expect(none.stderr).toContain(
      'No record has an ID that begins with "c127d095"; payctl searched 2 customers',
    );
    for (const argv of [
      ['shops', 'get', 'c127d095'],
      ['orders', 'list', '--shop', 'c127d095'],
    ]) {
      const { stderr, code, sent } = await run(argv);
      expect({ code, sent }).toEqual({ code: 2, sent: [] });
      expect(stderr).toContain('must be a whole ID, not "c127d095"');
    }
  });

  it('is what a narrow table shows of a list in which it can be looked up', async () => {
    const items = [ID, '038a970c-0000-4000-8000-000000000000'].map((id, at) => ({
      id,
      name: `${at} ${'n'.repeat(30)}`,
    }));
    const script = [{ body: { items } }];
    const customers = await run(['customers', 'list'], { script, columns: 45 });
    expect(customers.stdout).toBe(
      `ID        NAME\nc127d095  0 ${'n'.repeat(30)}\n038a970c  1 ${'n'.repeat(30)}\n`,
    );
    const orders = await run(['orders', 'list'], { script, columns: 45 });
    expect(orders.stdout).toContain(`\n${ID}\n`);
  });

  it('is refused by a change, before anything is sent', async () => {
    expect(await run(['customers', 'delete', 'c127d095'])).toMatchObject({
      stderr:
        'Error: ID must be a whole ID, not "c127d095" (bad_flag)\n' +
        'payctl does not look this ID up by its beginning. Lists show whole IDs with -o wide.\n',
      code: 2,
      sent: [],
    });
  });
});
