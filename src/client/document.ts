import type { Call, RequestContext } from './call.ts';
import { send } from './send.ts';

/** Options of every call that gives one document. */
export type DocumentOptions = { readonly signal?: AbortSignal | undefined };

/**
 * Sends a call whose answer is one document of the contract. The shape is the service's word: fields that it adds or
 * leaves out are not an error.
 */
export async function callDocument<T extends object>(context: RequestContext, call: Call): Promise<T> {
  return (await send(context, call)) as T;
}
