import type { PaymentMethodDetails } from '../../contract/generated/types.ts';
import type { Random } from '../../text/random.ts';

/** A made-up card. Its number range is one that card schemes set aside for tests. */
export type SeededCard = {
  readonly scheme: string;
  readonly additionalSchemes: string[] | null;
  readonly details: PaymentMethodDetails;
  /** The last four digits. */
  readonly label: string;
  /** Month and year, such as `09/27`; some have passed. */
  readonly expirationDate: string;
};

const schemes = [
  { scheme: 'visa', bin: '411111', additional: null },
  { scheme: 'visa', bin: '424242', additional: null },
  { scheme: 'visa', bin: '400000', additional: ['carte-bancaire'] },
  { scheme: 'mastercard', bin: '555555', additional: null },
  { scheme: 'mastercard', bin: '520082', additional: null },
  { scheme: 'amex', bin: '378282', additional: null },
  { scheme: 'jcb', bin: '356600', additional: null },
] as const;

const issuers = [
  'Harbour Savings Bank',
  'Banque du Phare',
  'Sparkasse Musterstadt',
  'Banco do Farol S.A.',
  'みほん銀行',
  'Bank "Pryklad" PJSC',
  'Placeholder & Sons Trust Co.',
] as const;

/** Makes a card that was stored at that moment, in milliseconds since 1970. */
export function seedCard(random: Random, storedMs: number): SeededCard {
  const { scheme, bin, additional } = random.pick(schemes);
  const year = new Date(storedMs).getUTCFullYear() + random.below(5);
  const month = String(1 + random.below(12)).padStart(2, '0');
  return {
    scheme,
    additionalSchemes: additional === null ? null : [...additional],
    details: {
      bin,
      card_type: random.pick(['credit', 'debit', 'debit', 'prepaid']),
      card_issuer_name: random.chance(0.15) ? null : random.pick(issuers),
    },
    label: random.fill('####'),
    expirationDate: `${month}/${year % 100}`,
  };
}
