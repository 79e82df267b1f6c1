import fc from 'fast-check';
import type { ColumnType, TypedColumn } from '../../../src/output/typed-column.ts';
import { anyText } from '../../harness/any-text.ts';

/** A value as JSON text, what its column holds, and whether that is all of it. */
export type AnyValue = { readonly text: string; readonly value: unknown; readonly isHeld: boolean };

/** Columns of each type, also nested ones; `json` is the name of that of JSON text. */
export function columnsOfEachType(json: string): readonly TypedColumn[] {
  return [
    { name: 'id', type: 'text' },
    { name: 'int', type: 'int64' },
    { name: 'long', type: 'decimal' },
    { name: 'double', type: 'double' },
    { name: 'flag', type: 'boolean' },
    { name: 'at', type: 'timestamp' },
    { name: 'day', type: 'date' },
    { name: json, type: 'json' },
    { name: 'texts', type: { list: 'text' } },
    {
      name: 'owner',
      type: {
        struct: [
          { name: 'name', type: 'text' },
          { name: 'limits', type: { struct: [{ name: 'most', type: 'int64' }] } },
          { name: 'grid', type: { list: { list: 'int64' } } },
          {
            name: 'legs',
            type: {
              list: {
                struct: [
                  { name: 'fare', type: 'double' },
                  { name: 'tags', type: { list: 'text' } },
                ],
              },
            },
          },
        ],
      },
    },
  ];
}

const NULL: AnyValue = { text: 'null', value: null, isHeld: true };
const held = (text: string, value: unknown): AnyValue => ({ text, value, isHeld: true });
const space = fc.constantFrom('', '', '', ' ', '\n', '\t \r\n');

/** A string as JSON, all of it perhaps in escape sequences. */
const jsonString = (string: string) =>
  fc.boolean().map((isEscaped) => {
    const unit = (at: number) => `\\u${string.charCodeAt(at).toString(16).padStart(4, '0')}`;
    return isEscaped
      ? `"${Array.from(string.split(''), (_, at) => unit(at)).join('')}"`
      : JSON.stringify(string);
  });

const anyString = fc.oneof(
  anyText().map((text) => text.toWellFormed()),
  fc.constantFrom('', '\u0000', '"\\', '\ud83d\ude00', '{"a":[1,'),
);

const instant = fc
  .record({
    at: fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
    minutes: fc.integer({ min: -1439, max: 1439 }),
    nanos: fc.integer({ min: 0, max: 999_999 }),
  })
  .map(({ at, minutes, nanos }) => {
    const clock = (count: number) => String(count).padStart(2, '0');
    const [ahead, sign] = [Math.abs(minutes), minutes < 0 ? '-' : '+'];
    const offset = minutes === 0 ? 'Z' : `${sign}${clock(Math.floor(ahead / 60))}:${clock(ahead % 60)}`;
    const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, 23);
    const micros = BigInt(at.getTime()) * 1000n + BigInt(Math.floor(nanos / 1000));
    return held(`"${local}${String(nanos).padStart(6, '0')}${offset}"`, micros);
  });

const day = fc
  .date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
  .map((date) => held(`"${date.toISOString().slice(0, 10)}"`, Math.floor(date.getTime() / 86_400_000)));

const integer = (min: bigint, max: bigint) =>
  fc
    .tuple(
      fc.oneof(
        fc.bigInt({ min, max }),
        fc.bigInt({ min: -9n, max: 9n }),
        fc.constantFrom(min, max, 9007199254740993n),
      ),
      fc.constantFrom('', '.0', '.00', 'e0', '.0e+0', 'E-0'),
    )
    .map(([value, end]) => held(`${value}${end}`, value));

/** Values that fit a type, and their texts. */
const FITTING: Readonly<Record<Extract<ColumnType, string>, fc.Arbitrary<AnyValue>>> = {
  int64: integer(-(2n ** 63n), 2n ** 63n - 1n),
  decimal: integer(-(10n ** 38n) + 1n, 10n ** 38n - 1n).map(({ text, value }) => held(text, Number(value))),
  double: fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => held(Object.is(value, -0) ? '-0' : String(value), value)),
  boolean: fc.boolean().map((value) => held(String(value), value)),
  text: anyString.chain((value) => jsonString(value).map((text) => held(text, value))),
  timestamp: instant,
  date: day,
  json: fc
    .jsonValue()
    .map((value) => (value === null ? NULL : held(JSON.stringify(value), JSON.stringify(value)))),
};

/** JSON that fits none of the types that it is used for. */
const UNFIT: Readonly<Record<Extract<ColumnType, string>, readonly string[]>> = {
  int64: [
    '1.5',
    '9223372036854775808',
    '-9223372036854775809',
    '1e400',
    '"1"',
    'true',
    '{}',
    '[1]',
    '1e-400',
  ],
  decimal: [`1${'0'.repeat(38)}`, `-1${'0'.repeat(38)}`, '0.1', '"1"', 'false', '[]', '1e38'],
  double: [
    '1e400',
    '-1e400',
    '9007199254740993',
    '0.12345678901234567891',
    '"0.1"',
    'true',
    '{"a":1}',
    '1e-400',
  ],
  boolean: ['0', '1', '"true"', '[]', '{}'],
  text: ['1', 'true', '[]', '{}', '"\\ud800"', '"a\\udc00b"'],
  timestamp: [
    '0',
    '"2026-02-29T00:00:00Z"',
    '"2026-01-01T24:00:00Z"',
    '"2026-01-01T00:00:60Z"',
    '"2026-01-01T00:00:00"',
    '"2026-01-01"',
    '"2026-01-01T00:00:00.Z"',
    '"2026-01-01T00:00:00+0100"',
    '"2026-01-01T00:00:00Zx"',
    '"0000-01-01T00:00:00Z"',
    '"\\u0032026-01-01T00:00:00Z"',
    '""',
  ],
  date: ['20260101', '"2026-13-01"', '"2026-1-1"', '"2026-01-01T00:00:00Z"', '"1900-02-29"', '""'],
  json: [],
};

/** A value of a column, which may not fit, or be null. */
function anyValue(type: ColumnType): fc.Arbitrary<AnyValue> {
  if (typeof type === 'string') {
    const unfit = UNFIT[type].map((text) => ({ text, value: null, isHeld: false }));
    const fitting = { arbitrary: FITTING[type], weight: 8 };
    return fc.oneof(fitting, fc.constant(NULL), ...(unfit.length > 0 ? [fc.constantFrom(...unfit)] : []));
  }
  const other = { text: '"no"', value: null, isHeld: false };
  if ('struct' in type)
    return fc.oneof({ arbitrary: anyObject(type.struct), weight: 8 }, fc.constantFrom(NULL, other));
  const list = fc.tuple(fc.array(anyValue(type.list), { maxLength: 5 }), space).map(([values, gap]) => ({
    text: `[${gap}${values.map(({ text }) => text).join(`${gap},${gap}`)}${gap}]`,
    value: values.map(({ value }) => value),
    isHeld: values.every(({ isHeld }) => isHeld),
  }));
  return fc.oneof({ arbitrary: list, weight: 8 }, fc.constantFrom(NULL, other));
}

/** An object with these members in any order: some are missing, some are there two times, and there are others. */
export function anyObject(columns: readonly TypedColumn[]): fc.Arbitrary<AnyValue> {
  const members = columns.map(({ name, type }) =>
    fc.record({
      name: fc.constant(name),
      count: fc.constantFrom(0, 1, 1, 1, 2),
      values: fc.tuple(anyValue(type), anyValue(type)),
    }),
  );
  const other = fc.option(fc.constantFrom('"other":1', '"other":{"id":[2]}', '"":""'), {
    nil: undefined,
    freq: 8,
  });
  return fc
    .tuple(fc.tuple(...members), other, space, fc.infiniteStream(fc.nat(49)))
    .chain(([found, more, gap, order]) => {
      const written = found.flatMap(({ name, count, values }) =>
        values
          .slice(2 - count)
          .filter(({ isHeld }, at, all) => isHeld || at === all.length - 1)
          .map((value, at) => ({ name, ...value, key: order.next().value + at * 50 })),
      );
      const sorted = written.toSorted((one, two) => one.key - two.key);
      const texts = [
        ...sorted.map(({ name, text }) => `${JSON.stringify(name)}${gap}:${gap}${text}`),
        ...(more === undefined ? [] : [more]),
      ];
      // Of two with one name, the second counts; the first one may be any that fits.
      const last = new Map(sorted.map((member) => [member.name, member]));
      return fc.constant({
        text: `{${gap}${texts.join(`${gap},${gap}`)}${gap}}`,
        value: Object.fromEntries(columns.map(({ name }) => [name, last.get(name)?.value ?? null])),
        isHeld: more === undefined && [...last.values()].every(({ isHeld }) => isHeld),
      });
    });
}
