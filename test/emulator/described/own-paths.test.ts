import { expect, it } from 'vitest';
import { LARGE_MERCHANT_HEADER, largeDescription } from '../../descriptions/large-description.ts';
import { startDescribed } from './described-emulator.ts';

const body = { amount: 5, currency: 'EUR', display_name: 'Nuno Faria' };

it("payctl's own contract answers on its own paths, and shows what the description adds there", async () => {
  await using emulator = await startDescribed(largeDescription());
  const before = await emulator.call('GET', '/buyers?limit=1');
  expect(before.body.items).toMatchObject([{ type: 'buyer' }]);
  const made = await emulator.call('POST', '/buyers', { body });
  expect(made).toMatchObject({ status: 201, body });
  const listed = await emulator.call('GET', '/buyers?limit=1');
  expect(listed.body.items).toMatchObject([{ type: 'buyer', id: made.body.id, display_name: 'Nuno Faria' }]);
  const path = `/buyers/${String(made.body.id)}`;
  expect((await emulator.call('GET', path)).body).toEqual(made.body);
  expect(await emulator.call('DELETE', path)).toMatchObject({ status: 204 });
  expect(await emulator.call('GET', path)).toMatchObject({ status: 404 });
  expect((await emulator.call('GET', '/buyers?limit=1')).body.items).toEqual(before.body.items);
});

it('a buyer of the contract is found and deleted by the operations of the description', async () => {
  await using emulator = await startDescribed(largeDescription());
  const { body: page } = await emulator.call('GET', '/buyers?limit=1');
  const [buyer] = page.items as { id: string }[];
  const path = `/buyers/${buyer?.id}`;
  expect(await emulator.call('GET', path)).toMatchObject({ status: 200, body: { id: buyer?.id } });
  expect(await emulator.call('GET', path, { headers: { [LARGE_MERCHANT_HEADER]: 'outlet' } })).toMatchObject({
    status: 404,
  });
  expect(await emulator.call('DELETE', path)).toMatchObject({ status: 204 });
  expect(await emulator.call('GET', path)).toMatchObject({ status: 404 });
});

it('the first records are the same for the same seed, and others for another', async () => {
  const read = async (seed: number) => {
    await using emulator = await startDescribed(largeDescription(), { seed });
    // In another order, too.
    if (seed === 2) await emulator.call('GET', '/plans');
    const [invoices, plans] = [await emulator.call('GET', '/invoices'), await emulator.call('GET', '/plans')];
    return JSON.stringify([invoices.body.items, plans.body.items]);
  };
  expect(await read(2)).toBe(await read(2));
  expect(await read(3)).not.toBe(await read(2));
});

it('records are kept between runs', async () => {
  await using first = await startDescribed(largeDescription());
  const made = await first.call('POST', '/plans', { body: { amount: 1, currency: 'EUR' } });
  await first.emulator.close();
  const { startTestEmulator } = await import('../test-emulator.ts');
  await using second = await startTestEmulator({ description: async () => first.folder }, first.directory);
  const found = await second.send(`/plans/${String(made.body.id)}`, { scopes: ['plans.read'] });
  expect(found).toMatchObject({ status: 200, body: made.body });
});
