// Generated from openapi/openapi.yaml by scripts/generate-contract.ts; do not edit.

import type { ContractOperation } from '../operation.ts';

export type { ContractOperation, Operation, QueryParameter } from '../operation.ts';

/** Name of the header that says which merchant account a request is for, unless a profile names another one. */
export const MERCHANT_HEADER = 'x-service-merchant-account-id';

const cursor = {
  type: 'string',
  minLength: 1,
  maxLength: 1000,
} as const;

const limit = {
  type: 'integer',
  minimum: 1,
  maximum: 100,
  default: 20,
} as const;

const buyer_id = {
  type: 'string',
  summary: 'Only records of the buyer with this ID.',
} as const;

const buyer_external_identifier = {
  type: 'string',
  summary: 'Only records of the buyer with this external identifier.',
} as const;

/** Every endpoint of the contract by its operation id. */
export const operations = {
  listBuyers: {
    id: 'listBuyers',
    method: 'GET',
    path: '/buyers',
    summary: 'List buyers',
    scopes: ['buyers.read'],
    piiScope: 'buyers.billing-details.read',
    merchantAccount: true,
    isList: true,
    paginated: true,
    pathParameters: [],
    query: {
      cursor,
      limit,
      search: {
        type: 'string',
        summary: 'Only buyers whose display name or external identifier matches this text.',
      },
      external_identifier: {
        type: 'string',
        summary: 'Only the buyer with exactly this external identifier.',
      },
    },
    hasBody: false,
    successStatus: 200,
    responseSchema: 'BuyerPage',
    personalData: {
      items: {
        billing_details: {
          tax_id: {
            kind: false,
            '*': true,
          },
          '*': true,
        },
      },
    },
    errors: [400, 401, 403, 404, 405, 409, 422, 425, 429, 500, 502, 504],
  },
  createShippingDetail: {
    id: 'createShippingDetail',
    method: 'POST',
    path: '/buyers/{buyer_id}/shipping-details',
    summary: 'Add a shipping detail to a buyer',
    scopes: ['buyers.write'],
    merchantAccount: true,
    isList: false,
    paginated: false,
    pathParameters: ['buyer_id'],
    query: {},
    hasBody: true,
    bodySchema: 'ShippingDetailCreate',
    successStatus: 201,
    responseSchema: 'ShippingDetail',
    personalData: {
      first_name: true,
      last_name: true,
      email_address: true,
      phone_number: true,
      address: true,
    },
    errors: [400, 401, 403, 404, 405],
  },
  listGiftCards: {
    id: 'listGiftCards',
    method: 'GET',
    path: '/buyers/gift-cards',
    summary: 'List gift cards of a buyer',
    scopes: ['gift-cards.read', 'embed'],
    merchantAccount: true,
    isList: true,
    paginated: false,
    pathParameters: [],
    query: {
      buyer_id,
      buyer_external_identifier,
    },
    hasBody: false,
    successStatus: 200,
    responseSchema: 'GiftCardList',
    errors: [400, 401, 403, 404, 405],
  },
  listPaymentMethods: {
    id: 'listPaymentMethods',
    method: 'GET',
    path: '/payment-methods',
    summary: 'List stored payment methods',
    scopes: ['payment-methods.read'],
    piiScope: 'buyers.billing-details.read',
    merchantAccount: true,
    isList: true,
    paginated: true,
    pathParameters: [],
    query: {
      cursor,
      limit,
      buyer_id,
      buyer_external_identifier,
      external_identifier: {
        type: 'string',
        summary: 'Only the payment method with exactly this external identifier.',
      },
      status: {
        type: 'string',
        enum: ['processing', 'buyer_approval_required', 'succeeded', 'failed', 'paused'],
        multiple: true,
        summary: 'Only payment methods with this status; several values are alternatives.',
      },
    },
    hasBody: false,
    successStatus: 200,
    responseSchema: 'PaymentMethodPage',
    personalData: {
      items: {
        buyer: {
          billing_details: {
            tax_id: {
              kind: false,
              '*': true,
            },
            '*': true,
          },
        },
      },
    },
    errors: [400, 401, 403, 404, 405, 409, 422, 425, 429, 500, 502, 504],
  },
  getCheckoutSession: {
    id: 'getCheckoutSession',
    method: 'GET',
    path: '/checkout/sessions/{checkout_session_id}',
    summary: 'Read a checkout session',
    scopes: ['checkout-sessions.read'],
    merchantAccount: true,
    isList: false,
    paginated: false,
    pathParameters: ['checkout_session_id'],
    query: {},
    hasBody: false,
    successStatus: 200,
    responseSchema: 'CheckoutSession',
    personalData: {
      airline: {
        passengers: {
          first_name: true,
          last_name: true,
          email_address: true,
          phone_number: true,
          passport_number: true,
          frequent_flyer_number: true,
          date_of_birth: true,
        },
      },
    },
    errors: [400, 401, 403, 404, 405],
  },
  updateCheckoutSession: {
    id: 'updateCheckoutSession',
    method: 'PUT',
    path: '/checkout/sessions/{checkout_session_id}',
    summary: 'Update a checkout session',
    scopes: ['checkout-sessions.write'],
    merchantAccount: true,
    isList: false,
    paginated: false,
    pathParameters: ['checkout_session_id'],
    query: {},
    hasBody: true,
    bodySchema: 'CheckoutSessionUpdate',
    successStatus: 200,
    responseSchema: 'CheckoutSession',
    personalData: {
      airline: {
        passengers: {
          first_name: true,
          last_name: true,
          email_address: true,
          phone_number: true,
          passport_number: true,
          frequent_flyer_number: true,
          date_of_birth: true,
        },
      },
    },
    errors: [400, 401, 403, 404, 405, 409],
  },
  createPaymentServiceSession: {
    id: 'createPaymentServiceSession',
    method: 'POST',
    path: '/payment-service-definitions/{payment_service_definition_id}/sessions',
    summary: 'Create a session with a payment service',
    scopes: ['transactions.write'],
    merchantAccount: true,
    isList: false,
    paginated: false,
    pathParameters: ['payment_service_definition_id'],
    query: {},
    hasBody: true,
    bodySchema: 'PaymentServiceSessionRequest',
    successStatus: 200,
    responseSchema: 'PaymentServiceSession',
    errors: [400, 401, 403, 404, 405, 409, 422, 425, 429, 500, 502, 504],
  },
  listAuditLogs: {
    id: 'listAuditLogs',
    method: 'GET',
    path: '/audit-logs',
    summary: 'List activity of dashboard users',
    scopes: ['audit-logs.read'],
    merchantAccount: true,
    isList: true,
    paginated: true,
    pathParameters: [],
    query: {
      cursor,
      limit,
      action: {
        type: 'string',
        enum: ['created', 'updated', 'deleted', 'voided', 'canceled', 'captured'],
        summary: 'Only entries with this action.',
      },
      user_id: {
        type: 'string',
        summary: 'Only entries for the user with this ID.',
      },
      resource_type: {
        type: 'string',
        summary: 'Only entries for this type of resource.',
      },
    },
    hasBody: false,
    successStatus: 200,
    responseSchema: 'AuditLogPage',
    errors: [400, 401, 403, 404, 405, 409, 422, 425, 429, 500, 502, 504],
  },
  listApiLogs: {
    id: 'listApiLogs',
    method: 'GET',
    path: '/api-logs',
    summary: 'List failed requests',
    scopes: ['api-logs.read'],
    merchantAccount: true,
    isList: true,
    paginated: false,
    pathParameters: [],
    query: {},
    hasBody: false,
    successStatus: 200,
    responseSchema: 'ApiLogList',
    errors: [400, 401, 403, 404, 405],
  },
  listRoles: {
    id: 'listRoles',
    method: 'GET',
    path: '/roles',
    summary: 'List roles',
    scopes: ['roles.read'],
    merchantAccount: false,
    isList: true,
    paginated: true,
    pathParameters: [],
    query: {
      cursor,
      limit,
    },
    hasBody: false,
    successStatus: 200,
    responseSchema: 'RolePage',
    errors: [400, 401, 403, 404, 405, 409, 422, 425, 429, 500, 502, 504],
  },
  listDigitalWallets: {
    id: 'listDigitalWallets',
    method: 'GET',
    path: '/digital-wallets',
    summary: 'List digital wallets',
    scopes: ['digital-wallets.read'],
    merchantAccount: true,
    isList: true,
    paginated: false,
    pathParameters: [],
    query: {},
    hasBody: false,
    successStatus: 200,
    responseSchema: 'DigitalWalletList',
    errors: [400, 401, 403, 404, 405, 409, 422, 425, 429, 500, 502, 504],
  },
  listWebhookSubscriptions: {
    id: 'listWebhookSubscriptions',
    method: 'GET',
    path: '/webhook-subscriptions',
    summary: 'List webhook subscriptions',
    scopes: ['webhook-subscriptions.read'],
    merchantAccount: true,
    isList: true,
    paginated: true,
    pathParameters: [],
    query: {
      cursor,
      limit,
    },
    hasBody: false,
    successStatus: 200,
    responseSchema: 'WebhookSubscriptionPage',
    errors: [400, 401, 403, 404, 405, 409, 422, 425, 429, 500, 502, 504],
  },
} as const satisfies Record<string, ContractOperation>;

/** The name of one endpoint of the contract. */
export type OperationId = keyof typeof operations;

/** The name of an endpoint that lists and needs no ID. */
export type ListId = {
  [Id in OperationId]: (typeof operations)[Id]['isList'] extends true ? Id : never;
}[OperationId];

/** Every scope that the contract names, sorted. */
export const scopes = [
  'api-logs.read',
  'audit-logs.read',
  'buyers.billing-details.read',
  'buyers.read',
  'buyers.write',
  'checkout-sessions.read',
  'checkout-sessions.write',
  'digital-wallets.read',
  'embed',
  'gift-cards.read',
  'payment-methods.read',
  'roles.read',
  'transactions.write',
  'webhook-subscriptions.read',
] as const;

/** A scope that the contract names. */
export type Scope = (typeof scopes)[number];
