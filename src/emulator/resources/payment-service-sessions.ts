import { operations } from '../../contract/generated/operations.ts';
import type { PaymentServiceSession } from '../../contract/generated/types.ts';
import { readJson } from '../http/body.ts';
import { HttpError } from '../http/response.ts';
import { type EmulatorDatabase, insertRow } from '../store/database.ts';
import type { Handler, Resource } from './resource.ts';

/** A payment service definition: what its own session interface responds. */
export type PaymentServiceDefinition = {
  /** Such as `acme-bank-redirect`. */
  readonly id: string;
  /** HTTP status of the payment service's response; null for a service that knows no sessions. */
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

type StoredDefinition = Readonly<Record<'code' | 'response_body', string | null>> & {
  readonly status_code: number | null;
};

const operation = operations.createPaymentServiceSession;

/**
 * POST /payment-service-definitions/{payment_service_definition_id}/sessions: what the payment service answers, which
 * depends on the definition and the body alone. A failed session is a success of this request (specification, same
 * name).
 */
const createPaymentServiceSession: Handler<'createPaymentServiceSession'> = (context) => {
  readJson(operation, context.body);
  const { payment_service_definition_id: id = '' } = context.pathParameters;
  const sql = 'SELECT status_code, code, response_body FROM payment_service_definitions WHERE id = ?';
  const definition = context.database.prepare(sql).get(id) as StoredDefinition | undefined;
  if (definition === undefined) throw new HttpError('not_found');
  const { status_code: statusCode, code, response_body: stored } = definition;
  if (statusCode === null) {
    throw new HttpError('bad_request', { message: `The payment service ${id} does not support sessions` });
  }
  const isMade = code === null;
  const responseBody = {
    ...(isMade && { session_id: sessionId(id, context.body) }),
    ...(stored !== null && (JSON.parse(stored) as object)),
  };
  const session: PaymentServiceSession = {
    type: 'payment-service-session',
    status: isMade ? 'succeeded' : 'failed',
    ...(!isMade && { code }),
    status_code: statusCode,
    ...((isMade || stored !== null) && { response_body: responseBody }),
  };
  return { status: operation.successStatus, body: JSON.stringify(session) };
};

/** The same for the same request, as if the payment service took it for a repetition. */
function sessionId(definition: string, request: Buffer): string {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  return hash.update(definition).update('\0').update(request).digest('hex').slice(0, 32);
}

/** Payment service definitions and the sessions that they make, which are not kept. */
export const paymentServiceSessions = {
  tables: [
    `CREATE TABLE payment_service_definitions (
      id TEXT PRIMARY KEY,
      status_code INTEGER,
      code TEXT,
      response_body TEXT
    ) STRICT`,
  ],
  handlers: { createPaymentServiceSession },
} satisfies Resource;
