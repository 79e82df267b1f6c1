import type { PaymentMethod, PaymentMethodStatus } from '../../contract/generated/types.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { equals } from '../store/keyset.ts';
import { pageResponse } from '../store/pages.ts';
import type { Handler, Resource, Stored } from './resource.ts';

/** A payment method as the emulator keeps it: its buyer is the stored one, whose row is in a column. */
export type StoredPaymentMethod = Stored<PaymentMethod> & {
  readonly buyer?: never;
  readonly status: PaymentMethodStatus;
};

const insertion = `INSERT INTO payment_methods
  (id, merchant_account_id, buyer_row, created_ms, status, external_identifier, head) VALUES (?, ?, ?, ?, ?, ?, ?)`;

/**
 * Adds the payment method of the buyer in that row of `buyers`, and gives its own row; both must be of one merchant account.
 */
export function insertPaymentMethod(
  database: EmulatorDatabase,
  method: StoredPaymentMethod,
  buyerRow: number | bigint,
): number | bigint {
  return database
    .prepare(insertion)
    .run(
      method.id,
      method.merchant_account_id,
      buyerRow,
      Date.parse(method.created_at),
      method.status,
      method.external_identifier ?? null,
      headOf(method),
    ).lastInsertRowid;
}

/** The text before the buyer. */
function headOf(method: StoredPaymentMethod): string {
  // V8 serialises a copy of the whole object faster than a partial copy, and the object itself faster still.
  const head =
    method.external_identifier === undefined ? method : { ...method, external_identifier: undefined };
  return JSON.stringify(head).slice(0, -1);
}

/** The payment method in a row of its table. */
export function findPaymentMethod(database: EmulatorDatabase, row: number): StoredPaymentMethod | undefined {
  const found = database
    .prepare('SELECT head, external_identifier FROM payment_methods WHERE row = ?')
    .get(row);
  if (!found) return undefined;
  const { head, external_identifier: external } = found;
  const method = JSON.parse(`${String(head)}}`) as StoredPaymentMethod;
  return typeof external === 'string' ? { ...method, external_identifier: external } : method;
}

/** Changes the payment method in a row of its table; its buyer stays. */
export function updatePaymentMethod(
  database: EmulatorDatabase,
  row: number,
  method: StoredPaymentMethod,
): void {
  database
    .prepare('UPDATE payment_methods SET (status, external_identifier, head) = (?, ?, ?) WHERE row = ?')
    .run(method.status, method.external_identifier ?? null, headOf(method), row);
}

/** The stored text ends before the buyer; the buyer and the rest are appended when it is read. */
function documentWith(buyerColumn: string): string {
  const buyer = `(SELECT buyers.${buyerColumn} FROM buyers WHERE buyers.row = buyer_row)`;
  const externalIdentifier = `',"external_identifier":' || json_quote(external_identifier)`;
  const orNothing = (text: string, value: string) => `iif(${value} IS NULL, '', ${text})`;
  return [
    'head',
    `ifnull(',"buyer":' || ${buyer}, '')`,
    orNothing(externalIdentifier, 'external_identifier'),
    "'}'",
  ].join(' || ');
}

/**
 * GET /payment-methods: stored payment methods, newest first (specification, GET /payment-methods). Each document holds the
 * buyer as it is stored at that moment.
 */
const listPaymentMethods: Handler<'listPaymentMethods'> = (context) => {
  const { merchantAccount, isRevealed, query } = context;
  const { buyer_id: id, buyer_external_identifier: ofBuyer, external_identifier: own, status = [] } = query;
  const isSelective = (id ?? ofBuyer ?? own) !== undefined;
  const buyerWith = (column: string, value: string | undefined) =>
    equals(column, value).map(({ sql, values }) => ({
      sql: `buyer_row IN (SELECT buyers.row FROM buyers WHERE buyers.merchant_account_id = ? AND buyers.${sql})`,
      values: [merchantAccount, ...values],
    }));
  // In one order and once each, so that a cursor fits however the values are repeated.
  const statuses = [...new Set(status)].sort();
  const ofStatus = `status IN (${statuses.map(() => '?').join(', ')})`;
  return pageResponse(context, {
    table: 'payment_methods',
    document: documentWith(isRevealed ? 'document' : 'masked_document'),
    filters: [
      // The plus keeps SQLite from walking the whole account in the order of the list to find one or two records.
      ...equals(isSelective ? '+merchant_account_id' : 'merchant_account_id', merchantAccount),
      ...buyerWith('id', id),
      ...buyerWith('external_identifier', ofBuyer),
      ...equals('external_identifier', own),
      ...(statuses.length > 0 ? [{ sql: ofStatus, values: statuses }] : []),
    ],
  });
};

/** Stored payment methods. The buyer is not part of their text, but appended on reading, so that each buyer is stored once. */
export const paymentMethods = {
  tables: [
    `CREATE TABLE payment_methods (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      merchant_account_id TEXT NOT NULL,
      buyer_row INTEGER NOT NULL,
      created_ms INTEGER NOT NULL,
      status TEXT NOT NULL,
      external_identifier TEXT,
      head TEXT NOT NULL
    ) STRICT`,
  ],
  indexes: [
    'CREATE INDEX payment_methods_by_creation ON payment_methods (merchant_account_id, created_ms)',
    'CREATE INDEX payment_methods_by_buyer ON payment_methods (buyer_row)',
    `CREATE INDEX payment_methods_by_external_identifier
      ON payment_methods (external_identifier) WHERE external_identifier IS NOT NULL`,
  ],
  handlers: { listPaymentMethods },
} satisfies Resource;
