import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { quickHomes } from '../quick-homes.ts';

const { useHome } = quickHomes();

const home = useHome();
const original = join(home.path, 'original');
const BUYERS = 'buyers/merchant_account_id=default';
const ROLES = 'roles/merchant_account_id=default';
const PART = 'part-000001.ndjson.zst';

const HEADER = 'RESOURCE\tMERCHANT ACCOUNT\tROWS\tFILES\tSTATE\n';

beforeAll(async () => {
  const args = ['export', 'buyers', 'roles', '--to', original, '--profile', 'emulator'];
  expect(await home.payctl(args)).toMatchObject({ code: 0 });
});

let copies = 0;

/** Another copy of the same export. */
function copyOfExport(): string {
  copies += 1;
  const path = join(home.path, `copy-${copies}`);
  cpSync(original, path, { recursive: true });
  return path;
}

const verify = (path: string, ...flags: readonly string[]) =>
  home.payctl(['export', 'verify', path, ...flags]);

describe('payctl export verify', () => {
  it('says that a copy is whole', async () => {
    expect(await verify(original)).toEqual({
      code: 0,
      signal: null,
      stdout: `${HEADER}buyers\t\t200\t1\twhole\nroles\t\t7\t1\twhole\n`,
      stderr: `The copy in "${original}" is whole.\n`,
    });
  });

  it('names what is damaged', async () => {
    const path = copyOfExport();
    cpSync(join(path, BUYERS), join(path, 'buyers/merchant_account_id=x'), { recursive: true });
    truncateSync(join(path, ROLES, PART), 10);
    const { bytes } = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')).lists[1].parts[0];
    const problems = [
      'buyers/merchant_account_id=x: The manifest does not name this folder, and an engine would read it.',
      `${ROLES}/${PART}: It has 10 bytes, not ${bytes}.`,
    ];
    const stdout = `${HEADER}buyers\t\t200\t1\tdamaged\nroles\t\t7\t1\tdamaged\n`;
    const error = `Error: The copy in "${path}" is damaged (copy_damaged)\nExport again to another directory.\n`;
    expect(await verify(path)).toEqual({
      code: 1,
      signal: null,
      stdout,
      stderr: `${problems.join('\n')}\n${error}`,
    });
    expect(await verify(path, '-q')).toMatchObject({ code: 1, stdout, stderr: error });
    const run = await verify(path, '--json');
    expect(JSON.parse(run.stdout)).toEqual({
      items: [
        {
          ...{ resource: 'buyers', merchant_account: null },
          rows: 200,
          files: 1,
          state: 'damaged',
          problems: [problems[0]],
        },
        {
          ...{ resource: 'roles', merchant_account: null },
          rows: 7,
          files: 1,
          state: 'damaged',
          problems: [problems[1]],
        },
      ],
    });
    expect(
      run.stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { warning: { code: 'file_damaged', message: problems[0], file: 'buyers/merchant_account_id=x' } },
      { warning: { code: 'file_damaged', message: problems[1], file: `${ROLES}/${PART}` } },
      { error: { code: 'copy_damaged', exit_code: 1 } },
    ]);
  });

  it('says how what an interrupted sync left goes away, and it does', async () => {
    const path = copyOfExport();
    const file = `${ROLES}/sync-20261122T180000Z-000001.ndjson.zst`;
    writeFileSync(join(path, file), '');
    const { code, stderr } = await verify(path);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `${file}: The manifest does not name this file, and an engine would read it.\n` +
        `Error: The copy in "${path}" is damaged (copy_damaged)\n` +
        `An interrupted sync may have left them. To remove them, sync again: payctl sync --to ${path}\n`,
    );
    expect(await home.payctl(['sync', '--to', path, '--profile', 'emulator'])).toMatchObject({ code: 0 });
    expect(await verify(path)).toMatchObject({ code: 0 });
  });

  it('names what does not belong to it and can be removed, and it is whole then', async () => {
    const path = copyOfExport();
    const folder = 'buyers/merchant_account_id=x';
    cpSync(join(path, BUYERS), join(path, folder), { recursive: true });
    writeFileSync(join(path, ROLES, 'old.csv'), '');
    writeFileSync(join(path, ROLES, 'part-000009.csv'), '');
    const extras = [folder, `${ROLES}/old.csv`, `${ROLES}/part-000009.csv`];
    const advised = async () => (await verify(path)).stderr.split('\n').at(-2);
    expect(await advised()).toBe(
      `Everything that the manifest lists is intact. You only need to remove ${extras.join(', ')}`,
    );
    appendFileSync(join(path, 'schema.sql'), ' ');
    expect(await home.start(['export', 'verify', path]).done).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Remove ${extras.join(', ')}, then sync: payctl sync --to ${path}\n`),
    });
    rmSync(join(path, 'schema.sql'));
    cpSync(join(original, 'schema.sql'), join(path, 'schema.sql'));
    for (const extra of extras) rmSync(join(path, extra), { recursive: true });
    expect(await verify(path)).toMatchObject({ code: 0 });
  });

  it('says how views that somebody has changed are written again, and they are', async () => {
    const path = copyOfExport();
    // The views are compared with those of the same version.
    const program = (...args: readonly string[]) => home.start(args).done;
    appendFileSync(join(path, 'schema.sql'), ' ');
    const { code, stdout, stderr } = await program('export', 'verify', path);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: `${HEADER}buyers\t\t200\t1\twhole\nroles\t\t7\t1\twhole\n`,
    });
    expect(stderr).toBe(
      'schema.sql: It is not as payctl writes it.\n' +
        `Error: The copy in "${path}" is damaged (copy_damaged)\n` +
        `To write it again, sync: payctl sync --to ${path}\n`,
    );
    expect(await program('sync', '--to', path, '--profile', 'emulator')).toMatchObject({ code: 0 });
    expect(await program('export', 'verify', path)).toMatchObject({ code: 0 });
  });

  it('is repaired by no sync, whose error has the one way out', async () => {
    const path = copyOfExport();
    const file = join(path, ROLES, PART);
    rmSync(file);
    const { code, stderr } = await home.payctl(['sync', '--to', path, '--profile', 'emulator']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Error: "[^"]+" is missing; "[^"]+" has \d+ files? \(\d+ records\) \(copy_damaged\)\nRestore the file from a backup, or export again to another directory\.\n$/,
    );
    expect(stderr).toContain(`"${file}" is missing`);
  });

  it('refuses what is no whole copy', async () => {
    const path = copyOfExport();
    appendFileSync(join(path, 'manifest.json'), '}');
    expect(await verify(path)).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        `Error: "${path}/manifest.json" is not a manifest of payctl (manifest_damaged)\n` +
        `Write it again with: payctl sync --to ${path}\n`,
    });
    rmSync(join(path, 'manifest.json'));
    expect(await verify(path)).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        `Error: The export to "${path}" has not ended (copy_incomplete)\n` +
        `To continue it: payctl export --resume ${path}\n`,
    });
    const empty = join(home.path, 'empty');
    mkdirSync(empty);
    expect(await verify(empty)).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        `Error: "${empty}" holds no export: it has no manifest.json (not_a_copy)\n` +
        'Name the directory of an export.\n',
    });
  });

  it.skipIf(process.platform !== 'linux').each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends on %s', async (signal, code) => {
    const path = copyOfExport();
    const part = join(path, ROLES, PART);
    const size = 2 ** 40;
    // A file with a hole, which takes minutes to read.
    truncateSync(part, size);
    const manifest = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));
    manifest.lists[1].parts[0].bytes = size;
    writeFileSync(join(path, 'manifest.json'), JSON.stringify(manifest));
    const run = home.start(['export', 'verify', path]);
    while (!openFiles(run.pid).includes(part)) await new Promise((resolve) => setTimeout(resolve, 10));
    run.kill(signal);
    expect(await run.done).toEqual({
      code,
      signal: null,
      stdout: '',
      stderr: 'Error: Interrupted (aborted)\n',
    });
  });
});

/** The files that a process has open. */
function openFiles(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}
