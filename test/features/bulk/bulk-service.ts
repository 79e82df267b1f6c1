import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { FaultPlan } from '../../../src/emulator/faults/plan.ts';
import type { RequestLine } from '../../../src/emulator/request-listener.ts';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { type Run, runInProcess } from '../../commands/run-in-process.ts';
import { type CapturedTransaction, startCaptured } from '../../emulator/imported/captured-transactions.ts';
import type { ImportedEmulator } from '../../emulator/imported/imported-emulator.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';

/** The requests that faults are for, so that the transactions of a test are made without them. */
export const REFUNDS = { method: 'POST', path: '/transactions/*/refunds' } as const;

/** What `bulk apply` and `bulk status` print. */
export type BulkRecord = {
  readonly rows: number;
  readonly done: number;
  readonly refused: number;
  readonly failed: number;
  readonly unknown: number;
  readonly pending: number;
};

type Line = { readonly row: number; readonly state: string; readonly [name: string]: unknown };

type RunOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly onStderr?: (text: string) => void;
  readonly columns?: number;
};

/** A service with captured transactions, and a home in which plans for it are made and applied within the test. */
export type BulkService = AsyncDisposable & {
  readonly folder: string;
  readonly plan: string;
  /** The variables of a run. */
  readonly env: Readonly<Record<string, string>>;
  readonly emulator: ImportedEmulator;
  readonly transactions: readonly CapturedTransaction[];
  /** The requests that the service has got, in the order of their arrival. */
  requests(method?: string): readonly RequestLine[];
  payctl(words: readonly string[], options?: RunOptions): Promise<Run>;
  bulk(words: readonly string[], options?: RunOptions): Promise<Run>;
  /** Plans refunds, which rows name by the number of a transaction from 0; the plan has to succeed. */
  planRefunds(rows: readonly RefundRow[], flags?: readonly string[]): Promise<void>;
  /** Plans refunds from the text of a table in which `$0` is the ID of the first transaction, and so on. */
  planTable(table: string, flags?: readonly string[], options?: RunOptions): Promise<Run>;
  /** Applies the plan with `--yes`. */
  apply(flags?: readonly string[], options?: RunOptions): Promise<Run & { readonly record: BulkRecord }>;
  journal(): readonly Line[];
  /** The last state of each row, in the order of rows. */
  states(): readonly string[];
  /** What the service has made: amounts in minor units, by transaction. */
  refunds(): Promise<readonly (readonly number[])[]>;
};

/** A transaction by its number, and an amount in minor units. */
export type RefundRow = readonly [transaction: number, amount: number];

/** Longer than a plan can be applied, so that a test can let one expire. */
const LIFETIME_SECONDS = 30 * 86_400;

const homes = new Map<string, Promise<string>>();

/** A home with a description in `openapi.json` and the import of it, which takes as long as a run: that of the first test that needs it. */
export function importedOnce(text: string): Promise<string> {
  const make = async () => {
    const home = mkdtempSync(join(inject('sharedFolder'), 'bulk-'));
    const file = join(home, 'openapi.json');
    writeFileSync(file, text);
    await runInProcess(['api', 'list'], { env: { PAYCTL_CONFIG_DIR: home, PAYCTL_DESCRIPTION: file } });
    return home;
  };
  const home = homes.get(text) ?? make();
  homes.set(text, home);
  return home;
}

export async function startBulk({
  document = sample,
  count = 4,
  faults = [],
  onRequest = () => {},
  through = async (baseUrl) => baseUrl,
}: {
  readonly document?: unknown;
  readonly count?: number;
  readonly faults?: FaultPlan;
  readonly onRequest?: (line: RequestLine) => void;
  /** Gives the base URL of plans and runs, of something between payctl and the service. */
  readonly through?: (baseUrl: string) => Promise<string>;
} = {}): Promise<BulkService> {
  const seen: RequestLine[] = [];
  const { emulator, transactions } = await startCaptured(document, count, {
    faults,
    onRequest: (line) => {
      seen.push(line);
      onRequest(line);
    },
  });
  const folder = folderForTest();
  const imported = await importedOnce(JSON.stringify(document));
  cpSync(join(imported, 'data'), join(folder, 'data'), { recursive: true });
  const plan = join(folder, 'refunds.plan');
  const env = {
    PAYCTL_CONFIG_DIR: folder,
    PAYCTL_DESCRIPTION: join(imported, 'openapi.json'),
    PAYCTL_BASE_URL: await through(emulator.emulator.baseUrl),
    PAYCTL_TOKEN: await emulator.token(['*'], { lifetimeSeconds: LIFETIME_SECONDS }),
    PAYCTL_MAX_RETRIES: '0',
    NO_COLOR: '1',
  };
  const payctl: BulkService['payctl'] = (words, options = {}) =>
    runInProcess(words, { ...options, env: { ...env, ...options.env } });
  const bulk: BulkService['bulk'] = (words, options) => payctl(['bulk', ...words], options);
  const table = join(folder, 'refunds.csv');
  const planTable: BulkService['planTable'] = async (text, flags = [], options = {}) => {
    writeFileSync(
      table,
      text.replace(/\$(\d)/g, (_, index) => transactions[Number(index)]?.id ?? ''),
    );
    const words = ['plan', 'transactions', 'refunds', 'create', '--from', table, '--out', plan];
    return await bulk([...words, ...flags], options);
  };
  const journal = () =>
    readFileSync(`${plan}.journal`, 'utf8')
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line) as Line);
  return {
    folder,
    plan,
    env,
    emulator,
    transactions,
    requests: (method) =>
      seen
        .filter((line) => method === undefined || line.method === method)
        .sort((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime()),
    payctl,
    bulk,
    planTable,
    async planRefunds(rows, flags = []) {
      const cells = rows.map(([index, amount]) => `${transactions[index]?.id},${amount}`);
      const text = ['transaction_id,amount', ...cells, ''].join('\n');
      const { code, stdout, stderr } = await planTable(text, ['--allow-duplicates', ...flags]);
      if (code !== 0) throw new Error(`no plan: ${stdout}${stderr}`);
    },
    async apply(flags = [], options = {}) {
      const run = await bulk(['apply', plan, '--yes', '--json', ...flags], options);
      return { ...run, record: (run.stdout === '' ? {} : JSON.parse(run.stdout)) as BulkRecord };
    },
    journal,
    states() {
      const last = new Map(journal().map(({ row, state }) => [row, state]));
      return [...last].sort(([one], [other]) => one - other).map(([, state]) => state);
    },
    async refunds() {
      const listed = transactions.map(async ({ id }) => {
        const { body } = await emulator.call('GET', `/transactions/${id}/refunds`);
        return (body.items as readonly { amount: number }[]).map(({ amount }) => amount);
      });
      return await Promise.all(listed);
    },
    [Symbol.asyncDispose]: () => emulator[Symbol.asyncDispose](),
  };
}
