import { createHmac, randomUUID } from 'node:crypto';

/** A delivery as a service sends it, and as any receiver can check it: written without payctl's own code. */
export type Delivery = {
  readonly id: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Signs an event; without a secret, it has no signature. `agoSeconds` is when it was signed. */
export function delivery(
  secret: string | undefined,
  {
    id = randomUUID() as string,
    event = 'transaction.captured',
    record = 'tx-1',
    body = JSON.stringify({
      type: 'event',
      id: randomUUID(),
      target: { type: 'transaction', id: record },
      event,
    }),
    agoSeconds = 0,
  } = {},
): Delivery {
  const timestamp = String(Math.floor(Date.now() / 1000) - agoSeconds);
  const hmac = (key: string) => createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  return {
    id,
    body,
    headers: {
      'content-type': 'application/json',
      'x-service-delivery': id,
      'x-service-timestamp': timestamp,
      ...(secret !== undefined && { 'x-service-signature': hmac(secret) }),
    },
  };
}

/** Whether a receiver accepts a request: the signature is of the secret, and at most five minutes old. */
export function accepts(
  secret: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string | Uint8Array,
): boolean {
  const timestamp = String(headers['x-service-timestamp']);
  const own = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
  return isFresh && String(headers['x-service-signature']).split(',').includes(own);
}

/** Sends a delivery once; resolves to the status. Rejects where no response comes. */
export async function post(url: string, { body, headers }: Delivery): Promise<number> {
  const response = await fetch(url, { method: 'POST', body, headers });
  await response.text();
  return response.status;
}
