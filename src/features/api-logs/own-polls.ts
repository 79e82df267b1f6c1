import type { TailItem } from '../../cli/tail/marks.ts';
import { ApiError } from '../../client/errors.ts';
import type { PayctlError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { pathOf, readEntry } from './entry.ts';

/** Recognises the entries that following the log makes itself: a poll that fails is logged like every other request. */
export class OwnPolls {
  readonly #userAgent: string;
  /** How many polls failed with each status and have not been found in the log. */
  readonly #failed = new Map<number, number>();

  /** `userAgent` is what the polls call themselves. */
  constructor(userAgent: string) {
    this.#userAgent = userAgent;
  }

  /** Remembers a poll that failed. */
  add(error: PayctlError): void {
    if (error instanceof ApiError) this.#failed.set(error.status, (this.#failed.get(error.status) ?? 0) + 1);
  }

  /**
   * Whether an entry is of such a poll; `unknown` where it may be, but does not say who sent the request. The contract has no
   * user agent in an entry; services add one as a member or among the headers.
   */
  isOwn({ item }: TailItem): boolean | 'unknown' {
    const { method, url = '', status = 0 } = readEntry(item);
    const count = this.#failed.get(status) ?? 0;
    if (count === 0 || method !== 'GET' || !pathOf(url).endsWith('/api-logs')) return false;
    const userAgent = userAgentIn(item);
    if (userAgent === undefined) return 'unknown';
    if (userAgent !== this.#userAgent) return false;
    this.#failed.set(status, count - 1);
    return true;
  }
}

function userAgentIn(log: unknown): string | undefined {
  if (!isObject(log)) return undefined;
  const headers = isObject(log.request_headers) ? Object.entries(log.request_headers) : [];
  const header = headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1];
  return [log.request_user_agent, log.user_agent, header].find((value) => typeof value === 'string');
}
