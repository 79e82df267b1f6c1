import { randomInt, randomUUID } from 'node:crypto';
import { UsageError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { isValidBody } from '../../schemas/check-body.ts';
import { EndlessSchema, generate } from '../../schemas/values/generate.ts';
import { listValues, quote } from '../../text/format.ts';
import { createRandom } from '../../text/random.ts';
import { suggest } from '../../text/suggest.ts';
import { createEvent, type WebhookEvent } from '../../webhooks/event.ts';
import type { EventKind } from './event-kinds.ts';
import { statusesIn } from './payment-amounts.ts';

/** A type of events, of which the kind of the record is known. */
export type EventType = { readonly event: string; readonly kind: EventKind; readonly past: string };

/** At most so many kinds are named. */
const MOST_NAMED = 20;

/**
 * The kind and the past tense of a type such as `transaction.captured`. The description need not know what happened, but it must not be almost
 * what the description knows.
 * @throws UsageError `invalid_event`
 */
export function parseEventType(event: string, kinds: ReadonlyMap<string, EventKind>): EventType {
  const [, name = '', past = ''] = /^([a-z0-9-]+)\.([a-z0-9-]+)$/.exec(event) ?? [];
  if (name === '') {
    throw new UsageError('invalid_event', `${quote(event)} is not an event type`, {
      hint: 'It has the form RECORD.EVENT, such as buyer.updated.',
    });
  }
  const kind = kinds.get(name);
  if (!kind) {
    const near = suggest(name, kinds.keys());
    const known = listValues([...kinds.keys()].slice(0, MOST_NAMED));
    const more = kinds.size > MOST_NAMED ? ', and more' : '';
    throw new UsageError('invalid_event', `The API description has no record kind ${quote(name)}`, {
      hint: near
        ? `Did you mean ${near}.${past}?`
        : `It has: ${known}${more}. To use the description of your service, import it: payctl api import FILE`,
    });
  }
  const near = kind.pasts.has(past) ? undefined : suggest(past, kind.pasts.keys());
  if (near !== undefined) {
    throw new UsageError('invalid_event', `${quote(past)} is not something that happens to a ${name}`, {
      hint: `Did you mean ${name}.${near}?`,
    });
  }
  return { event, kind, past };
}

/** Several values of a schema are tried: the branches of a union may overlap. */
const ATTEMPTS = 20;

/** An event with a record that satisfies its schema, and that has the status that follows what happened. */
export function sampleEvent(
  { event, kind: { name, pasts, schema: readSchema }, past }: EventType,
  { merchantAccount, now }: { readonly merchantAccount: string; readonly now: Date },
): WebhookEvent {
  const schema = readSchema();
  const record = recordFor(schema, { noun: name, now });
  const members = { ...record };
  const status = pasts.get(past) ?? past.replaceAll('-', '_');
  if (statusesIn(schema).includes(status)) members.status = status;
  if ('merchant_account_id' in members) members.merchant_account_id = merchantAccount;
  const id = typeof members.id === 'string' ? members.id : randomUUID();
  return createEvent({
    event,
    target: { ...members, type: textAt(record, 'type') ?? name, id },
    merchantAccount,
    now,
  });
}

function textAt(record: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = record[name];
  return typeof value === 'string' ? value : undefined;
}

function recordFor(
  schema: unknown,
  { noun, now }: { readonly noun: string; readonly now: Date },
): Readonly<Record<string, unknown>> {
  const seed = randomInt(2 ** 31);
  let made: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      const random = createRandom(seed, `${noun} ${attempt}`);
      made = generate(schema, { root: schema, random, atMs: now.getTime(), untilMs: now.getTime(), noun });
    } catch (error) {
      if (!(error instanceof EndlessSchema)) throw error;
      break;
    }
    if (isValidBody(schema, made)) break;
  }
  return isObject(made) ? made : {};
}

/** The schema of an event about a record of this schema. */
export function eventSchema(record: unknown): unknown {
  const text = { type: 'string' };
  return {
    type: 'object',
    properties: {
      type: text,
      id: text,
      created_at: text,
      merchant_account_id: text,
      target: record,
      event: text,
    },
    $defs: isObject(record) ? record.$defs : {},
  };
}
