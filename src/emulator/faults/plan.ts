import { UsageError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { pointerSegment } from '../../json/pointer.ts';
import { statusOfCode } from '../http/response.ts';

/**
 * One thing that goes wrong on request. A rule is looked at when a request comes that no earlier rule of the plan has
 * hit; the names are those of the file that `readFaultPlan` reads.
 */
export type FaultRule = {
  /** Hits requests of this method alone. */
  readonly method?: string;
  /** Applies only to requests with this path; `*` or `{name}` matches any one segment. */
  readonly path?: string;
  /** How many requests it hits; all of them without it. */
  readonly count?: number;
  /** Lets that many requests pass first. */
  readonly after?: number;
  /** Of the requests after these, hits only every `every`th. */
  readonly every?: number;
  /** Of these, hits about this share, more than 0 and at most 1: the same ones in each run with the same `seed`. */
  readonly share?: number;
  /** Chooses the requests of `share`, 0 to 4294967295; 1 without it. */
  readonly seed?: number;
  /** Responds with this status, 400 to 599. */
  readonly status?: number;
  /** `code` of the error object; without `status`, of the status that the contract gives it. */
  readonly code?: string;
  /** Adds `Retry-After`: seconds, or the text as it is. */
  readonly retry_after?: number | string;
  /** Whether the operation is run. Default: only without `status` and `code`. */
  readonly perform?: boolean;
  /** Waits this long before the operation is run, after the request was checked and read; the client may leave meanwhile. */
  readonly hold_ms?: number;
  /** Delays the response by this time, after the operation has run; `trickle` spreads the body over this time. */
  readonly latency_ms?: number;
  /** Runs the operation as if the request had no idempotency key. */
  readonly forget_key?: true;
  /**
   * `cut` ends the connection in the middle of the body, `malformed` ends the JSON early, `html` sends a page of a
   * proxy, `trickle` sends the body in small pieces, `hostile` puts text that attacks terminals into names.
   */
  readonly body?: 'cut' | 'malformed' | 'html' | 'trickle' | 'hostile';
  /** Ends the connection without a response, after the operation if that is run. */
  readonly drop?: true;
  /** `repeat`: a page that was asked for by a cursor names the same cursor as its next one. */
  readonly cursor?: 'repeat';
};

/** What goes wrong on request, first match wins. */
export type FaultPlan = readonly FaultRule[];

type Setting = { readonly isValid: (value: unknown) => boolean; readonly wanted: string };

const integer = (minimum: number, maximum: number): Setting => ({
  isValid: (value) => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
  wanted: `an integer from ${minimum} to ${maximum}`,
});
const text = (pattern: RegExp, wanted: string): Setting => ({
  isValid: (value) => typeof value === 'string' && pattern.test(value),
  wanted,
});
const share: Setting = {
  isValid: (value) => typeof value === 'number' && value > 0 && value <= 1,
  wanted: 'a number greater than 0 and at most 1',
};
const word = (...words: readonly unknown[]): Setting => ({
  isValid: (value) => words.includes(value),
  wanted: words.map((value) => JSON.stringify(value)).join(' or '),
});

const seconds = integer(0, 1_000_000_000);
const headerText = text(/^[\x20-\x7e]{1,200}$/, 'a number of seconds or printable ASCII text');

const settings: Readonly<Record<keyof FaultRule, Setting>> = {
  method: text(/^[A-Z]+$/, 'an upper-case method such as "GET"'),
  path: text(/^\/[^?#]*$/, 'a path such as "/buyers" or "/checkout/sessions/*", without a query'),
  count: integer(1, 1_000_000_000),
  after: integer(0, 1_000_000_000),
  every: integer(1, 1_000_000_000),
  share,
  seed: integer(0, 2 ** 32 - 1),
  status: integer(400, 599),
  code: text(/^[a-z][a-z0-9_]*$/, 'a code such as "too_many_requests"'),
  retry_after: {
    isValid: (value) => seconds.isValid(value) || headerText.isValid(value),
    wanted: headerText.wanted,
  },
  perform: word(true, false),
  hold_ms: integer(0, 600_000),
  latency_ms: integer(0, 600_000),
  forget_key: word(true),
  body: word('cut', 'malformed', 'html', 'trickle', 'hostile'),
  drop: word(true),
  cursor: word('repeat'),
};

/** What a rule can have without a fault: which requests it hits, and whether the operation is run. */
const choosing: readonly string[] = ['method', 'path', 'count', 'after', 'every', 'share', 'seed', 'perform'];

/**
 * Reads a plan of faults from parsed JSON: a list of rules.
 * @throws UsageError `invalid_faults`, which names the JSON pointer of the first thing that is wrong
 */
export function readFaultPlan(json: unknown): FaultPlan {
  if (!Array.isArray(json)) throw invalid('', 'must be a list of rules');
  return json.map((rule: unknown, index) => readRule(rule, `/${index}`));
}

function readRule(rule: unknown, pointer: string): FaultRule {
  if (!isObject(rule)) {
    throw invalid(pointer, 'must be an object');
  }
  for (const [name, value] of Object.entries(rule)) {
    const setting = Object.hasOwn(settings, name) ? settings[name as keyof FaultRule] : undefined;
    const at = `${pointer}/${pointerSegment(name)}`;
    if (setting === undefined) throw invalid(at, 'is not a known field of a rule');
    if (!setting.isValid(value)) throw invalid(at, `must be ${setting.wanted}`);
  }
  if (Object.keys(rule).every((name) => choosing.includes(name))) {
    throw invalid(pointer, 'selects requests but names no fault');
  }
  const { code, status, perform, drop } = rule as FaultRule;
  if (perform === false && status === undefined && code === undefined && !drop) {
    const problem = 'requires status, code or drop, because without the operation there is no response';
    throw invalid(`${pointer}/perform`, problem);
  }
  if (code !== undefined && status === undefined && statusOfCode(code) === undefined) {
    throw invalid(`${pointer}/status`, `is required, because the contract does not define the code ${code}`);
  }
  return rule;
}

function invalid(pointer: string, problem: string): UsageError {
  const place = pointer === '' ? 'the top level' : pointer;
  return new UsageError('invalid_faults', `The fault plan is not valid at ${place}: ${problem}`, {
    hint: `A plan is a list such as [{"path":"/buyers","status":503,"count":2}]; a rule can have ${Object.keys(settings).join(', ')}.`,
  });
}
