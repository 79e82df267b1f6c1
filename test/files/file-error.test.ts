import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileErrorCode, fileErrorReason } from '../../src/files/file-error.ts';

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('fileErrorReason', () => {
  it.each([
    ['a file that is not there', () => readFileSync('/nowhere/file'), 'no such file or directory'],
    [
      'a path through a file',
      () => readFileSync(`${import.meta.filename}/x`),
      'part of the path is not a directory',
    ],
    ['a directory', () => readFileSync('/'), 'it is a directory'],
    ['a directory that was to be removed', () => rmSync(import.meta.dirname), 'it is a directory'],
    [
      'a directory that is a file',
      () => readdirSync(import.meta.filename),
      'part of the path is not a directory',
    ],
    ['a name that is too long', () => writeFileSync(`/tmp/${'x'.repeat(300)}`, ''), 'the path is too long'],
  ])('says in words what is wrong with %s', (_, work, reason) => {
    expect(fileErrorReason(errorOf(work))).toBe(reason);
  });

  it('says in words that another program keeps a file from being opened, as on Windows', () => {
    expect(fileErrorReason(Object.assign(new Error('EBUSY: busy'), { code: 'EBUSY' }))).toBe(
      'another program has it open',
    );
  });

  it('is the message of an error without a code, and of anything else nothing is known', () => {
    expect(fileErrorReason(new Error('it is larger than 64 KiB'))).toBe('it is larger than 64 KiB');
    expect(fileErrorReason('text')).toBe('the reason is unknown');
    expect(fileErrorCode(new Error('text'))).toBeUndefined();
  });
});
