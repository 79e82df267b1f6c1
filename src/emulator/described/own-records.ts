import { isObject } from '../../json/is-object.ts';
import { timestamp } from '../clock.ts';
import { insertBuyer, type StoredBuyer } from '../resources/buyers.ts';
import { type EmulatorDatabase, insertRow } from '../store/database.ts';
import { plainPath, singular } from './kinds.ts';

/** The collections of payctl's own contract, and the tables that they are in. */
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

/** A record, and its place in lists, in milliseconds since 1970. */
type Added = { readonly record: Readonly<Record<string, unknown>>; readonly createdMs: number };

/** The members of a buyer of the contract. */
function buyerOf(
  record: Added['record'],
  { account, createdMs }: { readonly account: string; readonly createdMs: number },
): StoredBuyer {
  const { id, display_name: name, external_identifier: external, billing_details: billing } = record;
  const at = timestamp(new Date(createdMs));
  return {
    type: 'buyer',
    id: String(id),
    merchant_account_id: account,
    ...(typeof name === 'string' && { display_name: name }),
    ...(typeof external === 'string' && { external_identifier: external }),
    ...(isObject(billing) && { billing_details: billing }),
    created_at: at,
    updated_at: at,
  };
}

function columnValue(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** How many records of a table others refer to. */
const MOST_IDS = 30;

/** The records of payctl's own contract, which those of a description may refer to. */
export class OwnRecords {
  readonly #database: EmulatorDatabase;
  readonly #columns = new Map<string, ReadonlySet<string>>();
  readonly #tables = new Map<string, string | undefined>();

  constructor(database: EmulatorDatabase) {
    this.#database = database;
  }

  /** Whether the collection of a path is one of the contract. */
  has(path: string): boolean {
    return this.#tableOf(path) !== undefined;
  }

  /** The path of the collection whose records have this name. */
  pathOf(noun: string): string | undefined {
    return Object.keys(TABLES).find(
      (path) => singular(path.slice(path.lastIndexOf('/') + 1)) === singular(noun),
    );
  }

  /** The ids of the oldest records of a merchant account. */
  ids(path: string, account: string): readonly string[] {
    const table = this.#tableOf(path);
    if (table === undefined) return [];
    return this.#database.cached(`own ids ${table} ${account}`, () => {
      const { where, values } = this.#ofAccount(table, account);
      const sql = `SELECT id FROM ${table} WHERE ${where} ORDER BY rowid LIMIT ${MOST_IDS}`;
      return this.#database
        .prepare(sql)
        .all(...values)
        .map(({ id }) => String(id));
    });
  }

  /** The document of a record; undefined where the account has none of that id. */
  document(path: string, account: string, id: string): string | undefined {
    const table = this.#tableOf(path);
    if (table === undefined) return undefined;
    const { where, values } = this.#ofAccount(table, account);
    const columns = this.#columnsOf(table);
    const document = columns.has('document') ? 'document' : "json_object('id', id)";
    const sql = `SELECT ${document} AS document FROM ${table} WHERE ${where} AND id = ?`;
    const found = this.#database.prepare(sql).get(...values, id)?.document;
    return typeof found === 'string' ? found : undefined;
  }

  /** Shows a record that an operation of a description made in the list of the contract, too. */
  add(path: string, account: string, { record, createdMs }: Added): void {
    const table = this.#tableOf(path);
    if (table === undefined || typeof record.id !== 'string') return;
    if (table === 'buyers') {
      insertBuyer(this.#database, buyerOf(record, { account, createdMs }));
      return;
    }
    const columns = this.#columnsOf(table);
    if (!columns.has('document') || !columns.has('created_ms')) return;
    const named: Readonly<Record<string, unknown>> = {
      ...record,
      merchant_account_id: account,
      created_ms: createdMs,
      document: JSON.stringify(record),
    };
    const row = [...columns].map((name) => [name, columnValue(named[name])] as const);
    insertRow(this.#database, table, Object.fromEntries(row));
  }

  /** Shows the change of a record in the list of the contract. */
  replace(path: string, account: string, added: Added): void {
    const { id } = added.record;
    if (typeof id === 'string' && this.remove(path, account, id)) this.add(path, account, added);
  }

  /** Takes a record out of the list of the contract; false where it is not in there. */
  remove(path: string, account: string, id: string): boolean {
    const table = this.#tableOf(path);
    if (table === undefined || !(table === 'buyers' || this.#columnsOf(table).has('created_ms')))
      return false;
    const { where, values } = this.#ofAccount(table, account);
    const { changes } = this.#database
      .prepare(`DELETE FROM ${table} WHERE ${where} AND id = ?`)
      .run(...values, id);
    return Number(changes) > 0;
  }

  #ofAccount(table: string, account: string): { readonly where: string; readonly values: readonly string[] } {
    if (!this.#columnsOf(table).has('merchant_account_id')) return { where: '1', values: [] };
    return account === ''
      ? { where: '1', values: [] }
      : { where: 'merchant_account_id = ?', values: [account] };
  }

  #tableOf(path: string): string | undefined {
    if (!this.#tables.has(path)) {
      const table = TABLES[plainPath(path)];
      this.#tables.set(path, table !== undefined && this.#columnsOf(table).has('id') ? table : undefined);
    }
    return this.#tables.get(path);
  }

  #columnsOf(table: string): ReadonlySet<string> {
    const known = this.#columns.get(table);
    if (known) return known;
    const rows = this.#database.prepare('SELECT name FROM pragma_table_xinfo(?)').all(table);
    const columns = new Set(rows.map(({ name }) => String(name)));
    this.#columns.set(table, columns);
    return columns;
  }
}
