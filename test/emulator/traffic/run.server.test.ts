import { describe, expect, it, vi } from 'vitest';
import { readTrafficPlan } from '../../../src/emulator/traffic/plan.ts';
import { ledgerDescription } from '../../descriptions/ledger-description.ts';
import { startImported } from '../imported/imported-emulator.ts';
import { apiLogs, startTestEmulator, type TestEmulator } from '../test-emulator.ts';

it('is listed by an emulator that runs with it, newest first, and ends with the emulator', async () => {
  const traffic = readTrafficPlan({ rate: 500, burst_every: 0.1, late: 0 });
  await using test = await startTestEmulator({ buyers: 3, traffic });
  const list = async () => {
    const { body } = await test.send('/api-logs', { scopes: ['api-logs.read'] });
    return body as { items: Record<string, unknown>[]; next_cursor?: string };
  };
  const first = await list();
  let latest = first;
  while (latest.items.some(({ id }) => first.items.some((item) => item.id === id))) latest = await list();
  const times = latest.items.map(({ response_sent_at: sent }) => Date.parse(String(sent)));
  expect(times.toSorted((a, b) => b - a)).toEqual(times);
  expect(latest.items).toHaveLength(100);
  expect(latest.next_cursor).toEqual(expect.any(String));
  const urls = latest.items.map(({ request_url: url }) => String(url));
  expect(urls.every((url) => url.startsWith(`${test.emulator.baseUrl}/`))).toBe(true);
});

/** The number of changes by kind of record, as the audit log has them. */
function changesOf({ emulator }: TestEmulator): Readonly<Record<string, number>> {
  const sql = `SELECT resource_type AS type, count(*) AS count FROM audit_logs WHERE user_id = 'traffic' GROUP BY 1`;
  const rows = emulator.database.prepare(sql).all();
  return Object.fromEntries(rows.map(({ type, count }) => [String(type), Number(count)]));
}

describe('changes of records', () => {
  it('are made in the lists of the plan, and never more than its rate', async () => {
    const traffic = readTrafficPlan({ records: { buyers: 300, 'ledger-entries': 150 } });
    const started = performance.now();
    await using service = await startImported(ledgerDescription(), { traffic });
    await vi.waitFor(() => expect(changesOf(service)['ledger-entry']).toBeGreaterThan(50), 10_000);
    const changes = changesOf(service);
    const seconds = (performance.now() - started) / 1000;
    expect(Object.keys(changes).toSorted()).toEqual(['buyer', 'ledger-entry']);
    expect(changes.buyer).toBeGreaterThan(50);
    expect(changes.buyer).toBeLessThanOrEqual(300 * seconds);
    expect(changes['ledger-entry']).toBeLessThanOrEqual(150 * seconds);
    expect(apiLogs(service)).toEqual([]);
  });

  it('go on in the records of another description', async () => {
    await using other = await startImported(ledgerDescription({}));
    let folder: string | undefined;
    const description = async () => folder;
    await using first = await startImported(ledgerDescription());
    folder = first.folder;
    const traffic = readTrafficPlan({ records: { 'ledger-entries': 100 } });
    await using service = await startTestEmulator({ buyers: 3, traffic, description });
    const newest = async () => {
      const { body } = await service.send('/ledger-entries', { scopes: ['*'] });
      return body.items as readonly { readonly id: string; readonly created_at: string }[];
    };
    const isNew = async () => {
      const [{ created_at: at = '' } = {}] = await newest();
      return Date.now() - Date.parse(at) < 60_000;
    };
    await vi.waitFor(async () => expect(await isNew()).toBe(true), 10_000);
    const ids = (await newest()).map(({ id }) => id);
    folder = other.folder;
    await vi.waitFor(async () => {
      expect((await newest()).some(({ id }) => ids.includes(id))).toBe(false);
      expect(await isNew()).toBe(true);
    }, 10_000);
  });

  it.each([
    ['buyer', 'Did you mean buyers? Lists: buyers, payment-methods.'],
    ['ledger-entries', 'Lists: buyers, payment-methods.'],
  ])('need a list that is there: %s', async (name, hint) => {
    const started = startTestEmulator({ buyers: 3, traffic: readTrafficPlan({ records: { [name]: 5 } }) });
    await expect(started).rejects.toMatchObject({
      code: 'invalid_traffic',
      message: `--traffic cannot change records: there is no list "${name}"`,
      hint,
    });
  });
});
