import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unusable } from '../../../src/emulator/data-directory.ts';
import { databaseError, openEmulatorDatabase } from '../../../src/emulator/store/database.ts';
import { temporaryDirectory } from '../test-emulator.ts';

const fileError = (code: string) => Object.assign(new Error(code), { code });
const sqliteError = (errcode: number) => Object.assign(new Error('as SQLite says'), { errcode });

/** The error of an insertion that does not fit. */
function errorOfFullDatabase(path: string): unknown {
  const database = openEmulatorDatabase(path, 0);
  try {
    database.execute(
      'CREATE TABLE t (x); PRAGMA max_page_count = 2; INSERT INTO t VALUES (zeroblob(100000))',
    );
    return undefined;
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
}

describe('an error of the database', () => {
  it('is a full disk where SQLite or the file system says so, and no reason to reset', () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'x.sqlite');
    for (const cause of [errorOfFullDatabase(path), fileError('ENOSPC'), fileError('EDQUOT')]) {
      expect(databaseError(path, cause)).toMatchObject({
        code: 'emulator_disk_full',
        message: `The disk has no room for ${path}`,
        hint: 'Free some space, or set PAYCTL_CONFIG_DIR to a directory on another disk.',
        cause,
      });
    }
    expect(unusable(path, fileError('ENOSPC'))).toMatchObject({ code: 'emulator_disk_full' });
  });

  it.each([3, 8, 10, 14, 23, 14 | (2 << 8)])('is of the directory with code %i', (errcode) => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'x.sqlite');
    expect(databaseError(path, sqliteError(errcode))).toMatchObject({
      code: 'emulator_directory_unusable',
      message: `The emulator cannot write ${path}: as SQLite says`,
      hint: 'Make the directory writable, or choose another one with --directory or PAYCTL_CONFIG_DIR.',
    });
  });

  it.each([1, 11, 26, 11 | (1 << 8)])('asks for a reset with code %i', (errcode) => {
    expect(databaseError("/it's here/x.sqlite", sqliteError(errcode))).toMatchObject({
      code: 'emulator_database_unusable',
      hint: "Reset the emulator: payctl emulator reset --directory '/it'\\''s here'",
    });
  });
});
