import { type CsvDialect, cellsOf, RecordSplitter } from '../csv-records.ts';
import type { PartReaderOptions } from '../format.ts';
import { type ColumnType, columnsOfPart, type TypedColumn } from '../typed-column.ts';
import { DamagedPart, LONGEST } from './damaged-part.ts';
import { readTexts } from './read-lines.ts';
import { recordTexts } from './record-text.ts';
import { escapedName } from './records.ts';

const DIALECT: CsvDialect = { delimiter: ',', lineEnd: '\n' };

type Cells = readonly (string | undefined)[];

/** The records of a part in CSV. @throws DamagedPart; what the file system throws */
export async function* readCsv(
  path: string,
  options: PartReaderOptions,
): AsyncGenerator<readonly string[], void, undefined> {
  const columns = columnsOfPart(options.columns, options.partition);
  const paths: string[] = [];
  const read = objectReader(columns.slice(0, -1), paths, '');
  // The last column has the whole record.
  const width = paths.push(...columns.slice(-1).map(({ name }) => name));
  const cellOptions = { ...DIALECT, most: width, none: undefined };
  let row = -1;
  for await (const lines of readTexts(path, options, new RecordSplitter(DIALECT, LONGEST))) {
    const texts: string[] = [];
    for (const line of lines) {
      row += 1;
      const cells = cellsOf(line, cellOptions);
      if (!Array.isArray(cells)) throw new DamagedPart(`Row ${row} is not CSV`);
      if (cells.length !== width) throw new DamagedPart(`Row ${row} does not have ${width} cells`);
      if (row > 0) texts.push(cells[width - 1] ?? read(cells, row) ?? '{}');
      else if (cells.some((cell, index) => cell !== paths[index]))
        throw new DamagedPart('Its header does not have the names of the columns');
    }
    yield texts;
  }
  if (row === -1) throw new DamagedPart('It has no header');
}

/** Makes the text of an object of the cells of its members, and adds the names of these to `paths`; undefined if it has no member. */
function objectReader(
  columns: readonly TypedColumn[],
  paths: string[],
  above: string,
): (cells: Cells, row: number) => string | undefined {
  const toText = recordTexts(columns);
  const members = columns.map(({ name, type }) => {
    const path = above + escapedName(name);
    if (typeof type === 'object' && 'struct' in type) return objectReader(type.struct, paths, `${path}.`);
    const at = paths.push(path) - 1;
    const textOf = VALUES[typeof type === 'string' ? type : 'json'];
    return (cells: Cells, row: number) => {
      const cell = cells[at];
      if (cell === undefined) return undefined;
      const text = textOf(cell);
      if (text === undefined) throw new DamagedPart(`Row ${row} has a wrong value of ${path}`);
      return text;
    };
  });
  return (cells, row) => {
    const values = members.map((member) => member(cells, row));
    return values.every((value) => value === undefined) ? undefined : toText(values);
  };
}

const ifMatches = (pattern: RegExp) => (cell: string) => (pattern.test(cell) ? cell : undefined);

/** The JSON text of a cell; undefined if it is not of the type. */
const VALUES: Readonly<Record<Extract<ColumnType, string>, (cell: string) => string | undefined>> = {
  int64: ifMatches(/^-?\d+$/),
  decimal: ifMatches(/^-?\d+$/),
  double: ifMatches(/^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/),
  boolean: ifMatches(/^(?:true|false)$/),
  text: JSON.stringify,
  timestamp: JSON.stringify,
  date: JSON.stringify,
  json: (cell) => cell,
};
