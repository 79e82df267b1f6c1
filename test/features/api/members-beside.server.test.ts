import { describe, expect, it } from 'vitest';
import { document } from '../../descriptions/describe.ts';
import { importedHome, runImported } from './run-imported.ts';

const text = { type: 'string' };
const object = (properties: object) => ({ type: 'object', properties });
const description = document({
  '/customers/{id}': {
    get: {
      operationId: 'getCustomer',
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      responses: {
        200: {
          description: '',
          content: {
            'application/json': {
              schema: object({
                customer: object({ id: text, plan: object({ name: text }) }),
                card: object({ brand: text, limit_amount: { type: 'number' }, number: text }),
                plan: object({ code: text }),
              }),
            },
          },
        },
      },
    },
  },
});
const body =
  '{"customer":{"id":"c1","plan":{"name":"basic"}},"card":{"brand":"visa","limit_amount":5.10,"cvv":"123"},"plan":{"code":"b"},"extra":{"x":1.0}}';
const get = (argv: readonly string[]) =>
  runImported(['customers', 'get', 'c1', ...argv], importedHome(description), {
    script: [{ status: 200, body }],
  });

describe('a response that has a record and other members', () => {
  it.each([
    ['id,card.brand', '{"id":"c1","card.brand":"visa"}'],
    ['?card.brand', '{"card.brand":"visa"}'],
    ['plan.name,?extra.x', '{"plan.name":"basic","extra.x":1.0}'],
    ['?customer.id,?plan.code', '{"customer.id":"c1","plan.code":null}'],
  ])('has all of them for --columns %s', async (columns, expected) => {
    const { stdout, stderr, code } = await get(['--columns', columns, '--json']);
    expect([stderr, code]).toEqual(['', 0]);
    expect(stdout.replaceAll(/\s/g, '')).toBe(expected);
  });

  it('shows the record without --columns', async () => {
    const { stdout } = await get(['-o', 'detail']);
    expect(stdout).toContain('basic');
    expect(stdout).not.toContain('visa');
  });

  it('masks what is a secret in them', async () => {
    const { stdout } = await get(['--columns', 'id,?card.cvv', '--json']);
    expect(stdout).not.toContain('123');
  });

  it('lists their fields, those of the record first, and none under a name that the record has', async () => {
    const { stdout } = await get(['--columns', '-o', 'csv']);
    const listed = stdout.split('\n').map((line) => line.split(',')[0]);
    expect(listed).toEqual(expect.arrayContaining(['id', 'plan.name', 'card.brand']));
    expect(listed).not.toContain('plan.code');
    expect(listed.indexOf('card')).toBeGreaterThan(listed.indexOf('plan.name'));
  });

  it('names them where a column is misspelt', async () => {
    const { stderr, code } = await get(['--columns', 'card.brnd', '--json']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('card.brand')]);
  });
});
