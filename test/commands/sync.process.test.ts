import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ReceivedSignalError } from '../../src/signals.ts';
import { RECORDS, refuse, run, serve, whole } from './copied-buyers.ts';

const HEAD = 'RESOURCE\tMERCHANT ACCOUNT\tNEW\tCHANGED\tUNCHANGED\tGONE\tSTATE\n';

/** A service whose buyers were exported. */
async function exported() {
  const service = await serve();
  await whole(service);
  return service;
}

describe('sync', () => {
  it('says what it found, as a table and as JSON, and nothing else', async () => {
    const service = await exported();
    service.respond({}, RECORDS + 7);
    expect(await run(service, ['sync', '--to', service.copy])).toEqual({
      code: 0,
      stdout: `${HEAD}buyers\t\t7\t0\t250\t0\tcomplete\n`,
      stderr: '',
    });
    service.respond({}, RECORDS);
    const { code, stdout, stderr } = await run(
      service,
      `sync buyers --to ${service.copy} -o json`.split(' '),
    );
    expect({ code, stderr, items: JSON.parse(stdout).items }).toEqual({
      code: 0,
      stderr: '',
      items: [
        {
          resource: 'buyers',
          merchant_account: null,
          new: 0,
          changed: 0,
          unchanged: 250,
          gone: 7,
          files: 1,
          state: 'complete',
        },
      ],
    });
    expect(await run(service, ['export', 'verify', service.copy])).toMatchObject({ code: 0 });
  });

  it('says how many files of a copy were compacted, and to how many', async () => {
    const service = await exported();
    const compact = () => run(service, ['sync', '--compact', '--to', service.copy]);
    expect((await compact()).stderr).toBe('Nothing to compact: no sync has added a file.\n');
    const files = async () => {
      const { stdout } = await run(service, ['export', 'verify', service.copy, '--json']);
      return JSON.parse(stdout).items[0].files as number;
    };
    const before = await files();
    service.respond({}, RECORDS + 7);
    const { stdout, stderr } = await compact();
    expect(stdout).toBe(`${HEAD}buyers\t\t7\t0\t250\t0\tcomplete\n`);
    expect(stderr).toBe(`Compacted: ${before + 1} files became ${await files()}.\n`);
  });

  it('warns where most of a list is gone, which a failing service may only say', async () => {
    const service = await exported();
    service.respond({}, 100);
    const { code, stdout, stderr } = await run(service, ['sync', '--to', service.copy]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${HEAD}buyers\t\t0\t0\t100\t150\tcomplete\n` });
    expect(stderr).toBe(
      '150 of 250 rows of "buyers" are gone from the service. If it still has them, sync again when it lists them.\n',
    );
    service.respond({}, 60);
    expect((await run(service, ['sync', '--to', service.copy])).stderr).toBe('');
    service.respond({}, RECORDS);
    expect(await run(service, ['sync', '--to', service.copy])).toMatchObject({
      stdout: `${HEAD}buyers\t\t0\t190\t60\t0\tcomplete\n`,
      stderr: '',
    });
  });

  it('writes a damaged manifest again, and says so', async () => {
    const service = await exported();
    const path = join(service.copy, 'manifest.json');
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, '{');
    expect(await run(service, ['export', 'verify', service.copy])).toMatchObject({
      code: 2,
      stderr:
        'Error: "./copy/manifest.json" is not a manifest of payctl (manifest_damaged)\nWrite it again with: payctl sync --to ./copy\n',
    });
    const { code, stderr } = await run(service, ['sync', '--to', service.copy]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '"./copy/manifest.json" is not a manifest of payctl. It is written again.\n',
    });
    const writtenAt = / {2}"written_at": .*/;
    expect(readFileSync(path, 'utf8').replace(writtenAt, '')).toBe(before.replace(writtenAt, ''));
  });

  it.each([
    [
      ['roles'],
      '"roles" is not in "./copy" (not_in_copy)\nName resources and merchant accounts that were exported to it, or none for all of them.',
    ],
    [
      ['--every', '0s'],
      '--every is "0s", which is not longer than zero (invalid_duration)\nUse 1s or more, for example 15m.',
    ],
    [
      ['--overlap', 'x'],
      '--overlap is "x", which is not a duration (invalid_duration)\nUse a whole number with its unit: 30s, 15m, 1h.',
    ],
    [['--every', '30d'], '--every is "30d", which is longer than 7 days (invalid_duration)\nUse 7d or less.'],
  ])('refuses %j', async (words, message) => {
    const service = await exported();
    const sent = service.requests.length;
    expect(await run(service, ['sync', '--to', service.copy, ...words])).toEqual({
      code: 2,
      stdout: '',
      stderr: `Error: ${message}\n`,
    });
    expect(service.requests.length).toBe(sent);
  });

  it('keeps what it has read when the service fails, and reads all again the next time', async () => {
    const service = await exported();
    service.respond({ 3: refuse(503, 'unavailable', 'Try later') }, RECORDS + 100);
    const failed = await run(service, ['sync', '--to', service.copy]);
    expect(failed).toMatchObject({ code: 8, stdout: `${HEAD}buyers\t\t0\t0\t200\t\tincomplete\n` });
    expect(failed.stderr).toContain('Resume with: payctl sync --to ./copy\n');
    service.respond({}, RECORDS + 100);
    expect(await run(service, ['sync', '--to', service.copy])).toEqual({
      code: 0,
      stdout: `${HEAD}buyers\t\t100\t0\t250\t0\tcomplete\n`,
      stderr: '',
    });
  });

  it('writes the manifest that an earlier sync was killed before', async () => {
    const service = await exported();
    const path = join(service.copy, 'manifest.json');
    const before = readFileSync(path);
    service.respond({}, RECORDS + 7);
    expect(await run(service, ['sync', '--to', service.copy])).toMatchObject({ code: 0 });
    const after = JSON.parse(readFileSync(path, 'utf8')).lists;
    writeFileSync(path, before);
    expect(await run(service, ['export', 'verify', service.copy])).toMatchObject({ code: 1 });
    expect(await run(service, ['sync', '--to', service.copy])).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(path, 'utf8')).lists).toEqual(after);
    expect(await run(service, ['export', 'verify', service.copy])).toMatchObject({ code: 0 });
  });

  it('tries again after a failed round of --every, and ends at a signal in the middle of one', async () => {
    const service = await exported();
    const controller = new AbortController();
    const abort = () => controller.abort(new ReceivedSignalError('SIGTERM'));
    service.respond({ 1: refuse(503, 'unavailable', 'Try later'), 6: abort }, RECORDS + 10);
    const { code, stdout, stderr } = await run(service, ['sync', '--to', service.copy, '--every', '1s'], {
      signal: controller.signal,
    });
    expect({ code, stdout }).toEqual({
      code: 143,
      stdout: [
        `${HEAD}buyers\t\t0\t0\t0\t\tincomplete\n`,
        `${HEAD}buyers\t\t10\t0\t250\t0\tcomplete\n`,
        `${HEAD}buyers\t\t0\t0\t100\t\tincomplete\n`,
      ].join(''),
    });
    expect(stderr).toMatch(/Try later\. Failed at 20\d\d-[\d-]+T[\d:]+Z\. Next sync in 1s\n/);
    expect(stderr).toMatch(/\nSynced at 20\d\d-[\d-]+T[\d:]+Z\. Next sync in 1s\.\n/);
    expect(await run(service, ['export', 'verify', service.copy])).toMatchObject({ code: 0 });
  });

  it('ends at a signal while it waits for the next round', async () => {
    const service = await exported();
    const controller = new AbortController();
    service.respond({ 1: refuse(503, 'unavailable', 'Try later') });
    const { code, stderr } = await run(service, ['sync', '--to', service.copy, '--every', '7d'], {
      signal: controller.signal,
      onStderr: () => setImmediate(() => controller.abort(new ReceivedSignalError('SIGINT'))),
    });
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: expect.stringMatching(
        /^Try later\. Failed at 20\d\d-[\d-]+T[\d:]+Z\. Next sync in 7d\nError: Interrupted \(aborted\)\n$/,
      ),
    });
  });

  it('does not try again after a failure that does not pass', async () => {
    const service = await exported();
    service.respond({ 1: refuse(401, 'unauthorized', 'Unknown token') });
    const { code, stderr } = await run(service, ['sync', '--to', service.copy, '--every', '7d']);
    expect(code).toBe(3);
    expect(stderr).toContain('Resume with: payctl sync --to ./copy\n');
  });
});
