import { describe, expect, it } from 'vitest';
import { entry, refusal, serveLedger } from './copied-ledger.ts';

const entries = ['f', 'e', 'd', 'c', 'b', 'a'].map((id, at) => entry(id, `2026-03-0${9 - at}T00:00:00Z`));

/** A list without a filter for changes, the latest change first, that was exported. */
async function exported() {
  const service = await serveLedger({ times: {}, entries });
  expect(await service.export()).toMatchObject({ code: 0 });
  service.asked.length = 0;
  return {
    ...service,
    service,
    /** Runs a sync, and returns what it says about the list. */
    async synced() {
      const { code, stdout, stderr } = await service.sync('-o', 'json');
      const warnings = stderr.split('\n').filter((line) => line.startsWith('{"warning"'));
      return {
        code,
        warnings: warnings.map((line) => JSON.parse(line).warning),
        ...JSON.parse(stdout).items[0],
      };
    },
  };
}

describe('a record that the list did not send', () => {
  it('is not gone if it only changed its place while the list was read', async () => {
    const { service, synced, run, copy } = await exported();
    service.before = () => {
      if (service.asked.length === 2)
        service.entries = [
          entry('a', '2026-03-10T00:00:00Z', { amount: 2 }),
          ...service.entries.slice(0, -1),
        ];
      return undefined;
    };
    // `a` moves before the page that is read next, and the last entry of the first page is repeated.
    expect(await synced()).toMatchObject({
      code: 0,
      warnings: [],
      new: 0,
      changed: 1,
      unchanged: 5,
      gone: 0,
    });
    // The list is read again only until all of them were sent.
    expect(service.asked.length).toBeLessThan(6);
    expect(await synced()).toMatchObject({ new: 0, changed: 0, unchanged: 6, gone: 0 });
    expect(await run('export', 'verify', copy)).toMatchObject({ code: 0 });
  });

  it('is gone if two readings do not send it', async () => {
    const { service, synced } = await exported();
    service.entries = service.entries.filter(({ id }) => id !== 'c');
    expect(await synced()).toMatchObject({ code: 0, warnings: [], unchanged: 5, gone: 1 });
    expect(service.asked.length).toBe(6);
    service.asked.length = 0;
    expect(await synced()).toMatchObject({ unchanged: 5, gone: 0 });
    expect(service.asked.length).toBe(3);
  });

  it('is not gone if the second reading fails', async () => {
    const { service, synced } = await exported();
    service.entries = service.entries.filter(({ id }) => id !== 'c');
    service.before = () => (service.asked.length === 5 ? refusal(503, 'unavailable', 'Later') : undefined);
    expect(await synced()).toMatchObject({ code: 8, gone: null, state: 'incomplete' });
    expect(await synced()).toMatchObject({ code: 0, gone: 1 });
  });

  it('may be one that was sent without an ID', async () => {
    const { service, synced, run, copy } = await exported();
    service.entries = service.entries.map((one) => (one.id === 'c' ? entry(undefined, one.updated_at) : one));
    expect(await synced()).toMatchObject({
      code: 0,
      unchanged: 5,
      gone: null,
      warnings: [
        { code: 'rows_without_id' },
        {
          code: 'gone_unknown',
          message:
            '1 row of "ledger-entries" was not listed. payctl cannot tell whether it is gone, because rows came without "id", and keeps it.',
        },
      ],
    });
    expect(service.asked.length).toBe(3);
    expect(await run('export', 'verify', copy)).toMatchObject({ code: 0 });
    service.entries = [...entries];
    expect(await synced()).toMatchObject({ warnings: [], unchanged: 6, gone: 0 });
  });
});
