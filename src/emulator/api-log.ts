import type { ApiLog, ErrorObject } from '../contract/types.ts';
import type { EmulatorDatabase } from './database.ts';
import { apiLogCapacity } from './schema.ts';
import { timestamp } from './timestamp.ts';

/** One exchange that was answered with a 4xx or 5xx. */
export type FailedExchange = {
  readonly method: string;
  readonly url: string;
  readonly receivedAt: Date;
  readonly sentAt: Date;
  readonly status: number;
  /** The JSON text of the answer. */
  readonly body: string;
};

/**
 * Keeps a failed exchange as an API log (specification, API log), the newest 10,000 of them. No header is kept, and
 * a token that someone put into the URL is cut out.
 */
export function recordApiLog(database: EmulatorDatabase, exchange: FailedExchange): void {
  const log: ApiLog = {
    type: 'api-log',
    id: process.getBuiltinModule('node:crypto').randomUUID(),
    request_method: exchange.method,
    request_url: withoutTokens(exchange.url),
    request_received_at: timestamp(exchange.receivedAt),
    response_status_code: exchange.status,
    response_body: JSON.parse(exchange.body) as ErrorObject,
    response_sent_at: timestamp(exchange.sentAt),
  };
  const { lastInsertRowid } = database
    .prepare('INSERT INTO api_logs (document) VALUES (?)')
    .run(JSON.stringify(log));
  database.prepare('DELETE FROM api_logs WHERE sequence <= ?').run(Number(lastInsertRowid) - apiLogCapacity);
}

function withoutTokens(url: string): string {
  return url.replace(/eyJ[\w-]*\.[\w-]+(\.[\w-]*)?/g, 'TOKEN');
}
