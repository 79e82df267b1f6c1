import { amountCell, majorAmountCell, statusTone, unixTimeCell } from '../../cli/show/cells.ts';
import type { ColumnKind } from '../../descriptions/column-kinds.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { calledBy, lastWord, plainPath } from '../../descriptions/path-words.ts';
import { SUFFIX } from '../../descriptions/reads.ts';
import { own } from '../../json/is-object.ts';
import { type Column, PLAIN_VALUE, readableCell } from '../../output/columns.ts';
import { currencyPath, isAmountPath, MINOR_UNIT, snake } from '../../text/amount-names.ts';

/** What the items of a list are called, in the plural: `gift cards` of `/buyers/gift-cards?limit=5`. */
export function nounOf({
  path,
  action,
  resource,
}: Pick<ImportedOperation, 'path' | 'action' | 'resource'>): string {
  const [route = ''] = path.split('?', 1);
  const called = calledBy(route)?.resource;
  const place = (action === 'list' && resource) || plainPath(route.replace(SUFFIX, ''));
  const last = lastWord(called === undefined ? place : `${called}s`) || 'items';
  return last.replaceAll(/[-_.]/g, ' ');
}

type Look = Pick<ImportedOperation, 'columns' | 'columnKinds' | 'fields' | 'majorFields' | 'record'> & {
  readonly isList?: boolean;
  readonly takesShortIds?: boolean;
};

/** The column of a list whose items have no fields, as far as the description says. */
export const WHOLE_ITEM: Column = { header: 'VALUE', path: PLAIN_VALUE, cell: (item) => readableCell(item) };

/** The columns of a table, the first ones first to stay; an amount is shown with its currency, a time as a time. */
export function columnsOf({ record, columnKinds = {}, majorFields = [], ...look }: Look): readonly Column[] {
  const { columns, fields, isList } = look;
  if (isList && columns.length === 0) return [WHOLE_ITEM];
  const item = record?.item === undefined ? '' : `${record.item}.`;
  const inItem = (path: string) => (path.startsWith(item) ? path.slice(item.length) : path);
  const inItems = columns.map(inItem);
  const known = new Set([...columns, ...fields]);
  const shown = columns.map((path) => {
    const currency = currencyPath(path, known);
    const kind =
      own(columnKinds, path) ?? (isAmountPath(path) && currency !== undefined ? 'amount' : undefined);
    return { path, kind, currency: /amount$/.test(kind ?? '') ? (currency ?? beside(path)) : undefined };
  });
  const withAmounts = new Set(shown.map(({ currency }) => currency));
  return shown
    .filter(({ path }) => !withAmounts.has(path))
    .map((one, index) => ({
      ...columnOf(one, headerOf(inItem(one.path), inItems)),
      ...(majorFields.includes(one.path) && { isMajor: true }),
      ...(look.takesShortIds && inItem(one.path) === 'id' && { shortens: true }),
      priority: columns.length - index,
    }));
}

type Shown = {
  readonly path: string;
  readonly kind: ColumnKind | undefined;
  readonly currency: string | undefined;
};

function columnOf({ path, kind, currency = '' }: Shown, header: string): Column {
  switch (kind) {
    case 'amount':
    case 'major-amount': {
      const cell = kind === 'amount' ? amountCell(path, currency) : majorAmountCell(path, currency);
      // The cell is not in cents.
      const unit = MINOR_UNIT.exec(snake(path))?.[0].length ?? 0;
      return {
        header: header.slice(0, header.length - unit),
        path,
        format: 'number',
        parts: [path, currency],
        cell,
      };
    }
    case 'time':
      return { header, path, format: 'time' };
    case 'seconds':
    case 'milliseconds':
      return { header, path, format: 'time', cell: unixTimeCell(path, kind === 'seconds' ? 1000 : 1) };
    case undefined:
      // Names such as `buyerId` are IDs, too: IDs are never cut.
      if (/[a-z]Id$|^uuid$/.test(path)) return { header, path, format: 'id' };
      return /^(?:status|state)$|[._](?:status|state)$/.test(path)
        ? { header, path, minWidth: WIDEST_STATUS, dropsFirstIfSame: true, tone: statusTone(path) }
        : { header, path };
  }
}

/** A status is not cut before it has so many columns. */
const WIDEST_STATUS = 24;

/**
 * The heading of a column with a nested value: the name of the object around it, unless that is another column. Objects that only
 * group fields, such as `attributes`, are left out.
 */
function headerOf(path: string, columns: readonly string[]): string {
  const plain = columns.includes(path.replace(GROUP, '')) ? path : path.replace(GROUP, '');
  const dot = plain.lastIndexOf('.');
  const name = dot === -1 || columns.includes(plain.slice(0, dot)) ? plain : plain.slice(0, dot);
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toUpperCase()
    .replaceAll(/[_.]/g, ' ');
}

const GROUP = /^(?:attributes|metadata|spec)\./;

function beside(path: string): string {
  return `${path.slice(0, path.lastIndexOf('.') + 1)}currency`;
}
