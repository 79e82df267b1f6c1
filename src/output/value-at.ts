import { stringifyExactJson } from '../json/exact-json.ts';

/**
 * Looks a dotted path up in a parsed value: own properties by name, array elements by index (`cart_items.0.name`). A
 * name that holds dots itself is found when it is what remains of the path (`metadata.order.id`). Gives undefined where
 * there is nothing.
 */
export function valueAt(item: unknown, path: string): unknown {
  let value = item;
  let rest = path;
  for (;;) {
    if (hasOwn(value, rest)) return value[rest];
    const dot = rest.indexOf('.');
    if (dot === -1) return undefined;
    const name = rest.slice(0, dot);
    if (!hasOwn(value, name)) return undefined;
    value = value[name];
    rest = rest.slice(dot + 1);
  }
}

function hasOwn(value: unknown, name: string): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  return !Array.isArray(value) || name !== 'length';
}

/**
 * Writes a value for one cell: a string as it is, numbers, booleans and big integers as text, nothing for null and
 * undefined, a list of strings joined by commas, other objects and arrays as compact JSON. Not sanitised. Nesting too
 * deep to be written gives `…`.
 */
export function formatCell(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string')) {
    return value.join(', ');
  }
  try {
    return stringifyExactJson(value);
  } catch (error) {
    if (error instanceof RangeError) return '\u2026';
    throw error;
  }
}
