import type { Outcome } from './sender.ts';
import type { Statements } from './sends.ts';

/** One attempt of a send. */
export type Attempt = Omit<Outcome, 'location'> & { readonly attemptedMs: number };

/** The attempts of a send by its row, oldest first. */
export function attemptsOf(database: Statements, send: number): readonly Attempt[] {
  return database
    .prepare(
      'SELECT attempted_ms, status, problem, milliseconds FROM webhook_attempts WHERE send = ? ORDER BY rowid',
    )
    .all(send)
    .map((found) => ({
      attemptedMs: Number(found.attempted_ms),
      status: typeof found.status === 'number' ? found.status : undefined,
      problem: typeof found.problem === 'string' ? found.problem : undefined,
      milliseconds: Number(found.milliseconds),
    }));
}

/** An attempt as it is printed. */
export function attemptRecord(attempt: Attempt) {
  return { attempted_at: timeOf(attempt.attemptedMs), ...attemptMembers(attempt) };
}

/** How an attempt ended, as it is printed; null where there was none. */
export function attemptMembers(attempt: Omit<Attempt, 'attemptedMs'> | undefined) {
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
