import type { Column } from '../../../output/columns.ts';
import { textOf, words } from '../cells.ts';

/** What a table shows of audit log entries. */
export const AUDIT_LOG_COLUMNS: readonly Column[] = [
  { header: 'TIME', path: 'timestamp', format: 'seconds', priority: 10 },
  {
    header: 'USER',
    path: 'user.name',
    parts: ['user.name', 'user.email_address'],
    cell: userText,
    minWidth: 12,
    goodWidth: 16,
    priority: 10,
  },
  {
    header: 'ACTION',
    path: 'action',
    priority: 10,
    tone: (item) => (textOf(item, 'action') === 'deleted' ? 'red' : undefined),
  },
  {
    header: 'RESOURCE',
    path: 'resource.type',
    parts: ['resource.type', 'resource.name'],
    cell: resourceText,
    minWidth: 12,
    goodWidth: 48,
    priority: 10,
  },
  { header: 'EMAIL', path: 'user.email_address', minWidth: 14, goodWidth: 30, priority: 6 },
  { header: 'RESOURCE ID', path: 'resource.id', shortens: true, priority: 4 },
  { header: 'ID', path: 'id', shortens: true, priority: 10 },
];

function userText(item: unknown): string {
  return textOf(item, 'user.name') || textOf(item, 'user.email_address') || textOf(item, 'user.id');
}

/** The resource: its type with its name, or with its ID if it has no name or the name only repeats the type. */
function resourceText(item: unknown): string {
  const [type, name] = [textOf(item, 'resource.type'), textOf(item, 'resource.name')];
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, ' ')
      .trim();
  const hasName = plain(name) !== '' && plain(name) !== plain(type);
  return words(type, hasName ? name : textOf(item, 'resource.id'));
}
