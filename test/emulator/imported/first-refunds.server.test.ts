import { expect, it } from 'vitest';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { startImported } from './imported-emulator.ts';

type Item = Readonly<Record<string, unknown>>;

const moment = (at: unknown) => Date.parse(String(at));

it('makes a succeeded refund of what a first payment says, after its capture and before its last change', async () => {
  await using emulator = await startImported(sample);
  const { body } = await emulator.call('GET', '/transactions?limit=100');
  const payments = body.items as readonly Item[];
  const refunded = payments.filter(({ refunded_amount: amount }) => amount !== 0);
  expect(refunded.length).toBeGreaterThan(3);
  const wrong: unknown[] = [];
  for (const payment of refunded) {
    const list = await emulator.call('GET', `/transactions/${payment.id}/refunds`);
    const [refund, ...others] = list.body.items as readonly Item[];
    const at = moment(refund?.created_at);
    const isAfter =
      at >= Math.max(moment(payment.created_at), moment(payment.captured_at ?? payment.created_at));
    const isBefore = at <= moment(payment.updated_at ?? refund?.created_at);
    const isWhole = refund?.amount === payment.refunded_amount && refund?.status === 'succeeded';
    if (!isAfter || !isBefore || !isWhole || others.length > 0) wrong.push({ payment, refund, others });
  }
  expect(wrong).toEqual([]);
});

it('gives each first payment the time of its status', async () => {
  await using emulator = await startImported(sample, { records: { transactions: 100 } });
  const { body } = await emulator.call('GET', '/transactions?limit=100');
  const payments = body.items as readonly Item[];
  const isTimed = ({ status, captured_at: captured, voided_at: voided }: Item) =>
    Boolean(captured) === /captured|refunded/.test(String(status)) &&
    Boolean(voided) === (status === 'voided');
  expect(payments.filter((one) => !isTimed(one))).toEqual([]);
});

it('makes no first record before the one that it belongs to', async () => {
  const text = { type: 'string' };
  const properties = { id: text, created_at: { ...text, format: 'date-time' } };
  const items = { type: 'object', required: ['id', 'created_at'], properties };
  const responses = {
    200: { description: '', content: { 'application/json': { schema: { type: 'array', items } } } },
  };
  const list = (...names: readonly string[]) => ({
    parameters: names.map((name) => ({ name, in: 'path', required: true, schema: text })),
    get: { responses },
  });
  const paths = {
    '/orders': list(),
    '/orders/{order}/parcels': list('order'),
    '/orders/{order}/parcels/{parcel}/scans': list('order', 'parcel'),
  };
  const info = { title: 'Orders', version: '1' };
  await using emulator = await startImported({ openapi: '3.1.0', info, paths });
  const at = async (path: string) => (await emulator.call('GET', path)).body as unknown as readonly Item[];
  let count = 0;
  const early: string[] = [];
  const compare = async (path: string, [name = '', ...others]: readonly string[]) => {
    for (const { id, created_at: created } of await at(path)) {
      if (name === '') continue;
      const below = `${path}/${id}/${name}`;
      for (const child of await at(below)) {
        count += 1;
        if (moment(child.created_at) < moment(created)) early.push(`${below}/${child.id}`);
      }
      await compare(below, others);
    }
  };
  await compare('/orders', ['parcels', 'scans']);
  expect(early).toEqual([]);
  expect(count).toBeGreaterThan(50);
});
