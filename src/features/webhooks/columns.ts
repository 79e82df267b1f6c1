import { textOf, words } from '../../cli/show/cells.ts';
import { type Column, type Tone, valueAt } from '../../output/columns.ts';

/** What a table shows of received events, whether they are listed or printed as they come. */
export const EVENT_COLUMNS: readonly Column[] = [
  { header: 'TIME', path: 'received_at', format: 'seconds', priority: 9 },
  { header: 'EVENT', path: 'event', minWidth: 16, goodWidth: 26, priority: 10 },
  {
    header: 'RECORD',
    path: 'target.id',
    parts: ['target.type', 'target.id'],
    format: 'text',
    cell: recordText,
    minWidth: 16,
    goodWidth: 48,
    yields: true,
    priority: 7,
  },
  { header: 'VERDICT', path: 'verdict', priority: 10, tone: verdictTone },
];

/** What a table shows of stored events. */
export const STORED_COLUMNS: readonly Column[] = [
  ...EVENT_COLUMNS,
  {
    header: 'FORWARDED',
    path: 'forwards',
    format: 'text',
    cell: forwardsText,
    minWidth: 14,
    goodWidth: 30,
    priority: 9,
    tone: forwardsTone,
  },
  { header: 'ID', path: 'id', shortens: true, priority: 8 },
];

function forwardsOf(item: unknown): readonly unknown[] {
  const forwards = valueAt(item, 'forwards');
  return Array.isArray(forwards) ? forwards : [];
}

/** The state of each forward, with the status of its last attempt, or why there is none: `delivered 200`. */
function forwardsText(item: unknown): string {
  return forwardsOf(item)
    .map((forward) => {
      const [state, status] = [textOf(forward, 'state'), textOf(forward, 'status')];
      const problem = textOf(forward, 'problem');
      return status === '' && problem !== '' ? `${state}: ${problem}` : words(state, status);
    })
    .join(', ');
}

function forwardsTone(item: unknown): Tone | undefined {
  const states = forwardsOf(item).map((forward) => textOf(forward, 'state'));
  if (states.includes('failed')) return 'red';
  return states.includes('pending') ? 'yellow' : undefined;
}

/** The record of an event, with its type: `transaction/ID`. */
function recordText(item: unknown): string {
  const [type, id] = [textOf(item, 'target.type'), textOf(item, 'target.id')];
  return type === '' || id === '' ? id : `${type}/${id}`;
}

function verdictTone(item: unknown): Tone | undefined {
  const verdict = textOf(item, 'verdict');
  if (verdict === 'ok') return undefined;
  return verdict === 'unchecked' ? 'yellow' : 'red';
}
