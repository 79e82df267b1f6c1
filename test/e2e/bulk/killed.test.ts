import { describe, expect, it } from 'vitest';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { withoutKeys } from '../../emulator/imported/sample-variants.ts';
import {
  type BulkRecord,
  type BulkService,
  REFUNDS,
  type RefundRow,
  startBulk,
} from '../../features/bulk/bulk-service.ts';
import type { Run } from '../../harness/follow-process.ts';
import { numbersFrom } from '../../harness/numbers-from.ts';
import { freshHome } from '../../harness/run-payctl.ts';
import { type Passing, Relay } from './relay.ts';

/**
 * When a run is killed: while a row is in the journal and the service does not have it, while the service has it and has not responded,
 * before it even begins with it, while the response is on its way, or at any time.
 */
const INSTANTS = ['unsent', 'unanswered', 'late', 'unjournalled', 'random'] as const;

const IS_LONG = process.env.PAYCTL_LONG_TESTS === '1';
/** Killed runs of each kind of service. */
const KILLS = IS_LONG ? 100 : 5;
/** Kills of one plan: one at least at each of the instants. */
const KILLS_OF_PLAN = IS_LONG ? 20 : 5;

/** Connections that are cut before and after the change, and errors of a gateway. */
const FAULTS = [
  { ...REFUNDS, share: 0.04, seed: 7, count: 6, drop: true as const, perform: false },
  { ...REFUNDS, share: 0.04, seed: 8, count: 6, drop: true as const },
  { ...REFUNDS, share: 0.02, seed: 9, count: 3, status: 502, perform: true },
  { ...REFUNDS, share: 0.02, seed: 10, status: 503, retry_after: 0 },
  { ...REFUNDS, share: 0.02, seed: 11, status: 429, retry_after: 0 },
];

/** So many rows about so many transactions. No two have the same amount, so that each refund is that of one row. */
function rowsAbout(transactions: number, rows: number): readonly RefundRow[] {
  return Array.from({ length: rows }, (_, row): RefundRow => [row % transactions, 1000 + row]);
}

const pass = async (post: Passing) => {
  await post.forward();
  post.answer();
};

/** A plan that is applied by runs of the built program. */
class KilledPlan {
  readonly service: BulkService;
  readonly #relay: Relay;
  readonly #home = freshHome();
  readonly #random: () => number;
  /** Requests that reach the service after the run that sent them was killed. */
  readonly #late: Promise<void>[] = [];

  constructor(service: BulkService, relay: Relay, seed: number) {
    this.service = service;
    this.#relay = relay;
    this.#random = numbersFrom(seed);
  }

  get #applyWords(): readonly string[] {
    return ['bulk', 'apply', this.service.plan, '--yes', '--json', '--max-failures', '1000'];
  }

  /** Applies the plan until one of its first requests is where it is to be, and kills the run there. */
  async killAt(instant: (typeof INSTANTS)[number]): Promise<Run> {
    const running = this.#home.start(this.#applyWords, { env: this.service.env });
    const kill = () => running.kill('SIGKILL');
    let left = 1 + Math.floor(this.#random() * 5);
    this.#relay.onPost = async (post) => {
      left -= 1;
      if (left !== 0) return await pass(post);
      if (instant === 'unsent') return kill();
      if (instant === 'random') setTimeout(kill, this.#random() * 30);
      if (instant === 'late') {
        kill();
        this.#late.push(running.done.then(() => post.forward()).catch(() => {}));
        return;
      }
      // The service may cut this connection, too.
      const forwarded = post.forward().catch(() => {});
      if (instant === 'unanswered') kill();
      await forwarded;
      post.answer();
      if (instant === 'unjournalled') kill();
    };
    return await running.done;
  }

  /** Applies the plan until a run has nothing more to send; a fault can hit a row several times. */
  async applyToTheEnd(): Promise<BulkRecord> {
    for (;;) {
      let posts = 0;
      this.#relay.onPost = async (post) => {
        posts += 1;
        await pass(post);
      };
      const { stdout, stderr } = await this.#home.payctl(this.#applyWords, { env: this.service.env });
      if (stdout === '') throw new Error(stderr);
      const record = JSON.parse(stdout) as BulkRecord;
      if (posts === 0 || record.done === record.rows) return record;
    }
  }

  /** Asks the service about the rows of which nothing was heard; it can tell of each. */
  async reconcile(): Promise<void> {
    await Promise.all(this.#late);
    // By the clock of the service no request can be under way any more.
    this.#relay.aheadMs = 600_000;
    const { stdout, stderr } = await this.#home.payctl(['bulk', 'reconcile', this.service.plan, '--json'], {
      env: this.service.env,
    });
    this.#relay.aheadMs = 0;
    expect({ ...JSON.parse(stdout), stderr }).toMatchObject({ unknown: 0, stderr: '' });
  }

  /** How often the refund of each row was made, and that no others were made. */
  async timesMade(rows: readonly RefundRow[]): Promise<readonly number[]> {
    const refunds = await this.service.refunds();
    const made = rows.map(([index, amount]) => refunds[index]?.filter((one) => one === amount).length ?? 0);
    expect(refunds.flat()).toHaveLength(made.reduce((sum, times) => sum + times, 0));
    return made;
  }
}

async function killedPlan(rows: readonly RefundRow[], document: unknown, { count, seed }: Killing) {
  const relay = new Relay();
  const service = await startBulk({ document, count, faults: FAULTS, through: (url) => relay.open(url) });
  await service.planRefunds(rows);
  const plan = new KilledPlan(service, relay, seed);
  for (let kill = 0; kill < KILLS_OF_PLAN; kill += 1) {
    const run = await plan.killAt(INSTANTS[kill % INSTANTS.length] ?? 'random');
    expect(run, `run ${kill + 1}`).toMatchObject({ signal: 'SIGKILL' });
  }
  return Object.assign(plan, { [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() });
}

type Killing = { readonly count: number; readonly seed: number };

const PLANS = Array.from({ length: KILLS / KILLS_OF_PLAN }, (_, index) => index + 1);

describe('runs that are killed again and again', () => {
  it.each(PLANS)(
    'make each row exactly once, under keys that each run derives again (plan %i)',
    async (seed) => {
      const rows = rowsAbout(35, 100);
      await using plan = await killedPlan(rows, sample, { count: 35, seed });
      const record = await plan.applyToTheEnd();
      expect(record).toMatchObject({ done: 100, refused: 0, failed: 0, unknown: 0, pending: 0 });
      expect(await plan.timesMade(rows)).toEqual(rows.map(() => 1));
    },
  );

  it.each(PLANS)(
    'make each row exactly once without any keys, when the service is asked (plan %i)',
    async (seed) => {
      // Each kill leaves unknown rows, and further rows about the same record wait for them.
      const count = 15 * KILLS_OF_PLAN;
      const rows = rowsAbout(count, count + 10);
      await using plan = await killedPlan(rows, withoutKeys, { count, seed });
      const record = await plan.applyToTheEnd();
      expect(record).toMatchObject({ refused: 0, failed: 0 });
      expect(record.unknown).toBeGreaterThan(0);
      expect(record.done + record.unknown + record.pending).toBe(rows.length);
      expect(Math.max(...(await plan.timesMade(rows)))).toBe(1);
      for (let done = record.done; done < rows.length; done = (await plan.applyToTheEnd()).done)
        await plan.reconcile();
      expect(await plan.timesMade(rows)).toEqual(rows.map(() => 1));
    },
  );
});
