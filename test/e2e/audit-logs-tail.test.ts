import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { emulatorDirectory } from '../../src/config/environment.ts';
import { type Emulator, startEmulator } from '../../src/emulator/server.ts';
import { claimServing } from '../../src/emulator/serving.ts';
import { insertRow } from '../../src/emulator/store/database.ts';
import { useHome } from '../harness/run-payctl.ts';
import { SEED_DAY } from '../harness/seed-day.ts';

const home = useHome();
let emulator: Emulator;

beforeAll(async () => {
  const directory = emulatorDirectory(home);
  emulator = await startEmulator({ directory, until: SEED_DAY, buyers: 3 });
  claimServing(directory).advertise(emulator, new Date());
  return () => emulator.close();
});

const written: string[] = [];

/** Writes so many entries at once, in the same millisecond. */
function write(count: number): void {
  const now = new Date();
  for (let index = 0; index < count; index += 1) {
    const id = randomUUID();
    const resource = { type: 'role', id: 'r1', name: 'Support' };
    const user = { type: 'user', id: 'u1', name: 'Meera Rao' };
    const entry = { type: 'audit-log', id, timestamp: now.toISOString(), action: 'updated', resource, user };
    insertRow(emulator.database, 'audit_logs', {
      id,
      merchant_account_id: 'default',
      created_ms: now.getTime(),
      action: entry.action,
      user_id: user.id,
      resource_type: resource.type,
      document: JSON.stringify(entry),
    });
    written.push(id);
  }
}

const TAIL = 'audit-logs tail --profile emulator --interval 100ms -o ndjson'.split(' ');
const idsOf = (stdout: string): string[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { id: string }).id);

it('reads bursts of several pages, killed and resumed, without a gap', { timeout: 60_000 }, async () => {
  const printed: string[] = [];
  write(1);
  for (const burst of [250, 30, 120]) {
    const last = printed.at(-1);
    const tail = home.start([...TAIL, ...(last === undefined ? ['--last', '1'] : ['--after', last])]);
    if (last === undefined) await tail.sees('stdout', '\n');
    write(burst);
    await tail.sees('stdout', written.at(-1) ?? '');
    // What comes from now on is for the next run.
    tail.kill('SIGKILL');
    const { stdout, stderr } = await tail.done;
    expect(stderr).not.toContain('More entries arrived');
    printed.push(...idsOf(stdout));
    write(110);
  }
  const byId = await home.payctl([...TAIL, '--after', printed.at(-1) ?? '', '--for', '1ms']);
  expect(byId.stderr).toContain('Entries that arrived late cannot be told apart from those of the last run');
  const file = join(home.path, 'printed.ndjson');
  writeFileSync(file, printed.map((id) => `{"id":"${id}"}\n`).join(''));
  const rest = await home.payctl([...TAIL, '--after', `@${file}`, '--for', '1ms']);
  expect(rest).toMatchObject({ code: 0, stderr: '' });
  printed.push(...idsOf(rest.stdout));
  expect(new Set(printed).size).toBe(printed.length);
  expect(new Set(printed)).toEqual(new Set(written));
});

it('ends within an interval where the reader of the pipe has left', { timeout: 60_000 }, async () => {
  const run = await home.shell(
    `$PAYCTL ${TAIL.join(' ')} --last 3 2> said | head -1 > /dev/null; echo "\${PIPESTATUS[0]}"; cat said`,
    { cwd: home.path },
  );
  expect(run.stdout).toBe('0\n');
});
