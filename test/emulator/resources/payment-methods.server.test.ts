import { describe, expect, it } from 'vitest';
import type { Buyer, PaymentMethod } from '../../../src/contract/generated/types.ts';
import { maskBillingDetails } from '../../../src/emulator/resources/buyers.ts';
import { emulatorForAll } from '../test-emulator.ts';

const scopes = ['payment-methods.read'];
const revealing = [...scopes, 'buyers.billing-details.read'];

type Method = PaymentMethod & { readonly buyer: Buyer };

const test = emulatorForAll({ buyers: 200 });

async function list(query = '', options: { scopes?: string[]; headers?: Record<string, string> } = {}) {
  const { status, body } = await test.send(`/payment-methods?limit=100${query}`, { scopes, ...options });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items as Method[];
}

describe('GET /payment-methods', () => {
  it('shows the newest first, each with the buyer it belongs to, as GET /buyers shows him', async () => {
    const methods = await list();
    const times = methods.map(({ created_at: time }) => Date.parse(String(time)));
    expect(times.toSorted((a, b) => b - a)).toEqual(times);
    const { database } = test.emulator;
    for (const { buyer, merchant_account_id: account } of methods) {
      const row = database.prepare('SELECT document FROM buyers WHERE id = ?').get(buyer.id);
      const stored = JSON.parse(String(row?.document)) as Buyer;
      expect(buyer).toEqual({ ...stored, billing_details: maskBillingDetails(stored.billing_details) });
      expect([account, buyer.merchant_account_id]).toEqual(['default', 'default']);
    }
  });

  it('shows personal data of the buyers to a token that may read billing details, and no other difference', async () => {
    const [masked, revealed] = [await list(), await list('', { scopes: revealing })];
    expect(JSON.stringify(masked)).not.toMatch(/"email_address":"[^*]/);
    expect(JSON.stringify(revealed)).toMatch(/"email_address":"[^*"]+@example\./);
    const mask = (method: Method) => ({
      ...method,
      buyer: { ...method.buyer, billing_details: maskBillingDetails(method.buyer.billing_details) },
    });
    expect(JSON.stringify(revealed.map(mask))).toBe(JSON.stringify(masked));
  });

  it('has the fields of the specification in its order, and no null', async () => {
    const order = (
      'method id merchant_account_id cit_usage_count has_replacement usage_count scheme_transaction_id ' +
      'scheme_transaction_id_scheme status created_at updated_at type approval_url country currency details ' +
      'expiration_date fingerprint label last_replaced_at mode scheme additional_schemes cit_last_used_at ' +
      'last_used_at transaction_link_id buyer external_identifier'
    ).split(' ');
    const methods = await list();
    for (const method of methods) {
      expect(Object.keys(method)).toEqual(order.filter((name) => name in method));
      expect(Object.values(method)).not.toContain(null);
    }
    expect(new Set(methods.flatMap((method) => Object.keys(method)))).toEqual(new Set(order));
  });

  it('keeps those of one buyer, by id or by external identifier, and nothing for an unknown one', async () => {
    const methods = await list();
    const known = methods.find(({ buyer }) => buyer.external_identifier !== undefined)?.buyer;
    const expected = methods.filter(({ buyer }) => buyer.id === known?.id).map(({ id }) => id);
    const identifier = encodeURIComponent(String(known?.external_identifier));
    const ids = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await ids(`&buyer_id=${known?.id}`)).toEqual(expect.arrayContaining(expected));
    expect(await ids(`&buyer_external_identifier=${identifier}`)).toEqual(
      await ids(`&buyer_id=${known?.id}`),
    );
    expect(await ids(`&buyer_id=${known?.id}&buyer_external_identifier=other`)).toEqual([]);
    expect(await ids('&buyer_id=unknown')).toEqual([]);
    expect(await ids('&buyer_id=')).toEqual([]);
  });

  it('keeps the one with an external identifier, and those of a status', async () => {
    const methods = await list();
    const one = methods.find(({ external_identifier: identifier }) => identifier !== undefined);
    expect(await list(`&external_identifier=${one?.external_identifier}`)).toEqual([one]);
    const failed = await list('&status=failed');
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(['failed']));
    expect(await list(`&status=failed&external_identifier=${one?.external_identifier}`)).toEqual(
      one?.status === 'failed' ? [one] : [],
    );
  });

  it('keeps those of any of several statuses, in any order, page after page', async () => {
    const wanted = await list('&status=failed&status=processing');
    expect(new Set(wanted.map(({ status }) => status))).toEqual(new Set(['failed', 'processing']));
    const [failed, processing] = [await list('&status=failed'), await list('&status=processing')];
    expect(wanted).toHaveLength(failed.length + processing.length);
    expect(wanted).toEqual(expect.arrayContaining([...failed, ...processing]));
    expect(await list('&status=processing&status=failed&status=failed')).toEqual(wanted);
    const first = await test.send('/payment-methods?limit=1&status=processing&status=failed', { scopes });
    const cursor = String(first.body.next_cursor);
    const second = await test.send(`/payment-methods?status=failed&status=processing&cursor=${cursor}`, {
      scopes,
    });
    expect(second.body.items).toEqual(wanted.slice(1, 21));
    const bad = await test.send('/payment-methods?status=failed&status=lost', { scopes });
    expect(bad).toMatchObject({ status: 400, body: { details: [{ pointer: '/status' }] } });
  });

  it('shows a buyer of another merchant account to that account alone', async () => {
    const headers = { 'x-service-merchant-account-id': 'outlet' };
    const [first] = await list('', { headers });
    expect(first?.buyer.merchant_account_id).toBe('outlet');
    expect(await list(`&buyer_id=${first?.buyer.id}`)).toEqual([]);
    expect((await list(`&buyer_id=${first?.buyer.id}`, { headers })).length).toBeGreaterThan(0);
  });
});
