import { type FollowOptions, follow } from '../../../src/cli/tail/follow.ts';
import { ApiError, ConnectionError } from '../../../src/client/errors.ts';
import { AbortedError, PayctlError } from '../../../src/errors.ts';

/**
 * A service with a script: what each request gets, a page as IDs (newest first, `a@7` is stamped in second 7, `#a` has no ID) or
 * an error.
 */
export type Script = readonly (Error | { readonly ids: readonly string[]; readonly next?: string })[];

/** The request that errors are about. */
export const request = { method: 'GET', path: '/api-logs', origin: 'https://api.example.com' };

/** A response that refuses a request. */
export const refused = (status: number, retryAfter?: string) =>
  new ApiError('refused', 'no', { status, request, attempts: 1, retryAfter });

/** A connection that broke. */
export const lostConnection = new ConnectionError('connection_lost', 'lost', {
  request,
  attempts: 1,
  outcomeUnknown: false,
});

/** An entry by its word in a script. */
export function itemOf(word: string) {
  const [id = '', second] = word.split('@');
  const time = second === undefined ? undefined : Number(second) * 1000;
  const item = id.startsWith('#') ? { note: id } : { id };
  return { id: item.id, time, item, text: JSON.stringify(item) };
}

/** What a run has printed, oldest first. */
export function printed(...ids: readonly string[]) {
  const items = ids.map(itemOf);
  return { items, since: ids.length > 1 ? items[0]?.time : undefined };
}

/** Follows a script to its end, and writes down what happened. */
export async function play(script: Script, options: Partial<FollowOptions> = {}): Promise<string[]> {
  const log: string[] = [];
  const responses = [...script];
  let now = 0;
  const events = follow({
    fetch: async (cursor) => {
      const response = responses.shift();
      log.push(`get${cursor === undefined ? '' : ` ${cursor}`}`);
      if (!response) throw new AbortedError();
      if (response instanceof Error) throw response;
      return { items: response.ids.map(itemOf), nextCursor: response.next, at: 1_000_000 };
    },
    sleep: async (milliseconds) => {
      now += milliseconds;
      log.push(`wait ${milliseconds}`);
    },
    now: () => now,
    random: () => 0.5,
    intervalMs: 1000,
    maxRetries: 1,
    timeoutMs: 10_000,
    isEnough: () => true,
    ...options,
  });
  try {
    for await (const event of events) {
      if (event.kind === 'response') {
        const ids = event.entries.map(({ item }) => Object.values(item as object));
        log.push(`${event.gap ? 'gap ' : ''}${event.isPast ? 'past ' : ''}[${ids}]`);
      } else if (event.kind === 'failure') log.push(`failure ${event.failures}`);
      else if (event.kind === 'recovery') log.push(`recovery after ${event.failures} in ${event.lastedMs}`);
      else log.push(`${event.isOfStart ? 'start ' : ''}late gap ${event.gap.from} to ${event.gap.to}`);
    }
    log.push('end');
  } catch (error) {
    log.push(error instanceof PayctlError ? error.code : String(error));
  }
  return log;
}

/** What a follower hands out of a script, and the gaps that it names. */
export async function outcomes(script: Script, options?: Partial<FollowOptions>): Promise<string[]> {
  return (await play(script, options)).filter((line) => /\[|gap/.test(line));
}

/** A log of `play` in one text. */
export const steps = (text: string) => text.split(', ');
