import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { captureTransactions } from '../../emulator/imported/captured-transactions.ts';
import { startImported } from '../../emulator/imported/imported-emulator.ts';
import { withoutKeys } from '../../emulator/imported/sample-variants.ts';
import { useHome } from '../../harness/run-payctl.ts';

const page = join(import.meta.dirname, '../../../docs/bulk.md');
const home = useHome();

/** The request after which no response comes, so that the run can be killed there. */
const LAST = 100;

async function startService() {
  const rule = {
    method: 'POST',
    path: '/transactions/*/refunds',
    after: LAST,
    count: 1,
    latency_ms: 600_000,
  };
  const emulator = await startImported(withoutKeys, { faults: [rule] });
  const transactions = await captureTransactions(emulator, 200);
  const amounts = { EUR: '5.00EUR', USD: '5.00USD', JPY: '500JPY' };
  const rows = transactions.map(({ id, currency, external_identifier }) => {
    return `${external_identifier},${id},${amounts[currency as keyof typeof amounts]}`;
  });
  const bad = [
    `order-201,${transactions[0]?.id},"5,00EUR"`,
    'order-202,00000000-0000-4000-8000-000000000000,5.00EUR',
    `order-203,${transactions[1]?.id},1E+05`,
  ];
  const table = ['row_key,transaction_id,amount', ...rows, ...bad, ''];
  writeFileSync(join(home.path, 'refunds.csv'), table.join('\n'));
  writeFileSync(join(home.path, 'openapi.json'), JSON.stringify(withoutKeys));
  return emulator;
}

/** A block of the page: a command and what it prints, first on stdout, then on stderr. */
const BLOCK = /```console\n\$ (.*)\n([\s\S]*?)```/g;

describe('the page about many changes', () => {
  it('shows what payctl prints, from the spreadsheet to the end', async () => {
    await using emulator = await startService();
    const env = {
      PAYCTL_BASE_URL: emulator.emulator.baseUrl,
      PAYCTL_TOKEN: await emulator.token(['*']),
      PAYCTL_CONFIG_DIR: home.configDirectory,
      PAYCTL_DESCRIPTION: join(home.path, 'openapi.json'),
    };
    const known = new Map<string, string>();
    const named = (id: string) => {
      const number = known.get(id) ?? String(known.size + 1).padStart(12, '0');
      known.set(id, number);
      return `c0ffee00-0000-4000-8000-${number}`;
    };
    const printed = async (command: string, shown: string) => {
      if (shown === 'Killed\n') return await killed(command.replace('payctl ', '').split(' '), env);
      const line = command.replace('payctl', '$PAYCTL');
      const { stdout, stderr } = await home.shell(line, { env, cwd: home.path });
      return `${stdout}${stderr}`
        .replaceAll(emulator.emulator.baseUrl, 'https://api.example.com')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-24T10:00:00.000Z')
        .replaceAll(/\b[0-9a-f]{64}\b/g, '9c1f0a…')
        .replaceAll(/(?!00000000)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, named)
        .replaceAll('\t', '  ');
    };
    const text = readFileSync(page, 'utf8');
    let now = text;
    for (const [block, command = '', shown = ''] of text.matchAll(BLOCK)) {
      const output = await printed(command, shown);
      now = now.replace(block, () => `\`\`\`console\n$ ${command}\n${output}\`\`\``);
    }
    if (process.env.UPDATE_PAGES) writeFileSync(page, now);
    expect(now).toBe(text);
  }, 60_000);
});

/** Runs a command until one row more than the last has been sent, and kills it there. */
async function killed(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const running = home.start(words, { env, cwd: home.path });
  const journal = join(home.path, 'refunds.plan.journal');
  const isSent = () =>
    existsSync(journal) && readFileSync(journal, 'utf8').includes(`{"row":${LAST + 1},"state":"sending"`);
  await expect.poll(isSent, { timeout: 30_000 }).toBe(true);
  // The service has carried it out before it holds the response back.
  await expect.poll(async () => await isCarriedOut(), { timeout: 30_000 }).toBe(true);
  running.kill('SIGKILL');
  await running.done;
  return 'Killed\n';

  async function isCarriedOut(): Promise<boolean> {
    const plan = readFileSync(join(home.path, 'refunds.plan'), 'utf8').split('\n');
    const { arguments: path } = JSON.parse(plan[LAST + 1] ?? '') as { arguments: { transaction_id: string } };
    const url = `${env.PAYCTL_BASE_URL}/transactions/${path.transaction_id}/refunds`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${env.PAYCTL_TOKEN}` } });
    return ((await response.json()) as { items: unknown[] }).items.length > 0;
  }
}
