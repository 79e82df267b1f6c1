import { amountCell, majorAmountCell, statusTone, unixTimeCell } from '../../cli/show/cells.ts';
import type { ColumnKind } from '../../descriptions/column-kinds.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { own } from '../../json/is-object.ts';
import type { Column } from '../../output/columns.ts';

/** What the items of a list are called, in the plural: `gift cards` of `/buyers/gift-cards?limit=5`. */
export function nounOf({ path }: Pick<ImportedOperation, 'path'>): string {
  const [route = ''] = path.split('?', 1);
  const last = route.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? 'items';
  return last.replaceAll(/[-_.]/g, ' ');
}

type Look = Pick<ImportedOperation, 'columns' | 'columnKinds' | 'fields' | 'majorFields'>;

/** The columns of a table, the first ones first to stay; an amount is shown with its currency, a time as a time. */
export function columnsOf({ columns, columnKinds = {}, fields, majorFields = [] }: Look): readonly Column[] {
  const known = new Set([...columns, ...fields]);
  const kindOf = (path: string) =>
    own(columnKinds, path) ?? (isAmount(path) && known.has(currencyOf(path)) ? 'amount' : undefined);
  const isWithCurrency = (path: string) => /amount$/.test(kindOf(path) ?? '');
  const hasOwnCell = new Set(columns.filter(isWithCurrency).map(currencyOf));
  return columns
    .filter((path) => !hasOwnCell.has(path))
    .map((path, index) => ({
      ...columnOf(path, kindOf(path)),
      ...(majorFields.includes(path) && { isMajor: true }),
      priority: columns.length - index,
    }));
}

function columnOf(path: string, kind: ColumnKind | undefined): Column {
  const header = path.toUpperCase().replaceAll('_', ' ');
  const currency = currencyOf(path);
  switch (kind) {
    case 'amount':
      return { header, path, format: 'number', parts: [path, currency], cell: amountCell(path, currency) };
    case 'major-amount':
      return {
        header,
        path,
        format: 'number',
        parts: [path, currency],
        cell: majorAmountCell(path, currency),
      };
    case 'time':
      return { header, path, format: 'time' };
    case 'seconds':
    case 'milliseconds':
      return { header, path, format: 'time', cell: unixTimeCell(path, kind === 'seconds' ? 1000 : 1) };
    case undefined:
      // Names such as `buyerId` are IDs, too: IDs are never cut.
      if (/[a-z]Id$|^uuid$/.test(path)) return { header, path, format: 'id' };
      return path === 'status' ? { header, path, tone: statusTone(path) } : { header, path };
  }
}

function isAmount(path: string): boolean {
  return /(?:^|[._])amount$/.test(path);
}

function currencyOf(path: string): string {
  const dot = path.lastIndexOf('.');
  return `${path.slice(0, dot + 1)}currency`;
}
