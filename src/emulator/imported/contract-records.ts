import { singular } from '../../descriptions/path-words.ts';
import { oncePerName } from '../../descriptions/values/memoize.ts';
import { isObject, own } from '../../json/is-object.ts';
import { timestamp } from '../clock.ts';
import { insertBuyer, type StoredBuyer, updateBuyer } from '../resources/buyers.ts';
import { defaultExpiry } from '../resources/checkout-sessions.ts';
import { insertPaymentMethod, type StoredPaymentMethod } from '../resources/payment-methods.ts';
import type { EmulatorDatabase } from '../store/database.ts';

/** The collections of payctl's own contract, and their tables. */
const TABLES: Readonly<Record<string, string>> = {
  '/buyers': 'buyers',
  '/payment-methods': 'payment_methods',
  '/gift-cards': 'gift_cards',
  '/roles': 'roles',
  '/digital-wallets': 'digital_wallets',
  '/webhook-subscriptions': 'webhook_subscriptions',
  '/checkout/sessions': 'checkout_sessions',
  '/payment-service-definitions': 'payment_service_definitions',
};

/** A record of a merchant account, its position in lists, in milliseconds since 1970, and the time of its last change. */
type Added = {
  readonly account: string;
  readonly record: Readonly<Record<string, unknown>>;
  readonly createdMs: number;
  readonly now: Date;
};

/** The members of a buyer of the contract. */
function buyerOf({ record, account, createdMs, now }: Added): StoredBuyer {
  const { id, display_name: name, external_identifier: external, billing_details: billing } = record;
  return {
    type: 'buyer',
    id: String(id),
    merchant_account_id: account,
    ...(typeof name === 'string' && { display_name: name }),
    ...(typeof external === 'string' && { external_identifier: external }),
    ...(isObject(billing) && { billing_details: billing }),
    created_at: timestamp(new Date(createdMs)),
    updated_at: timestamp(now),
  };
}

/** A payment method of the contract, without its buyer. */
function methodOf({ record, account, createdMs, now }: Added): StoredPaymentMethod {
  const { buyer: _, status, external_identifier: external, ...others } = record;
  return {
    ...others,
    type: 'payment-method',
    id: String(record.id),
    merchant_account_id: account,
    status: STATUSES.find((one) => one === status) ?? 'succeeded',
    ...(typeof external === 'string' && { external_identifier: external }),
    created_at: timestamp(new Date(createdMs)),
    updated_at: timestamp(now),
  } as StoredPaymentMethod;
}

const STATUSES = ['processing', 'buyer_approval_required', 'succeeded', 'failed', 'paused'] as const;

function columnValue(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** The number of records of a table that others can refer to. */
const MOST_IDS = 30;

/** The records of payctl's own contract, which those of a description may refer to. Paths are plain. */
export class OwnRecords {
  readonly #database: EmulatorDatabase;
  readonly #columnsOf = oncePerName((table): ReadonlySet<string> => {
    const rows = this.#database.prepare('SELECT name FROM pragma_table_xinfo(?)').all(table);
    return new Set(rows.map(({ name }) => String(name)));
  });

  constructor(database: EmulatorDatabase) {
    this.#database = database;
  }

  /** Whether the collection of a path is one of the contract. */
  has(path: string): boolean {
    return own(TABLES, path) !== undefined;
  }

  /** The path of the collection whose records have this name. */
  pathOf(noun: string): string | undefined {
    return Object.keys(TABLES).find(
      (path) => singular(path.slice(path.lastIndexOf('/') + 1)) === singular(noun),
    );
  }

  /** The ids of the oldest records of a merchant account. */
  ids(path: string, account: string): readonly string[] {
    const table = own(TABLES, path);
    if (table === undefined) return [];
    return this.#database.cached(`own ids ${table} ${account}`, () => {
      const { where, values } = this.#ofAccount(table, account);
      const sql = `SELECT id FROM ${table} WHERE ${where} ORDER BY rowid LIMIT ${MOST_IDS}`;
      const found = this.#database.prepare(sql).all(...values);
      return found.map(({ id }) => String(id));
    });
  }

  /** A record and its position in lists; undefined if the account has none with the id. */
  find(
    path: string,
    account: string,
    id: string,
  ): { readonly document: string; readonly createdMs: number } | undefined {
    const table = own(TABLES, path);
    if (table === undefined) return undefined;
    const { where, values } = this.#ofAccount(table, account);
    const columns = this.#columnsOf(table);
    const document = columns.has('document') ? 'document' : "json_object('id', id)";
    const created = columns.has('created_ms') ? 'created_ms' : '0';
    const sql = `SELECT ${document} AS document, ${created} AS createdMs FROM ${table} WHERE ${where} AND id = ?`;
    const found = this.#database.prepare(sql).get(...values, id);
    return found && { document: String(found.document), createdMs: Number(found.createdMs) };
  }

  /**
   * Makes a record that an operation of a description created visible to operations of the contract, if it has the members that they
   * need and no other merchant account has its id.
   */
  add(path: string, added: Added): void {
    const { account, record, createdMs } = added;
    const table = own(TABLES, path);
    const { id } = record;
    if (table === undefined || typeof id !== 'string' || this.find(path, '', id)) return;
    if (table === 'buyers') {
      insertBuyer(this.#database, buyerOf(added));
      return;
    }
    if (table === 'payment_methods') {
      insertPaymentMethod(this.#database, methodOf(added), this.#buyerRow(record));
      return;
    }
    const columns = this.#columnsOf(table);
    if (!columns.has('document')) return;
    const expiryMs = typeof record.expires_at === 'string' ? Date.parse(record.expires_at) : Number.NaN;
    const named: Readonly<Record<string, unknown>> = {
      ...record,
      merchant_account_id: account,
      created_ms: createdMs,
      expires_ms: Number.isNaN(expiryMs) ? defaultExpiry(createdMs).getTime() : expiryMs,
      is_locked: 0,
      document: JSON.stringify(record),
    };
    const names = [...columns];
    const values = names.map((name) => columnValue(named[name]));
    this.#database
      .prepare(`INSERT OR IGNORE INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`)
      .run(...values);
  }

  /** Makes the change of a record visible to operations of the contract. */
  replace(path: string, added: Added): void {
    const table = own(TABLES, path);
    const { account, record } = added;
    const { id } = record;
    const known = typeof id === 'string' ? this.find(path, account, id) : undefined;
    if (table === undefined || typeof id !== 'string' || !known) return;
    if (table === 'buyers') {
      const before = JSON.parse(known.document) as StoredBuyer;
      updateBuyer(this.#database, { ...before, ...buyerOf(added) });
      return;
    }
    if (table === 'payment_methods') {
      this.remove(path, account, id);
      this.add(path, added);
      return;
    }
    if (!this.#columnsOf(table).has('document')) return;
    this.#database.prepare(`UPDATE ${table} SET document = ? WHERE id = ?`).run(JSON.stringify(record), id);
  }

  /** Removes a record from the operations of the contract; with a buyer, also its payment methods and gift cards. */
  remove(path: string, account: string, id: string): void {
    const table = own(TABLES, path);
    if (table === undefined) return;
    if (table === 'buyers') {
      const row = this.#buyerRow({ buyer_id: id });
      // Row 0 stands for no buyer. The next buyer gets the row of a deleted one that was the last.
      if (row > 0) this.#database.prepare('DELETE FROM payment_methods WHERE buyer_row = ?').run(row);
      this.#database.prepare('DELETE FROM gift_cards WHERE buyer_id = ?').run(id);
    }
    const { where, values } = this.#ofAccount(table, account);
    this.#database.prepare(`DELETE FROM ${table} WHERE ${where} AND id = ?`).run(...values, id);
  }

  /** The row of the buyer that a record names; 0 for none. */
  #buyerRow({ buyer_id: given, buyer }: Added['record']): number {
    const id = typeof given === 'string' ? given : isObject(buyer) ? buyer.id : undefined;
    if (typeof id !== 'string') return 0;
    return Number(this.#database.prepare('SELECT row FROM buyers WHERE id = ?').get(id)?.row ?? 0);
  }

  /** The condition for the records of an account; those of all accounts have an empty one. */
  #ofAccount(table: string, account: string): { readonly where: string; readonly values: readonly string[] } {
    return account !== '' && this.#columnsOf(table).has('merchant_account_id')
      ? { where: 'merchant_account_id = ?', values: [account] }
      : { where: '1', values: [] };
  }
}
