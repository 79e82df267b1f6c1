import { headerNames, type Signing, deliveryHeaders as signedHeaders } from '../../webhooks/signature.ts';
import type { Receiver } from './receivers.ts';

/** The headers of an attempt, without those of the connection. The names of those with the signature begin with the prefix. */
export function deliveryHeaders(
  body: Uint8Array,
  { secrets, authorization }: Receiver,
  { prefix, ...signing }: Omit<Signing, 'names' | 'secrets'> & { readonly prefix: string },
): Readonly<Record<string, string>> {
  return {
    ...signedHeaders(body, { ...signing, names: headerNames(prefix), secrets }),
    'user-agent': 'payctl-emulator',
    ...(authorization !== undefined && { authorization }),
  };
}
