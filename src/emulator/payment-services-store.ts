import type { EmulatorDatabase } from './database.ts';
import { insertRow } from './insert-row.ts';

/** A payment service definition: what its own session interface answers. */
export type PaymentServiceDefinition = {
  /** Such as `acme-bank-redirect`. */
  readonly id: string;
  /** HTTP status of the payment service's answer; null for a service that knows no sessions. */
  readonly statusCode: number | null;
  /** Generic error code; null when a session is made. */
  readonly code: string | null;
  readonly responseBody: Readonly<Record<string, unknown>> | null;
};

/** Adds a payment service definition. */
export function insertPaymentService(database: EmulatorDatabase, definition: PaymentServiceDefinition): void {
  const { id, statusCode, code, responseBody } = definition;
  insertRow(database, 'payment_service_definitions', {
    id,
    status_code: statusCode,
    code,
    response_body: responseBody === null ? null : JSON.stringify(responseBody),
  });
}

/** Finds a payment service definition of the instance. */
export function findPaymentService(
  database: EmulatorDatabase,
  id: string,
): PaymentServiceDefinition | undefined {
  const row = database.prepare('SELECT * FROM payment_service_definitions WHERE id = ?').get(id);
  if (row === undefined) return undefined;
  return {
    id,
    statusCode: row.status_code === null ? null : Number(row.status_code),
    code: row.code === null ? null : String(row.code),
    responseBody:
      row.response_body === null ? null : (JSON.parse(String(row.response_body)) as Record<string, unknown>),
  };
}
