import type { Posting } from '../../webhooks/sender.ts';
import { type Scheme, sign, timestampAt } from '../../webhooks/signature.ts';
import type { EventContent } from './store.ts';

/** The headers of a connection, which say nothing about what is sent through it (RFC 9110, 7.6.1). */
const OF_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * What is sent of a stored event: its bytes and its headers, signed again at a moment, in milliseconds since 1970, or with the
 * signature that it came with.
 */
export function resend(
  url: string,
  { headers, body }: EventContent,
  signing?: { readonly scheme: Scheme; readonly nowMs: number },
): Posting {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const kept = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name) && !named.includes(name));
  const sent = { url, headers: Object.fromEntries(kept), body };
  if (!signing) return sent;
  const { names, secrets } = signing.scheme;
  const timestamp = timestampAt(signing.nowMs);
  return {
    ...sent,
    headers: {
      ...sent.headers,
      [names.timestamp]: timestamp,
      [names.signature]: sign(body, timestamp, secrets),
    },
  };
}
