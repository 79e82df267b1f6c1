import { createRandom } from '../../text/random.ts';
import { insertApiLog } from '../resources/api-logs.ts';
import { insertBuyer, type StoredBuyer } from '../resources/buyers.ts';
import { insertCheckoutSession } from '../resources/checkout-sessions.ts';
import { insertGiftCard } from '../resources/gift-cards.ts';
import { insertPaymentMethod, type StoredPaymentMethod } from '../resources/payment-methods.ts';
import { insertPaymentService } from '../resources/payment-service-sessions.ts';
import type { Seed } from '../resources/resource.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { seedApiLogs } from './api-logs.ts';
import { seedBuyers, seededMerchantAccounts } from './buyers.ts';
import { seedCheckoutSessions } from './checkout-sessions.ts';
import { seedGiftCards } from './gift-cards.ts';
import { seedPaymentMethods } from './payment-methods.ts';
import { seededPaymentServices } from './payment-services.ts';

/** Gift cards and the audit log are about the first buyers only: a list without pages must stay readable. */
const knownBuyers = 500;

/** Called between two steps of the seeding: other work may go on now, or the seeding may be ended by an error. */
export type Pause = () => Promise<void> | undefined;

/** What a database is seeded with. */
type SeedPlan = {
  readonly seed: number;
  /** The moment at which the seeded past ends, in milliseconds since 1970. */
  readonly endMs: number;
  /** Number of buyers. */
  readonly buyers: number;
  /** Fill the tables of the resources that are seeded one by one. */
  readonly seeds: readonly Seed[];
  readonly pause: Pause;
};

/**
 * Fills empty tables with the records of a seed. Only buyers and what they store grow with the number of buyers. The
 * same seed, end and number give the same records on every machine.
 */
export async function seedDatabase(database: EmulatorDatabase, plan: SeedPlan): Promise<void> {
  const { seed, endMs, seeds } = plan;
  for (const id of seededMerchantAccounts) {
    database.prepare('INSERT INTO merchant_accounts (id) VALUES (?)').run(id);
  }
  const { buyers, paymentMethods } = await fillBuyers(database, plan);
  for (const session of seedCheckoutSessions(plan)) insertCheckoutSession(database, session);
  for (const definition of seededPaymentServices) insertPaymentService(database, definition);
  for (const fill of seeds) fill(database, { seed, endMs, buyers, paymentMethods });
  const buyer = buyers.find(({ merchant_account_id: account }) => account === 'default');
  for (const { log, merchantAccount } of seedApiLogs(plan, buyer?.id)) {
    insertApiLog(database, log, merchantAccount);
  }
}

async function fillBuyers(database: EmulatorDatabase, { seed, endMs, buyers: count, pause }: SeedPlan) {
  const ofMethods = createRandom(seed, 'payment-methods');
  const ofCards = createRandom(seed, 'gift-cards');
  const buyers: StoredBuyer[] = [];
  const paymentMethods: StoredPaymentMethod[] = [];
  for (const buyer of seedBuyers(seed, count, endMs)) {
    const isOver = pause();
    if (isOver) await isOver;
    const row = insertBuyer(database, buyer);
    const isKnown = buyers.length < knownBuyers;
    for (const method of seedPaymentMethods(ofMethods, buyer, endMs)) {
      insertPaymentMethod(database, method, row);
      if (isKnown) paymentMethods.push(method);
    }
    if (!isKnown) continue;
    buyers.push(buyer);
    for (const card of seedGiftCards(ofCards, buyer)) insertGiftCard(database, card);
  }
  return { buyers, paymentMethods };
}
