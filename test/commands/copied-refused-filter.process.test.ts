import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entry, refusal, serveLedger } from './copied-ledger.ts';

const FILTER = 'updated_at_gte';

const entries = ['a', 'b', 'c'].map((id) => entry(id, '2026-03-01T00:00:00Z'));

/** A service that refuses the filter for changes from its page number `from` on, counted from 0. */
async function serveRefusing(status: number, from = 0) {
  const service = await serveLedger({ entries });
  const refuse = (query: URLSearchParams) =>
    query.has(FILTER) && Number(query.get('cursor') ?? 0) / 2 >= from
      ? refusal(status, 'bad_request', 'Unknown filter')
      : undefined;
  service.before = refuse;
  return Object.assign(service, { refuse });
}

describe('a list whose filter for changes the service refuses', () => {
  it.each([
    [400, 0],
    [404, 0],
    [422, 0],
    // What came before is in the copy, and is no proof that all changes are.
    [400, 1],
  ])('is exported, and read as a whole by each sync: %i from page %i', async (status, from) => {
    const service = await serveRefusing(status, from);
    const { code, stderr } = await service.export();
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'The service refuses the filter "updated_at_gte" of "ledger-entries": Unknown filter. The next sync reads the whole list.\nExported to "./copy". To check the copy: payctl export verify ./copy\n',
    });
    const [list] = JSON.parse(readFileSync(join(service.copy, 'manifest.json'), 'utf8')).lists;
    expect(list).toMatchObject({ rows: 3, changes_until: null });

    service.entries = [...entries.slice(0, 2), entry('b2', '2026-03-01T12:00:00Z')];
    const first = await service.sync();
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('ledger-entries\t\t1\t0\t2\t1\tcomplete\n');
    service.entries.push(entry('d', '2026-03-02T00:00:00Z'));
    const second = await service.sync();
    expect(second).toMatchObject({
      code: 0,
      stderr:
        'The service refuses the filter "updated_at_gte" of "ledger-entries": Unknown filter. The whole list is read instead.\n',
    });
    expect(second.stdout).toContain('ledger-entries\t\t1\t0\t3\t0\tcomplete\n');
    expect(await service.run('export', 'verify', service.copy)).toMatchObject({ code: 0 });
  });

  it('is not whole if the service refuses the list as well', async () => {
    const service = await serveLedger({ entries });
    expect(await service.export()).toMatchObject({ code: 0 });
    service.before = () => refusal(404, 'not_found', 'No such list');
    const { code, stdout, stderr } = await service.sync();
    expect({ code, stdout }).toMatchObject({ code: 5, stdout: expect.stringContaining('\tincomplete\n') });
    expect(stderr).toContain('Error: No such list');
  });

  it('is not whole while the service fails', async () => {
    const service = await serveLedger({ entries });
    service.before = (query) => (query.has(FILTER) ? refusal(503, 'unavailable', 'Later') : undefined);
    expect(await service.export()).toMatchObject({ code: 8 });
    service.before = () => undefined;
    expect(await service.run('export', '--resume', service.copy)).toMatchObject({ code: 0 });
    service.before = (query) => (query.has(FILTER) ? refusal(503, 'unavailable', 'Later') : undefined);
    expect(await service.sync()).toMatchObject({ code: 8 });
  });
});
