import { expect, it } from 'vitest';
import { apiLogs, startTestEmulator, type TestEmulator } from '../test-emulator.ts';

const accounts = async (test: TestEmulator, headers: Readonly<Record<string, string>>) => {
  const { body } = await test.send('/buyers?limit=100', { headers });
  const items = body.items as { readonly merchant_account_id: string }[];
  return [...new Set(items.map((item) => item.merchant_account_id))];
};

it('is read under the name that the emulator was started with, and under the default one', async () => {
  await using test = await startTestEmulator({ buyers: 40, merchantHeader: 'x-acme-account' });
  expect(await accounts(test, { 'X-Acme-Account': 'outlet' })).toEqual(['outlet']);
  expect(await accounts(test, { 'x-service-merchant-account-id': 'outlet' })).toEqual(['outlet']);
  expect(await accounts(test, {})).toEqual(['default']);
});

it('counts as absent where it is empty', async () => {
  await using test = await startTestEmulator({ buyers: 40, merchantHeader: 'x-acme-account' });
  expect(await accounts(test, { 'x-acme-account': '' })).toEqual(['default']);
  expect(await accounts(test, { 'x-acme-account': '', 'x-service-merchant-account-id': 'outlet' })).toEqual([
    'outlet',
  ]);
});

it('counts under the name of the start where a request has both', async () => {
  await using test = await startTestEmulator({ buyers: 40, merchantHeader: 'x-acme-account' });
  const both = { 'x-service-merchant-account-id': 'nobody', 'x-acme-account': 'outlet' };
  expect(await accounts(test, both)).toEqual(['outlet']);
  await test.send('/buyers?limit=0', { headers: both });
  const logs = test.emulator.database
    .prepare(
      "SELECT count(*) AS n FROM api_logs WHERE merchant_account_id = 'outlet' AND document LIKE '%limit=0%'",
    )
    .get();
  expect([apiLogs(test).length, logs?.n]).toEqual([1, 1]);
});
