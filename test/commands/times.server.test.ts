import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { inZone } from '../harness/in-zone.ts';
import { folderForAll } from '../harness/temporary-folder.ts';
import { serviceForAll } from './service-for-all.ts';

const WINTER = '2026-01-15T12:00:59.500+00:00';
const SUMMER = '2026-07-15T12:00:59.500+00:00';
const entry = (id: string, timestamp: string) => ({ id, timestamp, action: 'updated', resource: { id } });
const folder = folderForAll();
const service = serviceForAll(() => ({
  body: { items: [entry('s', SUMMER), entry('w', WINTER)], next_cursor: null },
}));
beforeEach(() => inZone('Europe/Berlin'));

async function run(words: string, { columns = 100, env = {} }: { columns?: number; env?: object } = {}) {
  const { stdout } = await service.print([...words.split(' '), '--no-pager'], {
    env: { PAYCTL_CONFIG_DIR: folder, ...env },
    columns: columns || undefined,
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
      const argv = ['audit-logs', 'list', '--since', shown, '--until', shown, '--jq', '.items[].id'];
      expect((await service.print(argv)).stdout, shown).toBe(`${id}\n`);
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
    await run(`profiles set acme --base-url ${service.origin} --utc`);
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
