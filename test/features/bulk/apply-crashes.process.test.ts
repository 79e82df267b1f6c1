import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError } from '../../../src/client/errors.ts';
import { withResponse } from '../../../src/client/response.ts';
import { type ApplyParts, applyRows } from '../../../src/features/bulk/apply/apply.ts';
import { openJournal, type RowState, readStates } from '../../../src/features/bulk/journal.ts';
import type { Plan } from '../../../src/features/bulk/plan-file.ts';
import type { Target } from '../../../src/features/bulk/target.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { refundRow, writePlan } from './a-plan.ts';

const ROWS = 8;
const RECORDS = 3;
const request = { method: 'POST', path: '/', origin: 'https://api.example.com', merchantAccount: undefined };
const operation: Target['operation'] = {
  ...{
    id: 'create_refund',
    summary: 'Refund',
    method: 'POST',
    path: '/transactions/{transaction_id}/refunds',
  },
  ...{ pathParameters: ['transaction_id'], query: {}, scopes: [], merchantAccount: false, hasBody: true },
  ...{ isList: false, paginated: false, successStatus: 201, responseSchema: 'Refund', errors: [] },
};
const target: Target = {
  ...{ command: 'transactions refunds create', operation, description: undefined, merchantHeader: undefined },
  ...{
    shared: {},
    columnNames: [],
    column: () => undefined,
    arguments: async (given) => given,
    draft: () => ({ path: {}, query: {}, body: {} }),
  },
  call: async () => ({ path: {}, query: {}, body: {}, target: '' }),
};

/** What happens to a request: whether it is carried out, and what payctl hears of it. */
const FATES = {
  done: { isPerformed: true, status: 201 },
  cut_before: { isPerformed: false, status: 0 },
  cut_after: { isPerformed: true, status: 0 },
  gateway_before: { isPerformed: false, status: 502 },
  gateway_after: { isPerformed: true, status: 502 },
  unavailable: { isPerformed: false, status: 503 },
  throttled: { isPerformed: false, status: 429 },
  refused: { isPerformed: false, status: 422 },
  credentials: { isPerformed: false, status: 401 },
} as const;
type Fate = keyof typeof FATES;

/** The request, counted from 1, at which a run is killed: before the service has it, or after it was carried out. */
type Crash = { readonly at: number; readonly when: 'before' | 'after' };

/** A service that carries out what it has not carried out under the same key. */
class FakeService {
  /** The rows that were carried out, in this order. */
  readonly performed: number[] = [];
  readonly #keys = new Set<string>();

  perform(row: number, key: string | undefined): void {
    if (key !== undefined && this.#keys.has(key)) return;
    if (key !== undefined) this.#keys.add(key);
    this.performed.push(row);
  }
}

type Life = {
  readonly fates: readonly Fate[];
  readonly crash: Crash | undefined;
  readonly concurrency: number;
};

/** One run, until it ends or is killed; gives the journal that it leaves. */
async function runOnce(plan: Plan, path: string, service: FakeService, { fates, crash, concurrency }: Life) {
  // A killed run does not say how long its journal is.
  const journal = await openJournal(path, plan, `${path}-data`);
  const left = `${path}+`;
  const killed = Promise.withResolvers<void>();
  let isKilled = false;
  let count = 0;
  const kill = () => {
    if (!isKilled) copyFileSync(path, left);
    isKilled = true;
    killed.resolve();
    return new Promise<never>(() => {});
  };
  const send: ApplyParts['client']['request'] = async (_operation, call = {}) => {
    count += 1;
    const number = count;
    if (isKilled || (crash?.at === number && crash.when === 'before')) return await kill();
    // Requests overtake each other.
    for (let turn = number % 3; turn > 0; turn -= 1) await new Promise((resolve) => setImmediate(resolve));
    const { isPerformed, status } = FATES[fates[number - 1] ?? 'done'];
    const { row } = call.body as { readonly row: number };
    if (isKilled) return await kill();
    if (isPerformed) service.perform(row, call.idempotencyKey);
    if (crash?.at === number) return await kill();
    if (status === 201) {
      const response = { text: '{}', status, requestId: undefined, headers: {}, request, attempts: 1 };
      return withResponse({ id: `refund-${row}` }, response);
    }
    if (status !== 0) throw new ApiError('code', 'message', { status, request, attempts: 1 });
    const fields = { request, attempts: 1, outcomeUnknown: true };
    throw new ConnectionError('connection_lost', 'message', fields);
  };
  const never = new AbortController().signal;
  const run = applyRows({
    ...{ plan, target, journal, client: { request: send }, concurrency, rate: undefined },
    ...{ maxFailures: 1000, maxRetries: 1, until: ROWS, stop: never, abandon: never },
    read: async () => ({ state: 'none' }),
    isLacking: () => false,
    random: () => 0,
    redact: (text) => text,
    onEnd: () => {},
  });
  await Promise.race([run, killed.promise]);
  await journal.close();
  // What a killed run would have done next has no file to write to.
  run.catch(() => {});
  return isKilled ? left : path;
}

const life = fc.record({
  fates: fc.array(fc.constantFrom(...(Object.keys(FATES) as Fate[])), { maxLength: 2 * ROWS }),
  crash: fc.option(
    fc.record({
      at: fc.integer({ min: 1, max: ROWS }),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
    { nil: undefined },
  ),
  concurrency: fc.integer({ min: 1, max: 4 }),
});

describe('any number of runs that are killed, with any faults', () => {
  it.each([true, false])(
    'carry out no row twice, and know what became of each (keys: %s)',
    async (hasKeys) => {
      const folder = folderForTest();
      const rows = Array.from({ length: ROWS }, (_, index) => ({
        ...refundRow(index + 1, { row: index + 1 }),
        arguments: { transaction_id: `tx-${index % RECORDS}` },
        ...(hasKeys && { idempotency_key: `key-${index + 1}` }),
      }));
      const plan = await writePlan(folder, rows);
      let number = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
          const service = new FakeService();
          number += 1;
          let path = join(folder, `journal-${number}`);
          for (const one of lives) path = await runOnce(plan, path, service, one);
          const times = (row: number) => service.performed.filter((one) => one === row).length;
          const check = async (allowed: Readonly<Record<RowState, readonly number[]>>) => {
            const states = await readStates(path, plan);
            for (const { row } of rows) {
              const state = states.of(row);
              expect([state, allowed[state].includes(times(row))]).toEqual([state, true]);
            }
          };
          const none = { pending: [0], failed: [0], refused: [0] };
          await check({ ...none, done: [1], sending: [0, 1], unknown: [0, 1] });
          const quiet = { fates: [], crash: undefined, concurrency: 4 };
          path = await runOnce(plan, path, service, quiet);
          if (hasKeys)
            await check({ done: [1], refused: [0], pending: [], failed: [], sending: [], unknown: [] });
          else await check({ ...none, done: [1], sending: [0, 1], unknown: [0, 1] });
          for (let record = 0; record < RECORDS; record += 1) {
            const order = service.performed.filter((row) => (row - 1) % RECORDS === record);
            expect(order).toEqual(order.toSorted((one, other) => one - other));
          }
        }),
        propertyRuns(1000, 60),
      );
    },
  );
});
