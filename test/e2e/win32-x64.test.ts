import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { packageFolder } from '../../scripts/package/locked-files.ts';
import { PLATFORMS } from '../../scripts/package/platforms.ts';
import { type ForeignOptions, foreignCases } from '../foreign/cases.ts';
import { NO_WINE, runInWine, startWine, type Wine } from '../foreign/wine.ts';
import { builtExecutable, NO_EXECUTABLE } from '../harness/executable.ts';
import { followProcess } from '../harness/follow-process.ts';
import { commandInTerminal } from '../harness/in-terminal.ts';
import { folderForAll } from '../harness/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const platform = PLATFORMS.find(({ name }) => name === 'win32-x64');
const REASON = NO_EXECUTABLE ?? NO_WINE;
const PROGRAM = 'Z:\\w\\payctl.exe';
const disk = folderForAll();
let wine: Wine;
let folder = disk;

beforeAll(async () => {
  if (REASON !== undefined || !platform) return;
  copyFileSync(await builtExecutable(platform), join(disk, platform.program));
  wine = await startWine(disk, join(packageFolder(root, platform.node), 'bin', 'node.exe'));
}, 240_000);

afterAll(() => wine?.close());

const named = (path: string) => wine.named(path);

function start(args: readonly string[], { env = {}, stdin, cwd = folder }: ForeignOptions = {}) {
  const settings = { PAYCTL_CONFIG_DIR: named(join(folder, 'payctl')), ...env };
  const running = wine.start({ program: PROGRAM, args, env: settings, cwd: named(cwd) }, stdin);
  onTestFinished(() => running.kill('SIGKILL'));
  return running;
}

describe.skipIf(REASON)(`payctl.exe${REASON ? ` (${REASON})` : ''}`, () => {
  beforeEach(() => {
    folder = mkdtempSync(join(disk, 'test-'));
  });

  foreignCases({ platform: 'win32-x64', folder: () => folder, named, start });

  it('keeps profiles in %APPDATA%', async () => {
    const roaming = join(folder, 'Benutzer Jörg', 'Roaming');
    mkdirSync(roaming, { recursive: true });
    const env = { APPDATA: named(roaming), PAYCTL_CONFIG_DIR: '' };
    const words = ['profiles', 'set', 'dev', '--base-url', 'https://api.example.com'];
    expect(await start(words, { env }).done).toMatchObject({ code: 0 });
    expect(readdirSync(join(roaming, 'payctl', 'Config'))).toContain('profiles.json');
  });

  it('writes to no device and no stream of another file, and to a path of any length', async () => {
    const list = ['buyers', 'list', '--profile', 'emulator', '--limit', '1', '-q', '-o', 'csv'];
    const cwd = join(folder, 'files');
    mkdirSync(cwd);
    for (const name of ['NUL', 'aux.csv', 'at 12:30.csv']) {
      const refused = await start([...list, '--output-file', name], { cwd }).done;
      expect(refused, name).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain('(file_unwritable)\nChoose another name.\n');
    }
    const copy = ['export', 'buyers', '--profile', 'emulator', '-q', '--to', 'copy.'];
    expect((await start(copy, { cwd }).done).stderr).toContain(
      'do not end with a dot or a blank (file_unwritable)',
    );
    expect(readdirSync(cwd)).toEqual([]);
    const long = join(cwd, ...Array.from({ length: 6 }, () => 'x'.repeat(60)));
    mkdirSync(long, { recursive: true });
    const written = await start([...list, '--output-file', named(join(long, 'y.csv'))]).done;
    expect(written, written.stderr).toMatchObject({ code: 0 });
    expect(readdirSync(long)).toEqual(['y.csv']);
  });

  it('writes colours, and letters beyond ASCII, to a console', async () => {
    const words = runInWine(disk, [PROGRAM, 'buyers', 'list', '--profile', 'emulator', '--limit', '1']);
    const [command = '', ...args] = commandInTerminal(words, { columns: 100 }, join(folder, 'stderr'));
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm-256color' };
    const { stdout, ...run } = await followProcess(spawn(command, args, { env })).done;
    expect(stdout, JSON.stringify(run)).toContain('\u001B[1mNAME\u001B[22m');
    expect(stdout).toContain('Małgorzata Ćwik');
  });

  it('is started by cmd.exe, with quotes and through a pipe', async () => {
    const line =
      '/d /s /c "payctl.exe buyers list --profile emulator -q --limit 1 --jq ".items[0] | keys" | findstr id"';
    const running = wine.start({ program: 'cmd.exe', args: [line], cwd: 'Z:\\w', verbatim: true });
    const done = await running.done;
    expect(done.stdout, done.stderr).toContain('"id"');
  });
});
