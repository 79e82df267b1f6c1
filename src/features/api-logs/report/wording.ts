import { countEntries, formatDuration } from '../../../text/format.ts';
import type { Group } from '../summary.ts';
import { clock, grouped, percent, tookText } from './figures.ts';
import type { Report, ShownExample } from './model.ts';

/** The parts that reports of every format share. */

/** How a format writes texts: those of the service as code, sentences, and what to do about a cause within one. */
export type Writing = {
  readonly code: (text: string) => string;
  readonly sentence: (text: string) => string;
  readonly remedy: (text: string) => string;
};

/** A name and what is below it. */
export type Line = readonly [name: string, values: readonly string[]];

/** The headline of a report, which is its largest cause, with the texts of the service as `written`. */
export function headlineOf(report: Report, written: (text: string) => string): string {
  const [group, ...others] = report.groups;
  if (!group) return countOf(report);
  const often = group.share > 0.5 ? 'Mostly ' : 'Most often ';
  const [request, why] = [requestOf(group), causeOf(group)];
  const named = [group.status ?? 'No status', ...(request === '' ? [] : [written(request)])].join(' ');
  return `${others.length === 0 ? '' : often}${named}${why === '' ? '' : `: ${written(why)}`}`;
}

/** Method and path. */
export function requestOf({ method, path }: Pick<Group, 'method' | 'path'>): string {
  return [method, path].filter((part) => part !== null).join(' ');
}

/** Characters of a cause in a line. */
const LONGEST_CAUSE = 160;

/** Why the requests of a group failed, as far as the service says it: place and message, else type, else code. */
export function causeOf({ pointer, message, type, code }: Group): string {
  const said = [pointer, message].filter((part) => part !== null).join(' ') || type || code || '';
  return said.length > LONGEST_CAUSE ? `${said.slice(0, LONGEST_CAUSE).toWellFormed()}\u2026` : said;
}

/** How many requests failed: `57 failed requests in 9 days`. */
export function countOf({ kept, from, to }: Report): string {
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
  const most = percent((groups[0]?.count ?? 0) / kept);
  if (causes <= TOP) return `They have ${causes} causes; the largest accounts for ${most}.`;
  const top = groups.slice(0, TOP).reduce((sum, { count }) => sum + count, 0);
  return `They have ${grouped(causes)} causes; the largest accounts for ${most}, the ${TOP} largest for ${percent(top / kept)}.`;
}

/** The causes that have no example, and where all of them are; undefined where each has one. */
export function withoutExample({ groups, others, examples, view }: Report): string | undefined {
  const further = groups.length + others.groups - examples.length;
  if (further <= 0) return undefined;
  const have = further === 1 ? 'cause has' : 'causes have';
  const counted = `And ${grouped(further)} further ${have} no example here.`;
  if (view === 'merchant') return counted;
  return `${counted} All causes, each with the ID of an example, with the same filters: payctl api-logs summary -o json`;
}

/** So many causes are the largest ones. */
const TOP = 3;

/** How many entries the groups of a report leave out; undefined where they have all. */
export function othersOf({ others: { entries, groups } }: Report): string | undefined {
  return groups === 0 ? undefined : `And ${grouped(entries)} more of ${grouped(groups)} smaller causes.`;
}

/** What a report does not count, and what it and its masking cannot know, one sentence each. */
export function gapsOf(report: Report): readonly string[] {
  const { duplicates, unreadable, timeless, before_oldest: before } = report.missed;
  const listed = report.source.files.length > 0 ? 'The files hold' : 'The service lists';
  const isAre = (count: number) => `${countEntries(count)} ${count === 1 ? 'is' : 'are'}`;
  return [
    before &&
      `${listed} no entry from ${clock(before.from)} to ${clock(before.to)}. Either nothing failed then, or the log does not reach back that far.`,
    unreadable > 0 && `${countEntries(unreadable)} in the files cannot be read and may be missing here.`,
    timeless > 0 && `${isAre(timeless)} left out because of a missing time.`,
    duplicates > 0 && `${isAre(duplicates)} left out because of a duplicate ID.`,
    report.groups.length > 0 && cautionOf(report),
  ].filter((sentence) => typeof sentence === 'string');
}

/** To be read before a report is passed on. */
function cautionOf({ has_messages: hasMessages, view }: Report): string {
  if (!hasMessages) return 'All free text is left out: messages and text in bodies.';
  const flag = view === 'merchant' ? '' : ' To leave out all free text, add --no-messages';
  return `Personal data and secrets are masked, but names and streets in free text cannot be recognised.${flag}`;
}

/** Stands for a cause that payctl does not know. */
const UNKNOWN_CAUSE = 'unknown; the service gives no further information';

/** What an example says about itself in addition to its request and its bodies. */
export function linesOf(
  example: ShownExample,
  { code, sentence, remedy: written }: Writing,
): readonly Line[] {
  const { why, meaning, commands, time, took_ms: took, id, remedy } = example;
  const [cause = UNKNOWN_CAUSE, ...more] = example.causes;
  const first = remedy === null ? cause : `${cause}; ${written(remedy)}`;
  return [
    ['Why', why === '' ? [] : [code(why)]],
    ['Meaning', meaning === null ? [] : [sentence(meaning)]],
    ['Likely cause', [first, ...more].map(sentence)],
    ['Try', commands.map(code)],
    [
      'Time',
      time === null ? [] : [`${clock(time)}${took === null ? '' : `, response after ${tookText(took)}`}`],
    ],
    ['ID', id === null ? [] : [code(id)]],
  ];
}

/** Notes about a report. */
export function notesOf({ examples, has_messages: hasMessages }: Report): readonly string[] {
  const lacksBodies = hasMessages && examples.every(({ request_body: body }) => body === null);
  const ofExamples = [MASKING_NOTE, ...(lacksBodies ? [BODY_NOTE] : [])];
  return [...(examples.length === 0 ? [] : ofExamples), 'Times are in UTC.'];
}

const MASKING_NOTE =
  'Personal data, identifiers, tokens and secrets are replaced: the same value has the same name everywhere in this report, such as buyer-1 or email-2.';
const BODY_NOTE = 'The service does not log request bodies.';

/** Where the figures of a report come from. */
export function factsOf(report: Report, { code, sentence }: Writing): readonly Line[] {
  const { source, filters, from, to, view } = report;
  const { profile, host, merchant_account: account, files } = source;
  const typed = Object.entries(filters).map(([name, values]) => code(`--${name} ${values.join(' ')}`));
  const either = (value: string | null, otherwise: string) => [value === null ? otherwise : code(value)];
  const own: readonly Line[] = [
    ['Profile', either(profile, 'none')],
    ['Host', either(host, 'not known')],
  ];
  const service: readonly Line[] = [
    ...(view === 'merchant' ? [] : own),
    ['Merchant account', either(account, 'that of the token')],
  ];
  return [
    ['Entries', [`${grouped(report.looked_at)} looked at, ${grouped(report.kept)} in this report`]],
    ['Time span', from === null || to === null ? [] : [`${clock(from)} to ${clock(to)}`]],
    ['Filters', typed.length > 0 ? typed : ['none']],
    ...(files.length > 0 ? [['Files', files.map(code)] as const] : service),
    ['Created', [`${clock(report.created_at)} by ${sentence(report.created_by)}`]],
  ];
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
