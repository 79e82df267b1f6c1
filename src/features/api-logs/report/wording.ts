import { countEntries, formatDuration } from '../../../text/format.ts';
import type { Report } from './model.ts';

/** The sentences that reports of every format share. None of them holds a text of the service. */

/** What a report is called: `57 failed requests in 9 days`. */
export function headlineOf({ kept, from, to }: Report): string {
  const requests = kept === 1 ? 'failed request' : 'failed requests';
  const count = `${kept === 0 ? 'No' : grouped(kept)} ${requests}`;
  const lasted = from === null || to === null ? 0 : Date.parse(to) - Date.parse(from);
  return lasted > 0 ? `${count} in ${formatDuration(lasted)}` : count;
}

/** How many causes there are, and how much the largest ones make up; empty where there are none. */
export function outcomeOf({ kept, groups, others }: Report): string {
  const causes = groups.length + others.groups;
  if (causes === 0) return '';
  if (causes === 1) return kept === 1 ? '' : 'All of them have the same cause.';
  if (causes <= TOP) return `They have ${causes} causes.`;
  const top = groups.slice(0, TOP).reduce((sum, { count }) => sum + count, 0);
  return `The ${TOP} largest of ${grouped(causes)} causes make up ${percent(top / kept)}.`;
}

/** The causes that have no example, and where all of them are; undefined where each has one. */
export function withoutExample({ groups, others, examples }: Report): string | undefined {
  const further = groups.length + others.groups - examples.length;
  if (further <= 0) return undefined;
  const have = further === 1 ? 'cause has' : 'causes have';
  return `And ${grouped(further)} further ${have} no example here. All causes, each with the ID of an example, with the same filters: payctl api-logs summary -o json`;
}

/** So many causes are the largest ones. */
const TOP = 3;

/** What a report does not count and what it cannot know, one sentence each. */
export function gapsOf({ missed, source }: Report): readonly string[] {
  const { duplicates, unreadable, timeless, before_oldest: before } = missed;
  const listed = source.files.length > 0 ? 'The files hold' : 'The service lists';
  const isAre = (count: number) => `${countEntries(count)} ${count === 1 ? 'is' : 'are'}`;
  return [
    ...(before
      ? [
          `${listed} no entry from ${clock(before.from)} to ${clock(before.to)}. Either nothing failed then, or the log does not reach back that far.`,
        ]
      : []),
    ...(unreadable > 0
      ? [`${countEntries(unreadable)} of the files cannot be read and may be missing here.`]
      : []),
    ...(timeless > 0 ? [`${isAre(timeless)} left out because of a missing time.`] : []),
    ...(duplicates > 0 ? [`${isAre(duplicates)} left out because of a duplicate ID.`] : []),
  ];
}

/** What there is to know of a report with examples. */
export function notesOf({ examples }: Report): readonly string[] {
  if (examples.length === 0) return [];
  const lacksBodies = examples.every(({ request_body: body }) => body === null);
  return [MASKING_NOTE, ...(lacksBodies ? [BODY_NOTE] : [])];
}

const MASKING_NOTE =
  'Personal data, identifiers, tokens and secrets are replaced: the same value has the same name everywhere in this report, such as buyer-1 or email-2.';
const BODY_NOTE = 'The service does not log request bodies.';

/** One thing that a report says of itself. */
export type Fact = {
  readonly name: string;
  /** Texts of the service or of the user; else sentences of payctl. */
  readonly isQuoted: boolean;
  readonly values: readonly string[];
};

/** Where the figures of a report come from. */
export function factsOf({ source, filters, from, to, ...report }: Report): readonly Fact[] {
  const quoted = (name: string, values: readonly string[], otherwise: string): Fact =>
    values.length > 0 ? { name, isQuoted: true, values } : { name, isQuoted: false, values: [otherwise] };
  const plain = (name: string, value: string): Fact => ({ name, isQuoted: false, values: [value] });
  const optional = (name: string, value: string | null, otherwise: string): Fact =>
    quoted(name, value === null ? [] : [value], otherwise);
  const service = [
    optional('Profile', source.profile, 'none'),
    optional('Host', source.host, 'not known'),
    optional('Merchant account', source.merchant_account, 'that of the token'),
  ];
  const typed = Object.entries(filters).map(([name, values]) => `--${name} ${values.join(' ')}`);
  return [
    ...(source.files.length > 0 ? [quoted('Files', source.files, '')] : service),
    quoted('Filters', typed, 'none'),
    ...(from !== null && to !== null ? [plain('Time span', `${clock(from)} to ${clock(to)}`)] : []),
    plain('Entries', `${grouped(report.looked_at)} looked at, ${grouped(report.kept)} in this report`),
    plain('Created', `${clock(report.created_at)} by ${report.created_by}`),
  ];
}

/** How long an answer took: `12 ms`, `2.4 s`. */
export function tookText(milliseconds: number): string {
  return Math.abs(milliseconds) < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** A time in UTC, to the minute: `2026-03-01 14:05 UTC`. */
export function clock(instant: string): string {
  return `${minuteOf(instant)} UTC`;
}

/** The same without its time zone, and without the time of day where the steps are days. */
export function minuteOf(instant: string, stepSeconds = 60): string {
  const [day = '', time = ''] = instant.split('T');
  return stepSeconds >= 86_400 ? day : `${day} ${time.slice(0, 5)}`;
}

/** A whole number with commas between thousands. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A share from 0 to 1: `31%`, `0.4%`. */
export function percent(share: number): string {
  const points = share * 100;
  return `${points > 0 && points < 10 ? points.toFixed(1).replace(/\.0$/, '') : Math.round(points)}%`;
}

/** Characters and lines of a body that are shown. */
const LONGEST = 4_000;
const MOST_LINES = 60;

/** A body as text: JSON over lines, a text as it is. Undefined where there is none. */
export function bodyText(body: unknown): string | undefined {
  if (body === null || body === undefined) return undefined;
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  const lines = text.slice(0, LONGEST).toWellFormed().split('\n', MOST_LINES);
  const shown = lines.join('\n');
  return shown.length === text.length
    ? text
    : `${shown}\n\u2026 ${grouped(text.length - shown.length)} more characters`;
}
