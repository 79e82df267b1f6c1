import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  oneof,
  record,
  shuffledSubarray,
  tuple,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRuntime } from '../../../src/cli/runtime.ts';
import { findRowOperation, openRowTarget } from '../../../src/features/api/row-target.ts';
import { lineOf, type RowCheck, RowChecker } from '../../../src/features/bulk/plan/check-row.ts';
import { Columns } from '../../../src/features/bulk/plan/columns.ts';
import type { InputRow } from '../../../src/features/bulk/table/input-row.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { folderForAll } from '../../harness/temporary-folder.ts';
import { MemoryStream } from '../../output/memory-stream.ts';

const text = { type: 'string' };
const payment = {
  type: 'object',
  required: ['amount', 'currency'],
  properties: {
    amount: { type: 'integer', minimum: 0, maximum: 99_999_999 },
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    intent: { enum: ['authorize', 'capture'] },
    external_identifier: { type: ['string', 'null'], maxLength: 12 },
    fee: { type: 'integer' },
    quantity: { type: 'integer' },
    rate: { type: 'number' },
    is_test: { type: 'boolean' },
    address: { type: 'object', properties: { city: text, zip: { type: 'string', pattern: '^\\d{5}$' } } },
    metadata: { type: 'object', additionalProperties: text },
    tags: { type: 'array', items: text },
    slow: { type: 'string', pattern: '^(a+)+$' },
  },
};
const wrapped = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['kind', 'note'],
      properties: { kind: { const: 'order' }, note: text },
    },
  },
};
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const operation = (schema: unknown, parameters: readonly object[] = []) => ({
  parameters,
  requestBody: { required: true, ...json(schema) },
  responses: { 201: { description: '', ...json(schema) } },
});
const id = (schema: object) => ({ name: 'payment_id', in: 'path', required: true, schema });
const document = {
  openapi: '3.1.0',
  info: { title: 'Payments', version: '1' },
  paths: {
    '/payments': {
      post: operation(payment, [
        { name: 'idempotency-key', in: 'header', schema: text },
        { name: 'mode', in: 'query', schema: text },
      ]),
    },
    '/payments/{payment_id}/refunds': {
      post: operation({ ...payment, required: [] }, [id({ type: 'string', pattern: '^[\\w ]+$' })]),
    },
    '/payments/{payment_id}': { put: operation(payment, [id({ type: 'string', maxLength: 20 })]) },
    '/orders': {
      get: { responses: { 200: { description: '', ...json(wrapped) } } },
      post: operation(wrapped),
    },
  },
};

const description = join(folderForAll(), 'openapi.json');
writeFileSync(description, JSON.stringify(document));

async function targetOf(command: string, flags: Readonly<Record<string, unknown>> = {}) {
  const runtime = createRuntime({
    stdout: new MemoryStream(),
    stderr: new MemoryStream(),
    stdin: async function* () {},
    env: { PAYCTL_DESCRIPTION: description },
    signal: new AbortController().signal,
    version: '0.0.0',
  });
  const found = await findRowOperation(command.split(' '), runtime);
  const warnings: string[] = [];
  const display = { warn: (_: string, warning: string) => warnings.push(warning), info: () => {} };
  return { target: await openRowTarget(found, { args: {}, flags, runtime, display }), warnings };
}

type Case = {
  readonly command: string;
  readonly columns: readonly string[];
  readonly plain: readonly (string | undefined)[];
  readonly other: readonly (string | undefined)[];
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly takesMajor?: boolean;
};
type Options = { readonly hasTotals?: boolean; readonly takesMajor?: boolean };
type Target = Awaited<ReturnType<typeof targetOf>>['target'];

function checkerOf(target: Target, names: readonly string[], options: Options = {}): RowChecker {
  const columnOptions = { key: undefined, renamed: new Map(), ignored: new Set(['ignored']) };
  return new RowChecker({
    target,
    columns: new Columns(target, columnOptions),
    names: [...names],
    allowsDuplicates: true,
    takesMajor: false,
    read: undefined,
    limited: [],
    hasTotals: false,
    ...options,
  });
}

type Table = readonly (readonly (string | undefined)[])[];

function rowsOf(columns: readonly string[], cells: Table): readonly InputRow[] {
  return cells.map((values, index) => ({ line: index + 2, columns, values }));
}

/** What was found about a row, with its texts. */
function withTexts(check: RowCheck | undefined) {
  return check && 'row' in check ? { ...check, row: { ...check.row, texts: check.row.texts() } } : check;
}

/** The line of a row in the plan, or its problems. */
function outcomeOf(check: RowCheck, names: readonly string[]) {
  if ('problems' in check) return check;
  const line = { number: 1, texts: check.row.texts(), idempotencyKey: undefined, names };
  return { ...withTexts(check), line: lineOf(check, line) };
}

describe('a row like an earlier one', () => {
  it.each<[string, string, readonly string[], Table]>([
    [
      'other texts',
      'payments create',
      ['row_key', 'amount', 'currency', 'external_identifier', 'metadata.order', 'ignored'],
      [
        ['a', '500', 'EUR', 'x', 'A "1"', ','],
        ['b', '700', 'EUR', 'ÿ \u{1F98A}', '\t', ''],
      ],
    ],
    [
      'another record',
      'payments refunds create',
      ['payment_id', 'amount', 'currency', 'rate'],
      [
        ['t1', '7', 'EUR', '1.5'],
        ['t2', '9', 'EUR', '1.5'],
      ],
    ],
  ])('is not checked in full: %s', { tags: 'slow' }, async (_, command, columns, cells) => {
    const { target } = await targetOf(command);
    const checker = checkerOf(target, columns);
    const [first, second] = rowsOf(columns, cells);
    if (!first || !second) throw new Error('two rows are needed');
    expect(checker.checkAgain(first)).toBeUndefined();
    await checker.check(first);
    for (const row of [first, second]) {
      const alone = withTexts(await checkerOf(target, columns).check(row));
      expect(withTexts(checker.checkAgain(row))).toEqual(alone);
    }
  });

  const EUR = { command: 'payments create', columns: ['amount', 'currency'], plain: ['500', 'EUR'] };
  it.each<[string, Case]>([
    ['no amount', { ...EUR, other: ['0', 'EUR'] }],
    ['no amount before', { ...EUR, plain: ['0', 'EUR'], other: ['700', 'EUR'] }],
    ['another currency', { ...EUR, other: ['500', 'JPY'] }],
    ['major units', { ...EUR, other: ['700', 'EUR'], takesMajor: true }],
    ['a damaged value', { ...EUR, other: ['1E+05', 'EUR'] }],
    ['an invalid value', { ...EUR, other: ['500', 'eur'] }],
    [
      'another quantity',
      {
        ...EUR,
        columns: [...EUR.columns, 'quantity'],
        plain: ['500', 'EUR', '2'],
        other: ['500', 'EUR', '3'],
      },
    ],
    [
      'a null',
      {
        ...{ ...EUR, columns: [...EUR.columns, 'external_identifier'] },
        ...{ plain: ['500', 'EUR', 'x'], other: ['500', 'EUR', 'null'] },
      },
    ],
    [
      'an empty cell, and another one before',
      {
        ...{ ...EUR, columns: [...EUR.columns, 'external_identifier', 'address.city'] },
        ...{ plain: ['500', 'EUR', 'x', undefined], other: ['500', 'EUR', undefined, 'x'] },
      },
    ],
    ['a warning', { ...EUR, other: ['700', 'EUR'], flags: { data: '{"undescribed":1}' } }],
    [
      'a text that may hold amounts',
      {
        ...{ command: 'payments create', columns: ['amount', 'currency', 'metadata.order'] },
        ...{ plain: ['500', 'EUR', 'x'], other: ['500', 'EUR', '{"amount":5}'] },
      },
    ],
  ])('is not one with %s', async (_, { command, columns, plain, other, flags, ...options }) => {
    const { target, warnings } = await targetOf(command, flags);
    const checker = checkerOf(target, columns, options);
    const [first, second] = rowsOf(columns, [plain, other]);
    if (!first || !second) throw new Error('two rows are needed');
    const before = await checker.check(first);
    expect('row' in before).toBe(true);
    warnings.splice(0);
    const again = checker.checkAgain(second) ?? (await checker.check(second));
    const said = warnings.splice(0);
    const alone = await checkerOf(target, columns, options).check(second);
    expect(outcomeOf(again, columns)).toEqual(outcomeOf(alone, columns));
    expect(said).toEqual(warnings);
  });

  it('is planned as if it were the only one, whatever the rows before it were', {
    tags: 'slow',
  }, async () => {
    await assert(
      asyncProperty(tables, async ({ command, flags, columns, cells, ...options }) => {
        const { target, warnings } = await targetOf(command, flags);
        const checker = checkerOf(target, columns, options);
        for (const row of rowsOf(columns, cells)) {
          const again = checker.checkAgain(row) ?? (await checker.check(row));
          const said = warnings.splice(0);
          const alone = await checkerOf(target, columns, options).check(row);
          expect(outcomeOf(again, columns)).toEqual(outcomeOf(alone, columns));
          expect(said).toEqual(warnings.splice(0));
        }
      }),
      propertyRuns(5000, 25),
    );
  });
});

const TEXTS = [
  'order-1',
  'order-2',
  'a "b"',
  'null',
  '[1]',
  '{"amount":5}',
  'é',
  '\u0001',
  "'1",
  '1E+05',
  '12345',
];
const NUMBERS = [
  '500',
  '700',
  '1',
  '0',
  '-5',
  '-0',
  '007',
  '1.5',
  '9007199254740993',
  '5.00EUR',
  '1E5',
  'x',
  '500',
];
const CELLS: Readonly<Record<string, readonly string[]>> = {
  amount: NUMBERS,
  fee: NUMBERS,
  rate: [...NUMBERS, '1e-7', '2.50'],
  quantity: ['1', '2', '3', '1', '1'],
  currency: ['EUR', 'USD', 'JPY', 'EUR', 'eur'],
  intent: ['capture', 'authorize', 'other'],
  payment_id: ['t1', 't2', 'refunds', 'refund 1', 'a/b', ...TEXTS],
  'address.zip': ['12345', '1234'],
};
/** Columns whose rows are always checked in full. */
const NEVER_PLAIN: typeof CELLS = {
  is_test: ['true', 'false', '1'],
  metadata: ['{}', '{"a":"b"}', 'x'],
  slow: ['aaa', 'aa', 'b'],
  'tags[0]': ['a', 'b', ''],
  mode: ['a', 'b', ''],
};
const OTHERS = [
  'row_key',
  'ignored',
  'external_identifier',
  'address.city',
  'metadata.order',
  'metadata.amount',
];
const FLAGS: readonly object[] = [
  ...[{}, {}, {}, {}, { data: '{"intent":"capture"}' }, { data: '{"currency":"EUR","fee":3}' }],
  ...[
    { data: '{"fee":"1.00EUR"}' },
    { data: '{"undescribed":1}' },
    { data: '{"tags":["a"]}' },
    { data: '{"rate":1.50}' },
  ],
  ...[{ mode: 'x' }, { 'no-validate': true, data: '{"unknown":1}' }, { data: '{"quantity":2}' }],
];

/** A table, and how it is planned. Its first rows are often plain, so that later ones are like them. */
const tables = record({
  command: constantFrom('payments create', 'payments refunds create', 'payments update', 'orders create'),
  flags: constantFrom(...FLAGS),
  hasTotals: boolean(),
  takesMajor: constantFrom(false, false, false, false, true),
}).chain(({ command, flags, ...options }) => {
  const isOrder = command === 'orders create';
  const first = isOrder ? ['kind', 'note'] : ['amount', 'currency'];
  const path = /refunds|update/.test(command) ? ['payment_id'] : [];
  const others = isOrder ? ['row_key', 'ignored'] : [...OTHERS, ...Object.keys(CELLS)];
  const more = others.filter((name) => !first.includes(name) && name !== 'payment_id');
  const odd = Object.keys(NEVER_PLAIN).filter((name) => name !== 'mode' || command === 'payments create');
  return tuple(
    shuffledSubarray(more, { maxLength: Math.min(more.length, 3) }),
    oneof(
      { weight: 9, arbitrary: constant([]) },
      isOrder ? constant([]) : constantFrom(...odd).map((name) => [name]),
    ),
  )
    .map((chosen) => [...path, ...first, ...chosen.flat()])
    .chain((columns) =>
      array(rowOf(columns), { minLength: 4, maxLength: 8 }).map((cells) => ({
        ...options,
        ...{ command, flags: { ...flags } as Readonly<Record<string, unknown>>, columns, cells },
      })),
    );
});

function rowOf(columns: readonly string[]): Arbitrary<(string | undefined)[]> {
  const cells = columns.map((name) => {
    const [first = '', second = '', ...others] = CELLS[name] ?? NEVER_PLAIN[name] ?? TEXTS;
    const plain = constantFrom(first, second);
    return oneof(
      { weight: 30, arbitrary: plain },
      { weight: 1, arbitrary: constantFrom(...others, undefined) },
    );
  });
  return record(Object.fromEntries(cells.entries())).map((row) => Object.values(row));
}
