import type { Values } from './measure.ts';

/** What the values of a row are. */
export type Unit = 'ms' | 'MiB' | 'per second';

/** What a row has to reach. */
export type Bar = { readonly atMost: number } | { readonly atLeast: number };

/** One measurement of payctl, alone or against something else that was measured in turns with it. */
export type Row = {
  readonly name: string;
  readonly unit: Unit;
  readonly values: Values;
  readonly against?: { readonly name: string; readonly values: Values };
  /** Of the best values: payctl's share of the other's. Where the bar is a least, how many times faster payctl is. */
  readonly ratio?: { readonly wall: number; readonly cpu?: number };
  /** Of the ratio, or of the value if there is none; rows that only inform have none. */
  readonly bar?: Bar;
  readonly met?: boolean;
};

/** What was not measured, and why. */
export type Absent = { readonly name: string; readonly reason: string };

/** A line that a group of measurements prints. */
export type Line = { readonly row: Row } | { readonly absent: Absent };

/** A row except for what follows from its values. The bar also holds for CPU time, unless it is for the wall clock only. */
export type Measurement = Omit<Row, 'ratio' | 'met'> & { readonly wallOnly?: boolean };

/** Hands a row over to `all.ts`. */
export function report(measurement: Measurement): void {
  print({ row: makeRow(measurement) });
}

/** Hands over what could not be measured. */
export function reportAbsent(name: string, reason: string): void {
  print({ absent: { name, reason } });
}

/** Completes a row: its ratio, and whether it reaches the bar. */
export function makeRow({ wallOnly = false, ...row }: Measurement): Row {
  const { values, against, bar, unit } = row;
  const atLeast = bar !== undefined && 'atLeast' in bar;
  const share = (ours: number, theirs: number) =>
    atLeast && unit !== 'per second' ? theirs / ours : ours / theirs;
  const ratio = against && {
    wall: share(values.best, against.values.best),
    ...(values.cpu !== undefined &&
      against.values.cpu !== undefined && { cpu: share(values.cpu, against.values.cpu) }),
  };
  const judged = ratio ? [ratio.wall, wallOnly ? ratio.wall : (ratio.cpu ?? ratio.wall)] : [values.best];
  const met = bar && judged.every((value) => ('atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost));
  return { ...row, ...(ratio && { ratio }), ...(met !== undefined && { met }) };
}

/** The cells of a row: what, payctl's values, the other's, their ratio, the bar, and whether it is reached. */
export function cellsOf(row: Row): readonly string[] {
  const { name, unit, values, against, ratio, bar, met } = row;
  return [
    name,
    textOf(values, unit),
    against ? `${against.name}: ${textOf(against.values, unit)}` : '',
    ratio ? `${times(ratio.wall)}${ratio.cpu === undefined ? '' : `, CPU ${times(ratio.cpu)}`}` : '',
    bar ? barText(bar, ratio ? undefined : unit) : '',
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ];
}

function textOf({ best, cpu }: Values, unit: Unit): string {
  const value = `${number(best)} ${unit}`;
  return cpu === undefined ? value : `${value}, CPU ${number(cpu)}`;
}

/** Without a unit it is a ratio. */
function barText(bar: Bar, unit: Unit | undefined): string {
  const [word, limit] = 'atLeast' in bar ? ['at least', bar.atLeast] : ['at most', bar.atMost];
  return `${word} ${unit ? `${number(limit)} ${unit}` : times(limit)}`;
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

function times(ratio: number): string {
  return `${ratio.toLocaleString('en-US', { maximumFractionDigits: ratio < 10 ? 2 : 1 })} x`;
}

function print(line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
