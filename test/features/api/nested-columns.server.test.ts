import { describe, expect, it } from 'vitest';
import { answer, get } from '../../descriptions/describe.ts';
import { importedForAll, runImported } from './run-imported.ts';

const text = { type: 'string' };
const object = (properties: object) => ({ type: 'object', properties });
const item = object({
  id: text,
  status: object({ state: text, reason: text }),
  amount: object({ currency_code: text, value: text }),
  fee: object({ amount: { type: 'integer' }, currency: text }),
  payer: object({ name: text, address: object({ city: text }) }),
  secret: object({ name: text }),
  links: object({ self: text }),
  create_time: text,
});
const list = importedForAll(get({ responses: answer(object({ items: { type: 'array', items: item } })) }));
const body = {
  items: [
    {
      id: 'a',
      status: { state: 'failed', reason: ['declined', { code: 5 }] },
      amount: { currency_code: 'EUR', value: '10.50' },
      fee: { amount: 1050, currency: 'JPY' },
      payer: { name: 'Ada', address: { city: 'Leeds' } },
      create_time: '2025-03-01T10:00:00Z',
    },
    { id: 'b', status: null, amount: null, payer: 'x', fee: {} },
  ],
};
const run = async (...argv: string[]) =>
  (await runImported(['things', 'list', '--no-pager', ...argv], list, { columns: 120, script: [{ body }] }))
    .stdout;

describe('the table of a list with nested values', () => {
  it('shows money, times, and what an object is known by, and nothing as JSON', async () => {
    expect(await run()).toBe(
      [
        'ID  STATUS     AMOUNT       FEE  CREATE TIME (UTC)  PAYER',
        'a   failed  10.50 EUR  1050 JPY  2025-03-01 10:00Z  Ada',
        'b',
        '',
      ].join('\n'),
    );
  });

  it('shows an object that was asked for in words', async () => {
    expect(await run('--columns', 'status.reason')).toBe('STATUS.REASON\ndeclined; code: 5\n\n');
  });

  it('gives programs the values', async () => {
    expect(await run('-o', 'csv')).toContain('a,failed,');
  });
});
