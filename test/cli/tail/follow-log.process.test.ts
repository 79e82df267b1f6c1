import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALM_LOG, type LogPlan, type Verdict } from '../../harness/log-service.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { followLog, type Outcome, type Run } from './follow-log.ts';

const CALM: Run = { log: CALM_LOG, lastsMs: 3_600_000, intervalMs: 5000, kills: 0, resume: 'id' };

const logs: fc.Arbitrary<LogPlan> = fc.record({
  seed: fc.nat(),
  paging: fc.constantFrom('whole', 'cut', 'keyset', 'offset'),
  order: fc.constantFrom('written', 'time'),
  pageSize: fc.constantFrom(7, 20, 50),
  everyMs: fc.constantFrom(500, 2000, 20_000),
  bursts: fc.constantFrom(0, 0.02),
  burstSize: fc.constantFrom(10, 200),
  late: fc.constantFrom(0, 0.2),
  lateMs: fc.constantFrom(500, 20_000),
  skewMs: fc.constantFrom(0, 40),
  withoutId: fc.constantFrom(0, 0.2),
  deleted: fc.constantFrom(0, 0.2),
  behind: fc.constantFrom(0, 0.3),
  behindMs: fc.constant(10_000),
  failing: fc.constantFrom(0, 0.1),
  stale: fc.constantFrom(0, 0.05),
  empty: fc.constantFrom(0, 0.2),
});

const runs: fc.Arbitrary<Run> = fc.record({
  log: logs,
  lastsMs: fc.constantFrom(60_000, 180_000),
  intervalMs: fc.constantFrom(1000, 5000),
  kills: fc.constantFrom(0, 0, 5),
  resume: fc.constantFrom('id', 'file'),
});

/**
 * Leaves out what nobody can distinguish. Pages whose cursors count from the top shift when entries are deleted or a copy of the
 * service lacks some, and an entry without ID that a shift lists again looks like a second one. An ID to resume after cannot be
 * that of an entry that a copy lacks, and says nothing of entries without ID around it. What is deleted while nobody follows is
 * gone.
 */
function tellable({ log, ...run }: Run): Run {
  const isShifting = log.paging === 'offset';
  const byId = run.kills > 0 && run.resume === 'id';
  return {
    ...run,
    log: {
      ...log,
      // More than a page of arrivals between two pages leaves nothing to tell by.
      ...(isShifting ? { pageSize: 50, everyMs: Math.max(log.everyMs, 500), burstSize: 10 } : {}),
      // In the order of writing, an entry may be stamped before the first one that was printed.
      late: run.kills > 0 && log.order === 'written' ? 0 : log.late,
      deleted: isShifting || run.kills > 0 ? 0 : log.deleted,
      withoutId: isShifting || byId ? 0 : log.withoutId,
      behind: isShifting || byId ? 0 : log.behind,
    },
  };
}

const counts = ({ repeated, invented, lost }: Verdict) => ({
  repeated: repeated.length,
  invented: invented.length,
  lost: lost.length,
});

/**
 * Counts what was lost without the copies of a printed text that nobody can distinguish from it: entries without ID differ by
 * their number only. In the order of writing, equal ones stand anywhere; and where one is deleted, a new one takes its place.
 */
function tellableCounts({ verdict, printed }: Outcome, { order, deleted }: LogPlan) {
  const isCountable = order === 'time' && deleted === 0;
  const texts = new Set(printed.map(({ text }) => text));
  const lost = verdict.lost.filter(({ id, text }) => id !== undefined || isCountable || !texts.has(text));
  return counts({ ...verdict, lost });
}

describe('follow', () => {
  // Long tests try other schedules in every run. A failure names its seed; the schedule then becomes a test of its own, below.
  it('hands out each entry once, or names the span in which it is missing', async () => {
    await fc.assert(
      fc.asyncProperty(runs.map(tellable), async (run) => {
        const outcome = await followLog(run);
        expect(tellableCounts(outcome, run.log)).toEqual({ repeated: 0, invented: 0, lost: 0 });
      }),
      propertyRuns(2000, 20),
    );
  });

  const odd: LogPlan = { ...CALM_LOG, order: 'written', pageSize: 7, bursts: 0.02, lateMs: 500 };

  it.each<readonly [what: string, run: Partial<Run>, log: Partial<LogPlan>]>([
    [
      'a walk begins again at a copy that lacks what it has listed',
      { lastsMs: 180_000 },
      {
        ...{ seed: 278_845_486, burstSize: 10, deleted: 0.2, behind: 0.3 },
        ...{ failing: 0.1, stale: 0.05, empty: 0.2 },
      },
    ],
    [
      'that copy lacks what is below it, too',
      { lastsMs: 180_000 },
      {
        ...{ seed: 1_272_307_140, burstSize: 200, late: 0.2, skewMs: 40 },
        ...{ withoutId: 0.2, behind: 0.3, stale: 0.05 },
      },
    ],
    [
      'late entries stand below what that copy lacks',
      { lastsMs: 180_000 },
      {
        ...{ seed: 2_147_483_623, order: 'time', burstSize: 10, late: 0.2, lateMs: 20_000 },
        ...{ withoutId: 0.2, deleted: 0.2, behind: 0.3, stale: 0.05 },
      },
    ],
    [
      'and entries have no ID',
      {},
      { seed: 453_990_110, burstSize: 10, skewMs: 40, withoutId: 0.2, behind: 0.3, stale: 0.05 },
    ],
    [
      'a copy lists a deleted entry at the end of a page',
      { lastsMs: 180_000, intervalMs: 5000 },
      { seed: 115_420_609, bursts: 0, late: 0.2, withoutId: 0.2, deleted: 0.2, behind: 0.3 },
    ],
    [
      'a new entry without ID has the text of one further down',
      { lastsMs: 180_000, intervalMs: 5000, kills: 5, resume: 'file' },
      {
        ...{ seed: 1_355_619_601, pageSize: 20, burstSize: 200, skewMs: 40, withoutId: 0.2 },
        ...{ behind: 0.3, failing: 0.1, empty: 0.2 },
      },
    ],
    [
      'a run is killed that has printed nothing with an ID',
      { lastsMs: 180_000, kills: 5, resume: 'file' },
      {
        ...{ seed: 1_236_780_366, order: 'time', everyMs: 20_000, burstSize: 200, late: 0.2 },
        ...{ withoutId: 0.2, behind: 0.3, stale: 0.05, empty: 0.2 },
      },
    ],
  ])('loses and repeats nothing where %s', async (_, run, log) => {
    const { verdict } = await followLog({
      ...CALM,
      intervalMs: 1000,
      lastsMs: 60_000,
      ...run,
      log: { ...odd, ...log },
    });
    expect(counts(verdict)).toEqual({ repeated: 0, invented: 0, lost: 0 });
  });

  it('prints nothing of the past where its entries without ID fill several pages', async () => {
    const log: LogPlan = { ...odd, seed: 396_006_002, pageSize: 50, burstSize: 200, withoutId: 0.2 };
    const { unasked, verdict } = await followLog({ ...CALM, lastsMs: 60_000, log });
    expect(unasked).toEqual([]);
    expect(counts(verdict)).toEqual({ repeated: 0, invented: 0, lost: 0 });
  });

  it.each(['whole', 'cut', 'keyset', 'offset'] as const)(
    'names no span on a calm log with %s pages',
    async (paging) => {
      for (const withoutId of paging === 'offset' ? [0] : [0, 0.2]) {
        const log: LogPlan = { ...CALM_LOG, paging, pageSize: 50, everyMs: 2000, withoutId };
        const { verdict, gaps } = await followLog({ ...CALM, lastsMs: 600_000, log });
        expect(gaps).toEqual([]);
        expect(counts(verdict)).toEqual({ repeated: 0, invented: 0, lost: 0 });
      }
    },
  );

  it('prints none of thousands of entries twice when replicas that lag ten seconds list them again', async () => {
    const log: LogPlan = { ...CALM_LOG, paging: 'cut', pageSize: 500, everyMs: 33, behind: 0.5, late: 0.1 };
    const { verdict, printed, written } = await followLog({
      ...CALM,
      lastsMs: 130_000,
      log,
      intervalMs: 1000,
    });
    expect(counts(verdict)).toEqual({ repeated: 0, invented: 0, lost: 0 });
    expect(written.length).toBeGreaterThan(3_000);
    expect(printed.length).toBeGreaterThan(3_000);
  });

  it('loses no copy of an entry without ID in a burst of several pages where it is killed and resumed', async () => {
    const log: LogPlan = {
      ...{ ...CALM_LOG, seed: 823_863_577, order: 'written', pageSize: 7 },
      ...{ bursts: 0.02, burstSize: 200, withoutId: 0.2 },
    };
    const { verdict } = await followLog({ ...CALM, lastsMs: 180_000, log, kills: 5, resume: 'file' });
    expect(counts(verdict)).toEqual({ repeated: 0, invented: 0, lost: 0 });
  });

  it('requests fewer than two pages per poll although it searches for late entries', async () => {
    const log: LogPlan = { ...CALM_LOG, pageSize: 100, everyMs: 33, late: 0.1 };
    const { verdict, requests, polls, gaps, printed } = await followLog({
      ...CALM,
      lastsMs: 200_000,
      log,
      intervalMs: 1000,
    });
    expect(counts(verdict)).toEqual({ repeated: 0, invented: 0, lost: 0 });
    expect(gaps).toEqual([]);
    expect(printed.filter(({ isBehind }) => isBehind).length).toBeGreaterThan(300);
    expect(requests.length / polls).toBeLessThan(2);
  });

  it.each(['id', 'file'] as const)(
    'loses nothing in silence where it is resumed twelve times by %s',
    async (resume) => {
      const log: LogPlan = { ...CALM_LOG, pageSize: 100, everyMs: 100, late: 0.2, failing: 0.05 };
      const { verdict, gaps } = await followLog({ ...CALM, lastsMs: 1_200_000, log, kills: 12, resume });
      expect(counts(verdict)).toEqual({ repeated: 0, invented: 0, lost: 0 });
      // A file knows what was printed, so that late entries are found.
      if (resume === 'file') expect(gaps).toEqual([]);
      else expect(gaps.length).toBeGreaterThan(8);
    },
  );
});
