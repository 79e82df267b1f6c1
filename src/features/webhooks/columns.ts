import { textOf } from '../../cli/show/cells.ts';
import type { Column, Tone } from '../../output/columns.ts';

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
