import type { Column } from '../../../output/columns.ts';
import { cardText, expiryTone, statusTone, textOf, words } from '../cells.ts';

/** What a table shows of payment methods. */
export const PAYMENT_METHOD_COLUMNS: readonly Column[] = [
  {
    header: 'PAYMENT METHOD',
    path: 'method',
    parts: ['method', 'scheme', 'label'],
    cell: methodText,
    minWidth: 28,
    priority: 10,
  },
  { header: 'OWNER', path: 'buyer.display_name', minWidth: 12, goodWidth: 26, priority: 9 },
  { header: 'STATUS', path: 'status', minWidth: 23, priority: 10, tone: statusTone('status') },
  { header: 'EXPIRES', path: 'expiration_date', priority: 9, tone: expiryTone('expiration_date') },
  { header: 'COUNTRY', path: 'country', priority: 2 },
  { header: 'CREATED', path: 'created_at', priority: 6 },
  { header: 'LAST USED', path: 'last_used_at', priority: 3 },
  { header: 'EXTERNAL ID', path: 'external_identifier', minWidth: 10, priority: 4 },
  { header: 'BUYER ID', path: 'buyer.id', shortens: true, priority: 5 },
  { header: 'ID', path: 'id', shortens: true, priority: 10 },
];

/** A card by its scheme: `visa ···4190`; anything else by its type first. */
function methodText(item: unknown): string {
  const [method, scheme] = [textOf(item, 'method'), textOf(item, 'scheme')];
  const name = method === 'card' && scheme !== '' ? scheme : words(method, scheme);
  return cardText(name, textOf(item, 'label'));
}
