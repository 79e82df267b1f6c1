import type { RequestSummary } from './errors.ts';

/** What came with a document: its exact text and the response's metadata. */
export type Reply = {
  /** The body exactly as the service sent it, decoded from UTF-8. */
  readonly text: string;
  readonly status: number;
  readonly requestId: string | undefined;
  /** Lower-case names; a repeated header's values are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly request: RequestSummary;
  /** How often the request was sent. */
  readonly attempts: number;
};

const replies = new WeakMap<object, Reply>();

/** Remembers the reply that a document was read from. */
export function rememberReply<T extends object>(document: T, reply: Reply): T {
  replies.set(document, reply);
  return document;
}

/**
 * The reply that a document of this client was read from. The document itself stays plain data; its exact text
 * (field order, unknown fields, the spelling of numbers) is here. `undefined` for any other object.
 */
export function replyOf(document: object): Reply | undefined {
  return replies.get(document);
}
