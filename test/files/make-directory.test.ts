import { existsSync, globSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDirectory } from '../../src/files/make-directory.ts';
import { runInProcess } from '../commands/run-in-process.ts';
import { largeDescription } from '../descriptions/large-description.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

function freshFolder(): string {
  const folder = folderForTest();
  return folder;
}

const thrownBy = (path: string) => {
  try {
    return String(makeDirectory(path));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
};

describe('makeDirectory', () => {
  it('makes what is missing, for its owner alone, and says whether it was there', () => {
    const folder = join(freshFolder(), 'a', 'b', 'c');
    expect([makeDirectory(folder), makeDirectory(folder)]).toEqual([true, false]);
    if (process.platform === 'win32') return;
    for (const each of [folder, join(folder, '..'), join(folder, '..', '..')])
      expect(statSync(each).mode & 0o777).toBe(0o700);
  });

  it('fails where something else is in the way', () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(thrownBy(join(folder, 'file'))).toBe('EEXIST');
    expect(thrownBy(join(folder, 'file', 'a', 'b'))).toMatch(/^(?:ENOTDIR|ENOENT|EEXIST)$/);
    if (process.platform === 'win32') return;
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
    expect(thrownBy(join(folder, 'link', 'a'))).toBe('EEXIST');
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });
});

it('is what makes every directory with its parents', { tags: 'slow' }, () => {
  const sources = globSync('src/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  expect(sources.filter((text) => /mkdir\w*\([^)]*recursive/.test(text))).toEqual([]);
});

/** Node's own mkdir never ends there. */
describe.runIf(process.platform === 'linux')('a directory in which the system makes none', () => {
  const env = { PAYCTL_CONFIG_DIR: '/proc/payctl/config', NO_COLOR: '1' };
  const hint = 'Make it writable, or set PAYCTL_CONFIG_DIR to another directory.\n';

  it('is reported at once', () => {
    expect(thrownBy('/proc/payctl/a/b')).toBe('ENOENT');
  });

  it('is named by every command that would make it', { tags: 'slow' }, async () => {
    const source = join(freshFolder(), 'openapi.json');
    writeFileSync(source, JSON.stringify(largeDescription()));
    expect(await runInProcess(['profiles', 'set', 'x', '--base-url', 'http://127.0.0.1:1'], { env })).toEqual(
      {
        stdout: '',
        stderr: `Error: /proc/payctl/config cannot be written: no such file or directory (profiles_unwritable)\n${hint}`,
        code: 2,
      },
    );
    const imported = await runInProcess(['api', 'import', source], { env });
    expect(imported).toMatchObject({ stdout: '', code: 2 });
    expect(imported.stderr).toMatch(
      /^Error: \/proc\/payctl\/\S+ cannot be written: no such file or directory \(description_unwritable\)\n/,
    );
    const service = { PAYCTL_BASE_URL: 'http://127.0.0.1:1', PAYCTL_TOKEN: 'opaque' };
    const copy = ['export', 'buyers', '--to', '/proc/payctl/copy'];
    expect(await runInProcess(copy, { env: { ...service, NO_COLOR: '1' } })).toEqual({
      stdout: '',
      stderr: 'Error: "/proc/payctl/copy" cannot be written: no such file or directory (file_unwritable)\n',
      code: 2,
    });
    const list = await runInProcess(['roles', 'list', '--profile', 'emulator'], { env });
    expect(list.stderr).toContain('/proc/payctl');
    expect(list.code).not.toBe(0);
  });
});
