import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openCopy } from '../../src/features/export/open-copy.ts';
import { findTarget } from '../../src/files/output-file.ts';
import { windowsNameProblem } from '../../src/files/windows-name.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

describe('on Windows', () => {
  it.each([
    ['NUL', 'NUL is a device of Windows'],
    ['C:\\data\\aux.2026.csv', 'AUX is a device of Windows'],
    ['com¹ .csv', 'COM¹ is a device of Windows'],
    ['nul\\x.csv', 'NUL is a device of Windows'],
    ['export-12:30.csv', 'names on Windows have no :'],
    ['C:\\data\\a?.csv', 'names on Windows have no ?'],
    ['a|b\\c.csv', 'names on Windows have no |'],
    ['data \\c.csv', 'names on Windows do not end with a dot or a blank'],
    ['c.', 'names on Windows do not end with a dot or a blank'],
  ])('there is no file called %s', (path, problem) => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    expect(windowsNameProblem(path)).toBe(problem);
  });

  it.each([
    'null.csv',
    'C:x.csv',
    'C:\\data\\x.csv',
    'C:/data/x.csv',
    '..\\.hidden\\x.csv',
    '\\\\server\\share\\x.csv',
    '\\\\?\\C:\\data\\x.csv',
    'folder\\',
    'com.csv',
  ])('there can be a file called %s', (path) => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    expect(windowsNameProblem(path)).toBeUndefined();
  });

  it('nothing is made for a name that is none', async () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    const folder = folderForTest();
    await expect(findTarget(join(folder, 'at 12:30.csv'), false)).rejects.toMatchObject({
      code: 'file_unwritable',
      message: expect.stringMatching(/at 12:30\.csv" cannot be written: names on Windows have no :$/),
      hint: 'Choose another name.',
    });
    expect(() => openCopy(join(folder, 'copy.'), { isNew: true })).toThrow(
      /copy\." cannot be written: names on Windows do not end with a dot or a blank$/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('other systems have files of any name', () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
  expect(windowsNameProblem('at 12:30/NUL.')).toBeUndefined();
});
