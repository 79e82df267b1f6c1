import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedEndOf } from '../../../src/emulator/clock.ts';
import type { StoredBuyer } from '../../../src/emulator/resources/buyers.ts';
import { seedBuyers } from '../../../src/emulator/seed/buyers.ts';
import { createRandom } from '../../../src/text/random.ts';
import { faultsOf } from '../../contract/schema-validator.ts';
import { SEED_DAY } from '../../harness/seed-day.ts';

const END = seedEndOf(SEED_DAY);

const digest = (seed: number, count: number) =>
  createHash('sha256')
    .update(JSON.stringify([...seedBuyers(seed, count, END)]))
    .digest('hex');

describe('seeded buyers', () => {
  let buyers: readonly StoredBuyer[];
  beforeAll(() => {
    buyers = [...seedBuyers(1, 250, END)];
  });

  it('are the same bytes for the same seed and number, and others for another', () => {
    expect(digest(1, 250)).toBe('c6678493c226b4c875a8d03d0d58a0e714e65596367140134725ee410a2a9ec0');
    expect(digest(1, 250)).not.toBe(digest(2, 250));
    expect([...seedBuyers(7, 3, END)]).toHaveLength(3);
  });

  it('have all fields of the specification in its order, and no two the same id', () => {
    for (const buyer of buyers) {
      expect(faultsOf('Buyer', buyer)).toEqual([]);
      expect(Object.values(buyer)).not.toContain(null);
      expect(Object.keys(buyer)).toEqual([
        'id',
        'reconciliation_id',
        'merchant_account_id',
        'created_at',
        'updated_at',
        'type',
        'display_name',
        'external_identifier',
        'billing_details',
        'account_number',
      ]);
      expect(buyer.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    expect(new Set(buyers.map(({ id }) => id)).size).toBe(250);
    const external = buyers.flatMap(({ external_identifier: identifier }) => identifier ?? []);
    expect(new Set(external).size).toBe(external.length);
  });

  it('come oldest first, a few at the same moment, and never from the future', () => {
    const times = buyers.map(({ created_at: time }) => Date.parse(time));
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    expect(new Set(times).size).toBeLessThan(times.length);
    for (const { updated_at: time } of [...seedBuyers(3, 2000, END)]) {
      expect(Date.parse(String(time))).toBeLessThan(END);
    }
  });

  it('use mail domains reserved for examples, E.164 phones and countries of two letters', () => {
    const details = buyers.map((buyer) => buyer.billing_details).filter((found) => found != null);
    for (const { email_address: email, phone_number: phone, address } of details) {
      expect(email ?? 'a@example.com').toMatch(/^[a-z.0-9]+@example\.(com|org|net)$/);
      expect(phone ?? '+10').toMatch(/^\+[1-9]\d{1,14}$/);
      expect(address?.country ?? 'XX').toMatch(/^[A-Z]{2}$/);
    }
    expect(new Set(details.map(({ address }) => address?.country)).size).toBeGreaterThan(9);
    expect(details.some(({ tax_id: taxId }) => taxId !== undefined)).toBe(true);
  });

  it('cover many scripts, gaps, repetitions and both merchant accounts', () => {
    const names = buyers.map(({ display_name: name }) => name ?? null);
    const scripts = ['Han', 'Arabic', 'Cyrillic', 'Hiragana', 'Katakana', 'Devanagari', 'Tamil', 'Latin'];
    for (const script of scripts) {
      const letter = new RegExp(`\\p{Script=${script}}`, 'u');
      expect(
        names.some((name) => name !== null && letter.test(name)),
        script,
      ).toBe(true);
    }
    expect(names.filter((name) => name !== null && /\p{Emoji_Presentation}/u.test(name))).toHaveLength(2);
    expect(names).toContain(null);
    expect(new Set(names).size).toBeLessThan(names.length);
    expect(Math.max(...names.map((name) => name?.length ?? 0))).toBeGreaterThan(200);
    expect(Math.min(...names.map((name) => name?.length ?? 9))).toBe(1);
    expect(buyers.some(({ external_identifier: identifier }) => identifier === undefined)).toBe(true);
    expect(buyers.some(({ billing_details: details }) => details === undefined)).toBe(true);
    const outlet = buyers.filter(({ merchant_account_id: account }) => account === 'outlet').length;
    expect(outlet).toBeGreaterThan(20);
    expect(outlet).toBeLessThan(100);
  });
});

describe('the random stream', () => {
  it('keeps to its bounds and fills templates', () => {
    const random = createRandom(0xffffffff);
    for (let n = 0; n < 1000; n += 1) {
      expect(random.below(3)).toBeLessThan(3);
      expect(random.fill('A#-@')).toMatch(/^A\d-[A-Z]$/);
    }
    expect(random.alphanumeric(22)).toMatch(/^[0-9A-Za-z]{22}$/);
    expect([random.chance(0), random.chance(1)]).toEqual([false, true]);
  });
});
