import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../harness/http-server.ts';
import { inZone } from '../harness/in-zone.ts';
import { runInProcess } from './run-in-process.ts';

const WINTER = '2026-01-15T12:00:59.500+00:00';
const SUMMER = '2026-07-15T12:00:59.500+00:00';
const entry = (id: string, timestamp: string) => ({ id, timestamp, action: 'updated', resource: { id } });
const body = JSON.stringify({ items: [entry('s', SUMMER), entry('w', WINTER)], next_cursor: null });

const folder = mkdtempSync(join(tmpdir(), 'payctl-times-'));
let server: TestServer;
beforeAll(async () => {
  server = await startServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});
beforeEach(() => inZone('Europe/Berlin'));

async function run(words: string, { columns = 100, env = {} }: { columns?: number; env?: object } = {}) {
  const variables = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque', NO_COLOR: '1', TERM: 'xterm' };
  const { stdout } = await runInProcess([...words.split(' '), '--no-pager'], {
    env: { ...variables, PAYCTL_CONFIG_DIR: folder, ...env },
    ...(columns > 0 && { columns }),
  });
  return stdout.split('\n').slice(0, -1);
}
const LIST = 'audit-logs list --columns TIME,id';

describe('times', () => {
  it('are in the zone of the machine on a terminal, and the heading says which', async () => {
    expect(await run(LIST)).toEqual([
      'TIME (CET/CEST)      ID',
      '2026-07-15 14:00:59  s',
      '2026-01-15 13:00:59  w',
    ]);
    expect(await run(`${LIST} --until 2026-02-01`)).toEqual([
      'TIME (CET)           ID',
      '2026-01-15 13:00:59  w',
    ]);
    expect(await run('audit-logs get w')).toContain('timestamp  2026-01-15 13:00:59.500 CET');
  });

  it('find the row that they were copied from', async () => {
    for (const [shown, id] of [
      ['2026-01-15 13:00:59', 'w'],
      ['2026-01-15 13:00', 'w'],
      ['2026-01-15', 'w'],
      ['2026-07-15 14:00:59.500 CEST', 's'],
      ['2026-07-15 12:00:59Z', 's'],
    ] as const) {
      const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque' };
      const argv = ['audit-logs', 'list', '--since', shown, '--until', shown, '--jq', '.items[].id'];
      expect((await runInProcess(argv, { env })).stdout, shown).toBe(`${id}\n`);
    }
  });

  it.each(['', '-o json', '-o ndjson', '-o csv', '-o yaml', '-o markdown'])(
    'are as they were sent in a pipe: %s',
    async (format) => {
      const text = (await run(`audit-logs list ${format}`.trim(), { columns: 0 })).join('\n');
      expect([SUMMER, WINTER].map((time) => text.includes(time))).toEqual([true, true]);
      const utc = await run(`audit-logs list --utc ${format}`.trim(), { columns: 0 });
      expect(utc.join('\n')).toBe(text);
    },
  );

  it('are in UTC by a flag, a variable and a profile', async () => {
    const inUtc = ['TIME (UTC)            ID', '2026-07-15 12:00:59Z  s', '2026-01-15 12:00:59Z  w'];
    expect(await run(`${LIST} --utc`)).toEqual(inUtc);
    expect(await run(`--utc ${LIST}`)).toEqual(inUtc);
    expect(await run(LIST, { env: { PAYCTL_UTC: '1' } })).toEqual(inUtc);
    await run(`profiles set acme --base-url ${server.origin} --utc`);
    expect(JSON.parse(readFileSync(join(folder, 'profiles.json'), 'utf8'))).toMatchObject({
      profiles: { acme: { utc: 'true' } },
    });
    expect(await run(LIST, { env: { PAYCTL_PROFILE: 'acme' } })).toEqual(inUtc);
    expect((await run(LIST, { env: { PAYCTL_PROFILE: 'acme', PAYCTL_UTC: '0' } }))[0]).toMatch(/CEST/);
    expect((await run('profiles show acme -o json', { columns: 0 })).join('')).toContain('"utc":true');
    await run('profiles set acme --unset utc');
    expect((await run(LIST, { env: { PAYCTL_PROFILE: 'acme' } }))[0]).toMatch(/CEST/);
  });
});
