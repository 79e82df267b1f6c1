import { describe, expect, it } from 'vitest';
import type { ConcernedRecord } from '../../../src/cli/money/record.ts';
import type { PlanRow } from '../../../src/features/bulk/plan-file.ts';
import {
  findInRecord,
  type Looked,
  showsInRecord,
} from '../../../src/features/bulk/reconcile/find-in-record.ts';
import type { Target, TargetOperation } from '../../../src/features/bulk/target.ts';

const SENT = Date.parse('2026-03-01T12:00:00.300Z');
const PLANNED = '2026-03-01T09:00:00.123Z';
const LATER = '2026-03-01T12:00:00.345Z';

type Operation = Partial<TargetOperation> & Pick<TargetOperation, 'method'>;

function targetOf(operation: Operation): Target {
  return {
    command: 'transactions change',
    operation: {
      id: 'change',
      path: '/transactions/{id}',
      summary: '',
      scopes: [],
      merchantAccount: false,
      isList: false,
      paginated: false,
      pathParameters: ['id'],
      query: {},
      hasBody: true,
      successStatus: 200,
      responseSchema: '',
      errors: [],
      ...operation,
    },
    description: 'hash',
    merchantHeader: undefined,
    shared: {},
    columnNames: [],
    column: () => undefined,
    arguments: async (given) => given,
    draft: () => ({ path: {}, query: {}, body: undefined }),
    call: async () => ({ path: {}, query: {}, body: undefined, target: '' }),
  };
}

const CAPTURE: Operation = {
  method: 'POST',
  path: '/transactions/{id}/capture',
  action: 'custom',
  newStatus: 'captured',
};
const NOT_FOUND: ConcernedRecord = { state: 'not_read', id: 't1', why: 'not found' };

/** A record that was read. */
function shown(value: Readonly<Record<string, unknown>>, etag?: string): ConcernedRecord {
  return { state: 'read', id: 't1', value, personalData: undefined, etag };
}

/** What is found about a row that was sent ten minutes before its record was read. */
function find(
  operation: Operation,
  record: ConcernedRecord,
  { row = {}, ...looked }: Partial<Pick<Looked, 'isShared'>> & { readonly row?: Partial<PlanRow> } = {},
) {
  const offset = { least: -500, most: 500 };
  const planned = {
    row: 1,
    line: 2,
    key: '2',
    arguments: { id: 't1' },
    input: [],
    read: { updated_at: PLANNED },
  };
  const finding = findInRecord(
    { row: { ...planned, ...row }, firstMs: SENT, lastMs: SENT, attempt: 1 },
    {
      target: targetOf(operation),
      record,
      isShared: false,
      read: { beganMs: SENT + 600_000, offset },
      ...looked,
    },
    { offsetThen: undefined, settleMs: 60_000 },
  );
  return 'code' in finding ? [finding.state, finding.code] : [finding.state];
}

describe('the record of a row without a response', () => {
  it.each([
    [NOT_FOUND, ['done']],
    [{ ...NOT_FOUND, why: 'status 410' }, ['done']],
    [{ ...NOT_FOUND, why: 'refused' }, ['unknown', 'record_not_read']],
    [{ state: 'none' } as const, ['unknown', 'record_not_read']],
    [shown({ status: 'open' }), ['failed', 'not_carried_out']],
  ])('tells a deletion: %j', (record, expected) => {
    expect(find({ method: 'DELETE' }, record)).toEqual(expected);
  });

  it.each([
    [
      'all values',
      { name: 'Ada', amount: 5, tags: { a: null }, due: '2026-03-01T10:00:00Z', updated_at: LATER },
      ['done'],
    ],
    [
      'another value and the version of the plan',
      { name: 'Bob', updated_at: PLANNED },
      ['failed', 'not_carried_out'],
    ],
    ['another value and another version', { name: 'Bob', updated_at: LATER }, ['unknown', 'record_changed']],
    ['not all of the values', { name: 'Ada', updated_at: LATER }, ['unknown', 'record_changed']],
    ['no version', { name: 'Bob' }, ['unknown', 'record_changed']],
  ])('tells an update by %s', (_, record, expected) => {
    const body = { name: 'Ada', amount: 5.0, tags: { a: null }, due: '2026-03-01T11:00:00+01:00' };
    expect(find({ method: 'PUT' }, shown(record), { row: { body } })).toEqual(expected);
  });

  it('tells versions by entity tags, and by times only where two changes would differ', () => {
    const body = { name: 'Ada' };
    const record = shown({ name: 'Bob' }, '"1"');
    expect(find({ method: 'PATCH' }, record, { row: { body, read: { etag: '"1"' } } })).toEqual([
      'failed',
      'not_carried_out',
    ]);
    expect(find({ method: 'PATCH' }, record, { row: { body, read: { etag: '"2"' } } })).toEqual([
      'unknown',
      'record_changed',
    ]);
    const seconds = (updated_at: string) =>
      find({ method: 'PATCH' }, shown({ name: 'Bob', updated_at }), { row: { body, read: { updated_at } } });
    expect(seconds('2026-03-01T11:59:58Z')).toEqual(['failed', 'not_carried_out']);
    expect(seconds('2026-03-01T12:00:00Z')).toEqual(['unknown', 'record_changed']);
  });

  it.each([
    ['captured', 1000, LATER, ['done']],
    ['captured', 999, LATER, ['unknown', 'other_amount']],
    ['captured', undefined, LATER, ['unknown', 'other_amount']],
    ['captured', 1000, PLANNED, ['unknown', 'record_unchanged']],
    ['authorized', 0, PLANNED, ['failed', 'not_carried_out']],
    ['authorized', 0, LATER, ['unknown', 'record_changed']],
    ['voided', 0, LATER, ['unknown', 'record_changed']],
  ])('tells a capture: %s, %s, %s', (status, captured_amount, updated_at, expected) => {
    const record = { status, amount: 1000, captured_amount, currency: 'EUR', updated_at };
    expect(find(CAPTURE, shown(record), { row: { moves: { EUR: '10.00' } } })).toEqual(expected);
  });

  it('is not done by a change that was made before the row was sent, also without a version in the plan', () => {
    const at = (updated_at: string) => {
      const record = { status: 'captured', amount: 1000, captured_amount: 1000, currency: 'EUR', updated_at };
      return find(CAPTURE, shown(record), { row: { read: {}, moves: { EUR: '10.00' } } });
    };
    expect(at('2026-03-01T11:59:59.700Z')).toEqual(['unknown', 'record_unchanged']);
    expect(at(LATER)).toEqual(['done']);
  });

  it('does not tell which of several rows has changed it', () => {
    const record = {
      status: 'captured',
      amount: 1000,
      captured_amount: 1000,
      currency: 'EUR',
      updated_at: LATER,
    };
    expect(find(CAPTURE, shown(record), { isShared: true, row: { moves: { EUR: '5.00' } } })).toEqual([
      'unknown',
      'shared_record',
    ]);
  });

  it.each([
    [{ method: 'PUT' }, true],
    [{ method: 'DELETE', isForAll: true }, false],
    [CAPTURE, true],
    [{ method: 'POST', action: 'update' }, true],
    [{ method: 'POST', action: 'custom' }, false],
    [{ method: 'POST', action: 'create' }, false],
  ] as const)('is looked at for what it shows: %j', (operation, expected) => {
    expect(showsInRecord(targetOf(operation))).toBe(expected);
  });
});
