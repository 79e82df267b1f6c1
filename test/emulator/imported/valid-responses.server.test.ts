import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { answer, document } from '../../descriptions/describe.ts';
import { type ImportedEmulator, startImported } from './imported-emulator.ts';

const text = { type: 'string' };
const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const dispute = object({ id: text, note: text }, ['id']);

/** Whether a response fits its schema, by a validator that payctl itself does not use. */
function isValid(schema: object, { body }: Awaited<ReturnType<ImportedEmulator['call']>>): boolean {
  return new Ajv2020({ strict: false }).validate(schema, body);
}

describe('the links of a list', () => {
  const link = object({ href: text, rel: text }, ['href', 'rel']);
  const page = (limits: object) =>
    object({ items: { type: 'array', items: dispute }, links: { type: 'array', items: link, ...limits } }, [
      'items',
      'links',
    ]);
  const described = (schema: object) =>
    document({
      '/disputes': {
        get: {
          parameters: [{ name: 'offset', in: 'query', schema: { type: 'integer' } }],
          responses: answer(schema),
        },
      },
    });

  it('lead to the page itself on the last page, if there must be one', async () => {
    const schema = page({ minItems: 1 });
    await using emulator = await startImported(described(schema));
    const last = await emulator.call('GET', '/disputes?offset=20');
    expect(last.body.links).toEqual([{ rel: 'self', href: expect.stringMatching(/\/disputes\?offset=20$/) }]);
    expect(isValid(schema, last)).toBe(true);
    const first = await emulator.call('GET', '/disputes');
    expect(first.body.links).toMatchObject([{ rel: 'next' }]);
  });

  it('are none on the last page otherwise', async () => {
    await using emulator = await startImported(described(page({})));
    expect((await emulator.call('GET', '/disputes?offset=20')).body.links).toEqual([]);
  });
});

it('takes a member for a statement about the page only if it can be true or false', async () => {
  const paging = object({ last: { type: ['string', 'null'] }, is_last: { type: 'boolean' } }, ['last']);
  const schema = object({ items: { type: 'array', items: dispute }, paging }, ['items', 'paging']);
  await using emulator = await startImported(
    document({ '/disputes': { get: { responses: answer(schema) } } }),
  );
  const list = await emulator.call('GET', '/disputes');
  expect(list.body.paging).toMatchObject({ is_last: true });
  expect(isValid(schema, list)).toBe(true);
});

it('responds with what fits exactly one branch of an overlapping union', async () => {
  const outcome = (word: string) => object({ outcome: { enum: [word] }, [word]: text });
  const schema = { oneOf: ['accepted', 'escalated', 'denied'].map(outcome) };
  const id = { name: 'id', in: 'path', required: true, schema: text };
  const description = document({
    '/disputes': { get: { responses: answer({ type: 'array', items: dispute }) } },
    '/disputes/{id}': { parameters: [id], get: { responses: answer(dispute) } },
    '/disputes/{id}/decide': { parameters: [id], post: { responses: answer(schema) } },
  });
  await using emulator = await startImported(description);
  const disputes = (await emulator.call('GET', '/disputes')).body as unknown as readonly { id: string }[];
  for (const one of disputes.slice(0, 10)) {
    const decided = await emulator.call('POST', `/disputes/${one.id}/decide`);
    expect([decided.status, isValid(schema, decided)]).toEqual([200, true]);
  }
});

it('lists objects where items are texts or objects, and removes them with the record above', async () => {
  const own = (value: string) => ({ type: 'string', enum: [value] });
  const rule = { oneOf: [own('words'), own('typo'), object({ sort: text }, ['sort'])] };
  const rules = { type: 'array', items: rule };
  const id = { name: 'id', in: 'path', required: true, schema: text };
  const book = object({ id: text }, ['id']);
  await using emulator = await startImported(
    document({
      '/books': { get: { responses: answer({ type: 'array', items: book }) } },
      '/books/{id}': { parameters: [id], delete: { responses: { 204: { description: '' } } } },
      '/books/{id}/rules': { parameters: [id], get: { responses: answer(rules) } },
    }),
  );
  const books = (await emulator.call('GET', '/books')).body as unknown as readonly { readonly id: string }[];
  const path = `/books/${books[0]?.id}`;
  const list = await emulator.call('GET', `${path}/rules`);
  expect([list.status, isValid(rules, list)]).toEqual([200, true]);
  expect(await emulator.call('DELETE', path)).toMatchObject({ status: 204 });
});
