import type { CartItem, CheckoutSession } from '../../contract/generated/types.ts';
import { createRandom, type Random } from '../../text/random.ts';
import { dayMs, timestamp } from '../clock.ts';
import { defaultExpiry, type StoredCheckoutSession } from '../resources/checkout-sessions.ts';
import type { SeedContext } from '../resources/resource.ts';
import { seedAirline } from './airline.ts';
import { seedCard } from './cards.ts';
import { omitNulls } from './omit-nulls.ts';

/**
 * The id of the n-th seeded session, from 1, the same in every seed because no endpoint lists them: 1 to 6 are of
 * `default`, 7 is of `outlet`, 8 and 9 (of `default`) have expired, and 10 (of `default`) is locked.
 */
export function seededSessionId(number: number): string {
  return `c5000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

const accounts = ['default', 'default', 'default', 'default', 'default', 'default', 'outlet'] as const;
const expiredSessions = 2;

const products = [
  { name: 'Wool blanket', sku: 'BL-220', categories: ['home', 'textiles'], type: 'physical', amount: 5900 },
  { name: 'Gâteau breton, 450 g', sku: 'FOOD/17', categories: ['food'], type: 'physical', amount: 1250 },
  { name: '手拭い「波」', sku: 'TNG-03', categories: ['textiles'], type: 'physical', amount: 1800 },
  { name: 'E-book: Lighthouses of the North', sku: null, categories: [], type: 'digital', amount: 999 },
  { name: 'Express delivery', sku: 'SHIP-EXP', categories: null, type: 'shipping_fee', amount: 790 },
  { name: 'Spring discount', sku: null, categories: null, type: 'discount', amount: -500 },
] as const;

/** Makes the checkout sessions of a seed. Those that have not expired do so an hour after each start of the emulator. */
export function seedCheckoutSessions({
  seed,
  endMs,
}: Pick<SeedContext, 'seed' | 'endMs'>): readonly StoredCheckoutSession[] {
  const random = createRandom(seed, 'checkout-sessions');
  const checkoutSession = (number: number, expiresAt?: string) =>
    seedCheckoutSession(random, { number, endMs, expiresAt });
  const lasting = accounts.map((merchantAccount, index) => ({
    merchantAccount,
    session: checkoutSession(index + 1),
  }));
  const expired = Array.from({ length: expiredSessions }, (_, index) => {
    const expiry = timestamp(defaultExpiry(endMs - (index + 1) * dayMs));
    return {
      merchantAccount: 'default',
      session: checkoutSession(accounts.length + index + 1, expiry),
    };
  });
  const number = accounts.length + expiredSessions + 1;
  const locked = { merchantAccount: 'default', session: checkoutSession(number), isLocked: true };
  return [...lasting, ...expired, locked];
}

function seedCheckoutSession(
  random: Random,
  {
    number,
    endMs,
    expiresAt,
  }: { readonly number: number; readonly endMs: number; readonly expiresAt: string | undefined },
): CheckoutSession {
  const isFlight = number % 3 === 0;
  const isEmpty = number === 2;
  return omitNulls({
    type: 'checkout-session',
    id: seededSessionId(number),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    cart_items: isEmpty || isFlight ? [] : cart(random, number),
    metadata: isEmpty ? null : { order: `order-${1000 + number}`, campaign: 'spring', größe: 'L', note: '' },
    airline: isFlight ? seedAirline(random, endMs) : null,
    payment_method: number % 2 === 0 ? null : paymentMethod(random, endMs),
  });
}

function cart(random: Random, number: number): CartItem[] {
  return Array.from({ length: 1 + random.below(4) }, (_, index) => {
    const { name, sku, categories, type, amount } = random.pick(products);
    return {
      name,
      quantity: 1 + random.below(3),
      unit_amount: amount,
      discount_amount: 0,
      tax_amount: Math.round(amount / 5),
      external_identifier: `order-${1000 + number}-line-${index + 1}`,
      sku,
      product_url: sku === null ? null : `https://shop.example.com/p/${encodeURIComponent(sku)}`,
      image_url: null,
      categories: categories === null ? null : [...categories],
      product_type: type,
      seller_country: random.pick(['NO', 'FR', 'JP']),
    };
  });
}

function paymentMethod(random: Random, endMs: number): CheckoutSession['payment_method'] & object {
  const { scheme, label, details } = seedCard(random, endMs);
  return {
    type: 'payment_method',
    id: null,
    method: 'card',
    scheme,
    label,
    details: {
      bin: details.bin ?? null,
      card_type: details.card_type ?? null,
      card_country: random.pick(['NO', 'FR', 'GB']),
      card_issuer_name: details.card_issuer_name ?? null,
    },
    fingerprint: random.alphanumeric(16),
  };
}
