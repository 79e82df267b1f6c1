import {
  copyFileSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  Journal,
  openJournal,
  openLastLines,
  ROW_STATES,
  RowStates,
  readStates,
} from '../../../src/features/bulk/journal.ts';
import type { Plan } from '../../../src/features/bulk/plan-file.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { planHeader } from './a-plan.ts';

const AT = '2026-03-01T12:00:00.000Z';
const ROWS = 5;
const plan: Plan = { path: 'refunds.plan', header: planHeader(ROWS), hash: 'a'.repeat(64) };
const other: Plan = { ...plan, hash: 'b'.repeat(64) };

let path: string;
let data: string;
beforeEach(() => {
  path = join(folderForTest(), 'refunds.plan.journal');
  data = folderForTest();
});

const text = () => readFileSync(path, 'utf8');

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => 'opened',
    (error: { code: string }) => error.code,
  );
}

/** Writes these states one after the other, and closes the journal. */
async function write(lines: readonly (readonly [row: number, state: (typeof ROW_STATES)[number]])[]) {
  const journal = await openJournal(path, plan, data);
  for (const [row, state] of lines) await journal.add({ row, state, at: AT });
  await journal.close();
}

it('has no text of a service that is longer than 500 characters', async () => {
  const journal = await openJournal(path, plan, data);
  const long = `${'x'.repeat(499)}\u{1f600}${'x'.repeat(5000)}`;
  const texts = { id: long, code: long, message: long, record_status: long, pointer: long, request_id: long };
  await journal.add({ row: 1, state: 'refused', at: AT, ...texts });
  await journal.close();
  const line = JSON.parse(text().split('\n')[1] ?? '');
  expect(Object.keys(texts).map((name) => line[name])).toEqual(
    Object.keys(texts).map(() => `${'x'.repeat(499)}\ufffd`),
  );
});

async function statesNow(): Promise<readonly string[]> {
  const journal = await openJournal(path, plan, data);
  const found = Array.from({ length: ROWS }, (_, index) => journal.states.of(index + 1));
  await journal.close();
  return found;
}

describe('a journal', () => {
  it('is a file for its owner alone, and knows the last state of each row when it is opened again', async () => {
    await write([
      [1, 'sending'],
      [2, 'sending'],
      [1, 'done'],
      [3, 'failed'],
    ]);
    expect(await statesNow()).toEqual(['done', 'sending', 'failed', 'pending', 'pending']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const states = await readStates(path, plan);
    expect(states.counts()).toEqual({ pending: 2, sending: 1, done: 1, refused: 0, failed: 1, unknown: 0 });
    const lines = await openLastLines(path, plan);
    expect(await lines?.of(1)).toEqual({ row: 1, state: 'done', at: AT });
    expect(await lines?.of(4)).toBeUndefined();
    await lines?.close();
  });

  it('has no rows where there is no file', async () => {
    expect((await readStates(path, plan)).counts().pending).toBe(ROWS);
    expect(await openLastLines(path, plan)).toBeUndefined();
  });

  it('belongs to one process at a time', async () => {
    const journal = await openJournal(path, plan, data);
    expect(await codeOf(openJournal(path, plan, data))).toBe('plan_in_use');
    await journal.close();
    expect(await codeOf(openJournal(path, plan, data).then((next) => next.close()))).toBe('opened');
  });

  it.each([
    ['has another name', linkSync],
    ['was moved', renameSync],
    ['was copied', copyFileSync],
  ])('belongs to one process at a time where it %s meanwhile', async (_, change) => {
    const journal = await openJournal(path, plan, data);
    const elsewhere = join(folderForTest(), 'refunds.plan.journal');
    change(path, elsewhere);
    expect(await codeOf(openJournal(elsewhere, plan, data))).toBe('plan_in_use');
    await journal.close();
    expect(await codeOf(openJournal(elsewhere, plan, data).then((next) => next.close()))).toBe('opened');
    expect(readdirSync(join(data, 'applied'))).toEqual([`${plan.hash}.length`]);
  });

  it('belongs to one process at a time, whose data directories may be different', async () => {
    const journal = await openJournal(path, plan, data);
    expect(await codeOf(openJournal(path, plan, folderForTest()))).toBe('plan_in_use');
    await journal.close();
  });

  it.each([
    ['its last line', (lines: string[]) => lines.toSpliced(-2, 1)],
    ['a line in its middle', (lines: string[]) => lines.toSpliced(2, 1)],
    ['all lines about rows', (lines: string[]) => lines.toSpliced(1, 3)],
    ['the end of its last line', (lines: string[]) => lines.toSpliced(-2, 2, '{"row"')],
  ])('is refused and left as it is where it lacks %s since it was closed', async (_, cut) => {
    await write([
      [1, 'sending'],
      [1, 'done'],
      [2, 'unknown'],
    ]);
    const left = cut(text().split('\n')).join('\n');
    writeFileSync(path, left);
    await expect(openJournal(path, plan, data)).rejects.toMatchObject({
      code: 'journal_unreadable',
      problem: `"${path}" lacks lines that it had before`,
    });
    expect(text()).toBe(left);
  });

  it('is refused and left as it is where a later version of payctl has begun it', async () => {
    await write([[1, 'done']]);
    const later = text().replace('{"payctl_journal":1', '{"payctl_journal":2');
    writeFileSync(path, later);
    const refused = { code: 'newer_version', hint: 'Upgrade payctl.' };
    await expect(openJournal(path, plan, data)).rejects.toMatchObject(refused);
    await expect(readStates(path, plan)).rejects.toMatchObject(refused);
    expect(text()).toBe(later);
  });

  it('is not that of another plan', async () => {
    await write([[1, 'done']]);
    expect(await codeOf(openJournal(path, other, data))).toBe('journal_unreadable');
    expect(await codeOf(readStates(path, other))).toBe('journal_unreadable');
  });
});

describe('a journal that was cut off', () => {
  it('is continued behind its last whole line, wherever it was cut', { tags: 'slow' }, async () => {
    const all = ROW_STATES.filter((state) => state !== 'pending');
    await write(all.map((state, index) => [index + 1, state] as const));
    const whole = text();
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length }), async (length) => {
        writeFileSync(path, whole.slice(0, length));
        // A process that was killed has not said how long its journal was.
        data = folderForTest();
        const kept = whole.slice(0, length).split('\n').length - 2;
        const expected = Array.from({ length: ROWS }, (_, index) => (index < kept ? all[index] : 'pending'));
        expect(await statesNow()).toEqual(expected);
        await write([[1, 'refused']]);
        const [, ...lines] = text().trimEnd().split('\n');
        expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ row: 1, state: 'refused', at: AT });
        expect(lines).toHaveLength(Math.max(kept, 0) + 1);
      }),
      propertyRuns(1000),
    );
  });

  it.each([
    ['a part of a line in its middle', (lines: string[]) => lines.with(2, (lines[2] ?? '').slice(0, 9))],
    ['a line of nobody in its middle', (lines: string[]) => lines.with(2, '{"row":1}')],
    [
      'a row that the plan does not have in its middle',
      (lines: string[]) => lines.with(2, `{"row":${ROWS + 1},"state":"done"}`),
    ],
    [
      'a state that there is not in its middle',
      (lines: string[]) => lines.with(2, '{"row":1,"state":"paid"}'),
    ],
    ['a second first line in its middle', (lines: string[]) => lines.with(2, lines[0] ?? '')],
    ['an empty line in its middle', (lines: string[]) => lines.toSpliced(2, 0, '')],
    ['a last line that was edited', (lines: string[]) => lines.with(3, `${lines[3]},`)],
    ['a first line that was edited', (lines: string[]) => [`${lines[0]?.slice(0, -1)},`, '']],
  ])('is refused and left as it is with %s', async (_, damage) => {
    await write([
      [1, 'sending'],
      [1, 'done'],
      [2, 'sending'],
    ]);
    const damaged = damage(text().split('\n')).join('\n');
    writeFileSync(path, damaged);
    expect(await codeOf(openJournal(path, plan, data))).toBe('journal_unreadable');
    expect(await codeOf(readStates(path, plan))).toBe('journal_unreadable');
    expect(text()).toBe(damaged);
  });

  it('is not taken for one that begins with the first line of another plan', async () => {
    await write([]);
    writeFileSync(path, text().slice(0, -10));
    expect(await codeOf(readStates(path, other))).toBe('journal_unreadable');
    writeFileSync(path, 'remember the milk');
    expect(await codeOf(readStates(path, plan))).toBe('journal_unreadable');
  });
});

describe('lines that are added at the same time', () => {
  async function held() {
    const file = await open(path, 'w+');
    const lengthPath = join(data, 'length');
    const parts = { file, lock: { release() {} }, length: 0, lengthPath };
    const journal = new Journal(path, new RowStates(ROWS), parts);
    return { file, journal };
  }
  const lineOf = (row: number) => ({ row, state: 'sending' as const, at: AT });

  it('are on the disk before any of them is said to be, with few waits for the disk', async () => {
    const { file, journal } = await held();
    const order: string[] = [];
    const sync = file.datasync.bind(file);
    const syncs = vi.spyOn(file, 'datasync').mockImplementation(async () => {
      await sync();
      order.push(`disk ${text().split('\n').length - 1}`);
    });
    const added = [1, 2, 3, 4, 5].map(async (row) => {
      await journal.add(lineOf(row));
      order.push(`row ${row}`);
    });
    await Promise.all(added);
    expect(order).toEqual(['disk 5', 'row 1', 'row 2', 'row 3', 'row 4', 'row 5']);
    expect(syncs).toHaveBeenCalledTimes(1);
    await journal.close();
  });

  it('all fail with the disk, and so does what comes later', async () => {
    const { file, journal } = await held();
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const write = file.write.bind(file);
    const writing = vi
      .spyOn(file, 'write')
      .mockImplementationOnce(async () => await write('{"r', 0))
      .mockRejectedValueOnce(full);
    expect(await Promise.all([1, 2].map((row) => codeOf(journal.add(lineOf(row)))))).toEqual([
      'file_unwritable',
      'file_unwritable',
    ]);
    expect(await codeOf(journal.add(lineOf(3)))).toBe('file_unwritable');
    expect(writing).toHaveBeenCalledTimes(2);
    await journal.close();
    // The next run does not miss a part of a line.
    expect([text(), readFileSync(join(data, 'length'), 'utf8')]).toEqual(['{"r', '0']);
  });
});
