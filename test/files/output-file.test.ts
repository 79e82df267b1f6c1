import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openOutputFile } from '../../src/files/output-file.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

const isPosix = process.platform !== 'win32';
const bytes = (text: string) => Buffer.from(text);

function folder(): string {
  const path = folderForTest();
  return path;
}

describe('an output file', () => {
  it('is there when it is finished, whole and readable by its owner alone, and no draft stays', async () => {
    const directory = folder();
    const path = join(directory, 'report.csv');
    const file = await openOutputFile(path, { overwrite: false });
    await file.write(bytes('a,b\n'));
    await file.write(Uint8Array.of(0xff, 0x00));
    expect(existsSync(path)).toBe(false);
    await file.finish();
    await file.discard();
    expect(readFileSync(path)).toEqual(Buffer.from([...bytes('a,b\n'), 0xff, 0]));
    expect(readdirSync(directory)).toEqual(['report.csv']);
    if (isPosix) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('leaves nothing where it is discarded', async () => {
    const directory = folder();
    const file = await openOutputFile(join(directory, 'report.csv'), { overwrite: false });
    await file.write(bytes('half'));
    await file.discard();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('forgets what was written before a restart', async () => {
    const path = join(folder(), 'report.csv');
    const file = await openOutputFile(path, { overwrite: false });
    await file.write(bytes('a longer first attempt'));
    await file.restart();
    await file.write(bytes('second'));
    await file.finish();
    expect(readFileSync(path, 'utf8')).toBe('second');
  });

  it('refuses a file that is there, before anything is written', async () => {
    const path = join(folder(), 'report.csv');
    writeFileSync(path, 'old');
    await expect(openOutputFile(path, { overwrite: false })).rejects.toMatchObject({
      name: 'UsageError',
      code: 'file_exists',
    });
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it('keeps a file that was made meanwhile', async () => {
    const directory = folder();
    const path = join(directory, 'report.csv');
    const file = await openOutputFile(path, { overwrite: false });
    await file.write(bytes('new'));
    writeFileSync(path, 'made meanwhile');
    await expect(file.finish()).rejects.toMatchObject({ name: 'OutputError', code: 'file_exists' });
    await file.discard();
    expect(readFileSync(path, 'utf8')).toBe('made meanwhile');
    expect(readdirSync(directory)).toEqual(['report.csv']);
  });

  it('replaces a file only when it is finished', async () => {
    const path = join(folder(), 'report.csv');
    writeFileSync(path, 'old');
    const file = await openOutputFile(path, { overwrite: true });
    await file.write(bytes('new'));
    expect(readFileSync(path, 'utf8')).toBe('old');
    await file.finish();
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  it.runIf(isPosix)('replaces what a symbolic link leads to, and keeps the link', async () => {
    const directory = folder();
    const [path, other] = [join(directory, 'report.csv'), join(directory, 'other.csv')];
    writeFileSync(other, 'old');
    symlinkSync(other, path);
    await expect(openOutputFile(path, { overwrite: false })).rejects.toMatchObject({ code: 'file_exists' });
    const file = await openOutputFile(path, { overwrite: true });
    await file.write(bytes('new'));
    await file.finish();
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(other, 'utf8')).toBe('new');
  });

  it.each<[name: string, pathIn: (directory: string) => string, reason: string]>([
    ['a directory', (directory: string) => directory, 'it is a directory'],
    ['the name of a directory', (directory: string) => join(directory, 'no/'), 'it is a directory'],
    [
      'a file in a folder that is not there',
      (directory: string) => join(directory, 'no', 'report.csv'),
      'no such file or directory',
    ],
    ...(isPosix
      ? [['a device', () => '/dev/null', 'it is not a regular file'] as [string, () => string, string]]
      : []),
  ])('refuses %s, also with overwrite', async (_, pathIn, reason) => {
    const directory = folder();
    mkdirSync(join(directory, 'inner'));
    await expect(openOutputFile(pathIn(directory), { overwrite: true })).rejects.toMatchObject({
      name: 'UsageError',
      code: 'file_unwritable',
      message: expect.stringMatching(new RegExp(`${reason}$`)),
    });
    expect(readdirSync(directory)).toEqual(['inner']);
  });

  it.runIf(isPosix)('refuses a symbolic link to nothing', async () => {
    const path = join(folder(), 'report.csv');
    symlinkSync(join(path, 'nothing'), path);
    await expect(openOutputFile(path, { overwrite: true })).rejects.toMatchObject({
      code: 'file_unwritable',
    });
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });
});
