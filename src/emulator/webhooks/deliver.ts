import { Outbox, type OutboxOptions } from '../../webhooks/outbox.ts';
import { openSender, type Posting } from '../../webhooks/sender.ts';
import type { Attempted, Send } from '../../webhooks/sends.ts';
import { HEADER_PREFIX } from '../../webhooks/signature.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { deliveryHeaders } from './headers.ts';
import { isLocalName, whyNotSent } from './loopback.ts';
import { findReceiver } from './receivers.ts';
import { replaceSubscriptions, type Subscribed } from './subscribe.ts';

/** How a running emulator delivers events. */
export type DeliveryOptions = {
  /** What the names of the headers begin with, such as `x-service-`. */
  readonly headerPrefix?: string | undefined;
  /** The waits between attempts are multiplied by it; 1 by default. */
  readonly retryFactor?: number | undefined;
  /** Receivers of the events of every merchant account, in place of those of the start before. */
  readonly subscribe?: readonly Subscribed[] | undefined;
  readonly onAttempt?: ((attempted: AttemptedEvent) => void) | undefined;
} & Pick<OutboxOptions, 'onError'>;

/** An attempt that has just ended, with the type of its event. */
export type AttemptedEvent = Attempted & { readonly event: string };

/** The deliveries of a running emulator. */
export type Deliveries = Pick<Outbox, 'wake' | 'close'>;

/**
 * Makes the subscriptions of an emulator. The result delivers the events of its database until it is closed, those from before the start,
 * too; it needs the port of the emulator, which nothing is delivered to.
 */
export function prepareDeliveries(
  database: EmulatorDatabase,
  options: DeliveryOptions,
): (port: number) => Deliveries {
  replaceSubscriptions(database, options.subscribe ?? []);
  return (port) => deliver(database, port, options);
}

function deliver(database: EmulatorDatabase, port: number, options: DeliveryOptions): Deliveries {
  const sender = openSender();
  const prefix = options.headerPrefix ?? HEADER_PREFIX;
  const postingOf = (send: Send, attemptedMs: number) =>
    postingFor(database, send, { attemptedMs, prefix, port });
  const onAttempt = (attempted: Attempted) => {
    const sql = 'SELECT event FROM webhook_events WHERE row = ?';
    const found = database.prepare(sql).get(attempted.send.event);
    options.onAttempt?.({ ...attempted, event: String(found?.event) });
  };
  const outbox = new Outbox(database, { ...options, sender, postingOf, onAttempt });
  outbox.wake();
  return {
    wake: () => outbox.wake(),
    async close() {
      await outbox.close();
      await sender.close();
    },
  };
}

type AttemptContext = { readonly attemptedMs: number; readonly prefix: string; readonly port: number };

function postingFor(
  database: EmulatorDatabase,
  send: Send,
  { attemptedMs, prefix, port }: AttemptContext,
): Posting | { readonly refused: string } | undefined {
  const event = database.prepare('SELECT event, body FROM webhook_events WHERE row = ?').get(send.event);
  if (!event) return undefined;
  const receiver = findReceiver(database, send.receiver ?? '');
  if (!receiver) return { refused: 'the subscription was deleted' };
  if (!receiver.isActive) return { refused: 'the subscription is not active' };
  const url = new URL(send.url);
  const refused =
    Number(url.port) === port ? 'the URL of the subscription is that of the emulator' : whyNotSent(send.url);
  if (refused !== undefined) return { refused };
  const { host } = url;
  const isBelowLocalhost = isLocalName(url.hostname);
  // A name server is never asked for a name below `localhost`.
  if (isBelowLocalhost) url.hostname = 'localhost';
  const body = Buffer.from(String(event.body));
  const { deliveryId } = send;
  const signing = { deliveryId, event: String(event.event), nowMs: attemptedMs, prefix };
  const headers = deliveryHeaders(body, receiver, signing);
  return { url: url.href, headers: isBelowLocalhost ? { ...headers, host } : headers, body };
}
