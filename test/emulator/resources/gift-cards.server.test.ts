import { describe, expect, it } from 'vitest';
import type { GiftCard } from '../../../src/contract/generated/types.ts';
import { emulatorForAll } from '../test-emulator.ts';

const test = emulatorForAll({ buyers: 250 });

const get = (query: string, headers: Record<string, string> = {}) =>
  test.send(`/buyers/gift-cards${query}`, { scopes: ['embed'], headers });

const ids = ({ body }: { body: Record<string, unknown> }) => (body.items as GiftCard[]).map(({ id }) => id);

/** Buyers of `default` with an external identifier, and how many gift cards each has. */
const buyers = () =>
  test.emulator.database
    .prepare(`SELECT buyers.id, external_identifier AS name, count(gift_cards.id) AS cards FROM buyers
      LEFT JOIN gift_cards ON buyer_id = buyers.id
      WHERE buyers.merchant_account_id = 'default' AND name IS NOT NULL GROUP BY buyers.id ORDER BY cards DESC`)
    .all();

describe('GET /buyers/gift-cards', () => {
  it('shows all gift cards of the merchant account without a filter, and no cursor fields', async () => {
    const { status, body } = await get('');
    const stored = test.emulator.database
      .prepare(
        "SELECT id FROM gift_cards WHERE merchant_account_id = 'default' ORDER BY created_ms DESC, id DESC",
      )
      .all();
    expect([status, Object.keys(body)]).toEqual([200, ['items']]);
    expect(ids({ body })).toEqual(stored.map(({ id }) => id));
    expect(stored.length).toBeGreaterThan(30);
  });

  it('shows those of one buyer, by id, by external identifier, or by both', async () => {
    const [buyer] = buyers();
    const byId = await get(`?buyer_id=${buyer?.id}`);
    expect(ids(byId)).toHaveLength(Number(buyer?.cards));
    const name = encodeURIComponent(String(buyer?.name));
    expect((await get(`?buyer_external_identifier=${name}`)).body).toEqual(byId.body);
    expect((await get(`?buyer_id=${buyer?.id}&buyer_external_identifier=${name}`)).body).toEqual(byId.body);
  });

  it('is empty for a buyer without gift cards', async () => {
    const buyer = buyers().at(-1);
    const { status, body } = await get(`?buyer_id=${buyer?.id}`);
    expect([status, body]).toEqual([200, { items: [] }]);
  });

  it('answers 404 for a buyer who is unknown, of another account, or not the one of the other filter', async () => {
    const [buyer, other] = buyers();
    const outlet = { 'x-service-merchant-account-id': 'outlet' };
    expect((await get('?buyer_id=unknown')).status).toBe(404);
    expect((await get('?buyer_external_identifier=unknown')).status).toBe(404);
    expect((await get('?buyer_id=')).status).toBe(404);
    expect((await get(`?buyer_id=${buyer?.id}`, outlet)).status).toBe(404);
    const name = encodeURIComponent(String(other?.name));
    expect((await get(`?buyer_id=${buyer?.id}&buyer_external_identifier=${name}`)).status).toBe(404);
  });
});
