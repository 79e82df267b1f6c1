import { grants } from '../auth/scopes.ts';
import type { Operation } from '../contract/operations.ts';
import type { Caller } from './authenticate.ts';
import type { EmulatorDatabase } from './database.ts';
import { Refusal } from './respond.ts';

/**
 * Lets a caller through to an operation.
 * @throws Refusal `forbidden` when its token holds none of the operation's scopes, or a restricted key signed it
 */
export function requireScope(caller: Caller, operation: Operation): void {
  if (caller.isRestricted) {
    throw new Refusal('forbidden', { message: 'The API key that signed the token is restricted' });
  }
  if (operation.scopes.some((scope) => grants(caller.scopes, scope))) return;
  throw new Refusal('forbidden', { message: `This call needs the scope ${operation.scopes.join(' or ')}` });
}

/** Whether a caller sees the personal data in the answers of an operation. */
export function mayReveal(caller: Caller, operation: Operation): boolean {
  return operation.piiScope !== undefined && grants(caller.scopes, operation.piiScope);
}

/**
 * Resolves the merchant account header; `default` without one or where it does not apply.
 * @throws Refusal `not_found` for an account that does not exist, as the service hides what a caller may not see
 */
export function findMerchantAccount(
  database: EmulatorDatabase,
  operation: Operation,
  header: string | undefined,
): string {
  const id = (operation.merchantAccount ? header : undefined) ?? 'default';
  const account = database.recall(`merchant account ${id}`, () =>
    database.prepare('SELECT 1 FROM merchant_accounts WHERE id = ?').get(id),
  );
  if (account === undefined) throw new Refusal('not_found');
  return id;
}
