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

/** The response for transactions that does not come: it is asked for while the page that fills the second part is being written. */
const HELD = 12;
/** The other lists, which are complete by then, and the parts: one of each of them, and two of the transactions. */
const OTHERS = 7;
const PARTS = OTHERS + 2;

/** The clock of the service, on the day after its records. */
const NOW = new Date('2025-12-02T10:00:00Z');

async function startService() {
  const rule = { method: 'GET', path: '/transactions', after: HELD - 1, count: 1, latency_ms: 600_000 };
  const emulator = await startImported(sample, {
    buyers: 200,
    records: { transactions: 2500 },
    faults: [rule],
    now: () => NOW,
  });
  writeFileSync(join(home.path, 'payments.json'), JSON.stringify(sample));
  return emulator;
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
      if (shown === 'Killed\n') return await killed(command.replace('payctl ', '').split(' '), env);
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
  JSON.parse(readFileSync(file, 'utf8'), (name) => {
    if (/^[a-z]/.test(name)) members.add(name);
  });
  return members;
}

function names(text: string, member: string): boolean {
  return text.includes(`\`${member}\``) || text.includes(`"${member}"`);
}

/** Runs an export until all is recorded that comes before the held response, and kills it. */
async function killed(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const running = home.start(words, { env, cwd: home.path });
  await expect.poll(recorded, { timeout: 30_000 }).toEqual({ parts: PARTS, complete: OTHERS });
  running.kill('SIGKILL');
  await running.done;
  return 'Killed\n';
}

/** How many parts and complete lists the state of the copy has. */
function recorded(): unknown {
  const file = join(home.path, 'copy/.state.sqlite');
  if (!existsSync(file)) return undefined;
  const state = new DatabaseSync(file, { readOnly: true });
  try {
    const complete = `SELECT count(*) FROM lists WHERE json_extract(entry, '$.complete')`;
    return { ...state.prepare(`SELECT (SELECT count(*) FROM parts) parts, (${complete}) complete`).get() };
  } catch {
    // The tables are not there yet.
    return undefined;
  } finally {
    state.close();
  }
}
