import { dayMs, seedEndMs } from '../clock.ts';
import { insertApiLog } from '../resources/api-logs.ts';
import { insertAuditLog } from '../resources/audit-logs.ts';
import { insertBuyer, type StoredBuyer } from '../resources/buyers.ts';
import { insertCheckoutSession } from '../resources/checkout-sessions.ts';
import { insertDigitalWallet } from '../resources/digital-wallets.ts';
import { insertGiftCard } from '../resources/gift-cards.ts';
import { insertPaymentMethod, type StoredPaymentMethod } from '../resources/payment-methods.ts';
import { insertPaymentService } from '../resources/payment-service-sessions.ts';
import { insertRole } from '../resources/roles.ts';
import { insertWebhookSubscription } from '../resources/webhook-subscriptions.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { seedApiLogs } from './api-logs.ts';
import { seedAuditLogs } from './audit-logs.ts';
import { seedBuyers, seededMerchantAccounts } from './buyers.ts';
import { seedCheckoutSessions } from './checkout-sessions.ts';
import { seedDigitalWallets } from './digital-wallets.ts';
import { seedGiftCards } from './gift-cards.ts';
import { seedPaymentMethods } from './payment-methods.ts';
import { seededPaymentServices } from './payment-services.ts';
import { createRandom } from './random.ts';
import { seedRoles } from './roles.ts';
import { seedTeam } from './team.ts';
import { seedWebhookSubscriptions } from './webhook-subscriptions.ts';

/** Gift cards and the audit log are about the first buyers only: a list without pages must stay readable. */
const knownBuyers = 500;

/**
 * Fills empty tables with the records of a seed. Only buyers and what they store grow with the number of buyers. The
 * same seed and number give the same records on every machine and day.
 */
export function seedDatabase(database: EmulatorDatabase, seed: number, buyerCount: number): void {
  for (const id of seededMerchantAccounts) {
    database.prepare('INSERT INTO merchant_accounts (id) VALUES (?)').run(id);
  }
  const { buyers, paymentMethods } = fillBuyers(database, seed, buyerCount);
  const team = seedTeam(seed);
  const webhooks = seedWebhookSubscriptions(seed, team);
  for (const webhook of webhooks) insertWebhookSubscription(database, webhook);
  const wallets = seedDigitalWallets(seed);
  for (const wallet of wallets) insertDigitalWallet(database, wallet);
  // Lists come newest first, so the first role is the newest one.
  for (const [index, role] of seedRoles(seed).entries())
    insertRole(database, role, seedEndMs - index * dayMs);
  for (const session of seedCheckoutSessions(seed)) insertCheckoutSession(database, session);
  for (const definition of seededPaymentServices) insertPaymentService(database, definition);
  const records = { team, buyers, paymentMethods, webhooks, wallets };
  for (const entry of seedAuditLogs(seed, records)) insertAuditLog(database, entry);
  const buyer = buyers.find(({ merchant_account_id: account }) => account === 'default');
  for (const { log, merchantAccount } of seedApiLogs(seed, buyer?.id)) {
    insertApiLog(database, log, merchantAccount);
  }
}

type Filled = {
  readonly buyers: readonly StoredBuyer[];
  readonly paymentMethods: readonly StoredPaymentMethod[];
};

function fillBuyers(database: EmulatorDatabase, seed: number, count: number): Filled {
  const ofMethods = createRandom(seed, 'payment-methods');
  const ofCards = createRandom(seed, 'gift-cards');
  const buyers: StoredBuyer[] = [];
  const paymentMethods: StoredPaymentMethod[] = [];
  for (const buyer of seedBuyers(seed, count)) {
    const row = insertBuyer(database, buyer);
    const isKnown = buyers.length < knownBuyers;
    for (const method of seedPaymentMethods(ofMethods, buyer)) {
      insertPaymentMethod(database, method, row);
      if (isKnown) paymentMethods.push(method);
    }
    if (!isKnown) continue;
    buyers.push(buyer);
    for (const card of seedGiftCards(ofCards, buyer)) insertGiftCard(database, card);
  }
  return { buyers, paymentMethods };
}
