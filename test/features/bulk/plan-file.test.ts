import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  openPlanWriter,
  planRows,
  readPlan,
  requireUnchanged,
} from '../../../src/features/bulk/plan-file.ts';
import { anyText } from '../../harness/any-text.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { planHeader, refundRow, writePlan } from './a-plan.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

const ROWS = [1, 2, 3].map((row) => refundRow(row));

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => 'read',
    (error: { code: string }) => error.code,
  );
}

it('is not read further where another plan is copied over it', { tags: 'slow' }, async () => {
  const path = join(folderForTest(), 'refunds.plan');
  const line = JSON.stringify({ row: 1, arguments: {}, note: 'x'.repeat(1000) });
  writeFileSync(path, `{}\n${`${line}\n`.repeat(5000)}`);
  const read = async () => {
    let rows = 0;
    for await (const _ of planRows(path)) {
      rows += 1;
      // In place and of the same size, so that each row is where the other was.
      if (rows === 1) writeFileSync(path, readFileSync(path, 'utf8').replaceAll('xxxxx', 'yyyyy'));
    }
  };
  await expect(read()).rejects.toMatchObject({
    code: 'plan_changed',
    problem: `"${path}" was changed while it was read`,
  });
});

describe('a plan', () => {
  it('is a file for its owner alone, whose last line is the hash of all that is before it', async () => {
    const { path, hash } = await writePlan(folder, ROWS);
    const lines = readFileSync(path, 'utf8').split('\n');
    expect(lines.map((line) => (line === '' ? '' : Object.keys(JSON.parse(line))[0]))).toEqual([
      'payctl_plan',
      'row',
      'row',
      'row',
      'sha256',
      '',
    ]);
    const before = `${lines.slice(0, 4).join('\n')}\n`;
    expect(lines[4]).toBe(JSON.stringify({ sha256: createHash('sha256').update(before).digest('hex') }));
    expect(hash).toBe(JSON.parse(lines[4] ?? '').sha256);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['refunds.plan']);
  });

  it('gives back its rows, whatever texts and numbers they have', { tags: 'slow' }, async () => {
    const body = fc.dictionary(anyText(), fc.oneof(anyText(), fc.integer(), fc.boolean()), { maxKeys: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 5 }), async (bodies) => {
        const rows = bodies.map((one, index) => refundRow(index + 1, one));
        const plan = await writePlan(folder, rows);
        const read = await Array.fromAsync(planRows(plan.path));
        // Lone surrogates cannot be written as UTF-8.
        expect(read).toEqual(JSON.parse(Buffer.from(JSON.stringify(rows)).toString()));
      }),
      propertyRuns(1000),
    );
  });

  it('is refused with any byte changed, cut or added, and with lines in another order', {
    tags: 'slow',
  }, async () => {
    const { path } = await writePlan(folder, ROWS);
    const whole = readFileSync(path);
    const lines = whole.toString('latin1').slice(0, -1).split('\n');
    const at = fc.nat({ max: whole.length - 1 });
    const line = fc.nat({ max: lines.length - 1 });
    const joined = (changed: readonly string[]) => Buffer.from(`${changed.join('\n')}\n`, 'latin1');
    const damage = fc.oneof(
      fc.record({ at, bits: fc.integer({ min: 1, max: 255 }) }).map(({ at: index, bits }) => {
        const bytes = Buffer.from(whole);
        bytes.writeUInt8(bytes.readUInt8(index) ^ bits, index);
        return bytes;
      }),
      at.map((length) => whole.subarray(0, length)),
      at.map((index) => Buffer.concat([whole.subarray(0, index), whole.subarray(index + 1)])),
      fc.record({ at, more: fc.uint8Array({ minLength: 1, maxLength: 3 }) }).map(({ at: index, more }) => {
        return Buffer.concat([whole.subarray(0, index + 1), more, whole.subarray(index + 1)]);
      }),
      line.map((index) => joined(lines.toSpliced(index, 1))),
      line.map((index) => joined(lines.toSpliced(index, 0, lines[index] ?? ''))),
      fc.tuple(line, line).map(([one, other]) => {
        return joined(lines.with(one, lines[other] ?? '').with(other, lines[one] ?? ''));
      }),
    );
    await fc.assert(
      fc.asyncProperty(damage, async (bytes) => {
        fc.pre(!bytes.equals(whole));
        writeFileSync(path, bytes);
        expect(await codeOf(readPlan(path))).toMatch(/^plan_(?:changed|unreadable)$/);
      }),
      {
        ...propertyRuns(5000),
        examples: [[whole.subarray(0, -1)], [Buffer.concat([whole, Buffer.from('\n')])]],
      },
    );
  });

  it('is refused where another one took its place', async () => {
    const plan = await writePlan(folder, ROWS);
    await requireUnchanged(plan);
    await writePlan(folder, [refundRow(1)]);
    expect(await codeOf(requireUnchanged(plan))).toBe('plan_changed');
  });

  it('is not what an empty file, a folder, another document or a plan of an earlier version is', async () => {
    const path = join(folder, 'other');
    expect(await codeOf(readPlan(path))).toBe('plan_unreadable');
    for (const text of ['', '\n', 'row_key,amount\n', '{"items":[]}\n', '{"payctl_plan":0}\n']) {
      writeFileSync(path, text);
      expect(await codeOf(readPlan(path))).toBe('plan_unreadable');
    }
    writeFileSync(path, '{"payctl_plan":2}\n');
    await expect(readPlan(path)).rejects.toMatchObject({
      code: 'newer_version',
      hint: 'Upgrade payctl, or make a new plan.',
    });
    mkdirSync(join(folder, 'sub'));
    expect(await codeOf(readPlan(join(folder, 'sub')))).toBe('plan_unreadable');
  });
});

describe('the writer of a plan', () => {
  it('leaves nothing behind when it is discarded, and does not replace a plan unasked', async () => {
    const { path } = await writePlan(folder, ROWS);
    const before = readFileSync(path, 'utf8');
    expect(await codeOf(openPlanWriter(path, { overwrite: false }))).toBe('file_exists');
    const writer = await openPlanWriter(path, { overwrite: true });
    writer.add(JSON.stringify(refundRow(1)));
    writer.discard();
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(readdirSync(folder)).toEqual(['refunds.plan']);
  });

  it('keeps rows of any number in their order', { tags: 'slow' }, async () => {
    const writer = await openPlanWriter(join(folder, 'large.plan'), { overwrite: false });
    const text = 'x'.repeat(1000);
    for (let row = 1; row <= 3000; row += 1) writer.add(JSON.stringify(refundRow(row, { text })));
    await writer.finish(planHeader(3000));
    const { path } = await readPlan(join(folder, 'large.plan'));
    const numbers: number[] = [];
    for await (const { row } of planRows(path)) numbers.push(row);
    expect(numbers).toEqual(Array.from({ length: 3000 }, (_, index) => index + 1));
  });
});
