import { headerNames, deliveryHeaders as signedHeaders } from '../../webhooks/signature.ts';
import type { Receiver } from './receivers.ts';

/** What the headers of an attempt are made from. */
export type Signing = {
  readonly receiver: Receiver;
  readonly deliveryId: string;
  readonly event: string;
  /** When it is signed, in milliseconds since 1970. */
  readonly attemptedMs: number;
  readonly prefix: string;
};

/** The headers of an attempt, without those of the connection. */
export function deliveryHeaders(
  body: Uint8Array,
  { receiver, deliveryId, event, attemptedMs, prefix }: Signing,
): Readonly<Record<string, string>> {
  const signing = {
    names: headerNames(prefix),
    secrets: receiver.secrets,
    deliveryId,
    event,
    nowMs: attemptedMs,
  };
  return {
    ...signedHeaders(body, signing),
    'user-agent': 'payctl-emulator',
    ...(receiver.authorization !== undefined && { authorization: receiver.authorization }),
  };
}
