import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { followProcess } from '../../harness/follow-process.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';

const SCRIPT = join(import.meta.dirname, 'claiming.ts');
const ROWS = `${JSON.stringify({ payctl_journal: 1, plan: 'a'.repeat(64) })}\n`;
const NAMES = Array.from({ length: 8 }, (_, number) => `copy-${number}`);

it.each(['without a journal', 'with copies of a journal that was moved'])(
  'one of several processes that begin copies of a plan at the same time continues: %s',
  async (kind) => {
    const folder = folderForTest();
    const isMoved = kind.startsWith('with ');
    for (const name of NAMES) {
      mkdirSync(join(folder, name));
      if (isMoved) writeFileSync(join(folder, name, 'refunds.plan.journal'), ROWS);
    }
    const applied = join(folder, 'data', 'applied');
    if (isMoved) {
      mkdirSync(applied, { recursive: true });
      const record = { journal: join(folder, 'gone') };
      writeFileSync(join(applied, `${'a'.repeat(64)}.json`), JSON.stringify(record));
    }
    const processes = NAMES.map((name) => {
      const child = spawn(process.execPath, [SCRIPT, folder, name]);
      child.stdin.end();
      const running = followProcess(child);
      onTestFinished(() => running.kill('SIGKILL'));
      return running;
    });
    await Promise.all(processes.map((running) => running.sees('stdout', 'ready')));
    writeFileSync(join(folder, 'go'), '');
    const runs = await Promise.all(processes.map(({ done }) => done));
    const ends = runs.map(({ stdout }) => stdout.replace('ready\n', '').trim());
    expect(ends.toSorted()).toEqual(['claimed', ...NAMES.slice(1).map(() => 'plan_applied')]);
    const winner = NAMES[ends.indexOf('claimed')] ?? '';
    const record = join(applied, `${'a'.repeat(64)}${isMoved ? '.1' : ''}.json`);
    expect(JSON.parse(readFileSync(record, 'utf8')).journal).toBe(
      join(folder, winner, 'refunds.plan.journal'),
    );
    const journals = NAMES.filter((name) => existsSync(join(folder, name, 'refunds.plan.journal')));
    expect(journals).toEqual(isMoved ? NAMES : [winner]);
  },
  60_000,
);
