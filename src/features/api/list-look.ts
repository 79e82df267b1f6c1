import { amountCell, statusTone } from '../../cli/cells.ts';
import { cursorParameter } from '../../client/paging.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import type { Column } from '../../output/columns.ts';
import type { RunnableOperation } from './own-operations.ts';

/** Whether the description names a parameter for a cursor: without one, there is no way to a second page. */
export function followsCursors(operation: Pick<RunnableOperation, 'query' | 'isOwn' | 'envelope'>): boolean {
  return operation.isOwn === true || Object.hasOwn(operation.query, cursorParameter(operation));
}

/** What the items of a list are called, in the plural: `gift cards` of `/buyers/gift-cards?limit=5`. */
export function nounOf({ path }: Pick<ImportedOperation, 'path'>): string {
  const [route = ''] = path.split('?', 1);
  const last = route.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? 'items';
  return last.replaceAll(/[-_.]/g, ' ');
}

/** The columns of a table, the first ones first to stay; an amount is shown with its currency. */
export function columnsOf({
  columns,
  fields,
}: Pick<ImportedOperation, 'columns' | 'fields'>): readonly Column[] {
  const known = new Set([...columns, ...fields]);
  const hasOwnCell = new Set(
    columns.filter((path) => isAmount(path) && known.has(currencyOf(path))).map(currencyOf),
  );
  return columns
    .filter((path) => !hasOwnCell.has(path))
    .map((path, index) => ({ ...columnOf(path, known), priority: columns.length - index }));
}

function columnOf(path: string, known: ReadonlySet<string>): Column {
  const header = path.toUpperCase().replaceAll('_', ' ');
  const currency = currencyOf(path);
  if (isAmount(path) && known.has(currency)) {
    return { header, path, format: 'number', parts: [path, currency], cell: amountCell(path, currency) };
  }
  // Names such as `buyerId` are IDs, too: IDs are never cut.
  if (/[a-z]Id$|^uuid$/.test(path)) return { header, path, format: 'id' };
  return path === 'status' ? { header, path, tone: statusTone(path) } : { header, path };
}

function isAmount(path: string): boolean {
  return /(?:^|[._])amount$/.test(path);
}

function currencyOf(path: string): string {
  const dot = path.lastIndexOf('.');
  return `${path.slice(0, dot + 1)}currency`;
}
