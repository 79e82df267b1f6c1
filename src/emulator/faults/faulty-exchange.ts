import type { ServerResponse } from 'node:http';
import type { Answer } from '../respond.ts';
import { sendAnswer } from '../send-answer.ts';
import { delay, deliverBroken } from './deliver.ts';
import { alterAnswer, plannedError } from './fault-answer.ts';
import { createFaultMatcher } from './fault-matcher.ts';
import type { FaultPlan, FaultRule } from './fault-plan.ts';
import { makeHostile } from './hostile-body.ts';

/** What a rule does to the one exchange that it hits. */
export type FaultyExchange = {
  /** The connection ends without an answer. */
  readonly isDropped: boolean;
  /** Gives the answer that goes out, later if so planned; `run` runs the operation, where the rule lets it. */
  answer(run: () => Promise<Answer>, response: ServerResponse): Promise<Answer>;
  /** Sends that answer, whole or broken. */
  send(response: ServerResponse, answer: Answer): Promise<void>;
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

function faultyExchange(rule: FaultRule, target: string): FaultyExchange {
  const { body, drop, latency_ms: latencyMs = 0 } = rule;
  return {
    isDropped: drop === true,
    async answer(run, response) {
      const answer = alterAnswer(rule, plannedError(rule) ?? (await run()), target);
      if (latencyMs > 0 && body !== 'trickle') await delay(response, latencyMs);
      return body === 'hostile' ? { ...answer, body: makeHostile(answer.body) } : answer;
    },
    async send(response, answer) {
      if (body === undefined || body === 'hostile') sendAnswer(response, answer);
      else await deliverBroken(response, answer, rule);
    },
  };
}
