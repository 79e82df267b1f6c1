import type { ApiLog } from '../../contract/generated/types.ts';
import { createRandom, type Random } from '../../text/random.ts';
import { timestamp } from '../clock.ts';
import { errorResponse } from '../http/response.ts';
import { type FailedRequest, failedRequests, type SeededApiLog } from '../seed/api-logs.ts';
import type { TrafficPlan } from './plan.ts';

/** What happens at one moment: requests that fail in the same millisecond. */
export type Moment = {
  /** Milliseconds after the moment before. */
  readonly delayMs: number;
  /** The logs of the requests, as they are written at `now`, in milliseconds since 1970. */
  readonly logsAt: (now: number) => readonly SeededApiLog[];
};

type Context = {
  /** What the IDs are made from in addition to the seed, so that another run over the same data makes others. */
  readonly run: string;
  readonly baseUrl: string;
  /** The ID of a buyer of the merchant account `default`. */
  readonly buyerId: string | undefined;
};

/** Bodies that are not error objects: what gateways and proxies send. */
const TEXT_BODIES = [
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n',
  'upstream connect error or disconnect/reset before headers. reset reason: connection timeout',
  'Internal Server Error',
] as const;

/** The moments of a plan, without end: the same for the same seed, except for the IDs. */
export function* createTraffic(plan: TrafficPlan, context: Context): Generator<Moment, never, undefined> {
  const random = createRandom(plan.seed, 'traffic');
  const ids = createRandom(plan.seed, `traffic ${context.run}`);
  const { everyday, outage } = failedRequests(context.buyerId);
  const burstShare = plan.burst_every === 0 ? 0 : Math.min(1, 1 / (plan.rate * plan.burst_every));
  for (;;) {
    const delayMs = (-Math.log((1 + random.below(1_000_000)) / 1_000_000) / plan.rate) * 1000;
    const isBurst = random.chance(burstShare);
    const several = random.chance(plan.same_millisecond) ? 2 + random.below(3) : 1;
    const kinds = isBurst ? outage : everyday;
    const drafts = Array.from({ length: isBurst ? plan.burst_size : several }, () =>
      createDraft(plan, random, random.pick(kinds)),
    );
    const { baseUrl } = context;
    yield {
      delayMs,
      logsAt: (now) => drafts.map((draft) => logOf(draft, { now, baseUrl, id: ids.uuid() })),
    };
  }
}

/** One failed request before it has a time. */
type Draft = {
  readonly kind: FailedRequest;
  readonly merchantAccount: string;
  readonly tookMs: number;
  readonly lateMs: number;
  readonly status: number;
  readonly body: unknown;
};

function createDraft(plan: TrafficPlan, random: Random, kind: FailedRequest): Draft {
  const response = errorResponse(kind.error);
  const isText = random.chance(plan.text_body);
  const isNull = random.chance(plan.null_body);
  const status = isText || isNull ? random.pick([502, 503, 504]) : response.status;
  return {
    kind,
    merchantAccount: random.chance(0.9) || kind.isOfDefault ? 'default' : 'outlet',
    tookMs: status >= 502 ? 1000 + random.below(9000) : 2 + random.below(120),
    lateMs: random.chance(plan.late) ? 1 + random.below(plan.late_ms) : 0,
    status,
    body: isText ? random.pick(TEXT_BODIES) : isNull ? null : JSON.parse(response.body),
  };
}

function logOf(
  { kind, merchantAccount, tookMs, lateMs, status, body }: Draft,
  { now, baseUrl, id }: { readonly now: number; readonly baseUrl: string; readonly id: string },
): SeededApiLog {
  const sentMs = now - lateMs;
  const log = {
    type: 'api-log',
    id,
    request_method: kind.method,
    request_url: baseUrl + kind.target,
    request_received_at: timestamp(new Date(sentMs - tookMs)),
    response_status_code: status,
    response_body: body,
    response_sent_at: timestamp(new Date(sentMs)),
  };
  // The contract has error objects there; a service that logs what a gateway sent has not.
  return { merchantAccount, log: log as ApiLog };
}
