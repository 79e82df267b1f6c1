import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runGroup } from '../../bench/groups.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

const ROW = { name: 'a row', unit: 'ms', values: { best: 1, median: 1 } };
const PRINT = `process.stdout.write(JSON.stringify({ row: ${JSON.stringify(ROW)} }) + '\\n');`;

function group(code: string): string {
  const folder = folderForTest();
  const file = join(folder, 'group.mjs');
  writeFileSync(file, code);
  return file;
}

it('passes on what a group of measurements prints', async () => {
  const shown: unknown[] = [];
  expect(await runGroup(group(PRINT), (line) => shown.push(line))).toEqual({ rows: [ROW], absent: [] });
  expect(shown).toEqual([{ row: ROW }]);
});

it('keeps the rows of a group that fails, and says why', async () => {
  const outcome = await runGroup(group(`${PRINT} throw new TypeError('out of order');`), () => {});
  expect(outcome).toEqual({ rows: [ROW], absent: [], failure: 'TypeError: out of order' });
});

it.skipIf(process.platform === 'win32')('ends what a group has left running', async () => {
  // It holds the group's streams open: were it left running, the outcome would come a minute later.
  const left = `const { spawn } = await import('node:child_process');
    spawn('sleep', ['60'], { stdio: 'inherit' }).on('spawn', () => process.exit());`;
  expect(await runGroup(group(PRINT + left), () => {})).toEqual({ rows: [ROW], absent: [] });
});

it('ends a group that takes too long', async () => {
  const outcome = await runGroup(group(`${PRINT} setInterval(() => {}, 1000);`), () => {}, {
    limitMilliseconds: 1500,
  });
  expect(outcome.failure).toBe('took longer than 1.5 s');
});
