import { operations } from '../../contract/operations.ts';
import type { PaymentServiceSession, PaymentServiceSessionRequest } from '../../contract/types.ts';
import type { RequestContext } from '../call.ts';
import { callDocument, type DocumentOptions } from '../document.ts';

/** The methods of `client.paymentServiceDefinitions` (specification: /payment-service-definitions/{id}/sessions). */
export type PaymentServiceDefinitions = {
  readonly sessions: {
    /** Passes the body on to the payment service; its own failure comes back as a result, not as an error. */
    create(
      definitionId: string,
      body: PaymentServiceSessionRequest,
      options?: DocumentOptions,
    ): Promise<PaymentServiceSession>;
  };
};

/** Binds the payment service definitions' operations to a client's connections and settings. */
export function createPaymentServiceDefinitions(context: RequestContext): PaymentServiceDefinitions {
  const operation = operations.createPaymentServiceSession;
  return {
    sessions: {
      create: (definitionId, body, options) => {
        const path = { payment_service_definition_id: definitionId };
        return callDocument(context, { operation, path, body, ...options });
      },
    },
  };
}
