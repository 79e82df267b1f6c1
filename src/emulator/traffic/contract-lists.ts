import type { Random } from '../../text/random.ts';
import { timestamp } from '../clock.ts';
import { deleteBuyer, hasBuyer, insertBuyer, type StoredBuyer, updateBuyer } from '../resources/buyers.ts';
import {
  findPaymentMethod,
  insertPaymentMethod,
  type StoredPaymentMethod,
  updatePaymentMethod,
} from '../resources/payment-methods.ts';
import { seedBuyer } from '../seed/buyers.ts';
import { seedPaymentMethod } from '../seed/payment-methods.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { recordChange } from '../webhooks/record-change.ts';
import { type ChangingList, TRAFFIC } from './changing-list.ts';

const ACCOUNT = 'default';

/** The lists of the contract whose records change, by their names. */
export const CONTRACT_LISTS: Readonly<Record<string, (database: EmulatorDatabase) => ChangingList>> = {
  buyers: buyerList,
  'payment-methods': methodList,
};

/** The numbers of buyers that traffic creates begin here: after those of every seed. */
const FIRST_NUMBER = 100_000_000;

function buyerList(database: EmulatorDatabase): ChangingList {
  const table = changesOf(database, 'buyers', 'buyer');
  const made = (random: Random, now: Date): StoredBuyer => {
    const number = FIRST_NUMBER + random.below(FIRST_NUMBER);
    const buyer = seedBuyer(random, number, now.getTime());
    return { ...buyer, merchant_account_id: ACCOUNT, updated_at: buyer.created_at };
  };
  const buyerAt = (row: number) => {
    const found = database.prepare('SELECT document FROM buyers WHERE row = ?').get(row);
    return found && (JSON.parse(String(found.document)) as StoredBuyer);
  };
  return {
    ...table,
    create(random, now) {
      const buyer = made(random, now);
      if (hasBuyer(database, ACCOUNT, buyer.id)) return undefined;
      const row = Number(insertBuyer(database, buyer));
      table.record('created', now, buyer);
      return row;
    },
    update(row, random, now) {
      const before = buyerAt(row);
      if (!before) return false;
      const { id, created_at, reconciliation_id } = before;
      const after = {
        ...before,
        ...made(random, now),
        ...(reconciliation_id !== undefined && { reconciliation_id }),
        id,
        created_at,
        updated_at: timestamp(now),
      };
      updateBuyer(database, after);
      table.record('updated', now, after);
      return true;
    },
    remove(row, now) {
      const buyer = buyerAt(row);
      if (!buyer) return;
      deleteBuyer(database, buyer.id);
      table.record('deleted', now, buyer);
    },
  };
}

function methodList(database: EmulatorDatabase): ChangingList {
  const table = changesOf(database, 'payment_methods', 'payment-method');
  const made = (random: Random, now: Date, buyer: StoredBuyer): StoredPaymentMethod =>
    seedPaymentMethod(random, buyer, { createdMs: now.getTime(), endMs: now.getTime() });
  return {
    ...table,
    create(random, now) {
      const last = Number(database.prepare('SELECT max(row) AS last FROM buyers').get()?.last);
      const sql = `SELECT row, document FROM buyers WHERE row >= ? AND merchant_account_id = ? ORDER BY row LIMIT 1`;
      const buyer = database.prepare(sql).get(random.below(Math.max(1, last)) + 1, ACCOUNT);
      if (!buyer) return undefined;
      const method = made(random, now, JSON.parse(String(buyer.document)) as StoredBuyer);
      const row = Number(insertPaymentMethod(database, method, Number(buyer.row)));
      table.record('created', now, method);
      return row;
    },
    update(row, random, now) {
      const before = findPaymentMethod(database, row);
      if (!before) return false;
      const used = timestamp(now);
      const isSucceeded = random.chance(0.9);
      const after: StoredPaymentMethod = {
        ...before,
        status: isSucceeded ? 'succeeded' : 'failed',
        usage_count: (before.usage_count ?? 0) + 1,
        cit_usage_count: (before.cit_usage_count ?? 0) + 1,
        last_used_at: used,
        cit_last_used_at: used,
        updated_at: used,
      };
      updatePaymentMethod(database, row, after);
      table.record('updated', now, after);
      return true;
    },
    remove(row, now) {
      const method = findPaymentMethod(database, row);
      if (!method) return;
      database.prepare('DELETE FROM payment_methods WHERE row = ?').run(row);
      table.record('deleted', now, method);
    },
  };
}

/** What the changes of both tables have in common. */
function changesOf(database: EmulatorDatabase, table: 'buyers' | 'payment_methods', type: string) {
  return {
    /** Records a change: of the record after the change, or of the deleted one. */
    record(verb: string, now: Date, record: StoredBuyer | StoredPaymentMethod): void {
      const context = { database, merchantAccount: ACCOUNT, subject: TRAFFIC, now, request: undefined };
      recordChange(context, { verb, type, id: record.id, document: JSON.stringify(record) });
    },
    rows() {
      const sql = `SELECT json_group_array(row) AS found FROM ${table} WHERE merchant_account_id = ?`;
      return JSON.parse(String(database.prepare(sql).get(ACCOUNT)?.found)) as number[];
    },
    change: <T>(work: () => T) => database.inSharedTransaction(work),
  };
}
