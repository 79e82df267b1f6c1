import { randomUUID } from 'node:crypto';
import { parseExactJson } from '../json/exact.ts';
import { isObject } from '../json/is-object.ts';

/** The record that an event is about, with its `id`, a text or a number. Numbers may keep their notation. */
export type Target = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: unknown };

/** What happened to a record. */
export type WebhookEvent = {
  readonly type: 'event';
  readonly id: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly merchant_account_id: string;
  readonly target: Target;
  /** `RESOURCE.PAST_TENSE`, such as `transaction.captured`. */
  readonly event: string;
};

/** Makes an event. */
export function createEvent({
  event,
  target,
  merchantAccount,
  now,
}: {
  readonly event: string;
  readonly target: Target;
  readonly merchantAccount: string;
  readonly now: Date;
}): WebhookEvent {
  const { type, id, ...members } = target;
  return {
    type: 'event',
    id: randomUUID(),
    created_at: now.toISOString(),
    merchant_account_id: merchantAccount,
    target: { type, id, ...members },
    event,
  };
}

/** The facts about the event in a body: what the body does not have, or has as another type than a text, is left out. */
export type EventFacts = {
  readonly event?: string | undefined;
  readonly eventId?: string | undefined;
  readonly targetType?: string | undefined;
  readonly targetId?: string | undefined;
};

/** Reads the facts of an event from the text of a body; undefined where it is not a JSON object. */
export function readEvent(text: string): EventFacts | undefined {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const target = isObject(value.target) ? value.target : {};
  return {
    event: factOf(value.event),
    eventId: factOf(value.id),
    targetType: factOf(target.type),
    targetId: factOf(isNumber(target.id) ? String(target.id) : target.id),
  };
}

/** Longer texts are no names and no IDs. */
const LONGEST_FACT = 256;

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function factOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_FACT ? value : undefined;
}

/** What puts events in order: those of one record are sent one after the other. */
export function recordKey({ targetType, targetId, eventId }: EventFacts): string {
  return targetId === undefined ? (eventId ?? '') : `${targetType ?? ''}/${targetId}`;
}
