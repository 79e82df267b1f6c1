import type { ServerResponse } from 'node:http';
import { createRandom } from '../../text/random.ts';
import type { Interference } from '../http/handle-request.ts';
import { type EmulatorResponse, sendResponse } from '../http/response.ts';
import { alterResponse, delay, deliverBroken, plannedError } from './deliver.ts';
import { makeHostile } from './hostile-body.ts';
import type { FaultPlan, FaultRule } from './plan.ts';

/** What a rule does to the one exchange that it hits. */
export type FaultyExchange = {
  /** The connection ends without a response. */
  readonly isDropped: boolean;
  /** Gives the response to send, later if so planned; `run` runs the operation, where the rule lets it. */
  prepare(
    run: (interference: Interference) => Promise<EmulatorResponse>,
    response: ServerResponse,
  ): Promise<EmulatorResponse>;
  /** Sends that response, whole or broken. */
  send(response: ServerResponse, outgoing: EmulatorResponse): Promise<void>;
};

/** Gives the faulty exchange for a request that the plan hits. `target` is path and query as sent. */
export type Faults = (method: string, target: string) => FaultyExchange | undefined;

/** Starts a plan of faults. */
export function createFaults(plan: FaultPlan): Faults {
  const match = createFaultMatcher(plan);
  return (method, target) => {
    const [path = ''] = target.split('?', 1);
    const rule = match(method, path);
    return rule === undefined ? undefined : faultyExchange(rule, target);
  };
}

/** Stands for the response of an operation that is not run, on a connection that ends. */
const NOTHING: EmulatorResponse = { status: 0, body: '{}' };

function faultyExchange(rule: FaultRule, target: string): FaultyExchange {
  const { body, drop, latency_ms: latencyMs = 0, hold_ms: holdMs = 0, forget_key: forgetsKey } = rule;
  return {
    isDropped: drop === true,
    async prepare(run, response) {
      const planned = plannedError(rule);
      const performs = rule.perform ?? planned === undefined;
      if (!performs && holdMs > 0) await delay(response, holdMs);
      const performed = performs ? await run({ holdMs, forgetsKey }) : undefined;
      const outgoing = alterResponse(rule, planned ?? performed ?? NOTHING, target);
      if (latencyMs > 0 && body !== 'trickle') await delay(response, latencyMs);
      return body === 'hostile' ? { ...outgoing, body: makeHostile(outgoing.body) } : outgoing;
    },
    async send(response, outgoing) {
      if (body === undefined || body === 'hostile') sendResponse(response, outgoing);
      else await deliverBroken(response, outgoing, rule);
    },
  };
}

/** Gives the rule that hits a request, and counts it. `path` is the path as sent, without the query. */
export type FaultMatcher = (method: string, path: string) => FaultRule | undefined;

/** Starts a plan from its beginning; every matcher counts for itself. */
export function createFaultMatcher(plan: FaultPlan): FaultMatcher {
  const states = plan.map((rule, index) => ({
    rule,
    random: createRandom(rule.seed ?? 1, `fault ${index}`),
    seen: 0,
    hits: 0,
  }));
  return (method, path) => {
    for (const state of states) {
      const { after = 0, every = 1, share = 1, count = Number.POSITIVE_INFINITY } = state.rule;
      if (!isMeant(state.rule, method, path)) continue;
      state.seen += 1;
      if (state.seen <= after || (state.seen - after) % every !== 0) continue;
      if (!state.random.chance(share) || state.hits === count) continue;
      state.hits += 1;
      return state.rule;
    }
    return undefined;
  };
}

function isMeant(rule: FaultRule, method: string, path: string): boolean {
  if (rule.method !== undefined && rule.method !== method) return false;
  if (rule.path === undefined) return true;
  const [wanted, given] = [rule.path.split('/'), path.split('/')];
  const isAny = (part: string) => part === '*' || /^\{.*\}$/.test(part);
  return wanted.length === given.length && wanted.every((part, at) => isAny(part) || part === given[at]);
}
