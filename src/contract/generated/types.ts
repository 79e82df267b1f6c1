// Generated from openapi/openapi.yaml by scripts/generate-contract.ts; do not edit.

/**
 * Number of items requested for the page.
 */
export type PageLimit = number;
/**
 * Opaque pointer to an adjacent page, or null if there is none.
 */
export type PageCursor = string | null;
/**
 * State of a stored payment method.
 */
export type PaymentMethodStatus =
  'processing' | 'buyer_approval_required' | 'succeeded' | 'failed' | 'paused';
/**
 * Kind of activity.
 */
export type AuditLogAction = 'created' | 'updated' | 'deleted' | 'voided' | 'canceled' | 'captured';

/**
 * Every schema of the description by its name.
 */
export interface Schemas {
  PageLimit: PageLimit;
  PageCursor: PageCursor;
  BuyerPage: BuyerPage;
  PaymentMethodPage: PaymentMethodPage;
  AuditLogPage: AuditLogPage;
  RolePage: RolePage;
  WebhookSubscriptionPage: WebhookSubscriptionPage;
  GiftCardList: GiftCardList;
  DigitalWalletList: DigitalWalletList;
  ApiLogList: ApiLogList;
  Address: Address;
  TaxId: TaxId;
  BillingDetails: BillingDetails;
  Buyer: Buyer;
  ShippingDetail: ShippingDetail;
  ShippingDetailCreate: ShippingDetailCreate;
  CartItem: CartItem;
  Metadata: Metadata;
  AirlinePassenger: AirlinePassenger;
  AirlineLeg: AirlineLeg;
  Airline: Airline;
  CheckoutSessionPaymentMethodDetails: CheckoutSessionPaymentMethodDetails;
  CheckoutSessionPaymentMethod: CheckoutSessionPaymentMethod;
  CheckoutSession: CheckoutSession;
  CheckoutSessionUpdate: CheckoutSessionUpdate;
  PaymentServiceSessionRequest: PaymentServiceSessionRequest;
  PaymentServiceSession: PaymentServiceSession;
  PaymentMethodStatus: PaymentMethodStatus;
  PaymentMethodDetails: PaymentMethodDetails;
  PaymentMethod: PaymentMethod;
  AuditLogAction: AuditLogAction;
  AuditLogResource: AuditLogResource;
  AuditLogUser: AuditLogUser;
  AuditLog: AuditLog;
  RolePermissions: RolePermissions;
  Role: Role;
  GiftCard: GiftCard;
  DigitalWalletAddress: DigitalWalletAddress;
  NetworkMerchantId: NetworkMerchantId;
  NetworkAuthenticationName: NetworkAuthenticationName;
  DigitalWalletExtraConfiguration: DigitalWalletExtraConfiguration;
  DigitalWalletFields: DigitalWalletFields;
  DigitalWallet: DigitalWallet;
  ApiLog: ApiLog;
  WebhookAuthentication: WebhookAuthentication;
  WebhookCreator: WebhookCreator;
  WebhookSubscription: WebhookSubscription;
  ErrorDetail: ErrorDetail;
  ErrorObject: ErrorObject;
  ValidationErrorItem: ValidationErrorItem;
  ValidationErrorBody: ValidationErrorBody;
}
/**
 * One page of buyers.
 */
export interface BuyerPage {
  items: Buyer[];
  limit?: PageLimit;
  next_cursor?: PageCursor;
  previous_cursor?: PageCursor;
  [k: string]: unknown;
}
/**
 * A buyer, the person or company that pays.
 */
export interface Buyer {
  type: 'buyer';
  /**
   * ID of the buyer.
   */
  id: string;
  /**
   * Identifier that payment services see, for matching their records with this one.
   */
  reconciliation_id?: string | null;
  /**
   * Merchant account that owns the buyer.
   */
  merchant_account_id?: string;
  created_at?: string;
  updated_at?: string;
  display_name?: string | null;
  /**
   * Identifier of the buyer in the merchant's own system.
   */
  external_identifier?: string | null;
  billing_details?: BillingDetails | null;
  /**
   * Number of the buyer's account with the merchant.
   */
  account_number?: string | null;
  [k: string]: unknown;
}
/**
 * Personal data of a buyer. Masked unless the token has the scope `buyers.billing-details.read`; the structure stays the same.
 */
export interface BillingDetails {
  first_name?: string | null;
  last_name?: string | null;
  email_address?: string | null;
  phone_number?: string | null;
  address?: Address | null;
  tax_id?: TaxId | null;
  [k: string]: unknown;
}
/**
 * A postal address. The contract gives no lengths or formats, and no field is required. What `x-assumed` states are the limits of services of the same family.
 */
export interface Address {
  city?: string | null;
  country?: string | null;
  postal_code?: string | null;
  state?: string | null;
  state_code?: string | null;
  house_number_or_name?: string | null;
  line1?: string | null;
  line2?: string | null;
  organization?: string | null;
  [k: string]: unknown;
}
/**
 * Tax identification of a buyer.
 */
export interface TaxId {
  value?: string | null;
  /**
   * Kind of the number, such as the tax it belongs to.
   */
  kind?: string | null;
  [k: string]: unknown;
}
/**
 * One page of stored payment methods.
 */
export interface PaymentMethodPage {
  items: PaymentMethod[];
  limit?: PageLimit;
  next_cursor?: PageCursor;
  previous_cursor?: PageCursor;
  [k: string]: unknown;
}
/**
 * A payment method that a buyer has stored.
 */
export interface PaymentMethod {
  type: 'payment-method';
  /**
   * ID of the payment method.
   */
  id: string;
  method?: string;
  /**
   * Merchant account that owns the payment method.
   */
  merchant_account_id?: string;
  status?: PaymentMethodStatus;
  mode?: string | null;
  scheme?: string | null;
  additional_schemes?: string[] | null;
  label?: string | null;
  country?: string | null;
  currency?: string | null;
  details?: PaymentMethodDetails | null;
  /**
   * When the method expires. The form of the value is not stated.
   */
  expiration_date?: string | null;
  /**
   * Equal for the same card or account.
   */
  fingerprint?: string | null;
  /**
   * Where the buyer approves the method, while approval is outstanding.
   */
  approval_url?: string | null;
  buyer?: Buyer | null;
  external_identifier?: string | null;
  scheme_transaction_id?: string | null;
  scheme_transaction_id_scheme?: string | null;
  transaction_link_id?: string | null;
  has_replacement?: boolean | null;
  last_replaced_at?: string | null;
  usage_count?: number | null;
  last_used_at?: string | null;
  /**
   * Number of uses that the buyer initiated.
   */
  cit_usage_count?: number | null;
  /**
   * Last use that the buyer initiated.
   */
  cit_last_used_at?: string | null;
  created_at?: string;
  updated_at?: string;
  [k: string]: unknown;
}
/**
 * Card data of a stored payment method.
 */
export interface PaymentMethodDetails {
  bin?: string | null;
  card_type?: string | null;
  card_issuer_name?: string | null;
  [k: string]: unknown;
}
/**
 * One page of audit log entries.
 */
export interface AuditLogPage {
  items: AuditLog[];
  limit?: PageLimit;
  next_cursor?: PageCursor;
  previous_cursor?: PageCursor;
  [k: string]: unknown;
}
/**
 * One action of a dashboard user.
 */
export interface AuditLog {
  type: 'audit-log';
  /**
   * ID of the entry.
   */
  id: string;
  merchant_account_id?: string | null;
  /**
   * When it happened.
   */
  timestamp?: string;
  action?: AuditLogAction;
  resource?: AuditLogResource | null;
  user?: AuditLogUser | null;
  [k: string]: unknown;
}
/**
 * What was acted on.
 */
export interface AuditLogResource {
  type?: string | null;
  id?: string | null;
  name?: string | null;
  [k: string]: unknown;
}
/**
 * Who acted.
 */
export interface AuditLogUser {
  type?: 'user';
  id?: string | null;
  name?: string | null;
  is_staff?: boolean | null;
  status?: string | null;
  email_address?: string | null;
  [k: string]: unknown;
}
/**
 * One page of roles.
 */
export interface RolePage {
  items: Role[];
  limit?: PageLimit;
  next_cursor?: PageCursor;
  previous_cursor?: PageCursor;
  [k: string]: unknown;
}
/**
 * A set of permissions that can be assigned.
 */
export interface Role {
  type: 'role';
  /**
   * ID of the role.
   */
  id: string;
  name?: string;
  slug?: string;
  description?: string | null;
  permissions?: RolePermissions;
  /**
   * Kinds of holder that the role can be assigned to.
   */
  assignable_to?: string[];
  /**
   * What the permissions of the role apply to.
   */
  applies_to?: string[];
  /**
   * Whether the role can be assigned without another one.
   */
  is_standalone_assignable?: boolean;
  [k: string]: unknown;
}
/**
 * Scopes of a role.
 */
export interface RolePermissions {
  /**
   * Names of the scopes that are granted.
   */
  allow?: string[];
  [k: string]: unknown;
}
/**
 * One page of webhook subscriptions, the most recently created first.
 */
export interface WebhookSubscriptionPage {
  items: WebhookSubscription[];
  limit?: PageLimit;
  next_cursor?: PageCursor;
  previous_cursor?: PageCursor;
  [k: string]: unknown;
}
/**
 * A destination of webhook deliveries.
 */
export interface WebhookSubscription {
  type: 'webhook-subscription';
  /**
   * ID of the subscription.
   */
  id: string;
  /**
   * Whether events are delivered.
   */
  active?: boolean;
  /**
   * Destination of deliveries.
   */
  url?: string;
  /**
   * Whether the secret is being replaced.
   */
  rotating?: boolean;
  /**
   * Merchant account that owns the subscription.
   */
  merchant_account_id?: string;
  authentication?: WebhookAuthentication | null;
  /**
   * Secret of the subscription. Never shown in full by default.
   */
  secret?: string | null;
  creator?: WebhookCreator | null;
  [k: string]: unknown;
}
/**
 * How deliveries authenticate at the destination. `basic` is the only kind that is known.
 */
export interface WebhookAuthentication {
  kind?: string | null;
  username?: string | null;
  /**
   * Masked by the service.
   */
  password?: string | null;
  [k: string]: unknown;
}
/**
 * Who created a webhook subscription.
 */
export interface WebhookCreator {
  id?: string | null;
  name?: string | null;
  email_address?: string | null;
  [k: string]: unknown;
}
/**
 * All gift cards that match. The contract names no cursor fields.
 */
export interface GiftCardList {
  items: GiftCard[];
  [k: string]: unknown;
}
/**
 * A gift card that a buyer has stored, with its latest known balance.
 */
export interface GiftCard {
  type: 'gift-card';
  /**
   * ID of the gift card.
   */
  id: string;
  /**
   * Merchant account that owns the gift card.
   */
  merchant_account_id?: string;
  bin?: string | null;
  sub_bin?: string | null;
  last4?: string | null;
  expiration_date?: string | null;
  /**
   * Latest balance, an integer of an unstated unit. Null where it could not be read.
   */
  balance?: number | null;
  currency?: string | null;
  /**
   * Why the balance could not be read.
   */
  balance_error_code?: string | null;
  /**
   * The same, in the code of the gift card service.
   */
  balance_raw_error_code?: string | null;
  /**
   * The same, in the words of the gift card service.
   */
  balance_raw_error_message?: string | null;
  [k: string]: unknown;
}
/**
 * All digital wallets. The contract names no cursor fields.
 */
export interface DigitalWalletList {
  items: DigitalWallet[];
  [k: string]: unknown;
}
/**
 * A digital wallet configured for a merchant account.
 */
export interface DigitalWallet {
  type: 'digital-wallet';
  /**
   * ID of the digital wallet.
   */
  id: string;
  /**
   * Merchant account that owns the wallet.
   */
  merchant_account_id?: string;
  provider?: string;
  merchant_name?: string | null;
  merchant_display_name?: string | null;
  merchant_url?: string | null;
  merchant_country_code?: string | null;
  merchant_category_code?: string | null;
  /**
   * Domains on which the wallet is offered.
   */
  domain_names?: string[] | null;
  address?: DigitalWalletAddress | null;
  extra_configuration?: DigitalWalletExtraConfiguration | null;
  fields?: DigitalWalletFields | null;
  active_certificate_count?: number | null;
  pending_certificate_count?: number | null;
  expired_certificate_count?: number | null;
  created_at?: string;
  updated_at?: string;
  [k: string]: unknown;
}
/**
 * Address of the merchant of a digital wallet.
 */
export interface DigitalWalletAddress {
  line1?: string | null;
  line2?: string | null;
  city?: string | null;
  state_code?: string | null;
  postal_code?: string | null;
  [k: string]: unknown;
}
/**
 * Settings of a digital wallet per card scheme.
 */
export interface DigitalWalletExtraConfiguration {
  network_mid_list?: NetworkMerchantId[] | null;
  network_name_list?: NetworkAuthenticationName[] | null;
  [k: string]: unknown;
}
/**
 * Merchant ID with a card scheme.
 */
export interface NetworkMerchantId {
  mid?: string | null;
  scheme?: string | null;
  [k: string]: unknown;
}
/**
 * Name that a card scheme expects in authentication.
 */
export interface NetworkAuthenticationName {
  expected_auth_name?: string | null;
  scheme?: string | null;
  [k: string]: unknown;
}
/**
 * Settings of a digital wallet that only some providers have.
 */
export interface DigitalWalletFields {
  digital_payment_application_id?: string | null;
  digital_payment_application_name?: string | null;
  [k: string]: unknown;
}
/**
 * API logs. The contract names no cursor fields; they are present where there are more logs.
 */
export interface ApiLogList {
  items: ApiLog[];
  limit?: PageLimit;
  next_cursor?: PageCursor;
  previous_cursor?: PageCursor;
  [k: string]: unknown;
}
/**
 * A request that failed with a 4xx or 5xx status.
 */
export interface ApiLog {
  type: 'api-log';
  /**
   * ID of the log.
   */
  id: string;
  request_method?: string | null;
  request_url?: string | null;
  request_received_at?: string | null;
  response_status_code?: number | null;
  /**
   * The error that was returned.
   */
  response_body?: ErrorObject | ValidationErrorBody | null;
  response_sent_at?: string | null;
  [k: string]: unknown;
}
/**
 * Body of every error response except 422.
 */
export interface ErrorObject {
  type: 'error';
  /**
   * Machine-readable code, such as `not_found`.
   */
  code: string;
  /**
   * HTTP status of the response.
   */
  status: number;
  /**
   * Human-readable explanation, which varies from case to case.
   */
  message: string;
  /**
   * Errors one by one; empty if there is nothing to add.
   */
  details?: ErrorDetail[];
  /**
   * ID of the conflicting resource. Only with `duplicate_record`.
   */
  resource_id?: string | null;
  [k: string]: unknown;
}
/**
 * One error within a request.
 */
export interface ErrorDetail {
  /**
   * Kind of error, such as `value_error.missing`.
   */
  type: string;
  /**
   * JSON pointer to the invalid property.
   */
  pointer: string;
  message: string;
  /**
   * Part of the request, such as `body`, `query` or `path`.
   */
  location: string;
  [k: string]: unknown;
}
/**
 * Body of a 422.
 */
export interface ValidationErrorBody {
  detail: ValidationErrorItem[];
  [k: string]: unknown;
}
/**
 * One error that validation found.
 */
export interface ValidationErrorItem {
  /**
   * Path to the invalid value; the first part names the part of the request.
   */
  loc: string[];
  msg: string;
  /**
   * Kind of error.
   */
  type: string;
  /**
   * The invalid value, any JSON.
   */
  input?: unknown;
  /**
   * Limits and values that the message refers to.
   */
  ctx?: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * Where and to whom goods are sent.
 */
export interface ShippingDetail {
  type: 'shipping-details';
  /**
   * ID of the shipping detail.
   */
  id: string;
  /**
   * ID of the buyer.
   */
  buyer_id?: string | null;
  first_name?: string | null;
  last_name?: string | null;
  email_address?: string | null;
  /**
   * E.164 form.
   */
  phone_number?: string | null;
  address?: Address | null;
  [k: string]: unknown;
}
/**
 * Body of a new shipping detail. No field is known to be required.
 */
export interface ShippingDetailCreate {
  first_name?: string;
  last_name?: string;
  email_address?: string;
  /**
   * E.164 form.
   */
  phone_number?: string;
  address?: Address;
  [k: string]: unknown;
}
/**
 * Line item of a transaction. Amounts are integers of an unstated unit.
 */
export interface CartItem {
  name?: string;
  quantity?: number;
  unit_amount?: number;
  discount_amount?: number | null;
  tax_amount?: number | null;
  external_identifier?: string | null;
  sku?: string | null;
  product_url?: string | null;
  image_url?: string | null;
  categories?: string[] | null;
  /**
   * Kind of product. The allowed values are not stated.
   */
  product_type?: string | null;
  seller_country?: string | null;
  [k: string]: unknown;
}
/**
 * Free key-value pairs, passed on to payment services that take them.
 */
export interface Metadata {
  [k: string]: unknown;
}
/**
 * A passenger of an airline booking.
 */
export interface AirlinePassenger {
  title?: string | null;
  first_name?: string | null;
  last_name?: string | null;
  email_address?: string | null;
  phone_number?: string | null;
  passport_number?: string | null;
  ticket_number?: string | null;
  frequent_flyer_number?: string | null;
  date_of_birth?: string | null;
  /**
   * The allowed values are not stated.
   */
  age_group?: string | null;
  [k: string]: unknown;
}
/**
 * One flight of an airline booking. Amounts are integers of an unstated unit.
 */
export interface AirlineLeg {
  carrier_code?: string | null;
  carrier_name?: string | null;
  iata_designator?: string | null;
  icao_code?: string | null;
  flight_number?: string | null;
  departure_at?: string | null;
  departure_country?: string | null;
  departure_city?: string | null;
  departure_airport?: string | null;
  arrival_at?: string | null;
  arrival_country?: string | null;
  arrival_city?: string | null;
  arrival_airport?: string | null;
  fare_basis_code?: string | null;
  flight_class?: string | null;
  stop_over?: boolean | null;
  /**
   * The allowed values are not stated.
   */
  route_type?: string | null;
  coupon_number?: string | null;
  fare_amount?: number | null;
  fee_amount?: number | null;
  tax_amount?: number | null;
  departure_tax_amount?: number | null;
  seat_class?: string | null;
  [k: string]: unknown;
}
/**
 * Airline addendum data of a transaction.
 */
export interface Airline {
  passenger_name_record?: string | null;
  booking_code?: string | null;
  ticket_number?: string | null;
  /**
   * The allowed values are not stated.
   */
  ticket_delivery_method?: string | null;
  issued_at?: string | null;
  issued_address?: string | null;
  travel_agency_code?: string | null;
  travel_agency_name?: string | null;
  travel_agency_invoice_number?: string | null;
  travel_agency_plan_name?: string | null;
  restricted_ticket?: boolean | null;
  issuing_carrier_code?: string | null;
  issuing_carrier_name?: string | null;
  issuing_iata_designator?: string | null;
  issuing_icao_code?: string | null;
  reservation_system?: string | null;
  is_cardholder_traveling?: boolean | null;
  passengers?: AirlinePassenger[] | null;
  legs?: AirlineLeg[] | null;
  [k: string]: unknown;
}
/**
 * Card data of a checkout session's payment method.
 */
export interface CheckoutSessionPaymentMethodDetails {
  bin?: string | null;
  card_type?: string | null;
  card_country?: string | null;
  card_issuer_name?: string | null;
  [k: string]: unknown;
}
/**
 * The card that was entered in a checkout session.
 */
export interface CheckoutSessionPaymentMethod {
  type?: 'payment_method';
  id?: string | null;
  method?: string | null;
  scheme?: string | null;
  label?: string | null;
  details?: CheckoutSessionPaymentMethodDetails | null;
  fingerprint?: string | null;
  [k: string]: unknown;
}
/**
 * A short-lived checkout session.
 */
export interface CheckoutSession {
  type: 'checkout-session';
  /**
   * ID of the session.
   */
  id: string;
  /**
   * When the session ends, by default one hour after its creation.
   */
  expires_at?: string;
  cart_items?: CartItem[] | null;
  metadata?: Metadata | null;
  airline?: Airline | null;
  payment_method?: CheckoutSessionPaymentMethod | null;
  [k: string]: unknown;
}
/**
 * Fields of a checkout session to replace. A field in the body replaces the whole stored field; other fields stay unchanged. An empty object is accepted.
 */
export interface CheckoutSessionUpdate {
  cart_items?: CartItem[] | null;
  metadata?: Metadata | null;
  airline?: Airline | null;
  [k: string]: unknown;
}
/**
 * Payload for the payment service's own session interface. Its content depends on that service.
 */
export interface PaymentServiceSessionRequest {
  [k: string]: unknown;
}
/**
 * Response of the payment service to the request for a session.
 */
export interface PaymentServiceSession {
  type: 'payment-service-session';
  /**
   * Status of the response.
   */
  status?: string;
  /**
   * Generic error code, if no session could be created.
   */
  code?: string | null;
  /**
   * HTTP status that the payment service sent.
   */
  status_code?: number | null;
  /**
   * JSON body that the payment service sent.
   */
  response_body?: {
    [k: string]: unknown;
  } | null;
  [k: string]: unknown;
}

/** Query of `listBuyers`. */
export type ListBuyersQuery = {
  /** Value of `next_cursor` or `previous_cursor` of another page; without it, the first page is meant. */
  cursor?: string | undefined;
  /** Number of items of a page. */
  limit?: number | undefined;
  /** Only buyers whose display name or external identifier matches this text. */
  search?: string | undefined;
  /** Only the buyer with exactly this external identifier. */
  external_identifier?: string | undefined;
};

/** Query of `createShippingDetail`. */
export type CreateShippingDetailQuery = Record<string, never>;

/** Query of `listGiftCards`. */
export type ListGiftCardsQuery = {
  /** Only records of the buyer with this ID. */
  buyer_id?: string | undefined;
  /** Only records of the buyer with this external identifier. */
  buyer_external_identifier?: string | undefined;
};

/** Query of `listPaymentMethods`. */
export type ListPaymentMethodsQuery = {
  /** Value of `next_cursor` or `previous_cursor` of another page; without it, the first page is meant. */
  cursor?: string | undefined;
  /** Number of items of a page. */
  limit?: number | undefined;
  /** Only records of the buyer with this ID. */
  buyer_id?: string | undefined;
  /** Only records of the buyer with this external identifier. */
  buyer_external_identifier?: string | undefined;
  /** Only the payment method with exactly this external identifier. */
  external_identifier?: string | undefined;
  /** Only payment methods with this status; several values are alternatives. */
  status?: 'processing' | 'buyer_approval_required' | 'succeeded' | 'failed' | 'paused' | readonly ('processing' | 'buyer_approval_required' | 'succeeded' | 'failed' | 'paused')[] | undefined;
};

/** Query of `getCheckoutSession`. */
export type GetCheckoutSessionQuery = Record<string, never>;

/** Query of `updateCheckoutSession`. */
export type UpdateCheckoutSessionQuery = Record<string, never>;

/** Query of `createPaymentServiceSession`. */
export type CreatePaymentServiceSessionQuery = Record<string, never>;

/** Query of `listAuditLogs`. */
export type ListAuditLogsQuery = {
  /** Value of `next_cursor` or `previous_cursor` of another page; without it, the first page is meant. */
  cursor?: string | undefined;
  /** Number of items of a page. */
  limit?: number | undefined;
  /** Only entries with this action. */
  action?: 'created' | 'updated' | 'deleted' | 'voided' | 'canceled' | 'captured' | undefined;
  /** Only entries for the user with this ID. */
  user_id?: string | undefined;
  /** Only entries for this type of resource. */
  resource_type?: string | undefined;
};

/** Query of `listApiLogs`. */
export type ListApiLogsQuery = Record<string, never>;

/** Query of `listRoles`. */
export type ListRolesQuery = {
  /** Value of `next_cursor` or `previous_cursor` of another page; without it, the first page is meant. */
  cursor?: string | undefined;
  /** Number of items of a page. */
  limit?: number | undefined;
};

/** Query of `listDigitalWallets`. */
export type ListDigitalWalletsQuery = Record<string, never>;

/** Query of `listWebhookSubscriptions`. */
export type ListWebhookSubscriptionsQuery = {
  /** Value of `next_cursor` or `previous_cursor` of another page; without it, the first page is meant. */
  cursor?: string | undefined;
  /** Number of items of a page. */
  limit?: number | undefined;
};
