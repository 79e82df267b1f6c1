import type { Attempt, Forward, StoredEvent } from './store.ts';

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

/** An attempt as it is printed. */
export function attemptRecord(attempt: Attempt) {
  return { attempted_at: timeOf(attempt.attemptedMs), ...attemptMembers(attempt) };
}

function attemptMembers(attempt: Omit<Attempt, 'attemptedMs'> | undefined) {
  return {
    status: attempt?.status ?? null,
    problem: attempt?.problem ?? null,
    milliseconds: attempt?.milliseconds ?? null,
  };
}

/** ISO 8601; null where there is no time. */
export function timeOf(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}

/** How an attempt ended, such as `200 12 ms`. */
export function outcomeText({ status, problem, milliseconds }: Omit<Attempt, 'attemptedMs'>): string {
  return status === undefined ? (problem ?? 'no response') : `${status} ${milliseconds} ms`;
}
