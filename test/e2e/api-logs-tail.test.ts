import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { emulatorDirectory } from '../../src/config/environment.ts';
import { type Emulator, startEmulator } from '../../src/emulator/server.ts';
import { claimServing } from '../../src/emulator/serving.ts';
import { readTrafficPlan } from '../../src/emulator/traffic/plan.ts';
import { createRandom } from '../../src/text/random.ts';
import { shellQuote } from '../../src/text/shell.ts';
import { useHome } from '../harness/run-payctl.ts';
import { SEED_DAY } from '../harness/seed-day.ts';

const home = useHome();
let emulator: Emulator;

beforeAll(async () => {
  const directory = emulatorDirectory(home);
  // Bursts of 150 are more than one response holds; a quarter of the logs are late.
  const traffic = readTrafficPlan({ rate: 40, burst_every: 1, late: 0.25, text_body: 0.1, null_body: 0.1 });
  emulator = await startEmulator({ directory, until: SEED_DAY, traffic, buyers: 3 });
  claimServing(directory).advertise(emulator, new Date());
  return () => emulator.close();
});

/** The IDs in the emulator's log of the merchant account `default`, in the order in which they were written. */
function written(): string[] {
  const sql = `SELECT document ->> 'id' AS id FROM api_logs WHERE merchant_account_id = 'default' ORDER BY sequence`;
  return emulator.database
    .prepare(sql)
    .all()
    .map(({ id }) => String(id));
}

const TAIL = ['api-logs', 'tail', '--profile', 'emulator', '--interval', '100ms'];
const NDJSON = [...TAIL, '-o', 'ndjson'];

/** The IDs of the lines that are complete: a killed process may leave a part of one. */
const idsOf = (stdout: string): string[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { id: string }).id);

/**
 * Runs a tail in a pipe to jq, until one of the two is killed so many milliseconds after the first line. Gives the exit code of
 * the tail, and the IDs that came through.
 */
async function killedPipe(args: readonly string[], kill: string, milliseconds: number) {
  const folder = mkdtempSync(join(home.path, 'pipe-'));
  const line = `
    mkfifo pipe; : > read
    reader=cat; if type jq > /dev/null 2>&1; then reader='jq --unbuffered -c .'; fi
    $PAYCTL ${args.map(shellQuote).join(' ')} > pipe 2> said & tail=$!
    $reader < pipe > read & reader=$!
    while [ ! -s read ]; do sleep 0.05; done
    sleep ${milliseconds / 1000}; kill -${kill}
    wait $tail; echo $?
    wait $reader 2> said
    cat read`;
  const { stdout } = await home.shell(line, { cwd: folder });
  const end = stdout.indexOf('\n');
  return { code: Number(stdout.slice(0, end)), ids: idsOf(stdout.slice(end + 1)) };
}

describe('payctl api-logs tail, while requests fail', () => {
  it('loses nothing and prints nothing twice, killed at any moment and resumed', {
    timeout: 60_000,
  }, async () => {
    const random = createRandom(7);
    const printed: string[] = [];
    for (let run = 0; run < 6; run += 1) {
      const last = printed.at(-1);
      const start = last === undefined ? ['--last', '1'] : ['--after', last];
      const tail = home.start([...NDJSON, ...start]);
      await tail.sees('stdout', '\n');
      await new Promise((resolve) => setTimeout(resolve, random.below(600)));
      tail.kill('SIGKILL');
      printed.push(...idsOf((await tail.done).stdout));
    }
    const rest = await home.payctl([...NDJSON, '--after', printed.at(-1) ?? '', '--for', '300ms']);
    expect(rest.code).toBe(0);
    printed.push(...idsOf(rest.stdout));
    const all = written();
    const start = all.indexOf(printed[0] ?? '');
    expect(printed.length).toBeGreaterThan(100);
    expect(printed).toEqual(all.slice(start, start + printed.length));
  });

  it('loses nothing and repeats nothing in a pipe, whichever end of it is killed', {
    timeout: 60_000,
  }, async () => {
    const random = createRandom(11);
    const printed: string[] = [];
    const codes: number[] = [];
    const ends = ['INT $tail', 'KILL $reader', 'TERM $tail', 'KILL $reader', 'INT $tail', 'KILL $tail'];
    for (const end of ends) {
      const last = printed.at(-1);
      const start = last === undefined ? ['--last', '1'] : ['--after', last];
      const { code, ids } = await killedPipe([...NDJSON, ...start], end, random.below(600));
      codes.push(code);
      printed.push(...ids);
    }
    const rest = await home.payctl([...NDJSON, '--after', printed.at(-1) ?? '', '--for', '300ms']);
    printed.push(...idsOf(rest.stdout));
    // A reader that leaves ends the tail as it ends every list.
    expect(codes).toEqual([130, 0, 143, 0, 130, 137]);
    const all = written();
    const start = all.indexOf(printed[0] ?? '');
    expect(printed.length).toBeGreaterThan(50);
    expect(printed).toEqual(all.slice(start, start + printed.length));
  });

  it.runIf(process.env.PAYCTL_LONG_TESTS === '1')(
    'prints every entry of a minute once (only with PAYCTL_LONG_TESTS)',
    {
      timeout: 120_000,
    },
    async () => {
      // The emulator keeps the newest 10,000.
      const seen = new Set<string>();
      const look = () => {
        for (const id of written()) seen.add(id);
      };
      const timer = setInterval(look, 5000);
      const run = await home.payctl([...NDJSON, '--last', '1', '--for', '60s']);
      clearInterval(timer);
      look();
      const printed = idsOf(run.stdout);
      const all = [...seen];
      const start = all.indexOf(printed[0] ?? '');
      expect(run.code).toBe(0);
      expect(run.stderr).not.toContain('"gap"');
      expect(printed.length).toBeGreaterThan(2000);
      expect(printed).toEqual(all.slice(start, start + printed.length));
    },
  );

  it('warns on stderr alone, so that stdout is JSON lines', async () => {
    const run = await home.payctl([...NDJSON, '--for', '1500ms']);
    expect(run.code).toBe(0);
    expect(new Set(idsOf(run.stdout)).size).toBe(idsOf(run.stdout).length);
    const warnings = run.stderr
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).warning.code);
    expect(new Set(warnings)).toEqual(new Set(['late']));
  });

  it('ends on Ctrl-C with a count and the entry to resume after', async () => {
    const tail = home.start([...NDJSON, '--last', '2']);
    await tail.sees('stdout', '\n');
    tail.kill('SIGINT');
    const run = await tail.done;
    const ids = idsOf(run.stdout);
    expect(run.code).toBe(130);
    const { error } = JSON.parse(run.stderr.trim().split('\n').at(-1) ?? '');
    expect(error).toMatchObject({ code: 'aborted', resume_after: ids.at(-1), exit_code: 130 });
    expect(error.message).toBe(`Interrupted; printed ${ids.length} entries`);
    const text = home.start([...TAIL, '--status', '418', '--last', '0', '--verbose']);
    await text.sees('stderr', '< 200');
    text.kill('SIGINT');
    const { stderr } = await text.done;
    expect(stderr).toMatch(
      /\nInterrupted\. Printed 0 entries\.\nResume with: payctl api-logs tail .*--status 418 --verbose --after \S+\n$/,
    );
  });

  it('shows on a terminal that it is alive', async () => {
    const run = await home.payctl([...TAIL, '--last', '0', '--status', '418', '--for', '2500ms'], {
      terminal: { columns: 80, withStderr: true },
    });
    const shown = run.stdout.split('\r\u001B[2K');
    expect(shown).toContainEqual(expect.stringMatching(/^Last response \d s ago, \d+ new; 0 printed$/));
    expect(shown.at(-1)).toMatch(
      /^Printed 0 entries\. 0 of \d+ entries .*\s.* match\. Resume with:\spayctl api-logs tail .*--status 418 .*--after \S+\n$/,
    );
  });
});

it('begins a new line where the file that it continues ends within one', async () => {
  const folder = mkdtempSync(join(home.path, 'cut-'));
  const args = [...NDJSON, '--max-items', '20'].map(shellQuote).join(' ');
  const line = `
    $PAYCTL ${args} --last 5 > log.ndjson
    truncate -s -50 log.ndjson
    $PAYCTL ${args} --after @log.ndjson >> log.ndjson`;
  expect(await home.shell(line, { cwd: folder })).toMatchObject({ code: 0 });
  const lines = readFileSync(join(folder, 'log.ndjson'), 'utf8').trimEnd().split('\n');
  const [cut = ''] = lines.splice(19, 1);
  expect(() => JSON.parse(cut)).toThrow(SyntaxError);
  const ids = lines.map((text) => (JSON.parse(text) as { id: string }).id);
  // The entry of the cut line is printed again.
  expect(cut).toContain(ids[19]);
  expect(new Set(ids).size).toBe(39);
});
