import type { PaymentServiceSession } from '../contract/types.ts';

const FAILED = new Set(['failed', 'failure', 'error', 'declined', 'rejected']);

/**
 * Whether the payment service itself failed, although the service answered 200: an error code, a status of 400 or
 * above, or a status word that says so (specification: Payment service session result).
 */
export function reportsFailure({ status, code, status_code: statusCode }: PaymentServiceSession): boolean {
  if (code !== undefined && code !== null && code !== '') return true;
  return (typeof statusCode === 'number' && statusCode >= 400) || FAILED.has(String(status).toLowerCase());
}
