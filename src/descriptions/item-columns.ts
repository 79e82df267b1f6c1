import type { ColumnType, TypedColumn } from '../output/typed-column.ts';
import type { AnySchema } from '../schemas/definitions.ts';
import { typeOf } from '../schemas/schema-at.ts';
import { type SchemaView, viewsIn } from '../schemas/schema-view.ts';
import type { ImportedOperation } from './imported-operation.ts';
import { viewAt } from './record-place.ts';

/** Objects in objects that have columns, and columns with values of their own; what is nested deeper, and what comes after them, is JSON text. */
const DEEPEST = 8;
const MOST = 500;

/** The integers that fit 64 bits end here; a double holds no number just below it. */
const INT64_END = 2 ** 63;
const LONG_FORMATS = new Set(['uint64', 'int128', 'uint128', 'int256', 'uint256', 'bigint', 'biginteger']);

type Budget = { left: number };

/**
 * The columns of the items of a list, from the schema of its response and never from its data; the ID is the first one. Integers are `int64`,
 * or `decimal` where a limit or a format allows larger ones. Free maps, unions, and all that is not described are `json`. Of members whose
 * names differ in case alone the first has a column: engines do not distinguish them.
 */
export function columnsOfItems({
  responseBodySchema,
  listShape,
  envelope,
}: Pick<ImportedOperation, 'responseBodySchema' | 'listShape' | 'envelope'>): readonly TypedColumn[] {
  const whole = viewsIn(responseBodySchema).of(responseBodySchema as AnySchema | undefined);
  const list = listShape === 'array' ? whole : viewAt(whole, envelope?.items ?? 'items');
  const columns = columnsOf(list.viewOf(list.items), { left: MOST }, []);
  const id = envelope?.itemId ?? 'id';
  return [...columns.filter(({ name }) => name === id), ...columns.filter(({ name }) => name !== id)];
}

/** `within` are the names of the definitions around it. */
function columnsOf(
  { members, viewOf }: SchemaView,
  budget: Budget,
  within: readonly string[],
): readonly TypedColumn[] {
  const taken = new Set<string>();
  return [...members].flatMap(([name, schema]) => {
    const folded = name.toLowerCase();
    if (taken.has(folded) || name === '' || name.includes('\0')) return [];
    taken.add(folded);
    return [{ name, type: typeOfColumn(viewOf(schema), budget, within) }];
  });
}

function typeOfColumn(view: SchemaView, budget: Budget, within: readonly string[]): ColumnType {
  budget.left -= 1;
  const [type, ...others] = typesOf(view);
  if (type === undefined || others.length > 0 || view.isUnion) return 'json';
  switch (type) {
    case 'string':
      return textType(view);
    case 'integer':
      return isLong(view) ? 'decimal' : 'int64';
    case 'number':
      return 'double';
    case 'boolean':
      return 'boolean';
    default:
      return nestedType(view, budget, within);
  }
}

/** The types of a value; those of the listed values where the schema names none. An integer is a number. */
function typesOf({ types, values = [] }: SchemaView): readonly string[] {
  const found = types.size > 0 ? types : new Set(values.filter((value) => value !== null).map(typeOf));
  return [...found].filter((type) => type !== 'integer' || !found.has('number'));
}

function textType({ format }: SchemaView): ColumnType {
  if (format === 'date-time') return 'timestamp';
  return format === 'date' ? 'date' : 'text';
}

function isLong({ format = '', limits }: SchemaView): boolean {
  const most = Math.max(limits.maximum ?? 0, limits.exclusiveMaximum ?? 0);
  const least = Math.min(limits.minimum ?? 0, limits.exclusiveMinimum ?? 0);
  return LONG_FORMATS.has(format.toLowerCase()) || most > INT64_END || least < -INT64_END;
}

/** The type of an object or a list. */
function nestedType(view: SchemaView, budget: Budget, within: readonly string[]): ColumnType {
  const { name = '', members, items, others, checks } = view;
  const isEndless = name !== '' && within.includes(name);
  if (isEndless || within.length >= DEEPEST || budget.left <= 0) return 'json';
  const inner = [...within, name];
  if (items !== undefined && !checks.has('prefixItems')) {
    const list = typeOfColumn(view.viewOf(items), budget, inner);
    return list === 'json' ? 'json' : { list };
  }
  const isClosed = others === undefined || others === false;
  if (members.size === 0 || members.size > budget.left || !isClosed) return 'json';
  return { struct: columnsOf(view, budget, inner) };
}
