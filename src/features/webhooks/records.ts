import { textOf } from '../../cli/show/cells.ts';
import { attemptMembers, timeOf } from '../../webhooks/attempts.ts';
import type { Forward, StoredEvent } from './store.ts';

/** An event as it is printed; every member is always present. */
export function eventRecord({ deliveryId, receivedMs, facts, verdict, reason, bytes }: StoredEvent) {
  const { event = null, eventId = null, targetType, targetId } = facts;
  return {
    id: deliveryId,
    received_at: timeOf(receivedMs),
    event,
    event_id: eventId,
    target: targetId === undefined ? null : { type: targetType ?? null, id: targetId },
    verdict,
    reason,
    bytes,
  };
}

/** Whether a listener sends the event to this URL; otherwise only replays did. */
export function isForward({ state }: Forward): boolean {
  return state !== 'not_sent';
}

/** A forward as it is printed; every member is always present. */
export function forwardRecord(forward: Forward) {
  const { url, state, attempts, nextMs } = forward;
  return {
    url,
    state: isForward(forward) ? state : 'replayed',
    attempts: attempts.length,
    ...attemptMembers(attempts.at(-1)),
    next_attempt_at: timeOf(nextMs),
  };
}

/** How an attempt ended that is printed with these members, such as `200 12 ms`. */
export function outcomeText(line: unknown): string {
  const status = textOf(line, 'status');
  if (status !== '') return `${status} ${textOf(line, 'milliseconds')} ms`;
  return textOf(line, 'problem') || 'no response';
}
