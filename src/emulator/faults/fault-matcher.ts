import type { FaultPlan, FaultRule } from './fault-plan.ts';

/** Gives the rule that hits a request, and counts it. `path` is the path as sent, without the query. */
export type FaultMatcher = (method: string, path: string) => FaultRule | undefined;

/** Starts a plan from its beginning; every matcher counts for itself. */
export function createFaultMatcher(plan: FaultPlan): FaultMatcher {
  const rules = plan.map((rule) => ({ rule, seen: 0 }));
  return (method, path) => {
    for (const state of rules) {
      const { after = 0, count = Number.POSITIVE_INFINITY } = state.rule;
      if (!isMeant(state.rule, method, path)) continue;
      state.seen += 1;
      if (state.seen > after && state.seen <= after + count) return state.rule;
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
