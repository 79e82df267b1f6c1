import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/files/kernel-lock.ts';
import { ReceivedSignalError } from '../../src/signals.ts';
import { answeringBuyers } from '../e2e/paged-service.ts';
import type { Handler } from '../harness/http-server.ts';
import { folderForTest } from '../harness/temporary-folder.ts';
import { RECORDS, refuse, run, serve, whole } from './copied-buyers.ts';

const BYTES = gzipSync(Buffer.alloc(33 * 1024 * 1024, ' '));
const tooLarge: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  response.end(BYTES);
};

const HEAD = 'RESOURCE\tMERCHANT ACCOUNT\tROWS\tFILES\tBYTES\tSTATE\n';

/** What a run ends with that refuses what it was given. */
const refused = (error: string) => ({ code: 2, stdout: '', stderr: `Error: ${error}\n` });

describe('export', () => {
  it('copies a list, and says how to check the copy', async () => {
    const service = await serve();
    const { code, stdout, stderr } = await whole(service);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Exported to "./copy". To check the copy: payctl export verify ./copy\n',
    });
    expect(stdout).toMatch(new RegExp(`^${HEAD}buyers\t\t250\t1\t\\d+\tcomplete\n$`));
    expect(readdirSync(service.copy)).toEqual(['.state.sqlite', 'buyers', 'manifest.json', 'schema.sql']);
  });

  it('prints nothing but the table with --quiet', async () => {
    const service = await serve();
    const { code, stdout, stderr } = await run(
      service,
      `export buyers --to ${service.copy} --quiet`.split(' '),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('complete');
  });

  it('sends nothing for an export that is whole, and says so', async () => {
    const service = await serve();
    await whole(service);
    const sent = service.requests.length;
    const { code, stdout } = await run(service, ['export', '--resume', service.copy, '-o', 'json']);
    expect({ code, items: JSON.parse(stdout).items }).toMatchObject({
      code: 0,
      items: [{ resource: 'buyers', merchant_account: null, rows: RECORDS, files: 1, state: 'complete' }],
    });
    const { stderr } = await run(service, ['export', '--resume', service.copy]);
    expect(stderr).toBe('The export to "./copy" is already complete. Nothing was sent.\n');
    expect(service.requests.length).toBe(sent);
  });

  it.each([
    [['--format', 'csv'], '--format ndjson, but this run has csv', 'Leave out --format.'],
    [['--compress', 'none'], '--compress zstd, but this run has none', 'Leave out --compress.'],
    [['--part-size', '1MB'], '--part-size 64000000, but this run has 1000000', 'Leave out --part-size.'],
    [['--reveal-pii'], 'personal data masked, but this run has revealed', 'Leave out --reveal-pii.'],
    [['roles'], 'the resources buyers, but this run has roles', 'Repeat the command without them.'],
  ])('refuses to continue an export with %j', async (flags, difference, hint) => {
    const service = await serve();
    await whole(service);
    const sent = service.requests.length;
    const { code, stdout, stderr } = await run(service, ['export', '--resume', service.copy, ...flags]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      `"./copy" was exported with ${difference} (other_copy)\nNothing was read. ${hint}\n`,
    );
    expect(service.requests.length).toBe(sent);
  });

  it('refuses to continue an export of another service', async () => {
    const service = await serve();
    await whole(service);
    const other = await serve();
    const refused = await run(service, ['export', '--resume', service.copy], {
      env: { PAYCTL_BASE_URL: other.origin },
    });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(
      '"./copy" was exported with the base URL ORIGIN, but this run has http://',
    );
    expect(other.requests).toEqual([]);
  });

  it('refuses a directory that is not empty', async () => {
    const service = await serve();
    mkdirSync(service.copy);
    writeFileSync(join(service.copy, 'notes.txt'), '');
    expect(await whole(service)).toEqual(
      refused('The directory "./copy" is not empty (not_empty)\nChoose another directory.'),
    );
    expect(readdirSync(service.copy)).toEqual(['notes.txt']);
    expect(service.requests).toEqual([]);
  });

  it.each([
    ['sync', '--to'],
    ['export', '--resume'],
    ['export', 'verify'],
  ])('does not say that there is no export where it cannot look: %s %s', async (...words) => {
    const service = await serve();
    symlinkSync('copy', service.copy);
    expect(await run(service, [...words, service.copy])).toEqual(
      refused('"./copy/manifest.json" cannot be read: it is a loop of symbolic links (unreadable_file)'),
    );
  });

  it('names both ways out of a directory whose export has not ended', async () => {
    const service = await serve();
    service.respond({ 1: refuse(404, 'not_found', 'Not found') });
    expect(await whole(service)).toMatchObject({ code: 5 });
    expect(await whole(service)).toEqual(
      refused(
        'The directory "./copy" is not empty (not_empty)\nChoose another directory, or continue the export that it holds: payctl export --resume ./copy',
      ),
    );
  });

  it('refuses a file in place of the directory', async () => {
    const service = await serve();
    writeFileSync(service.copy, '');
    expect(await whole(service)).toEqual(
      refused('"./copy" cannot be written: something else has this name (file_unwritable)'),
    );
  });

  it('begins where a run was killed before it had begun, and does not continue that', async () => {
    const service = await serve();
    mkdirSync(service.copy);
    writeFileSync(join(service.copy, '.state.sqlite'), '');
    for (const words of [
      ['export', '--resume'],
      ['export', 'verify'],
    ])
      expect(await run(service, [...words, service.copy])).toEqual(
        refused(
          'The export to "./copy" was interrupted before it had begun (not_a_copy)\nExport again with --to ./copy',
        ),
      );
    expect(await whole(service)).toMatchObject({ code: 0 });
  });

  it.each([
    ['an export that has not ended', { 3: refuse(503, 'unavailable', 'Try later') }, 8],
    ['a whole export', {}, 0],
  ])('gives advice that works where the state of %s is empty', async (_, instead, exitCode) => {
    const service = await serve();
    service.respond(instead);
    expect(await whole(service)).toMatchObject({ code: exitCode });
    // As it is if only this file was copied while an export ran: the rest was in another one.
    writeFileSync(join(service.copy, '.state.sqlite'), '');
    const isWhole = exitCode === 0;
    for (const words of [
      ['export', '--resume', service.copy],
      ['sync', '--to', service.copy],
      ...(isWhole ? [] : [['export', 'verify', service.copy]]),
    ])
      expect(await run(service, words)).toEqual(
        refused(
          '"./copy/.state.sqlite" is empty, so payctl does not know which records the copy has (state_missing)\nCopy the file from where the export was made, with .state.sqlite-wal if there is one, or export again to another directory.',
        ),
      );
    expect(await whole(service)).toMatchObject({
      code: 2,
      stderr: 'Error: The directory "./copy" is not empty (not_empty)\nChoose another directory.\n',
    });
    if (isWhole) expect(await run(service, ['export', 'verify', service.copy])).toMatchObject({ code: 0 });
  });

  it('sends nobody to a sync where the state is missing as well as the manifest', async () => {
    const service = await serve();
    await whole(service);
    rmSync(join(service.copy, '.state.sqlite'));
    writeFileSync(join(service.copy, 'manifest.json'), '{');
    expect(await run(service, ['export', 'verify', service.copy])).toMatchObject({
      code: 2,
      stderr:
        'Error: "./copy/manifest.json" is not a manifest of payctl (manifest_damaged)\nRestore the file from a backup, or export again to another directory.\n',
    });
  });

  it('says that a state is damaged', async () => {
    const service = await serve();
    await whole(service);
    writeFileSync(join(service.copy, '.state.sqlite'), 'x'.repeat(10_000));
    for (const words of [
      ['export', '--resume', service.copy],
      ['sync', '--to', service.copy],
      ['export', 'buyers', '--to', service.copy],
    ])
      expect(await run(service, words)).toEqual(
        refused('"./copy/.state.sqlite" is damaged (state_damaged)\nExport again to another directory.'),
      );
  });

  it('lets only the owner read its files in a directory that all can read', async () => {
    const service = await serve();
    mkdirSync(service.copy, { mode: 0o755 });
    const modes: number[] = [];
    service.respond({
      2: (request, response) => {
        for (const name of readdirSync(service.copy).filter((one) => one.startsWith('.')))
          modes.push(statSync(join(service.copy, name)).mode & 0o777);
        answeringBuyers(RECORDS)(request, response);
      },
    });
    expect(await whole(service)).toMatchObject({ code: 0 });
    // The state, its two files of SQLite, and the lock.
    expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
  });

  it('says that the state is full, and continues when it is not', async () => {
    const service = await serve();
    const { DatabaseSync } = loadSqlite();
    const open = () => new DatabaseSync(join(service.copy, '.state.sqlite'));
    service.respond({
      2: (request, response) => {
        using database = open();
        database.exec(
          `CREATE TRIGGER full BEFORE INSERT ON parts BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END`,
        );
        answeringBuyers(RECORDS)(request, response);
      },
    });
    const { code, stderr } = await whole(service);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'Error: "./copy/.state.sqlite" cannot be written: database or disk is full; "./copy" has 0 files (0 records) (file_unwritable)\nResume with: payctl export --resume ./copy\n',
    });
    using database = open();
    database.exec('DROP TRIGGER full');
    const { stdout } = await run(service, ['export', '--resume', service.copy]);
    expect(stdout).toMatch(/buyers\t\t250\t1\t\d+\tcomplete\n$/);
  });

  it.each([
    [
      'was made by another version',
      'PRAGMA user_version = 1',
      '"./copy" was made by another version of payctl (other_version)\nUse that version, or export again to another directory. "manifest.json" names it as "payctl".',
    ],
    [
      'was made by a later version',
      'PRAGMA user_version = 4',
      '"./copy/.state.sqlite" was written by a newer version of payctl (newer_version)\nUpgrade payctl, or export again to another directory.',
    ],
    [
      'names a folder outside the copy',
      `UPDATE lists SET entry = json_set(entry, '$.folder', '../merchant_account_id=default')`,
      '"./copy/.state.sqlite" is damaged (state_damaged)\nExport again to another directory.',
    ],
    [
      'names a file outside the copy',
      `UPDATE parts SET entry = json_set(entry, '$.file', '../../../mine')`,
      '"./copy/.state.sqlite" is damaged (state_damaged)\nExport again to another directory.',
    ],
    [
      'is no JSON',
      `UPDATE lists SET entry = '{'`,
      '"./copy/.state.sqlite" is damaged (state_damaged)\nExport again to another directory.',
    ],
  ])('changes nothing where the state %s', async (_, sql, message) => {
    const service = await serve();
    await whole(service);
    const { DatabaseSync } = loadSqlite();
    const database = new DatabaseSync(join(service.copy, '.state.sqlite'));
    database.exec(sql);
    database.close();
    const sent = service.requests.length;
    for (const words of [
      ['export', '--resume'],
      ['sync', '--compact', '--to'],
    ])
      expect(await run(service, [...words, service.copy])).toEqual(refused(message));
    expect(service.requests.length).toBe(sent);
  });

  it('changes nothing where the manifest was made by a later version', async () => {
    const service = await serve();
    await whole(service);
    const path = join(service.copy, 'manifest.json');
    const later = readFileSync(path, 'utf8').replace('"payctl_copy": 1', '"payctl_copy": 2');
    writeFileSync(path, later);
    const sent = service.requests.length;
    for (const words of [
      ['export', '--resume'],
      ['sync', '--to'],
      ['sync', '--compact', '--to'],
      ['export', 'verify'],
    ])
      expect(await run(service, [...words, service.copy])).toEqual(
        refused(
          '"./copy/manifest.json" was written by a newer version of payctl (newer_version)\nUpgrade payctl, or export again to another directory.',
        ),
      );
    expect(service.requests.length).toBe(sent);
    expect(readFileSync(path, 'utf8')).toBe(later);
  });

  it('follows no link from the copy to another directory', async () => {
    const service = await serve();
    await whole(service);
    const other = folderForTest();
    writeFileSync(join(other, 'part-000009.ndjson.zst'), 'mine');
    const folder = join(service.copy, 'buyers', 'merchant_account_id=default');
    rmSync(folder, { recursive: true });
    symlinkSync(other, folder);
    const { code, stderr } = await run(service, ['sync', '--to', service.copy]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      'Error: "./copy/buyers/merchant_account_id=default" is a symbolic link; "./copy" has 1 file (250 records) (copy_damaged)\nPut the directory itself in its place, or export again to another directory.\n',
    );
    expect(readdirSync(other)).toEqual(['part-000009.ndjson.zst']);
  });

  it('says that the name of a merchant account is too long for a directory', async () => {
    const service = await serve();
    const words = ['export', 'buyers', '--merchant-account', 'a'.repeat(255), '--to', service.copy];
    const { code, stderr } = await run(service, words);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error: "\.\/copy\/buyers\/.+" cannot be written: .+ \(file_unwritable\)/);
  });

  it('asks for smaller pages from where one is larger than a response may be, and says so once', async () => {
    const service = await serve();
    service.respond({ 2: tooLarge, 3: tooLarge });
    const { code, stderr } = await whole(service);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'A page of "buyers" is larger than 32 MiB, so payctl asks for smaller pages.\nExported to "./copy". To check the copy: payctl export verify ./copy\n',
    });
    const asked = service.requests.map(({ url }) => new URL(url, service.origin).searchParams);
    expect(asked.map((query) => [query.get('cursor'), query.get('limit')])).toEqual([
      [null, '100'],
      ['from-100', '100'],
      ['from-100', '50'],
      ['from-100', '25'],
      ...[125, 150, 175, 200, 225].map((start) => [`from-${start}`, '25']),
    ]);
    const { stdout } = await run(service, ['export', 'verify', service.copy, '-o', 'json']);
    expect(JSON.parse(stdout).items).toMatchObject([{ rows: RECORDS }]);
  });

  it('begins a list again whose cursor the service no longer accepts', async () => {
    const service = await serve();
    service.respond({ 2: refuse(503, 'unavailable', 'Try later') });
    const failed = await run(service, ['export', 'buyers', '--to', service.copy]);
    expect(failed).toMatchObject({ code: 8 });
    expect(failed.stderr).toContain('Resume with: payctl export --resume ./copy\n');
    // The list cannot be read at all: what was read is kept.
    service.respond({ 1: refuse(400, 'bad_request', 'No'), 2: refuse(400, 'bad_request', 'No') });
    const refused = await run(service, ['export', '--resume', service.copy]);
    expect(refused.stdout).toMatch(/buyers\t\t100\t1\t\d+\tincomplete/);
    service.respond({ 1: refuse(400, 'bad_request', 'Unknown cursor') });
    const { code, stdout, stderr } = await run(service, ['export', '--resume', service.copy]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/buyers\t\t250\t1\t\d+\tcomplete/);
    expect(stderr).toBe(
      'The service no longer accepts the cursor of "buyers", so the list begins again.\nExported to "./copy". To check the copy: payctl export verify ./copy\n',
    );
    expect(await run(service, ['export', 'verify', service.copy])).toMatchObject({ code: 0 });
  });

  it('warns where nothing follows the cursor with which it continues a list', async () => {
    const service = await serve();
    service.respond({ 2: refuse(503, 'unavailable', 'Try later') });
    expect(await run(service, ['export', 'buyers', '--to', service.copy])).toMatchObject({ code: 8 });
    service.respond({
      1: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"items":[],"next_cursor":null}');
      },
    });
    const { code, stdout, stderr } = await run(service, ['export', '--resume', service.copy]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/buyers\t\t100\t1\t\d+\tcomplete/);
    expect(stderr).toBe(
      'The service sent no more of "buyers" from where the export was interrupted. That is so at the end of a list, and where a cursor has expired: compare the 100 rows with the service.\nExported to "./copy". To check the copy: payctl export verify ./copy\n',
    );
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('keeps what was read at %s, and continues after it', async (name, exitCode) => {
    const service = await serve();
    const controller = new AbortController();
    service.respond({ 3: () => controller.abort(new ReceivedSignalError(name)) });
    const { code, stdout, stderr } = await run(service, ['export', 'buyers', '--to', service.copy], {
      signal: controller.signal,
    });
    expect(code).toBe(exitCode);
    expect(stdout).toMatch(/buyers\t\t200\t1\t\d+\tincomplete/);
    expect(stderr).toContain('Resume with: payctl export --resume ./copy\n');
    service.respond();
    const sent = service.requests.length;
    expect(await run(service, ['export', '--resume', service.copy])).toMatchObject({ code: 0 });
    expect(service.requests.slice(sent).map(({ url }) => url)).toEqual(['/buyers?cursor=from-200&limit=100']);
    expect(await run(service, ['export', 'verify', service.copy])).toMatchObject({ code: 0 });
  });

  it('reads the other lists when one fails, and exits with the failure of that', async () => {
    const service = await serve();
    const { code, stdout, stderr } = await run(service, ['export', 'roles', 'buyers', '--to', service.copy]);
    expect(code).toBe(4);
    expect(stdout).toMatch(/roles\t\t0\t0\t0\tincomplete\nbuyers\t\t250\t1\t\d+\tcomplete\n$/);
    expect(stderr).toContain('Error: Not allowed; "./copy" has 1 file (250 records) (403 forbidden)\n');
    expect(readdirSync(service.copy)).not.toContain('manifest.json');
    expect(await run(service, ['sync', '--to', service.copy])).toEqual(
      refused(
        'The export to "./copy" has not ended (copy_incomplete)\nTo continue it: payctl export --resume ./copy',
      ),
    );
  });

  it('refuses items that are not objects, which no later command could read', async () => {
    const service = await serve();
    service.respond({
      2: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"items":[{"id":"buyer-100"},5],"next_cursor":null}');
      },
    });
    expect(await whole(service)).toMatchObject({
      code: 9,
      stdout: expect.stringMatching(/^buyers\t\t100\t1\t\d+\tincomplete$/m),
      stderr: expect.stringContaining(
        'An item of the list is not an object; "./copy" has 1 file (100 records)',
      ),
    });
  });

  it('names the process that writes to the directory', async () => {
    const service = await serve();
    let second: Promise<Awaited<ReturnType<typeof run>>[]> | undefined;
    service.respond({
      2: (request, response) => {
        second = Promise.all([whole(service), run(service, ['export', '--resume', service.copy])]);
        second.then(() => answeringBuyers(RECORDS)(request, response));
      },
    });
    expect(await whole(service)).toMatchObject({ code: 0 });
    for (const { code, stdout, stderr } of (await second) ?? []) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(
        new RegExp(
          `^Error: Another payctl \\(process ${process.pid} on \\S+, since \\S+Z\\) is writing to "\\./copy" \\(copy_in_use\\)\nWait until it ends\\.\n$`,
        ),
      );
    }
    expect(await second).toHaveLength(2);
  });

  it.each([
    [['buyer', '--to', 'c'], 'There is no list "buyer" (unknown_resource)\nDid you mean buyers?'],
    [
      ['buyers', 'gift-cards', '--to', 'c'],
      '"buyers gift-cards" cannot be exported: its list needs buyer_id or buyer_external_identifier (resource_needs_arguments)\nList the resources that can be exported: payctl export --list',
    ],
    [
      ['buyers', '--to', 'c', '--part-size', '64XB'],
      '--part-size must be a size from 1kB to 4GB, not "64XB" (bad_flag)\nUse a size such as 64MB.',
    ],
    [
      ['buyers', '--to', 'c', '--since', '2026-01-01'],
      '"buyers" cannot be limited by --since: its list has no filter for the time of creation (not_filtered)\nExport it without --since.',
    ],
    [
      ['buyers', '--merchant-account', 'eu,EU', '--to', 'c'],
      '"eu" and "EU" would have the same directory, buyers/merchant_account_id=EU (same_folder)\nExport them to different directories.',
    ],
    [
      ['buyers'],
      'Missing --to DIR: the directory to export to (missing_argument)\nFor example: payctl export buyers --to ./copy',
    ],
    [
      ['--resume', 'nowhere'],
      '"nowhere" holds no export: it has no manifest.json (not_a_copy)\nName the directory of an export.',
    ],
  ])('refuses %j', async (words, message) => {
    const service = await serve();
    expect(await run(service, ['export', ...words])).toEqual(refused(message));
    expect(service.requests).toEqual([]);
  });
});
