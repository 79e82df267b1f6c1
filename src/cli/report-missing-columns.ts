import { nearest } from '../config/nearest.ts';
import { quoted } from '../config/quoted.ts';
import type { Column } from '../output/column.ts';
import { valueAt } from '../output/value-at.ts';

/**
 * Says of each column that was asked for and that no item has, which one may have been meant: one of the resource, by its
 * path or header, or one of the items. Says nothing where there are no items to judge by.
 */
export function reportMissingColumns(
  asked: readonly string[],
  {
    items,
    known,
    note,
  }: { items: readonly unknown[]; known: readonly Column[]; note: (text: string) => void },
): void {
  if (items.length === 0) return;
  const paths = known.map(({ path }) => path);
  for (const path of asked) {
    if (paths.includes(path) || items.some((item) => valueAt(item, path) !== undefined)) continue;
    const byHeader = known.find(({ header }) => header === path.toUpperCase())?.path;
    const meant = byHeader ?? nearest(path, new Set([...paths, ...items.flatMap(namesOf)]));
    note(`Nothing here has a field ${quoted(path)}.${meant ? ` Did you mean ${meant}?` : ''}`);
  }
}

function namesOf(item: unknown): string[] {
  return typeof item === 'object' && item !== null ? Object.keys(item) : [];
}
