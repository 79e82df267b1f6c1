import { beforeAll, describe, expect, it } from 'vitest';
import type { AuditLog, AuditLogResource, AuditLogUser } from '../../../src/contract/generated/types.ts';
import { filesOf } from '../../../src/emulator/data-files.ts';
import { openEmulatorDatabase } from '../../../src/emulator/store/database.ts';
import { emulatorForAll } from '../test-emulator.ts';

const test = emulatorForAll({ buyers: 100 });
type Entry = AuditLog & {
  readonly timestamp: string;
  readonly resource: AuditLogResource;
  readonly user: AuditLogUser;
};

let all: Entry[];

async function list(query: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor = '';
  do {
    const path = `/audit-logs?limit=100${query}${cursor}`;
    const { status, body } = await test.send(path, { scopes: ['audit-logs.read'] });
    expect(status, JSON.stringify(body)).toBe(200);
    entries.push(...(body.items as Entry[]));
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
  } while (cursor !== '');
  return entries;
}

beforeAll(async () => {
  all = await list('');
});

describe('GET /audit-logs', () => {
  it('finds a page by an index, however many entries there are', () => {
    const plan = openEmulatorDatabase(filesOf(test.directory).database, 1_000)
      .prepare(
        'EXPLAIN QUERY PLAN SELECT * FROM audit_logs WHERE merchant_account_id = ? ORDER BY created_ms DESC, id DESC LIMIT 21',
      )
      .all('default')
      .map(({ detail }) => detail);
    expect(plan).toEqual([
      'SEARCH audit_logs USING INDEX audit_logs_by_merchant_account (merchant_account_id=?)',
    ]);
  });

  it('shows the newest entries first', () => {
    const times = all.map(({ timestamp }) => Date.parse(timestamp));
    expect(times.toSorted((a, b) => b - a)).toEqual(times);
    expect(all.length).toBeGreaterThan(200);
  });

  it('keeps the entries of one action, one user and one type of resource, also together', async () => {
    const user = all.find(({ action }) => action === 'captured')?.user.id ?? '';
    const kept = (test: (entry: Entry) => boolean) => all.filter(test).map(({ id }) => id);
    const ids = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await ids('&action=captured')).toEqual(kept(({ action }) => action === 'captured'));
    expect(await ids(`&user_id=${user}`)).toEqual(kept((entry) => entry.user.id === user));
    expect(await ids('&resource_type=buyer')).toEqual(kept(({ resource }) => resource.type === 'buyer'));
    const both = kept((entry) => entry.user.id === user && entry.action === 'captured');
    expect(both.length).toBeGreaterThan(0);
    expect(await ids(`&user_id=${user}&action=captured&resource_type=transaction`)).toEqual(both);
    expect(await ids('&user_id=nobody')).toEqual([]);
    expect(await ids('&resource_type=')).toEqual([]);
  });
});
