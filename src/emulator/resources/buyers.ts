import type { Buyer } from '../../contract/generated/types.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { equals } from '../store/keyset.ts';
import { pageResponse } from '../store/pages.ts';
import type { Handler, Resource, Stored } from './resource.ts';

/** A buyer as the emulator keeps it. `created_at` is its place in lists. */
export type StoredBuyer = Stored<Buyer>;

const insertion = `INSERT INTO buyers (id, merchant_account_id, created_ms, external_identifier, search_name,
  search_external_identifier, head, billing, masked_billing, tail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const replacement = `UPDATE buyers SET (id, merchant_account_id, created_ms, external_identifier, search_name,
  search_external_identifier, head, billing, masked_billing, tail) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`;

/**
 * Adds a buyer and gives its row in the table. Its merchant account must exist and its id must be new; SQLite throws
 * otherwise.
 */
export function insertBuyer(database: EmulatorDatabase, buyer: StoredBuyer): number | bigint {
  return database.prepare(insertion).run(...columnsOf(buyer)).lastInsertRowid;
}

/** Whether the merchant account has a buyer of that id. */
export function hasBuyer(database: EmulatorDatabase, merchantAccount: string, id: string): boolean {
  const sql = 'SELECT 1 FROM buyers WHERE id = ? AND merchant_account_id = ?';
  return database.prepare(sql).get(id, merchantAccount) !== undefined;
}

/** Replaces the buyer of the same id with all its fields; false when there is none. */
export function updateBuyer(database: EmulatorDatabase, buyer: StoredBuyer): boolean {
  return Number(database.prepare(replacement).run(...columnsOf(buyer), buyer.id).changes) > 0;
}

/** Deletes a buyer with its payment methods and gift cards. */
export function deleteBuyer(database: EmulatorDatabase, id: string): void {
  const ofBuyer = 'buyer_row = (SELECT row FROM buyers WHERE id = ?)';
  database.prepare(`DELETE FROM payment_methods WHERE ${ofBuyer}`).run(id);
  database.prepare('DELETE FROM gift_cards WHERE buyer_id = ?').run(id);
  database.prepare('DELETE FROM buyers WHERE id = ?').run(id);
}

function columnsOf(buyer: StoredBuyer): (string | number | null)[] {
  const { display_name: name = null, external_identifier: externalIdentifier = null } = buyer;
  const { billing_details: billing, account_number: account } = buyer;
  // V8 serialises a copy of the whole object faster than a partial copy.
  const head = { ...buyer, billing_details: undefined, account_number: undefined };
  return [
    buyer.id,
    buyer.merchant_account_id,
    Date.parse(buyer.created_at),
    externalIdentifier,
    name === null ? null : searchText(name),
    externalIdentifier === null ? null : searchText(externalIdentifier),
    JSON.stringify(head).slice(0, -1),
    member('billing_details', billing),
    member('billing_details', maskBillingDetails(billing)),
    member('account_number', account),
  ];
}

/** A member that comes after others; nothing where there is no value. */
function member(name: string, value: unknown): string {
  return value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;
}

/** GET /buyers: the buyers of a merchant account, newest first, searched and filtered (specification, GET /buyers). */
const listBuyers: Handler<'listBuyers'> = (context) => {
  const { search, external_identifier: externalIdentifier } = context.query;
  const text = search === undefined ? undefined : searchText(search);
  const ofText = '(instr(search_name, ?) OR instr(search_external_identifier, ?))';
  return pageResponse(context, {
    table: 'buyers',
    document: context.isRevealed ? 'document' : 'masked_document',
    filters: [
      ...equals('merchant_account_id', context.merchantAccount),
      ...(text === undefined ? [] : [{ sql: ofText, values: [text, text] }]),
      ...equals('external_identifier', externalIdentifier),
    ],
  });
};

/** Buyers, with the texts that a search looks in and the masked form of their personal data. */
export const buyers = {
  tables: [
    `CREATE TABLE buyers (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      merchant_account_id TEXT NOT NULL REFERENCES merchant_accounts (id),
      created_ms INTEGER NOT NULL,
      external_identifier TEXT,
      search_name TEXT,
      search_external_identifier TEXT,
      head TEXT NOT NULL,
      billing TEXT NOT NULL,
      masked_billing TEXT NOT NULL,
      tail TEXT NOT NULL,
      document TEXT GENERATED ALWAYS AS (head || billing || tail || '}'),
      masked_document TEXT GENERATED ALWAYS AS (head || masked_billing || tail || '}')
    ) STRICT`,
  ],
  indexes: [
    'CREATE UNIQUE INDEX buyers_by_id ON buyers (id)',
    'CREATE INDEX buyers_by_external_identifier ON buyers (merchant_account_id, external_identifier)',
    `CREATE INDEX buyers_by_creation
      ON buyers (merchant_account_id, created_ms, id, search_name, search_external_identifier)`,
  ],
  handlers: { listBuyers },
} satisfies Resource;

// Every byte of the range, control characters included.
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is meant whole.
const isAscii = /^[\x00-\x7f]*$/;

/**
 * The form of a text in which a search compares: compatibility-normalised and without case, so that `ÉCLAIR`,
 * `éclair` and full-width letters meet. SQLite's own LIKE folds ASCII only.
 */
export function searchText(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  // Upper case first joins letters that only meet there (ß and SS); a final sigma is a σ to a search.
  return text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}

/** Replaces a masked text: of fixed length, so that it reveals nothing about the value. */
export const maskedText = '*****';

/**
 * Masks billing details for callers without `buyers.billing-details.read` (specification, Buyer): every text becomes
 * the mask, whatever field it is in, except the kind of a tax id. Objects keep their shape and nulls stay null.
 */
export function maskBillingDetails(details: unknown): unknown {
  return mask(details, '');
}

function mask(value: unknown, name: string): unknown {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => mask(item, name));
  if (typeof value !== 'object') return maskedText;
  // A copy with its texts replaced in place keeps its layout, which takes a third of the time of a new object.
  const masked: Record<string, unknown> = { ...value };
  for (const field of Object.keys(masked)) {
    const isKind = name === 'tax_id' && field === 'kind';
    if (!isKind) masked[field] = mask(masked[field], field);
  }
  return masked;
}
