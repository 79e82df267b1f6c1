import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesOf } from '../../src/emulator/data-files.ts';
import { claimServing, findServing, resetEmulator } from '../../src/emulator/serving.ts';
import { startTestEmulator, temporaryDirectory } from './test-emulator.ts';

describe('claiming', () => {
  it('names the process that has not said yet where it is reached', () => {
    using directory = temporaryDirectory();
    const { running } = filesOf(directory.path);
    expect(findServing(directory.path)).toBeUndefined();
    const serving = claimServing(directory.path);
    if (process.platform !== 'win32') expect(statSync(running).mode & 0o777).toBe(0o600);
    expect(findServing(directory.path)).toEqual({ pid: process.pid });
    expect(() => claimServing(directory.path)).toThrow(
      expect.objectContaining({
        code: 'emulator_running',
        message: `An emulator is already running in ${directory.path} (process ${process.pid})`,
        hint: 'Choose another directory with --directory or PAYCTL_CONFIG_DIR, or stop it: payctl emulator stop',
      }),
    );
    writeFileSync(running, 'damaged');
    expect(findServing(directory.path)).toEqual({});
    expect(() => resetEmulator(directory.path)).toThrow(
      expect.objectContaining({
        message: `An emulator is serving this data in ${directory.path}`,
        hint: 'Stop it first: payctl emulator stop',
      }),
    );
    serving.release();
    serving.release();
    expect(existsSync(running)).toBe(false);
    expect(findServing(directory.path)).toBeUndefined();
    claimServing(directory.path).release();
  });
});

describe('resetting', () => {
  it('deletes every file of the emulator and nothing else, so that the next start begins from nothing', async () => {
    using directory = temporaryDirectory();
    const { database, draft, signingKey, restrictedKey, running } = filesOf(directory.path);
    const all = [database, `${database}-wal`, draft, signingKey, restrictedKey, running];
    for (const path of all) writeFileSync(path, '');
    writeFileSync(`${directory.path}/mine.txt`, 'kept');
    expect(resetEmulator(directory.path)).toEqual(all);
    expect(resetEmulator(directory.path)).toEqual([]);
    expect(readFileSync(`${directory.path}/mine.txt`, 'utf8')).toBe('kept');
  });

  it('makes no directory', () => {
    using directory = temporaryDirectory();
    expect(resetEmulator(`${directory.path}/none`)).toEqual([]);
    expect(existsSync(`${directory.path}/none`)).toBe(false);
  });

  it('is refused while a command uses the data', async () => {
    await using test = await startTestEmulator({ buyers: 1 });
    expect(() => resetEmulator(test.directory)).toThrow(
      expect.objectContaining({
        code: 'emulator_in_use',
        message: "Another payctl command is using the emulator's data",
        hint: 'Wait for it to end, or set PAYCTL_CONFIG_DIR to another directory.',
      }),
    );
    expect((await test.send('/buyers')).status).toBe(200);
  });
});
