import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Finding,
  RecordSearch,
  type SearchParts,
} from '../../../src/features/bulk/reconcile/find-in-records.ts';
import type { ReadList } from '../../../src/features/bulk/reconcile/list-beside.ts';
import type { Offset } from '../../../src/features/bulk/reconcile/service-clock.ts';
import type { UnknownRow } from '../../../src/features/bulk/reconcile/unknown-rows.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

const SENT = Date.parse('2026-03-01T12:00:00.300Z');
const SETTLE = 60_000;
/** The clocks agree to the millisecond, unless a test says otherwise. */
const EXACT: Offset = { least: 0, most: 0 };

type Json = Readonly<Record<string, unknown>>;

function row(body: unknown, { number = 1, at = SENT, key, moves }: RowOptions = {}): UnknownRow {
  return {
    row: {
      row: number,
      line: number,
      key: String(number),
      arguments: { transaction_id: 't1' },
      body,
      input: [],
      ...(key !== undefined && { idempotency_key: key }),
      ...(moves && { moves }),
    },
    firstMs: at,
    lastMs: at,
    attempt: 1,
  };
}

type RowOptions = {
  readonly number?: number;
  readonly at?: number;
  readonly key?: string;
  readonly moves?: Readonly<Record<string, string>>;
};

type Case = Partial<Pick<SearchParts, 'done' | 'unnamed'>> & {
  readonly operation?: Partial<SearchParts['operation']>;
  readonly isBelowRecord?: boolean;
  readonly claimed?: readonly string[];
  readonly unfit?: readonly string[];
  readonly read?: Partial<ReadList>;
  /** By how much the clock of the service was ahead while rows were sent; null where nothing was heard of it then. */
  readonly offsetThen?: Offset | null;
};

/** What is found about rows in a list that was read ten minutes after they were sent. */
function find(
  rows: readonly UnknownRow[],
  records: readonly Json[],
  {
    claimed = [],
    unfit = [],
    read,
    offsetThen = EXACT,
    isBelowRecord = true,
    operation,
    ...parts
  }: Case = {},
): readonly Finding[] {
  const search = new RecordSearch({
    rows,
    operation: { method: 'POST', pathParameters: isBelowRecord ? ['transaction_id'] : [], ...operation },
    isClaimed: (id) => claimed.includes(id),
    isUnfit: (id) => unfit.includes(id),
    done: claimed.length,
    unnamed: 0,
    ...parts,
  });
  for (const record of records) search.add(record);
  const offset = offsetThen ?? EXACT;
  const whole = { isWhole: true, beganMs: SENT + offset.least + 600_000, offset };
  return search.findings({ ...whole, ...read }, { offsetThen: offsetThen ?? undefined, settleMs: SETTLE });
}

/** A refund that was made so many milliseconds after the row was sent. */
function refund(id: string, afterMs: number, others: Json = {}): Json {
  const created_at = new Date(SENT + afterMs).toISOString();
  return { id, status: 'succeeded', amount: 500, currency: 'EUR', created_at, ...others };
}

describe('a record that says that the change failed', () => {
  it('makes the row failed', () => {
    const [found] = find([row({ amount: 100 })], [refund('a', 50, { amount: 100, status: 'declined' })]);
    expect(found).toEqual({
      state: 'failed',
      code: 'record_failed',
      message: 'The record has the status declined',
      id: 'a',
      record_status: 'declined',
    });
  });

  it('or that another row got, is not of this row, and does not stand for one that the list lacks', () => {
    const records = [refund('a', 50, { amount: 100 })];
    const rows = [row({ amount: 100 })];
    expect(find(rows, records, { unfit: ['a'] })).toMatchObject([
      { state: 'failed', code: 'not_carried_out' },
    ]);
    expect(find(rows, records, { unfit: ['a'], claimed: ['b'] })).toMatchObject([
      { code: 'list_incomplete' },
    ]);
  });
});

const REFUND = { amount: 500 };
const outcome = (finding: Finding | undefined) =>
  finding?.state === 'done' ? finding.id : finding?.state === 'failed' ? 'failed' : finding?.code;
const outcomes = (findings: readonly Finding[]) => findings.map(outcome);

describe('a row without a response', () => {
  it('is done if there is its record, with the ID and the status of that', () => {
    expect(find([row(REFUND)], [refund('r1', 5)])).toEqual([
      { state: 'done', id: 'r1', record_status: 'succeeded' },
    ]);
  });

  it('is failed if the list has been read to its end without it', () => {
    expect(find([row(REFUND)], [])).toEqual([
      { state: 'failed', code: 'not_carried_out', message: 'The service did not carry out the change' },
    ]);
  });

  it.each([
    ['a list that may go on', { read: { isWhole: false } }, 'list_incomplete'],
    ['a list without what another row has made', { claimed: ['r0'] }, 'list_incomplete'],
    [
      'a service that does not say the time',
      { offsetThen: null, read: { offset: undefined, beganMs: undefined } },
      'no_clock',
    ],
    ['a list that was read too early', { read: { beganMs: SENT + SETTLE - 1 } }, 'too_early'],
  ] as const)('stays unknown with %s', (_, options, code) => {
    expect(outcomes(find([row(REFUND)], [], options))).toEqual([code]);
  });

  it('does not get the record of a row that is done, where the list shows that under another ID', () => {
    expect(outcomes(find([row(REFUND)], [refund('r1', 5)], { claimed: ['R-1'] }))).toEqual([
      'similar_record',
    ]);
  });

  it('is failed from the end of the waiting time on, by the clock of the service', () => {
    const offsetThen = { least: -3_600_000, most: -3_599_000 };
    const at = (beganMs: number) =>
      outcomes(find([row(REFUND)], [], { offsetThen, read: { beganMs, offset: offsetThen } }));
    const end = SENT + offsetThen.most + SETTLE + 100;
    expect(at(end - 1)).toEqual(['too_early']);
    expect(at(end)).toEqual(['failed']);
  });

  it('says when to ask again, by the clock of this machine', () => {
    const offset = { least: 3_600_000, most: 3_600_000 };
    const [finding] = find([row(REFUND)], [], { offsetThen: offset, read: { beganMs: SENT, offset } });
    expect(finding).toMatchObject({
      message:
        'The change was not found, but the request may still be in progress: reconcile again after 2026-03-01T12:01:01.400Z',
    });
  });
});

describe('a record that somebody else has made', () => {
  it.each([
    ['a second before the row was sent', -1000, 'made_before'],
    ['two days before the row was sent', -2 * 86_400_000, 'failed'],
    ['later than a request takes', SETTLE + 101, 'made_later'],
  ])('%s is not that of the row', (_, afterMs, expected) => {
    expect(outcomes(find([row(REFUND)], [refund('r1', afterMs)]))).toEqual([expected]);
  });

  it.each([
    ['has another amount', { amount: 700 }],
    ['has its amount in another notation', { amount: '5.00' }],
    ['has another reason', { reason: 'fraud' }],
    ['has no ID', { id: undefined }],
  ])('at that time below the same record keeps the row unknown where it %s', (_, others) => {
    const sent = row({ amount: 500, reason: 'returned' });
    expect(outcomes(find([sent], [refund('r1', 5, others)]))).toEqual(['similar_record']);
  });

  it('is claimed by its own row alone', () => {
    expect(outcomes(find([row(REFUND)], [refund('r1', 5)], { claimed: ['r1'] }))).toEqual(['failed']);
  });

  it('in a large collection does not matter where its amount or currency is another', () => {
    const options = { isBelowRecord: false };
    const others = [refund('r1', 5, { amount: 700 }), refund('r2', 5, { currency: 'USD' })];
    const sent = row({ amount: 500, currency: 'EUR' });
    expect(outcomes(find([sent], others, options))).toEqual(['failed']);
    expect(outcomes(find([sent], [...others, refund('r3', 5)], options))).toEqual(['r3']);
  });

  it('of another payment than the body names is not the record of its row', () => {
    const payments = ['charge', 'payment_id'].map((member) => ({ member, collection: '/payments' }));
    const options = { isBelowRecord: false, operation: { payments } };
    const sent = [row({ charge: 'p1', amount: 500 }), row({ payment_id: 'p2', amount: 500 }, { number: 2 })];
    const found = (...records: readonly Json[]) => outcomes(find(sent, records, options));
    const timeless = { created_at: null };
    for (const others of [{}, timeless]) {
      expect(found(refund('r1', 5, { charge: 'p3', paymentId: 'p3', ...others }))).toEqual([
        'failed',
        'failed',
      ]);
      expect(found(refund('r1', 5, { charge: 'p3', ...others }))[0]).toBe('failed');
    }
  });
});

describe('times', () => {
  it('of whole seconds are not before a row that was sent in the same second', () => {
    const seconds = (created_at: unknown) => refund('r1', 0, { created_at });
    const found = (created: unknown) => outcomes(find([row(REFUND)], [seconds(created)]));
    expect(found('2026-03-01T12:00:00Z')).toEqual(['r1']);
    expect(found('2026-03-01T12:00:00.000+00:00')).toEqual(['r1']);
    expect(found(1_772_366_400)).toEqual(['r1']);
    expect(found('2026-03-01T13:00:00+01:00')).toEqual(['r1']);
    expect(found('2026-03-01T11:59:59Z')).toEqual(['made_before']);
  });

  it('without an offset from UTC say nothing', () => {
    expect(outcomes(find([row(REFUND)], [refund('r1', 0, { created_at: '2026-03-01T12:00:00' })]))).toEqual([
      'similar_record',
    ]);
  });

  it('count by the clock of the service, which may be wrong by any amount', () => {
    for (const ahead of [-86_400_000, -1500, 1500, 86_400_000]) {
      const offsetThen = { least: ahead - 500, most: ahead + 500 };
      const found = (afterMs: number) =>
        outcomes(find([row(REFUND)], [refund('r1', ahead + afterMs)], { offsetThen }));
      expect(found(5)).toEqual(['r1']);
      expect(found(-5000)).toEqual(['made_before']);
    }
  });

  it('do not say whose a record is where a clock was set while rows were sent', () => {
    const offsetThen = { least: -3_600_000, most: 500 };
    expect(outcomes(find([row(REFUND)], [refund('r1', -1_800_000)], { offsetThen }))).toEqual([
      'similar_record',
    ]);
  });

  it('of a clock that was set after the row was sent do not hide its record', () => {
    // Nothing was heard of the service while rows were sent, and this machine was an hour ahead then.
    const found = find([row(REFUND, { at: SENT + 3_600_000 })], [refund('r1', 5)], { offsetThen: null });
    expect(outcomes(found)).toEqual(['made_before']);
  });
});

describe('identifiers', () => {
  const named = row({ amount: 500, external_identifier: 'order-1' });

  it('tell a record in a list without times', () => {
    const record = { id: 'r1', amount: 500, external_identifier: 'order-1' };
    expect(outcomes(find([named], [record]))).toEqual(['r1']);
    expect(outcomes(find([named], [{ ...record, external_identifier: 'order-2' }]))).toEqual(['failed']);
    expect(outcomes(find([named], [{ id: 'r1', amount: 500 }]))).toEqual(['similar_record']);
  });

  it('do not make a record that of a row if it was made before', () => {
    const record = refund('r1', -60_000 + 1, { external_identifier: 'order-1' });
    expect(outcomes(find([named], [record]))).toEqual(['made_before']);
    const lastYear = refund('r1', -365 * 86_400_000, { external_identifier: 'order-1' });
    expect(outcomes(find([named], [lastYear]))).toEqual(['made_before']);
  });

  it('do not make a record that of a row if its amount is another', () => {
    const record = refund('r1', 5, { external_identifier: 'order-1', amount: 485 });
    expect(outcomes(find([named], [record], { isBelowRecord: false }))).toEqual(['similar_record']);
  });

  it('are known under a name that is written in another way', () => {
    const record = { id: 'r1', amount: 500, externalIdentifier: 'order-1' };
    expect(outcomes(find([named], [record]))).toEqual(['r1']);
  });

  it('are needed in a list that may go on', () => {
    const options = { read: { isWhole: false } };
    expect(outcomes(find([row(REFUND)], [refund('r1', 5)], options))).toEqual(['similar_record']);
    const record = refund('r1', 5, { external_identifier: 'order-1' });
    expect(outcomes(find([named], [record], options))).toEqual(['r1']);
  });

  it('are needed where rows are done whose IDs nobody knows', () => {
    const options = { done: 1, unnamed: 1 };
    expect(outcomes(find([row(REFUND)], [refund('r1', 5)], options))).toEqual(['similar_record']);
    const record = refund('r1', 5, { external_identifier: 'order-1' });
    expect(outcomes(find([named], [record], options))).toEqual(['r1']);
  });
});

describe('equal rows', () => {
  const three = [1, 2, 3].map((number) => row(REFUND, { number, at: SENT + number }));
  const two = [refund('r1', 5), refund('r2', 6)];

  it('get as many records as there are, in their order', () => {
    expect(outcomes(find(three, two))).toEqual(['r1', 'r2', 'failed']);
    expect(outcomes(find(three, [...two, refund('r3', 7)]))).toEqual(['r1', 'r2', 'r3']);
  });

  it('stay unknown with fewer records if they have keys: the service knows which were carried out', () => {
    const keyed = three.map(({ row: { row: number } }) => row(REFUND, { number, key: `k${number}` }));
    expect(outcomes(find(keyed, two))).toEqual(['ambiguous', 'ambiguous', 'ambiguous']);
  });

  it('stay unknown with more records than rows', () => {
    expect(outcomes(find(three.slice(0, 1), two))).toEqual(['ambiguous']);
  });

  it('leave the record to the row that alone fits it', () => {
    const rows = [row({ amount: 500 }), row({ amount: 500, reason: 'returned' }, { number: 2 })];
    const records = [refund('r1', 5, { reason: 'returned' }), refund('r2', 6, { reason: null })];
    expect(outcomes(find(rows, records))).toEqual(['r2', 'r1']);
    expect(outcomes(find(rows, records.slice(0, 1)))).toEqual(['ambiguous', 'ambiguous']);
  });

  it('do not get a record twice that a list shows on two pages', () => {
    expect(outcomes(find(three.slice(0, 2), [refund('r1', 5), refund('r1', 5)]))).toEqual(['r1', 'failed']);
  });
});

describe('an amount that the service decided, or writes under another name', () => {
  it.each([[{}], [{ amount: 500 }]])('is compared with what was planned: %j', (body) => {
    const sent = row(body, { moves: { EUR: '5.00' } });
    const { amount: _, ...renamed } = refund('r1', 5);
    const found = (total_amount: unknown) =>
      outcomes(find([sent], [{ ...renamed, total_amount }], { isBelowRecord: false }));
    expect(found(500)).toEqual(['r1']);
    expect(found(501)).toEqual(['similar_record']);
    expect(found(undefined)).toEqual(['similar_record']);
  });
});

describe('whatever happened', () => {
  const rows = fc.array(
    fc.record({
      amount: fc.constantFrom(500, 500, 700),
      at: fc.nat(5000),
      /** After how long the service carried it out; null where it never did. */
      made: fc.option(fc.nat(SETTLE - 1)),
    }),
    { minLength: 1, maxLength: 6 },
  );
  const others = fc.array(
    fc.record({ amount: fc.constantFrom(500, 700), at: fc.integer({ min: -100_000, max: 100_000 }) }),
    { maxLength: 3 },
  );
  const clock = fc.record({
    ahead: fc.integer({ min: -1e8, max: 1e8 }),
    below: fc.nat(1500),
    above: fc.nat(1500),
  });

  it('no more rows of an amount are failed than were not carried out, and no record is claimed twice', () => {
    fc.assert(
      fc.property(
        rows,
        others,
        clock,
        fc.constantFrom(1, 1000),
        fc.boolean(),
        (sent, foreign, { ahead, below, above }, unit, isBelowRecord) => {
          const stamp = (ms: number) => new Date(Math.floor((SENT + ahead + ms) / unit) * unit).toISOString();
          const records = [
            ...sent.flatMap(({ amount, at, made }, index) =>
              made === null ? [] : [{ id: `own-${index}`, amount, created_at: stamp(at + made) }],
            ),
            ...foreign.map(({ amount, at }, index) => ({
              id: `other-${index}`,
              amount,
              created_at: stamp(at),
            })),
          ];
          const unknown = sent.map(({ amount, at }, index) =>
            row({ amount }, { number: index + 1, at: SENT + at }),
          );
          const offsetThen = { least: ahead - below, most: ahead + above };
          const findings = find(unknown, records, { offsetThen, isBelowRecord });
          for (const amount of [500, 700]) {
            const indexes = [...sent.keys()].filter((index) => sent[index]?.amount === amount);
            const failed = indexes.filter((index) => findings[index]?.state === 'failed');
            expect(failed.length).toBeLessThanOrEqual(
              indexes.filter((index) => sent[index]?.made === null).length,
            );
          }
          const ids = findings.flatMap((finding) => (finding.state === 'done' ? (finding.id ?? []) : []));
          expect(new Set(ids).size).toBe(ids.length);
        },
      ),
      propertyRuns(20_000),
    );
  });
});
