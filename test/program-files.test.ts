import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listProgramFiles, programFileExists, programThread, readProgramFile } from '../src/program-files.ts';
import { folderForAll } from './harness/temporary-folder.ts';

const folder = folderForAll();
mkdirSync(join(folder, 'help'));
writeFileSync(join(folder, 'help', 'index.txt'), 'Grüße\n');

// Inside an executable they are tested by test/e2e/executable.test.ts.
describe('the files of the program beside it', () => {
  it('are files and folders', () => {
    expect(programFileExists(join(folder, 'help'))).toBe(true);
    expect(programFileExists(join(folder, 'help', 'index.txt'))).toBe(true);
    expect(programFileExists(join(folder, 'help', 'other.txt'))).toBe(false);
  });

  it('are read as UTF-8', () => {
    expect(readProgramFile(join(folder, 'help', 'index.txt'))).toBe('Grüße\n');
    expect(() => readProgramFile(join(folder, 'other.txt'))).toThrow('ENOENT');
  });

  it('are listed with those of the folders below', () => {
    expect(listProgramFiles(folder).toSorted()).toEqual(['help', join('help', 'index.txt')]);
  });

  it('run in a thread by their path', () => {
    expect(programThread(join(folder, 'worker.cjs'))).toEqual({
      code: join(folder, 'worker.cjs'),
      options: {},
    });
  });
});
