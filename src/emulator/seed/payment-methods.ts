import type { Random } from '../../text/random.ts';
import { timestamp } from '../clock.ts';
import type { StoredBuyer } from '../resources/buyers.ts';
import type { StoredPaymentMethod } from '../resources/payment-methods.ts';
import { seedCard } from './cards.ts';
import { omitNulls } from './omit-nulls.ts';

const currencies: Readonly<Record<string, string>> = {
  GB: 'GBP',
  DE: 'EUR',
  FR: 'EUR',
  PL: 'PLN',
  UA: 'UAH',
  US: 'USD',
  BR: 'BRL',
  JP: 'JPY',
  CN: 'CNY',
  AE: 'AED',
  IN: 'INR',
};

/** Methods other than cards, with the modes in which they are used, as services of this family name them. */
const otherMethods = [
  { method: 'paypal', mode: 'redirect' },
  { method: 'klarna', mode: 'redirect' },
  { method: 'applepay', mode: 'applepay' },
  { method: 'googlepay', mode: 'googlepay' },
  { method: 'ideal', mode: 'redirect' },
  { method: 'trustly', mode: 'redirect' },
] as const;

/** How many of 100 buyers have stored at most 0, 1, 2 ... methods; 1.41 of them on average. */
const countsPerHundred = [20, 62, 86, 95, 98, 98, 100] as const;

/** Makes the payment methods of one buyer, none to six, later than the buyer and oldest first. */
export function* seedPaymentMethods(
  random: Random,
  buyer: StoredBuyer,
  endMs: number,
): Generator<StoredPaymentMethod> {
  const place = random.below(100);
  const count = countsPerHundred.findIndex((share) => place < share);
  let createdMs = Date.parse(buyer.created_at);
  for (let index = 0; index < count; index += 1) {
    createdMs += random.below(Math.max(1, (endMs - createdMs) / 2));
    yield seedPaymentMethod(random, buyer, { createdMs, endMs });
  }
}

/** When something was created, and when the seeded past ends, in milliseconds since 1970. */
type Span = { readonly createdMs: number; readonly endMs: number };

/** Makes one payment method of a buyer. */
export function seedPaymentMethod(random: Random, buyer: StoredBuyer, span: Span): StoredPaymentMethod {
  const id = random.uuid();
  const status = seedStatus(random);
  const country = buyer.billing_details?.address?.country ?? null;
  const card = random.chance(0.78) ? seedCard(random, span.createdMs) : undefined;
  const usage = seedUsage(random, status === 'succeeded' || status === 'paused', span);
  const other = card === undefined ? random.pick(otherMethods) : undefined;
  return omitNulls({
    method: other?.method ?? 'card',
    id,
    merchant_account_id: buyer.merchant_account_id,
    cit_usage_count: usage.buyerUses,
    has_replacement: usage.replacedAt !== null,
    usage_count: usage.uses,
    scheme_transaction_id: card !== undefined && random.chance(0.7) ? random.fill('###############') : null,
    scheme_transaction_id_scheme: card?.scheme ?? null,
    status,
    created_at: usage.createdAt,
    updated_at: usage.lastUseAt ?? usage.createdAt,
    type: 'payment-method',
    approval_url:
      status === 'buyer_approval_required' ? `https://approve.example.com/payment-methods/${id}` : null,
    country,
    currency: country === null ? null : (currencies[country] ?? null),
    details: card?.details ?? null,
    expiration_date: card?.expirationDate ?? null,
    fingerprint: card === undefined ? null : random.alphanumeric(16),
    label: card?.label ?? null,
    last_replaced_at: usage.replacedAt,
    mode: other?.mode ?? 'card',
    scheme: card?.scheme ?? null,
    additional_schemes: card?.additionalSchemes ?? null,
    cit_last_used_at: usage.lastUseAt,
    last_used_at: usage.lastUseAt,
    transaction_link_id: card?.scheme === 'mastercard' ? random.alphanumeric(22) : null,
    external_identifier: random.chance(0.2) ? random.fill('pm-########') : null,
  });
}

function seedStatus(random: Random): StoredPaymentMethod['status'] {
  const place = random.below(100);
  if (place < 84) return 'succeeded';
  if (place < 90) return 'failed';
  if (place < 94) return 'processing';
  return place < 98 ? 'buyer_approval_required' : 'paused';
}

function seedUsage(random: Random, isUsable: boolean, span: Span) {
  const uses = isUsable && random.chance(0.8) ? 1 + random.below(24) : 0;
  return {
    createdAt: timestamp(new Date(span.createdMs)),
    uses,
    buyerUses: uses === 0 ? 0 : 1 + random.below(uses),
    lastUseAt: uses === 0 ? null : laterThan(random, span),
    replacedAt: isUsable && random.chance(0.05) ? laterThan(random, span) : null,
  };
}

function laterThan(random: Random, { createdMs, endMs }: Span): string {
  return timestamp(new Date(createdMs + random.below(Math.max(1, endMs - createdMs))));
}
