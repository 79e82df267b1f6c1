import type { ApiLog } from '../../contract/generated/types.ts';
import { timestamp } from '../clock.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { itemsResponse } from '../store/pages.ts';
import type { Handler, Resource } from './resource.ts';

/** One exchange that was answered with a 4xx or 5xx. */
export type FailedExchange = {
  readonly method: string;
  readonly url: string;
  readonly receivedAt: Date;
  readonly sentAt: Date;
  readonly status: number;
  /** The JSON text of the answer. */
  readonly body: string;
  /** The merchant account that the request named, if any; it need not exist. */
  readonly merchantAccount?: string | undefined;
};

/** How many API logs are kept; the oldest go first. */
export const apiLogCapacity = 10_000;

/** How many API logs GET /api-logs shows at most. */
const shownLogs = 100;

/**
 * Stores a failed request as an API log (specification, API log), and keeps the newest 10,000. No headers are stored, and
 * a token in the URL is removed.
 */
export function recordApiLog(database: EmulatorDatabase, exchange: FailedExchange): void {
  const log: ApiLog = {
    type: 'api-log',
    id: process.getBuiltinModule('node:crypto').randomUUID(),
    request_method: exchange.method,
    request_url: withoutTokens(exchange.url),
    request_received_at: timestamp(exchange.receivedAt),
    response_status_code: exchange.status,
    response_body: JSON.parse(exchange.body) as NonNullable<ApiLog['response_body']>,
    response_sent_at: timestamp(exchange.sentAt),
  };
  insertApiLog(database, log, exchange.merchantAccount);
}

/**
 * Adds an API log as the newest one, and lets the oldest go beyond 10,000. It is shown in the merchant account that
 * the request named, or in `default` when that does not exist.
 */
export function insertApiLog(database: EmulatorDatabase, log: ApiLog, merchantAccount = 'default'): void {
  const insertion = `INSERT INTO api_logs (merchant_account_id, document)
    VALUES (ifnull((SELECT id FROM merchant_accounts WHERE id = ?), 'default'), ?)`;
  const { lastInsertRowid } = database.prepare(insertion).run(merchantAccount, JSON.stringify(log));
  database.prepare('DELETE FROM api_logs WHERE sequence <= ?').run(Number(lastInsertRowid) - apiLogCapacity);
}

/** The newest 100 API logs of a merchant account as documents in UTF-8, newest first, commas between them. */
function newestApiLogs(database: EmulatorDatabase, merchantAccount: string): Uint8Array {
  const newest = `SELECT sequence, document FROM api_logs WHERE merchant_account_id = ?
    ORDER BY sequence DESC LIMIT ${shownLogs}`;
  const all = `SELECT CAST(group_concat(document, ',' ORDER BY sequence DESC) AS BLOB) AS documents FROM (${newest})`;
  const documents = database.prepare(all).get(merchantAccount)?.documents;
  return documents instanceof Uint8Array ? documents : new Uint8Array();
}

function withoutTokens(url: string): string {
  return url.replace(/eyJ[\w-]*\.[\w-]+(\.[\w-]*)?/g, 'TOKEN');
}

/** GET /api-logs: the newest failed requests of a merchant account (specification, GET /api-logs). */
const listApiLogs: Handler<'listApiLogs'> = ({ database, merchantAccount }) =>
  database.cached(`api logs of ${merchantAccount}`, () =>
    itemsResponse(newestApiLogs(database, merchantAccount)),
  );

/** The log of failed requests, in the order in which they were answered. */
export const apiLogs = {
  tables: [
    `CREATE TABLE api_logs (
      sequence INTEGER PRIMARY KEY,
      merchant_account_id TEXT NOT NULL REFERENCES merchant_accounts (id),
      document TEXT NOT NULL
    ) STRICT`,
  ],
  indexes: ['CREATE INDEX api_logs_by_merchant_account ON api_logs (merchant_account_id, sequence)'],
  handlers: { listApiLogs },
} satisfies Resource;
