import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { snake } from '../../text/amount-names.ts';
import { actionOf, type Change } from './moved.ts';

const FAILED = new Set(['failed', 'failure', 'error', 'declined', 'rejected']);

/** Whether the word of a status says that something failed, such as `declined` and `capture_failed`. */
export function isFailure(status: unknown): boolean {
  const words = typeof status === 'string' ? snake(status).split(/[^a-z]+/) : [];
  return FAILED.has(words.at(-1) ?? '');
}

/** Whether an operation makes a record; payctl's own operations have no model, and each POST of them does. */
export function makesRecord({
  method,
  action = 'create',
}: Pick<Change['call']['operation'], 'method'> & Pick<ImportedOperation, 'action'>): boolean {
  return method === 'POST' && action === 'create';
}

/**
 * The status with which the record of a successful response says that the change failed, such as a refund that the payment service declined;
 * undefined for any other. Only what the change has made, captured or refunded is looked at: another change, such as that of a
 * reference, may well concern a payment that has failed before.
 */
export function failedStatus(
  change: Change & { readonly call: { readonly operation: Pick<ImportedOperation, 'action'> } },
  { status }: Readonly<Record<string, unknown>>,
): string | undefined {
  const { operation } = change.call;
  if (typeof status !== 'string' || !isFailure(status) || status === operation.newStatus) return undefined;
  return makesRecord(operation) || actionOf(change) ? status : undefined;
}
