import { textOf, words } from '../../cli/show/cells.ts';
import { type Column, type Tone, valueAt } from '../../output/columns.ts';

/** When an event was received or made (`time` is the path of that), what happened, and to which record. */
export function eventColumns(time: string): readonly Column[] {
  return [
    { header: 'TIME', path: time, format: 'seconds', priority: 9 },
    { header: 'EVENT', path: 'event', minWidth: 20, goodWidth: 26, priority: 10 },
    // Events are named after the kind of the record.
    { header: 'RECORD', path: 'target.id', shortens: true, priority: 8 },
  ];
}

/** What a table shows of received events. Where there is no room for the verdict, FORWARDED says which were refused. */
export const EVENT_COLUMNS: readonly Column[] = [
  ...eventColumns('received_at'),
  { header: 'VERDICT', path: 'verdict', priority: 7, tone: verdictTone },
];

/** What a table shows of stored events. */
export const STORED_COLUMNS: readonly Column[] = [
  ...EVENT_COLUMNS,
  {
    header: 'FORWARDED',
    path: 'forwards',
    format: 'text',
    parts: ['forwards', 'verdict'],
    cell: forwardsText,
    minWidth: 14,
    priority: 9,
    tone: forwardsTone,
  },
  { header: 'ID', path: 'id', shortens: true, priority: 9 },
];

function forwardsOf(item: unknown): readonly unknown[] {
  const forwards = valueAt(item, 'forwards');
  return Array.isArray(forwards) ? forwards : [];
}

/** How an event was refused, with its verdict, such as `401 wrong`; nothing for any other. */
export function refusalsOf(item: unknown): readonly string[] {
  return verdictTone(item) === 'red' ? [`401 ${textOf(item, 'verdict')}`] : [];
}

/** How an event was refused, and the state of each forward, with the status of its last attempt, or why there is none: `delivered 200`. */
function forwardsText(item: unknown): string {
  const forwards = forwardsOf(item).map((forward) => {
    const [state, status] = [textOf(forward, 'state'), textOf(forward, 'status')];
    const problem = textOf(forward, 'problem');
    return status === '' && problem !== '' ? `${state}: ${problem}` : words(state, status);
  });
  return [...refusalsOf(item), ...forwards].join(', ');
}

function forwardsTone(item: unknown): Tone | undefined {
  const states = forwardsOf(item).map((forward) => textOf(forward, 'state'));
  if (states.includes('failed') || verdictTone(item) === 'red') return 'red';
  return states.includes('pending') ? 'yellow' : undefined;
}

function verdictTone(item: unknown): Tone | undefined {
  const verdict = textOf(item, 'verdict');
  if (verdict === 'ok') return undefined;
  return verdict === 'unchecked' ? 'yellow' : 'red';
}
