import { operations } from '../../contract/generated/operations.ts';
import { singular } from '../../descriptions/path-words.ts';
import { isObject } from '../../json/is-object.ts';
import { timestamp } from '../clock.ts';
import { deleteBuyer, insertBuyer, type StoredBuyer, updateBuyer } from '../resources/buyers.ts';
import { defaultExpiry } from '../resources/checkout-sessions.ts';
import { insertPaymentMethod, type StoredPaymentMethod } from '../resources/payment-methods.ts';
import { type EmulatorDatabase, insertRow } from '../store/database.ts';

/** The collections of payctl's own contract; their tables have the same names. */
const PATHS = [
  ...['/buyers', '/payment-methods', '/gift-cards', '/roles', '/digital-wallets', '/webhook-subscriptions'],
  ...['/checkout/sessions', '/payment-service-definitions'],
];

/** A record of a merchant account, its position in lists, in milliseconds since 1970, and the time of its last change. */
type Added = {
  readonly account: string;
  readonly record: Readonly<Record<string, unknown>>;
  readonly createdMs: number;
  readonly now: Date;
};

/** The members that every record of the contract has. */
function shared({ record, account, createdMs, now }: Added) {
  const { id, external_identifier: external } = record;
  return {
    id: String(id),
    merchant_account_id: account,
    ...(typeof external === 'string' && { external_identifier: external }),
    created_at: timestamp(new Date(createdMs)),
    updated_at: timestamp(now),
  };
}

function buyerOf(added: Added): StoredBuyer {
  const { display_name: name, billing_details: billing } = added.record;
  return {
    type: 'buyer',
    ...(typeof name === 'string' && { display_name: name }),
    ...(isObject(billing) && { billing_details: billing }),
    ...shared(added),
  };
}

/** A payment method without its buyer. */
function methodOf(added: Added): StoredPaymentMethod {
  const { buyer: _, status, external_identifier: __, ...others } = added.record;
  const known = operations.listPaymentMethods.query.status.enum.find((one) => one === status) ?? 'succeeded';
  return { ...others, type: 'payment-method', status: known, ...shared(added) } as StoredPaymentMethod;
}

/** The number of records of a table that others can refer to. */
const MOST_IDS = 30;

/** The tables of payctl's own contract, whose records those of a description may refer to, by the plain paths of their collections. */
export function ownTables(database: EmulatorDatabase): ReadonlyMap<string, OwnTable> {
  return new Map(PATHS.map((path) => [path, new OwnTable(database, path)]));
}

/** The path of the collection of the contract whose records have this name. */
export function ownPathOf(noun: string): string | undefined {
  return PATHS.find((path) => singular(path.slice(path.lastIndexOf('/') + 1)) === singular(noun));
}

/** A table of payctl's own contract. */
export class OwnTable {
  readonly #database: EmulatorDatabase;
  readonly #name: string;
  readonly #columns: ReadonlySet<string>;
  /** Holds for the records of the account that is the first value, which may be empty for all. */
  readonly #isOfAccount: string;

  constructor(database: EmulatorDatabase, path: string) {
    this.#database = database;
    this.#name = path.slice(1).replaceAll(/\W/g, '_');
    const rows = database.prepare('SELECT name FROM pragma_table_xinfo(?)').all(this.#name);
    this.#columns = new Set(rows.map((row) => String(row.name)));
    this.#isOfAccount = `?1 IN ('', ${this.#columns.has('merchant_account_id') ? 'merchant_account_id' : '?1'})`;
  }

  /** The ids of the oldest records of a merchant account. */
  ids(account: string): readonly string[] {
    return this.#database.cached(`own ids ${this.#name} ${account}`, () => {
      const sql = `SELECT id FROM ${this.#name} WHERE ${this.#isOfAccount} ORDER BY rowid LIMIT ${MOST_IDS}`;
      const found = this.#database.prepare(sql).all(account);
      return found.map(({ id }) => String(id));
    });
  }

  /** A record and its position in lists; undefined if the account has none with the id. An empty account stands for all. */
  find(account: string, id: string): { readonly document: string; readonly createdMs: number } | undefined {
    const document = this.#columns.has('document') ? 'document' : "json_object('id', id)";
    const created = this.#columns.has('created_ms') ? 'created_ms' : '0';
    const sql = `SELECT ${document} AS document, ${created} AS createdMs FROM ${this.#name}
      WHERE ${this.#isOfAccount} AND id = ?2`;
    const found = this.#database.prepare(sql).get(account, id);
    return found && { document: String(found.document), createdMs: Number(found.createdMs) };
  }

  /**
   * Makes a record that an operation of a description created or changed visible to operations of the contract, if it has the members
   * that they need and no other merchant account has its id.
   */
  put(added: Added): void {
    const { account, record, createdMs } = added;
    const { id, expires_at: expiry } = record;
    if (typeof id !== 'string') return;
    const known = this.find(account, id);
    if (!known && this.find('', id)) return;
    if (this.#name === 'buyers') {
      const before = known && (JSON.parse(known.document) as StoredBuyer);
      const change = before ? updateBuyer : insertBuyer;
      change(this.#database, { ...before, ...buyerOf(added) });
      return;
    }
    if (this.#name === 'payment_methods') {
      if (known) this.remove(account, id);
      insertPaymentMethod(this.#database, methodOf(added), this.#buyerRow(record));
      return;
    }
    if (!this.#columns.has('document')) return;
    const document = JSON.stringify(record);
    if (known) {
      this.#database.prepare(`UPDATE ${this.#name} SET document = ? WHERE id = ?`).run(document, id);
      return;
    }
    const given = {
      ...record,
      merchant_account_id: account,
      created_ms: createdMs,
      expires_ms: Date.parse(String(expiry)) || defaultExpiry(createdMs).getTime(),
      is_locked: 0,
      document,
    };
    const isColumn = (entry: [string, unknown]): entry is [string, string | number] =>
      this.#columns.has(entry[0]) && ['string', 'number'].includes(typeof entry[1]);
    const row = Object.fromEntries(Object.entries(given).filter(isColumn));
    insertRow(this.#database, this.#name, row, 'OR IGNORE');
  }

  /** Removes a record from the operations of the contract. */
  remove(account: string, id: string): void {
    if (!this.find(account, id)) return;
    if (this.#name === 'buyers') deleteBuyer(this.#database, id);
    else this.#database.prepare(`DELETE FROM ${this.#name} WHERE id = ?`).run(id);
  }

  /** The row of the buyer that a record names; 0 for none, because rows begin with 1. */
  #buyerRow({ buyer_id: given, buyer }: Added['record']): number {
    const id = typeof given === 'string' ? given : isObject(buyer) ? buyer.id : undefined;
    if (typeof id !== 'string') return 0;
    return Number(this.#database.prepare('SELECT row FROM buyers WHERE id = ?').get(id)?.row ?? 0);
  }
}
