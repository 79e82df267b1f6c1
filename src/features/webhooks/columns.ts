import { textOf, words } from '../../cli/show/cells.ts';
import { type Column, type Tone, valueAt } from '../../output/columns.ts';

/** When an event was received or made (`path` is that of the time), what happened, and to which record; with these priorities. */
export function eventColumns(path: string, { time = 9, record = 8 } = {}): readonly Column[] {
  return [
    { header: 'TIME', path, format: 'seconds', priority: time },
    { header: 'EVENT', path: 'event', minWidth: 20, goodWidth: 26, priority: 10 },
    // Events are named after the kind of the record.
    { header: 'RECORD', path: 'target.id', shortens: true, priority: record },
  ];
}

/** What a table shows of received events. Where there is no room for the verdict, FORWARDED says which were refused. */
export const EVENT_COLUMNS: readonly Column[] = [
  ...eventColumns('received_at'),
  { header: 'VERDICT', path: 'verdict', cell: verdictText, priority: 7, tone: verdictTone },
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

/** What FORWARDED shows for an event that the listener refused. */
export const REFUSED = 'refused 401';

/** Whether the listener refused an event. */
export function isRefused(item: unknown): boolean {
  return verdictTone(item) === 'red';
}

/** How an event was refused, and the state of each forward, with the status of its last attempt, or why there is none: `delivered 200`. */
function forwardsText(item: unknown): string {
  const forwards = forwardsOf(item).map((forward) => {
    const [state, status] = [textOf(forward, 'state'), textOf(forward, 'status')];
    const problem = textOf(forward, 'problem');
    return status === '' && problem !== '' ? `${state}: ${problem}` : words(state, status);
  });
  return [...(isRefused(item) ? [REFUSED] : []), ...forwards].join(', ');
}

function forwardsTone(item: unknown): Tone | undefined {
  const states = forwardsOf(item).map((forward) => textOf(forward, 'state'));
  if (states.includes('failed') || isRefused(item)) return 'red';
  return states.includes('pending') ? 'yellow' : undefined;
}

/** Where nothing is forwarded, no other column says that an event was not kept. */
function verdictText(item: unknown): string {
  const verdict = textOf(item, 'verdict');
  return textOf(item, 'forward.state') === 'not_kept' ? `${verdict}, not kept` : verdict;
}

function verdictTone(item: unknown): Tone | undefined {
  const verdict = textOf(item, 'verdict');
  if (verdict === 'ok') return undefined;
  return verdict === 'unchecked' ? 'yellow' : 'red';
}
