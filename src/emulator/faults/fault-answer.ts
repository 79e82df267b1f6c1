import {
  type Answer,
  errorBody,
  errorOfStatus,
  statusOfCode,
  ValidationRefusal,
  validationAnswer,
} from '../respond.ts';
import type { FaultRule } from './fault-plan.ts';

/** The error that a rule answers with in the place of the operation; undefined when the operation is to run. */
export function plannedError({ status, code }: FaultRule): Answer | undefined {
  const chosen = status ?? (code === undefined ? undefined : statusOfCode(code));
  if (chosen === undefined) return undefined;
  if (chosen === 422 && code === undefined) {
    const fault = {
      loc: ['emulator', 'faults'],
      msg: 'a planned fault',
      type: 'planned',
      input: null,
      ctx: {},
    };
    return validationAnswer(new ValidationRefusal([fault]));
  }
  const known = errorOfStatus(chosen) ?? { code: codeInWords(chosen), message: 'A planned fault' };
  return {
    status: chosen,
    body: errorBody({ type: 'error', status: chosen, ...known, ...(code && { code }) }),
  };
}

/** Changes an answer as a rule says: its `Retry-After`, its cursor. `target` is path and query of the request. */
export function alterAnswer(rule: FaultRule, answer: Answer, target: string): Answer {
  const { retry_after: retryAfter, cursor } = rule;
  const headers = {
    ...answer.headers,
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  };
  const asked = /[?&]cursor=([^&]+)/.exec(target)?.[1];
  const isLooping = cursor === 'repeat' && asked !== undefined && answer.status === 200;
  return { ...answer, headers, body: isLooping ? withNextCursor(answer.body, asked) : answer.body };
}

function withNextCursor(body: Answer['body'], cursor: string): string {
  const page: unknown = JSON.parse(body.toString());
  return JSON.stringify({ ...(page as object), next_cursor: decodeURIComponent(cursor) });
}

/** For a status that the contract has no code for, the words of HTTP in the same form. */
function codeInWords(status: number): string {
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  const words = STATUS_CODES[status] ?? (status < 500 ? 'client error' : 'server error');
  return words.toLowerCase().replaceAll(/[^a-z]+/g, '_');
}
