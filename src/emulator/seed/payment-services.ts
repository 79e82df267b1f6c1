import type { PaymentServiceDefinition } from '../resources/payment-service-sessions.ts';

/**
 * The payment service definitions of every seed; no service of these names exists. Three make sessions, three fail
 * each in its own way, and one supports none.
 */
export const seededPaymentServices: readonly PaymentServiceDefinition[] = [
  {
    id: 'acme-bank-redirect',
    statusCode: 200,
    code: null,
    responseBody: { redirect_url: 'https://pay.acme.example.com/authorise', expires_in: 900 },
  },
  {
    id: 'lumen-wallet',
    statusCode: 200,
    code: null,
    responseBody: { domain: 'shop.example.com', display_name: 'Lumen', capabilities: ['credit', 'debit'] },
  },
  {
    id: 'harbour-cards',
    statusCode: 201,
    code: null,
    responseBody: { client_key: 'test_9f2c', locale: 'nb-NO', payload: null },
  },
  {
    id: 'polder-direct-debit',
    statusCode: 401,
    code: 'invalid_service_configuration',
    responseBody: { error: { code: 'E-401', text: 'Unknown API key' } },
  },
  {
    id: 'tidewater-instalments',
    statusCode: 422,
    code: 'service_error',
    responseBody: { errors: [{ field: 'amount', message: 'Montant inférieur à 50 €' }] },
  },
  { id: 'quarry-vouchers', statusCode: 503, code: 'bad_gateway', responseBody: null },
  { id: 'slate-invoice', statusCode: null, code: null, responseBody: null },
];
