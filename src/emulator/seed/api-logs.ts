import type { ApiLog } from '../../contract/types.ts';
import {
  type Answer,
  errorAnswer,
  type Refusal,
  type ValidationRefusal,
  validationAnswer,
} from '../respond.ts';
import { timestamp } from '../timestamp.ts';
import { type FailedRequest, failedRequests } from './failed-requests.ts';
import { createRandom, type Random } from './random.ts';
import { dayMs, seedEndMs } from './seed-end.ts';

/** An API log and the merchant account in which it is shown. */
export type SeededApiLog = { readonly merchantAccount: string; readonly log: ApiLog };

const everydayCount = 52;
const outageCount = 12;
const days = 9;
const outageMs = seedEndMs - 2.5 * dayMs;
/** The host of the description's own examples; it never resolves. */
const host = 'https://instance.service.invalid';

type Moment = { readonly kind: FailedRequest; readonly receivedMs: number };

/**
 * Makes the failed requests of the last nine days of a seed, oldest first: each kind at least once, the everyday ones
 * again and again, and half an hour in which a payment service was down. `buyerId` is of the account `default`.
 */
export function seedApiLogs(seed: number, buyerId: string | undefined): readonly SeededApiLog[] {
  const random = createRandom(seed, 'api-logs');
  const kinds = failedRequests(buyerId);
  const [first, ...others] = kinds.everyday;
  const all = [...kinds.everyday, ...kinds.outage];
  const moments: Moment[] = [];
  for (let index = 0; index < everydayCount; index += 1) {
    const kind = all[index] ?? random.pick([first, ...others]);
    moments.push({ kind, receivedMs: seedEndMs - 1 - random.below(days * dayMs) });
  }
  for (let index = 0; index < outageCount; index += 1) {
    moments.push({ kind: random.pick(kinds.outage), receivedMs: outageMs + random.below(dayMs / 48) });
  }
  return moments
    .sort((a, b) => a.receivedMs - b.receivedMs)
    .map(({ kind, receivedMs }) => seedApiLog(random, kind, receivedMs));
}

function seedApiLog(random: Random, kind: FailedRequest, receivedMs: number): SeededApiLog {
  const { status, body } = answerOf(kind.refusal);
  const milliseconds = status >= 502 ? 10_000 + random.below(20_000) : 2 + random.below(120);
  return {
    merchantAccount: random.chance(0.8) || kind.isOfDefault ? 'default' : 'outlet',
    log: {
      type: 'api-log',
      id: random.uuid(),
      request_method: kind.method,
      request_url: host + kind.target,
      request_received_at: timestamp(new Date(receivedMs)),
      response_status_code: status,
      response_body: JSON.parse(body) as NonNullable<ApiLog['response_body']>,
      response_sent_at: timestamp(new Date(receivedMs + milliseconds)),
    },
  };
}

function answerOf(refusal: Refusal | ValidationRefusal): Answer & { readonly body: string } {
  return 'faults' in refusal ? validationAnswer(refusal) : errorAnswer(refusal);
}
