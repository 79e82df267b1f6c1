import { type Attempt, attemptMembers, timeOf } from '../../webhooks/attempts.ts';
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
  const { url, state, attempts, nextMs, last } = forward;
  return {
    url,
    state: isForward(forward) ? state : 'replayed',
    attempts,
    ...attemptMembers(last),
    next_attempt_at: timeOf(nextMs),
  };
}

/** How an attempt ended, such as `200 12 ms`. */
export function outcomeText({ status, problem, milliseconds }: Omit<Attempt, 'attemptedMs'>): string {
  return status === undefined ? (problem ?? 'no response') : `${status} ${milliseconds} ms`;
}
