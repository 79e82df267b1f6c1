import {
  appendFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AbortedError, UsageError } from '../../src/errors.ts';
import { openPartFile, type PartFileOptions } from '../../src/files/part-file.ts';
import { propertyRuns } from '../harness/property-runs.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

const isPosix = process.platform !== 'win32';
const NEW: PartFileOptions = { overwrite: false, resume: false, check() {} };
const RESUMED: PartFileOptions = { ...NEW, resume: true };
const REPLACING: PartFileOptions = { ...NEW, overwrite: true };

const DEVICE: [string, string, string] = ['a device', '/dev/null', 'it is not a regular file'];

/** Writes these pages, records after each of them, and leaves the part as an interrupted run does. */
async function interrupted(path: string, pages: readonly string[], options = NEW): Promise<void> {
  const file = await openPartFile(path, options);
  for (const page of pages) {
    file.write(Buffer.from(page));
    file.record(file.length, { page });
  }
  file.keep();
}

describe('a file in parts', () => {
  it('is there when it is whole, readable by its owner alone, and nothing else stays', async () => {
    const folder = folderForTest();
    const path = join(folder, 'buyers.csv');
    const file = await openPartFile(path, NEW);
    file.write(Buffer.from('id\n'));
    file.record(file.length, {});
    file.write(Buffer.from('1\n'));
    expect(existsSync(path)).toBe(false);
    if (isPosix) {
      const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
      expect(modes.sort()).toEqual([
        ['buyers.csv.part', 0o600],
        ['buyers.csv.part.json', 0o600],
        ['buyers.csv.part.lock', 0o600],
      ]);
    }
    await file.finish();
    file.keep();
    file.discard();
    expect(readFileSync(path, 'utf8')).toBe('id\n1\n');
    expect(readdirSync(folder)).toEqual(['buyers.csv']);
    if (isPosix) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('forgets what was written before a restart', async () => {
    const path = join(folderForTest(), 'f');
    const file = await openPartFile(path, NEW);
    file.write(Buffer.from('a longer first attempt'));
    file.restart();
    file.write(Buffer.from('second'));
    await file.finish();
    expect(readFileSync(path, 'utf8')).toBe('second');
  });

  it('continues after what was recorded, and cuts off what was not', async () => {
    const path = join(folderForTest(), 'f');
    await interrupted(path, ['one\n', 'two\n']);
    appendFileSync(`${path}.part`, 'thr');
    writeFileSync(`${path}.part.json.new`, '{"by');
    const file = await openPartFile(path, RESUMED);
    expect(file.resumed).toMatchObject({ bytes: 8, notes: { page: 'two\n' } });
    file.write(Buffer.from('three\n'));
    await file.finish();
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n');
    expect(readdirSync(dirname(path))).toEqual(['f']);
  });

  it('begins where there is no part, also to resume', async () => {
    const path = join(folderForTest(), 'f');
    const file = await openPartFile(path, RESUMED);
    expect(file.resumed).toBeUndefined();
    file.discard();
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  it('begins again over a part of which nothing was recorded', async () => {
    const path = join(folderForTest(), 'f');
    const killed = await openPartFile(path, NEW);
    killed.write(Buffer.from('torn'));
    killed.keep();
    const file = await openPartFile(path, NEW);
    expect(file.length).toBe(0);
    file.write(Buffer.from('whole'));
    await file.finish();
    expect(readFileSync(path, 'utf8')).toBe('whole');
  });

  it('refuses a part that something was recorded of, and replaces it when told to', async () => {
    const path = join(folderForTest(), 'f');
    await interrupted(path, ['one\n']);
    await expect(openPartFile(path, NEW)).rejects.toMatchObject({ name: 'UsageError', code: 'part_exists' });
    expect(readFileSync(`${path}.part`, 'utf8')).toBe('one\n');
    const file = await openPartFile(path, REPLACING);
    file.write(Buffer.from('new\n'));
    await file.finish();
    expect(readFileSync(path, 'utf8')).toBe('new\n');
  });

  it.each([
    ['is shorter', (part: string) => truncateSync(part, 5)],
    ['has other bytes', (part: string) => writeFileSync(part, 'one\nTWO\n')],
  ])('does not continue a part that %s, and leaves it', async (_, change) => {
    const path = join(folderForTest(), 'f');
    await interrupted(path, ['one\n', 'two\n']);
    change(`${path}.part`);
    const before = readFileSync(`${path}.part`);
    await expect(openPartFile(path, RESUMED)).rejects.toMatchObject({ code: 'part_changed' });
    expect(readFileSync(`${path}.part`)).toEqual(before);
  });

  it('knows all of a long part again, also the pages of several runs, and none that was changed far before its end', {
    tags: 'slow',
  }, async () => {
    const path = join(folderForTest(), 'f');
    const page = (letter: string) => letter.repeat(1_500_000);
    await interrupted(path, ['a', 'b'].map(page));
    await interrupted(path, ['c', 'd'].map(page), RESUMED);
    const whole = Buffer.from(['a', 'b', 'c', 'd'].map(page).join(''));
    const file = await openPartFile(path, RESUMED);
    expect(file.length).toBe(whole.length);
    file.keep();
    for (const at of [0, 1_600_000, 4_400_000]) {
      const changed = Buffer.from(whole);
      changed[at] = 88;
      writeFileSync(`${path}.part`, changed);
      await expect(openPartFile(path, RESUMED)).rejects.toMatchObject({ code: 'part_changed' });
    }
    writeFileSync(`${path}.part`, whole);
    const signal = AbortSignal.abort();
    await expect(openPartFile(path, { ...RESUMED, signal })).rejects.toBeInstanceOf(AbortedError);
    const again = await openPartFile(path, RESUMED);
    await again.finish();
    expect(readFileSync(path).equals(whole)).toBe(true);
  });

  it.each([
    ['a file of somebody else', (part: string) => writeFileSync(part, 'mine')],
    ['a folder', (part: string) => mkdirSync(part)],
    ['a symbolic link', (part: string) => symlinkSync('/etc/hostname', part)],
    [
      'a part whose record is damaged',
      (part: string) => {
        writeFileSync(part, 'mine');
        writeFileSync(`${part}.json`, '{"bytes":');
      },
    ],
  ])('never touches %s in the place of the part', async (_, make) => {
    const path = join(folderForTest(), 'f');
    make(`${path}.part`);
    const before = lstatSync(`${path}.part`, { bigint: true });
    for (const options of [NEW, RESUMED, REPLACING])
      await expect(openPartFile(path, options)).rejects.toMatchObject({ code: 'part_unknown' });
    const { ino, mtimeNs } = lstatSync(`${path}.part`, { bigint: true });
    expect({ ino, mtimeNs }).toEqual({ ino: before.ino, mtimeNs: before.mtimeNs });
    expect(existsSync(`${path}.part.lock`)).toBe(false);
  });

  it.each(['.part.json', '.part.lock'])(
    'never replaces a file of somebody else that is called like %s',
    async (ending) => {
      const path = join(folderForTest(), 'f');
      writeFileSync(path + ending, '{"precious":1}');
      for (const options of [NEW, RESUMED, REPLACING])
        await expect(openPartFile(path, options)).rejects.toMatchObject({
          code: 'part_unknown',
          message: `"${path}${ending}" is in the way: it is not a file of an earlier run`,
        });
      expect(readFileSync(path + ending, 'utf8')).toBe('{"precious":1}');
    },
  );

  it('refuses what check refuses, and leaves the part', async () => {
    const path = join(folderForTest(), 'f');
    await interrupted(path, ['one\n']);
    const check = (notes: unknown) => {
      throw new UsageError('part_differs', JSON.stringify(notes));
    };
    await expect(openPartFile(path, { ...RESUMED, check })).rejects.toMatchObject({
      code: 'part_differs',
      message: '{"page":"one\\n"}',
    });
    await expect(openPartFile(path, RESUMED)).resolves.toMatchObject({ length: 4 });
  });

  it('is written by one at a time', async () => {
    const folder = folderForTest();
    const path = join(folder, 'f');
    const first = await openPartFile(path, NEW);
    for (const options of [NEW, RESUMED, REPLACING])
      await expect(openPartFile(path, options)).rejects.toMatchObject({ code: 'file_in_use' });
    first.write(Buffer.from('first'));
    await first.finish();
    expect(readFileSync(path, 'utf8')).toBe('first');
    const second = await openPartFile(path, REPLACING);
    second.discard();
    expect(readdirSync(folder)).toEqual(['f']);
  });

  it('keeps a file that was made meanwhile, and the part', async () => {
    const path = join(folderForTest(), 'f');
    const file = await openPartFile(path, NEW);
    file.write(Buffer.from('new'));
    file.record(file.length, {});
    writeFileSync(path, 'made meanwhile');
    await expect(file.finish()).rejects.toMatchObject({ name: 'OutputError', code: 'file_exists' });
    file.keep();
    expect(readFileSync(path, 'utf8')).toBe('made meanwhile');
    expect(readFileSync(`${path}.part`, 'utf8')).toBe('new');
  });

  it('leaves a file alone that it would replace until it is whole', async () => {
    const path = join(folderForTest(), 'f');
    writeFileSync(path, 'old');
    await interrupted(path, ['one\n'], REPLACING);
    expect(readFileSync(path, 'utf8')).toBe('old');
    const file = await openPartFile(path, { ...RESUMED, overwrite: true });
    await file.finish();
    expect(readFileSync(path, 'utf8')).toBe('one\n');
  });

  it('does not write to a file that a killed run had put in its place already', async () => {
    const path = join(folderForTest(), 'f');
    await interrupted(path, ['one\n']);
    linkSync(`${path}.part`, path);
    const file = await openPartFile(path, { ...RESUMED, overwrite: true });
    file.write(Buffer.from('other'));
    expect(readFileSync(path, 'utf8')).toBe('one\n');
    file.discard();
    expect(readFileSync(path, 'utf8')).toBe('one\n');
  });

  it('follows a symbolic link to a file, which stays', async () => {
    const folder = folderForTest();
    mkdirSync(join(folder, 'there'));
    writeFileSync(join(folder, 'there', 'f'), 'old');
    const link = join(folder, 'link');
    symlinkSync(join('there', 'f'), link);
    const file = await openPartFile(link, REPLACING);
    file.write(Buffer.from('new'));
    expect(existsSync(join(folder, 'there', 'f.part'))).toBe(true);
    await file.finish();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(link, 'utf8')).toBe('new');
  });

  it.each<[what: string, name: string, reason: string]>([
    ['a folder', '.', 'it is a directory'],
    ['the name of a folder', 'none/', 'it is a directory'],
    ['a path through a folder that is not there', 'none/f', 'no such file or directory'],
    ...(isPosix ? [DEVICE] : []),
  ])('cannot be %s', async (_, name, reason) => {
    const folder = folderForTest();
    const path = name.startsWith('/') ? name : join(folder, name);
    for (const options of [NEW, REPLACING])
      await expect(openPartFile(path, options)).rejects.toMatchObject({
        name: 'UsageError',
        code: 'file_unwritable',
        message: expect.stringMatching(new RegExp(`${reason}$`)),
      });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('cannot be a symbolic link to nothing, which stays', async () => {
    const path = join(folderForTest(), 'link');
    symlinkSync('nothing', path);
    await expect(openPartFile(path, REPLACING)).rejects.toMatchObject({ code: 'file_unwritable' });
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });

  it('has the same bytes however often it was interrupted, and wherever the last run was killed', {
    tags: 'slow',
  }, async () => {
    const pages = fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 12 });
    const cuts = fc.array(fc.record({ pages: fc.nat(4), torn: fc.uint8Array({ maxLength: 20 }) }), {
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(pages, cuts, async (list, runs) => {
        const path = join(folderForTest(), 'f');
        let begun: number | undefined;
        const start = async () => {
          const file = await openPartFile(path, RESUMED);
          const { page } = (file.resumed?.notes ?? { page: 0 }) as { page: number };
          begun = page;
          return file;
        };
        for (const { pages: count, torn } of runs) {
          const file = await start();
          for (const [index, page] of list.slice(begun, (begun ?? 0) + count).entries()) {
            file.write(page);
            file.record(file.length, { page: (begun ?? 0) + index + 1 });
          }
          file.keep();
          if (existsSync(`${path}.part`)) appendFileSync(`${path}.part`, torn);
        }
        const last = await start();
        for (const page of list.slice(begun)) last.write(page);
        await last.finish();
        expect(readFileSync(path)).toEqual(Buffer.concat(list));
      }),
      propertyRuns(2000),
    );
  });
});
