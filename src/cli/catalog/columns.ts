import type { Column } from '../../output/columns.ts';

/** The columns of an API error log: when, what was asked, what was answered and why. */
export const API_LOG_COLUMNS: readonly Column[] = [
  { header: 'TIME', path: 'request_received_at', priority: 8 },
  { header: 'STATUS', path: 'response_status_code', format: 'number', priority: 10 },
  { header: 'METHOD', path: 'request_method', priority: 6 },
  { header: 'URL', path: 'request_url', minWidth: 20, priority: 10 },
  { header: 'REASON', path: 'response_body.details.0.message', minWidth: 20, priority: 9 },
  { header: 'MESSAGE', path: 'response_body.message', minWidth: 16, priority: 7 },
  { header: 'CODE', path: 'response_body.code', priority: 5 },
  { header: 'ID', path: 'id', priority: 3 },
];

/** The columns of an audit log entry: when, who, did what, to what. */
export const AUDIT_LOG_COLUMNS: readonly Column[] = [
  { header: 'TIME', path: 'timestamp', priority: 10 },
  { header: 'USER', path: 'user.name', minWidth: 12, priority: 9 },
  { header: 'ACTION', path: 'action', priority: 10 },
  { header: 'RESOURCE', path: 'resource.type', priority: 9 },
  { header: 'NAME', path: 'resource.name', minWidth: 12, priority: 7 },
  { header: 'RESOURCE ID', path: 'resource.id', priority: 3 },
  { header: 'EMAIL', path: 'user.email_address', minWidth: 14, priority: 2 },
  { header: 'ID', path: 'id', priority: 1 },
];

/** The columns of a buyer: who it is, under which names the merchant knows it, and since when. */
export const BUYER_COLUMNS: readonly Column[] = [
  { header: 'ID', path: 'id', priority: 10 },
  { header: 'NAME', path: 'display_name', minWidth: 16, priority: 9 },
  { header: 'EXTERNAL ID', path: 'external_identifier', minWidth: 12, priority: 8 },
  { header: 'EMAIL', path: 'billing_details.email_address', minWidth: 14, priority: 5 },
  { header: 'COUNTRY', path: 'billing_details.address.country', priority: 4 },
  { header: 'CREATED', path: 'created_at', priority: 7 },
];

/** The columns of a digital wallet: whose it is, where it may be used, and the state of its certificates. */
export const DIGITAL_WALLET_COLUMNS: readonly Column[] = [
  { header: 'ID', path: 'id', priority: 10 },
  { header: 'PROVIDER', path: 'provider', priority: 10 },
  { header: 'MERCHANT', path: 'merchant_name', minWidth: 10, priority: 7 },
  { header: 'DOMAINS', path: 'domain_names', minWidth: 24, priority: 9 },
  { header: 'ACTIVE', path: 'active_certificate_count', format: 'number', priority: 8 },
  { header: 'PENDING', path: 'pending_certificate_count', format: 'number', priority: 6 },
  { header: 'EXPIRED', path: 'expired_certificate_count', format: 'number', priority: 6 },
  { header: 'CREATED', path: 'created_at', priority: 3 },
];

/** The columns of a gift card: which one, what is left on it, and why the balance could not be read. */
export const GIFT_CARD_COLUMNS: readonly Column[] = [
  { header: 'ID', path: 'id', priority: 10 },
  { header: 'BIN', path: 'bin', priority: 6 },
  { header: 'LAST4', path: 'last4', priority: 9 },
  { header: 'BALANCE', path: 'balance', format: 'number', priority: 9 },
  { header: 'CURRENCY', path: 'currency', priority: 9 },
  { header: 'EXPIRES', path: 'expiration_date', format: 'time', priority: 7 },
  { header: 'BALANCE ERROR', path: 'balance_error_code', minWidth: 10, priority: 5 },
];

/** The columns of a stored payment method: what it is, whose it is, and whether it can be used. */
export const PAYMENT_METHOD_COLUMNS: readonly Column[] = [
  { header: 'ID', path: 'id', priority: 10 },
  { header: 'METHOD', path: 'method', priority: 6 },
  { header: 'SCHEME', path: 'scheme', priority: 9 },
  { header: 'LABEL', path: 'label', minWidth: 6, priority: 9 },
  { header: 'STATUS', path: 'status', minWidth: 9, priority: 9 },
  { header: 'EXPIRES', path: 'expiration_date', priority: 8 },
  { header: 'BUYER', path: 'buyer.display_name', minWidth: 12, priority: 7 },
  { header: 'BUYER ID', path: 'buyer.id', priority: 3 },
  { header: 'EXTERNAL ID', path: 'external_identifier', minWidth: 10, priority: 4 },
  { header: 'CREATED', path: 'created_at', priority: 5 },
];

/** The columns of a role: what it is called and what it allows. */
export const ROLE_COLUMNS: readonly Column[] = [
  { header: 'SLUG', path: 'slug', minWidth: 16, priority: 10 },
  { header: 'NAME', path: 'name', minWidth: 12, priority: 6 },
  { header: 'ALLOWS', path: 'permissions.allow', minWidth: 36, priority: 9 },
  { header: 'ASSIGNABLE TO', path: 'assignable_to', minWidth: 10, priority: 3 },
  { header: 'DESCRIPTION', path: 'description', minWidth: 20, priority: 4 },
  { header: 'ID', path: 'id', priority: 2 },
];

/** The columns of a webhook subscription: where it points, and whether it is active. */
export const WEBHOOK_SUBSCRIPTION_COLUMNS: readonly Column[] = [
  { header: 'ID', path: 'id', priority: 9 },
  { header: 'URL', path: 'url', minWidth: 20, priority: 10 },
  { header: 'ACTIVE', path: 'active', priority: 10 },
  { header: 'ROTATING', path: 'rotating', priority: 6 },
  { header: 'AUTH', path: 'authentication.kind', priority: 5 },
  { header: 'CREATOR', path: 'creator.name', minWidth: 12, priority: 4 },
  { header: 'SECRET', path: 'secret', minWidth: 8, priority: 2 },
];
