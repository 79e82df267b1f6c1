import type { Random } from '../../text/random.ts';
import { dayMs, timestamp } from '../clock.ts';
import type { StoredBuyer } from '../resources/buyers.ts';
import type { StoredGiftCard } from '../resources/gift-cards.ts';
import { omitNulls } from './omit-nulls.ts';

/** Makes the gift cards of one buyer: none for most, else one or two. */
export function* seedGiftCards(random: Random, buyer: StoredBuyer): Generator<StoredGiftCard> {
  const count = random.chance(0.8) ? 0 : 1 + random.below(2);
  for (let index = 0; index < count; index += 1) {
    const createdMs = Date.parse(buyer.created_at) + random.below(20 * dayMs);
    yield {
      buyerId: buyer.id,
      createdMs,
      card: omitNulls({
        type: 'gift-card',
        id: random.uuid(),
        merchant_account_id: buyer.merchant_account_id,
        bin: random.fill('60####'),
        sub_bin: random.chance(0.3) ? '000' : random.fill('0##'),
        last4: random.fill('####'),
        expiration_date: random.chance(0.2)
          ? null
          : timestamp(new Date(createdMs + (365 + random.below(730)) * dayMs)),
        ...balance(random),
      }),
    };
  }
}

function balance(random: Random) {
  if (random.chance(0.85)) {
    return {
      balance: random.chance(0.15) ? 0 : random.below(50_000),
      currency: random.pick(['EUR', 'GBP', 'USD', 'JPY']),
      balance_error_code: null,
      balance_raw_error_code: null,
      balance_raw_error_message: null,
    };
  }
  const [code, raw, message] = random.pick([
    ['expired_card', '54', 'The card has expired'],
    ['unavailable', 'TIMEOUT', 'No response within 10 s'],
    ['unknown_card', '14-B', 'Carte inconnue « vérifiez le numéro »'],
  ]);
  return {
    balance: null,
    currency: null,
    balance_error_code: code ?? null,
    balance_raw_error_code: raw ?? null,
    balance_raw_error_message: message ?? null,
  };
}
