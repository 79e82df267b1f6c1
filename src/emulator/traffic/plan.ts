import { UsageError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { pointerSegment } from '../../json/pointer.ts';
import { readListNumbers } from '../list-numbers.ts';

/**
 * The failing requests that an emulator adds to its API logs, and the changes that it makes, as if other programs sent them. The names
 * are those of the file that `readTrafficPlan` reads; shares are from 0 to 1.
 */
export type TrafficPlan = {
  /** Failing requests a second, on average, without those of bursts; 0 for none. */
  readonly rate: number;
  /** Chooses which requests fail, how, and after which time, and which records change. */
  readonly seed: number;
  /** Changes of records a second, at most, by the names of the lists. */
  readonly records: Readonly<Record<string, number>>;
  /** Seconds between bursts, on average; 0 for none. */
  readonly burst_every: number;
  /** Requests of a burst, which fail in the same millisecond. The default is more than one response of the API logs holds. */
  readonly burst_size: number;
  /** Share of the moments at which two to four requests fail in the same millisecond. */
  readonly same_millisecond: number;
  /** Share of the logs that are written late, stamped up to `late_ms` earlier. */
  readonly late: number;
  readonly late_ms: number;
  /** Share of the logs with a body that is a text, such as a page of a gateway, and of those with no body. */
  readonly text_body: number;
  readonly null_body: number;
};

const DEFAULTS: TrafficPlan = {
  rate: 1,
  seed: 1,
  records: {},
  burst_every: 60,
  burst_size: 150,
  same_millisecond: 0.1,
  late: 0.05,
  late_ms: 10_000,
  text_body: 0.04,
  null_body: 0.02,
};

/** A plan as `--traffic` would take it: `5`, `transactions=20`, or both. */
export function trafficText({ rate, records }: Pick<TrafficPlan, 'rate' | 'records'>): string {
  const changes = Object.entries(records).map(([name, count]) => `${name}=${count}`);
  return [...(rate > 0 ? [String(rate)] : []), ...changes].join(', ');
}

type Range = readonly [minimum: number, maximum: number, kind: 'number' | 'integer'];

const SHARE: Range = [0, 1, 'number'];
const CHANGES: Range = [0.01, 10_000, 'number'];
const RANGES: Readonly<Record<Exclude<keyof TrafficPlan, 'records'>, Range>> = {
  rate: [0.01, 1000, 'number'],
  seed: [0, 2 ** 32 - 1, 'integer'],
  burst_every: [0, 86_400, 'number'],
  burst_size: [1, 10_000, 'integer'],
  same_millisecond: SHARE,
  late: SHARE,
  late_ms: [1, 3_600_000, 'integer'],
  text_body: SHARE,
  null_body: SHARE,
};

/**
 * Reads a plan of traffic from parsed JSON: an object, whose members all have defaults.
 * @throws UsageError `invalid_traffic`, which names the JSON pointer of the first thing that is wrong
 */
export function readTrafficPlan(json: unknown): TrafficPlan {
  if (!isObject(json)) throw invalid('at the top level: must be an object');
  const { records = {}, ...others } = json;
  if (!isObject(records)) throw invalid('at /records: must be an object with a rate for each list');
  for (const [name, value] of Object.entries(records)) {
    if (isWithin(value, CHANGES)) continue;
    throw invalid(`at /records/${pointerSegment(name)}: must be ${wanted(CHANGES)}`);
  }
  for (const [name, value] of Object.entries(others)) {
    const range = Object.hasOwn(RANGES, name) ? RANGES[name as keyof typeof RANGES] : undefined;
    const at = `at /${pointerSegment(name)}:`;
    if (!range) throw invalid(`${at} is not a known field`);
    if (!isWithin(value, range)) throw invalid(`${at} must be ${wanted(range)}`);
  }
  return { ...DEFAULTS, ...(Object.keys(records).length > 0 && { rate: 0 }), ...json };
}

/**
 * The plan that `--traffic RATE` or `--traffic LIST=RATE` stands for; undefined for a text that is neither a number of requests a second
 * nor numbers of changes a second.
 */
export function planOfRate(text: string): TrafficPlan | undefined {
  const records = readListNumbers(text);
  if (records) return readTrafficPlan({ records });
  const [, rate] = /^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text) ?? [];
  if (rate === undefined && !text.includes('=')) return undefined;
  if (isWithin(Number(rate), RANGES.rate)) return { ...DEFAULTS, rate: Number(rate) };
  throw new UsageError(
    'invalid_traffic',
    `--traffic must be ${wanted(RANGES.rate)}, LIST=RATE or a file, not ${text}`,
    { hint: 'A number is how many requests fail each second; buyers=200 changes 200 buyers each second.' },
  );
}

function isWithin(value: unknown, [minimum, maximum, kind]: Range): boolean {
  if (typeof value !== 'number' || !(value >= minimum && value <= maximum)) return false;
  return kind === 'number' || Number.isInteger(value);
}

function wanted([minimum, maximum, kind]: Range): string {
  return `${kind === 'integer' ? 'an integer' : 'a number'} from ${minimum} to ${maximum}`;
}

function invalid(problem: string): UsageError {
  return new UsageError('invalid_traffic', `The traffic plan is not valid ${problem}`, {
    hint: `A plan is an object such as {"rate":5,"burst_every":10}; it can have ${Object.keys(DEFAULTS).join(', ')}.`,
  });
}
