import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { startImported } from '../../emulator/imported/imported-emulator.ts';
import { useHome } from '../../harness/run-payctl.ts';

const page = join(import.meta.dirname, '../../../docs/export.md');
const home = useHome();

/** The responses for transactions that come before the one that is buffered: enough that a part of them is full. */
const SERVED = 14;
/** The other lists, which are complete by then, each in one part. */
const OTHERS = 7;

/** The clock of the service, on the day after its records. */
const NOW = new Date('2025-12-02T10:00:00Z');

async function startService() {
  const rule = { method: 'GET', path: '/transactions', after: SERVED, count: 1, latency_ms: 600_000 };
  let served = 0;
  const emulator = await startImported(sample, {
    buyers: 200,
    records: { transactions: 2500 },
    faults: [rule],
    now: () => NOW,
    onRequest({ path }) {
      if (path.startsWith('/transactions')) served += 1;
    },
  });
  writeFileSync(join(home.path, 'payments.json'), JSON.stringify(sample));
  return { ...emulator, served: () => served };
}

/** A block of the page: a command and what it prints, first on stdout, then on stderr. */
const BLOCK = /```console\n\$ (.*)\n([\s\S]*?)```/g;

const hasDuckDb = spawnSync('duckdb', ['--version']).status === 0;

describe('the page about exports', () => {
  it(`shows what payctl prints${hasDuckDb ? '' : ' (skips SQL: there is no duckdb)'}`, async () => {
    await using emulator = await startService();
    const env = {
      PAYCTL_BASE_URL: emulator.emulator.baseUrl,
      PAYCTL_TOKEN: await emulator.token(['*'], { now: NOW, lifetimeSeconds: 3600 * 24 * 3650 }),
      PAYCTL_CONFIG_DIR: home.configDirectory,
      PAYCTL_DESCRIPTION: join(home.path, 'payments.json'),
    };
    const printed = async (command: string, shown: string) => {
      if (shown === 'Killed\n')
        return await killed(command.replace('payctl ', '').split(' '), { env, served: emulator.served });
      const line = command.replaceAll('payctl ', '$PAYCTL ');
      const { stdout, stderr } = await home.shell(line, { env, cwd: home.path });
      return stripVTControlCharacters(`${stdout}${stderr}`)
        .replaceAll(/sync-\d{8}T\d{6}Z/g, 'sync-20251202T100000Z')
        .replaceAll('\t', '  ');
    };
    const text = readFileSync(page, 'utf8');
    let now = text;
    for (const [block, command = '', shown = ''] of text.matchAll(BLOCK)) {
      if (command.includes('duckdb') && !hasDuckDb) continue;
      const output = await printed(command, shown);
      now = now.replace(block, () => `\`\`\`console\n$ ${command}\n${output}\`\`\``);
    }
    if (process.env.UPDATE_PAGES) writeFileSync(page, now);
    expect(now).toBe(text);
    expect(
      [...membersOf(join(home.path, 'copy/manifest.json'))].filter((name) => !names(text, name)),
    ).toEqual([]);
  }, 60_000);
});

/** The names of all members of a JSON file. */
function membersOf(file: string): ReadonlySet<string> {
  const members = new Set<string>();
  JSON.stringify(JSON.parse(readFileSync(file, 'utf8')), (name, value) => {
    if (/^[a-z]/.test(name)) members.add(name);
    // What is in the marks are names of fields.
    return name === 'marks' ? Object.fromEntries(Object.keys(value).map((one) => [one, null])) : value;
  });
  return members;
}

function names(text: string, member: string): boolean {
  return text.includes(`\`${member}\``) || text.includes(`"${member}"`);
}

type Killing = { readonly env: Readonly<Record<string, string>>; readonly served: () => number };

/** Runs an export until all is recorded that comes before the held response, and kills it. */
async function killed(words: readonly string[], { env, served }: Killing): Promise<string> {
  const running = home.start(words, { env, cwd: home.path });
  const isThere = () => served() === SERVED && isRecorded();
  await expect.poll(isThere, { timeout: 30_000 }).toBe(true);
  running.kill('SIGKILL');
  await running.done;
  // If it was killed before it sent the request whose response is buffered, this is that request.
  const signal = AbortSignal.timeout(1000);
  const headers = { authorization: `Bearer ${env.PAYCTL_TOKEN}` };
  await fetch(`${env.PAYCTL_BASE_URL}/transactions`, { headers, signal }).catch(() => undefined);
  return 'Killed\n';
}

/** Whether the other lists are complete in the state of the copy, and the transactions have a part. */
function isRecorded(): boolean {
  const file = join(home.path, 'copy/.state.sqlite');
  if (!existsSync(file)) return false;
  const state = new DatabaseSync(file, { readOnly: true });
  const count = (from: string) => Number(state.prepare(`SELECT count(*) AS rows FROM ${from}`).get()?.rows);
  try {
    return count("lists WHERE json_extract(entry, '$.complete')") === OTHERS && count('parts') > OTHERS;
  } catch {
    // The tables are not there yet.
    return false;
  } finally {
    state.close();
  }
}
