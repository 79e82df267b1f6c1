import type { ApiLog } from '../../contract/generated/types.ts';
import { timestamp } from '../clock.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { equals } from '../store/keyset.ts';
import { pageResponse } from '../store/pages.ts';
import type { Handler, Resource } from './resource.ts';

/** One exchange whose response was a 4xx or 5xx. */
export type FailedExchange = {
  /** Becomes the ID of the log, so that the log leads to what the request changed. */
  readonly requestId?: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly receivedAt: Date;
  readonly sentAt: Date;
  readonly status: number;
  /** The JSON text of the response. */
  readonly body: string;
  /** The merchant account that the request named, if any; it need not exist. */
  readonly merchantAccount?: string | undefined;
};

/** How many API logs are kept; the oldest go first. */
export const apiLogCapacity = 10_000;

/** How many API logs a response of GET /api-logs holds at most. */
const pageSize = 100;

/**
 * Stores a failed request as an API log (specification, API log), and keeps the newest 10,000. No headers are stored, a
 * token in the URL is removed, and what is long is cut: a log takes a few kilobytes, whatever was sent.
 */
export function recordApiLog(database: EmulatorDatabase, exchange: FailedExchange): void {
  const log: ApiLog = {
    type: 'api-log',
    id: exchange.requestId ?? process.getBuiltinModule('node:crypto').randomUUID(),
    request_method: exchange.method,
    request_url: cut(withoutTokens(exchange.url), longestUrl),
    request_received_at: timestamp(exchange.receivedAt),
    response_status_code: exchange.status,
    response_body: shorten(JSON.parse(exchange.body)) as NonNullable<ApiLog['response_body']>,
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

function withoutTokens(url: string): string {
  return url.replace(/eyJ[\w-]*\.[\w-]+(\.[\w-]*)?/g, 'TOKEN');
}

/** Characters of a URL and of one text, and items of one list, that a log keeps. */
const longestUrl = 2000;
const longestText = 300;
const longestList = 10;

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}

/** The text of an error may be as long as the request; `input` and `ctx` are of any shape. */
function shorten(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return cut(value, longestText);
  if (typeof value !== 'object' || value === null) return value;
  if (name === 'input' || name === 'ctx') {
    const text = JSON.stringify(value);
    if (text.length <= longestText) return value;
    return name === 'ctx' ? {} : cut(text, longestText);
  }
  if (Array.isArray(value)) return value.slice(0, longestList).map((item) => shorten(item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, key)]));
}

/**
 * GET /api-logs: the failed requests of a merchant account, newest first (specification, GET /api-logs). The contract does
 * not show cursors, so only a list of more than 100 has them.
 */
const listApiLogs: Handler<'listApiLogs'> = ({ database, cursorSecret, merchantAccount, cursor }) =>
  pageResponse(
    { database, cursorSecret, query: { cursor, limit: pageSize } },
    {
      table: 'api_logs',
      document: 'document',
      filters: equals('merchant_account_id', merchantAccount),
      hasCursorsAlways: false,
    },
  );

/** The log of failed requests, in the order of their responses. */
export const apiLogs = {
  tables: [
    `CREATE TABLE api_logs (
      sequence INTEGER PRIMARY KEY,
      merchant_account_id TEXT NOT NULL REFERENCES merchant_accounts (id),
      document TEXT NOT NULL,
      created_ms INTEGER GENERATED ALWAYS AS (sequence),
      id TEXT GENERATED ALWAYS AS ('')
    ) STRICT`,
  ],
  indexes: ['CREATE INDEX api_logs_by_merchant_account ON api_logs (merchant_account_id, created_ms, id)'],
  handlers: { listApiLogs },
} satisfies Resource;
