import { operations } from '../../contract/operations.ts';
import type { PaymentServiceSession } from '../../contract/types.ts';
import { findPaymentService, type PaymentServiceDefinition } from '../payment-services-store.ts';
import { readJson } from '../read-json.ts';
import { Refusal } from '../respond.ts';
import type { Handler } from '../route-context.ts';

const operation = operations.createPaymentServiceSession;

/**
 * POST /payment-service-definitions/{payment_service_definition_id}/sessions: what the payment service answers, which
 * depends on the definition and the body alone. A failed session is a success of this request (specification, same
 * name).
 */
export const createPaymentServiceSession: Handler<'createPaymentServiceSession'> = (context) => {
  readJson(operation, context.body);
  const { payment_service_definition_id: id = '' } = context.pathParameters;
  const definition = findPaymentService(context.database, id);
  if (definition === undefined) throw new Refusal('not_found');
  if (definition.statusCode === null) {
    throw new Refusal('bad_request', { message: `The payment service ${id} does not support sessions` });
  }
  return { status: operation.successStatus, body: JSON.stringify(sessionOf(definition, context.body)) };
};

function sessionOf(definition: PaymentServiceDefinition, request: Buffer): PaymentServiceSession {
  const { id, statusCode, code, responseBody } = definition;
  const isMade = code === null;
  return {
    type: 'payment-service-session',
    status: isMade ? 'succeeded' : 'failed',
    code,
    status_code: statusCode,
    response_body: isMade ? { session_id: sessionId(id, request), ...responseBody } : responseBody,
  };
}

/** The same for the same request, as if the payment service took it for a repetition. */
function sessionId(definition: string, request: Buffer): string {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  return hash.update(definition).update('\0').update(request).digest('hex').slice(0, 32);
}
