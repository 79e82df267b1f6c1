import type { PartFormat } from '../formats.ts';
import { type ColumnType, columnsOfPart, RAW, type TypedColumn } from '../typed-column.ts';
import { LONGEST } from './damaged-part.ts';
import { escapedName } from './records.ts';

/** A resource of a copy, as the SQL needs it. */
export type SqlResource = {
  /** Its folder in the copy, which is also the name of its view. */
  readonly name: string;
  /** The names that its folders give values to: `merchant_account_id` of `buyers/merchant_account_id=eu/part-000001.parquet`. */
  readonly partition: readonly string[];
  readonly columns: readonly TypedColumn[];
  /** The dotted path of the ID of a record. */
  readonly id: string;
  readonly format: PartFormat;
  /** The end of the names of its parts, such as `.ndjson.zst`. */
  readonly ending: string;
};

/**
 * The SQL that makes a view of each resource for DuckDB, run in the folder of the copy. The types are those of the columns, and nothing is
 * inferred from data. A view has the latest version of each record, by `_synced_at`, and no record that is gone. Records are the same if their
 * IDs have the same JSON text, also where an ID does not fit the type of its column, or has none. A value that does not fit is null.
 */
export function schemaSql(resources: readonly SqlResource[]): string {
  return [HEAD, ...resources.map(viewOf)].join('\n');
}

const HEAD = `-- Views of this copy for DuckDB. Run it in this folder: duckdb -init schema.sql
`;

/** The column with the JSON text of the ID, which the views do not show. */
const KEY = '_payctl_key';

function viewOf(resource: SqlResource): string {
  const { name, partition } = resource;
  const keys = [...partition, KEY].map(identifier);
  const isSame = keys.map((key) => `r.${key} = n.${key}`).join(' AND ');
  return `CREATE OR REPLACE VIEW ${identifier(name)} AS
WITH r AS (
${READERS[resource.format](resource)}
), n AS (
  SELECT ${keys.join(', ')}, max(_synced_at) AS newest FROM r WHERE _synced_at IS NOT NULL GROUP BY ALL
)
SELECT r.* EXCLUDE (_deleted, ${KEY}) FROM r LEFT JOIN n ON ${isSame}
WHERE r._synced_at IS NOT DISTINCT FROM n.newest AND (r._deleted IS NOT TRUE OR r._synced_at IS NULL);
`;
}

/** The JSON text of the ID in a file with columns: that in the whole record, which is there if the column does not hold it as it was written, else that of the column. */
function keyIn(resource: SqlResource, columns: readonly TypedColumn[]): string {
  const path = resource.id.split('.');
  // DuckDB takes text with half of a surrogate pair for no JSON.
  const whole = `TRY(CAST(json_extract(${RAW.name}, ${text(jsonPath(path))}) AS VARCHAR))`;
  // In CSV, the members of objects are columns with dotted names.
  const dotted = path.map((_, at) => [
    path
      .slice(0, at + 1)
      .map(escapedName)
      .join('.'),
    ...path.slice(at + 1),
  ]);
  const [column] = [path, ...dotted].flatMap((names) => valueAt(columns, names) ?? []);
  // DuckDB writes a double that is an integer with `.0`, which the service did not.
  const held = column && `TRY(regexp_replace(CAST(to_json(${column}) AS VARCHAR), '\\.0$', ''))`;
  return `${held === undefined ? whole : `coalesce(${whole}, ${held})`} AS ${KEY}`;
}

/** The value at a path, as SQL; undefined where no column has it. */
function valueAt(
  columns: readonly TypedColumn[],
  [name = '', ...rest]: readonly string[],
  within = '',
): string | undefined {
  const type = columns.find((column) => column.name === name)?.type;
  const value = within + identifier(name);
  // Parquet has JSON as text.
  if (type === 'json') return `json_extract(${value}, ${text(jsonPath(rest))})`;
  if (type === undefined || rest.length === 0) return type && value;
  return typeof type === 'object' && 'struct' in type ? valueAt(type.struct, rest, `(${value}).`) : undefined;
}

function jsonPath(path: readonly string[]): string {
  return `$${path.map((name) => `."${name.replaceAll('"', '\\"')}"`).join('')}`;
}

const READERS: Readonly<Record<PartFormat, (resource: SqlResource) => string>> = {
  parquet: (resource) =>
    `  SELECT *, ${keyIn(resource, columnsOf(resource))}
  FROM read_parquet(${sourceOf(resource)}, union_by_name = true)`,
  csv: (resource) => {
    const leaves = leavesOf(columnsOf(resource));
    // A text that DuckDB takes for no JSON must not be an error.
    const typeOf = (type: ColumnType) => sqlType(type === 'json' ? 'text' : type);
    const columns = leaves.map(({ name, type }) => `    ${text(name)}: ${text(typeOf(type))}`);
    return `  SELECT *, ${keyIn(resource, leaves)}
  FROM read_csv(${sourceOf(resource)}, auto_detect = false, header = true,
  new_line = '\\r\\n', delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false, max_line_size = ${LONGEST},
  columns = {\n${columns.join(',\n')}\n  })`;
  },
  ndjson: (resource) => {
    // Only the file itself has the whole record.
    const columns = columnsOf(resource).filter(({ name }) => name !== RAW.name);
    const list = (of: (column: TypedColumn) => string) =>
      columns.map((column) => `    ${of(column)}`).join(',\n');
    const folders = resource.partition.map((name) => `,\n    ${identifier(name)}`).join('');
    const [top = '', ...rest] = resource.id.split('.');
    const isColumn = columns.some(({ name }) => name === top);
    const key = `CAST(${rest.length === 0 ? identifier(top) : `json_extract(${identifier(top)}, ${text(jsonPath(rest))})`} AS VARCHAR) AS ${KEY}`;
    const readAs = ({ name, type }: TypedColumn) => (type === 'text' && name !== top ? 'VARCHAR' : 'JSON');
    const read = ({ name, type }: TypedColumn) =>
      type === 'text' && name === top
        ? `${identifier(name)} ->> '$'`
        : `TRY_CAST(${identifier(name)} AS ${sqlType(withJson(type))})`;
    return `  SELECT\n${list(({ name, type }) => `${checked(identifier(name), type)} AS ${identifier(name)}`)},
    ${KEY}${folders}
  FROM (SELECT\n${list((column) => `${read(column)} AS ${identifier(column.name)}`)},
    ${key}${folders}
  FROM read_json(${sourceOf(resource)}, format = 'newline_delimited', maximum_object_size = ${LONGEST},
  columns = {\n${list((column) => `${text(column.name)}: ${text(readAs(column))}`)}${isColumn ? '' : `,\n    ${text(top)}: 'JSON'`}\n  }))`;
  },
};

function columnsOf({ columns, partition }: SqlResource): readonly TypedColumn[] {
  return columnsOfPart(columns, Object.fromEntries(partition.map((name) => [name, ''])));
}

/** The files of a resource, and what the names of its folders mean. */
function sourceOf({ name, partition, ending }: SqlResource): string {
  const files = `${name}/${'*/'.repeat(partition.length)}*${ending}`;
  const types = partition.map((one) => `${text(one)}: VARCHAR`);
  return partition.length === 0
    ? text(files)
    : `${text(files)}, hive_partitioning = true, hive_types = {${types.join(', ')}}`;
}

/** The columns of CSV: the members of objects are columns of their own, and lists are JSON. */
function leavesOf(columns: readonly TypedColumn[], above = ''): readonly TypedColumn[] {
  return columns.flatMap(({ name, type }) => {
    const path = above + escapedName(name);
    if (typeof type === 'string') return [{ name: path, type }];
    return 'struct' in type ? leavesOf(type.struct, `${path}.`) : [{ name: path, type: 'json' as const }];
  });
}

const SQL_TYPES: Readonly<Record<Extract<ColumnType, string>, string>> = {
  int64: 'BIGINT',
  decimal: 'DECIMAL(38,0)',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  text: 'VARCHAR',
  timestamp: 'TIMESTAMPTZ',
  date: 'DATE',
  json: 'JSON',
};

function sqlType(type: ColumnType): string {
  if (typeof type === 'string') return SQL_TYPES[type];
  if ('list' in type) return `${sqlType(type.list)}[]`;
  return `STRUCT(${type.struct.map((member) => `${identifier(member.name)} ${sqlType(member.type)}`).join(', ')})`;
}

/** The same type with JSON in the place of what a cast would round, or guess. */
function withJson(type: ColumnType): ColumnType {
  if (typeof type === 'string') return IS_CHECKED.has(type) ? 'json' : type;
  if ('list' in type) return { list: withJson(type.list) };
  return { struct: type.struct.map((member) => ({ name: member.name, type: withJson(member.type) })) };
}

const IS_CHECKED: ReadonlySet<ColumnType> = new Set<ColumnType>([
  'int64',
  'decimal',
  'double',
  'boolean',
  'timestamp',
  'date',
]);

/** Texts that are a time or a date in every zone; a cast would also take `epoch`, and times of the zone of the session. */
const PATTERNS = {
  timestamp: '"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})"',
  date: '"[0-9]{4}-[0-9]{2}-[0-9]{2}"',
};

/** A value that was read as `withJson` says, as the type that is meant; null if it does not fit. */
function checked(value: string, type: ColumnType, depth = 0): string {
  if (type === 'boolean') return `CASE ${value} WHEN 'true' THEN true WHEN 'false' THEN false END`;
  if (type === 'int64' || type === 'decimal') {
    // DuckDB gives 1e3 as 1000.0, which is exact as long as any double with its digits is.
    const digits = `regexp_extract(${value}, '^(-?[0-9]+|-?[0-9]{1,15}\\.0)$', 1)`;
    return `TRY_CAST(regexp_replace(${digits}, '\\.0$', '') AS ${sqlType(type)})`;
  }
  if (type === 'double') {
    const double = `TRY_CAST(${value} AS DOUBLE)`;
    const isExact = `(NOT regexp_full_match(${value}, '-?[0-9]{16,}') OR TRY_CAST(${value} AS DECIMAL(38,0)) = TRY_CAST(${double} AS DECIMAL(38,0)))`;
    return `CASE WHEN regexp_full_match(${value}, '-?[0-9].*') AND isfinite(${double}) AND ${isExact} THEN ${double} END`;
  }
  if (type === 'timestamp' || type === 'date')
    return `CASE WHEN regexp_full_match(${value}, '${PATTERNS[type]}') THEN TRY_CAST(${value} AS ${sqlType(type)}) END`;
  if (typeof type === 'string' || sqlType(type) === sqlType(withJson(type))) return value;
  if ('list' in type) {
    const element = `e${depth}`;
    return `list_transform(${value}, lambda ${element}: ${checked(element, type.list, depth + 1)})`;
  }
  const members = type.struct.map(({ name, type: own }) => {
    return `${identifier(name)} := ${checked(`(${value}).${identifier(name)}`, own, depth)}`;
  });
  return `CASE WHEN ${value} IS NOT NULL THEN struct_pack(${members.join(', ')}) END`;
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
