import { describe, expect, it } from 'vitest';
import { ImportedService } from '../../../src/emulator/imported/imported.ts';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { createChanger } from '../../../src/emulator/traffic/changing-list.ts';
import { openList } from '../../../src/emulator/traffic/run.ts';
import { createRandom } from '../../../src/text/random.ts';
import { faultsOf } from '../../contract/schema-validator.ts';
import { ledgerDescription } from '../../descriptions/ledger-description.ts';
import { type ImportedEmulator, startImported } from '../imported/imported-emulator.ts';
import { recordedEvents } from '../webhooks/recorded.ts';

type Item = Readonly<Record<string, unknown>> & { readonly id: string; readonly updated_at?: string };

const NOW = Date.parse('2030-01-01T00:00:00Z');
const atNow = ({ updated_at: at = '' }: Item) => Date.parse(at) >= NOW;
const byId = (items: readonly Item[]) => new Map(items.map((item) => [item.id, item]));

async function listAll({ send }: ImportedEmulator, path: string): Promise<readonly Item[]> {
  const scopes = ['*', 'buyers.billing-details.read'];
  const items: Item[] = [];
  for (let cursor: unknown; ; ) {
    const { body } = await send(`${path}?limit=100${cursor ? `&cursor=${cursor}` : ''}`, { scopes });
    items.push(...(body.items as readonly Item[]));
    cursor = body.next_cursor;
    if (!cursor) return items;
  }
}

/** Makes changes of a list a second apart, and returns it before and after them. */
async function changed(emulator: ImportedEmulator, name: string, count = 150) {
  const imported = new ImportedService(emulator.emulator.database, emulator.folder);
  const before = await listAll(emulator, `/${name}`);
  const list = await openList(emulator.emulator.database, imported, name);
  const next = list && createChanger(list, createRandom(7, name));
  for (let index = 0; index < count; index += 1)
    await list?.change(() => next?.(new Date(NOW + index * 1000)));
  return { before, after: await listAll(emulator, `/${name}`) };
}

/** What is impossible about a transaction of the sample, changed after `NOW`. */
function contradictionsIn(item: Item): readonly string[] {
  const { id, status, amount, captured_amount: captured, refunded_amount: refunded, ...times } = item;
  const [all, was, back] = [Number(amount), Number(captured), Number(refunded)];
  const isPossible =
    {
      captured: was === all && back === 0,
      partially_refunded: was === all && 0 < back && back < was,
      refunded: was === all && back === was,
    }[String(status)] ??
    (was === 0 && back === 0);
  const isCaptured = /captured|refunded/.test(String(status));
  const future = Object.entries(times).filter(
    ([name, at]) => name.endsWith('_at') && Date.parse(String(at)) > Date.parse(item.updated_at ?? ''),
  );
  return [
    ...(isPossible ? [] : [`${id}: ${status} ${amount} ${captured} ${refunded}`]),
    ...(item.captured_at && !isCaptured ? [`${id}: ${status}, captured at ${item.captured_at}`] : []),
    ...(item.voided_at && status !== 'voided' ? [`${id}: ${status}, voided at ${item.voided_at}`] : []),
    ...future.map(([name, at]) => `${id}: ${name} ${at}`),
  ];
}

const auditLogs = async (emulator: ImportedEmulator, type: string) => {
  const logs = await listAll(emulator, '/audit-logs');
  const made = logs.filter(({ user, resource }) => {
    const [by, on] = [user as Item | undefined, resource as Item];
    return by?.id === 'traffic' && on.type === type;
  });
  const of = (action: string) => made.filter((log) => log.action === action);
  return { created: of('created'), updated: of('updated'), deleted: of('deleted') };
};

describe('the records of a list that changes', () => {
  it.each([
    ['buyers', 'buyer'],
    ['payment-methods', 'payment-method'],
    ['ledger-entries', 'ledger-entry'],
  ])('of %s are created, changed and deleted as the audit log says', async (name, type) => {
    await using emulator = await startImported(ledgerDescription(), {
      buyers: 150,
      records: { 'ledger-entries': 110 },
    });
    const { before, after } = await changed(emulator, name);
    const [old, now] = [byId(before), byId(after)];
    const logs = await auditLogs(emulator, type);
    const ids = (action: keyof typeof logs) =>
      new Set(logs[action].map(({ resource }) => (resource as Item).id));
    const isThere = (id: string) => now.has(id);
    expect(logs.created.length + logs.updated.length + logs.deleted.length).toBe(150);
    expect(logs.updated.length).toBeGreaterThan(75);
    expect([...ids('deleted')].filter(isThere)).toEqual([]);
    expect([...now.keys()].filter((id) => !old.has(id)).toSorted()).toEqual(
      [...ids('created')].filter(isThere).toSorted(),
    );
    const touched = after.filter(atNow).map(({ id }) => id);
    expect(touched.toSorted()).toEqual(
      [...new Set([...ids('created'), ...ids('updated')])].filter(isThere).toSorted(),
    );
    const untouched = after.filter((item) => !atNow(item));
    expect(untouched.length).toBeGreaterThan(0);
    expect(untouched).toEqual(before.filter(({ id }) => untouched.some((item) => item.id === id)));
    const events = recordedEvents(emulator);
    const logged = (['created', 'updated', 'deleted'] as const).flatMap((action) =>
      logs[action].map(({ resource }) => `${type}.${action} ${(resource as Item).id}`),
    );
    const targets = events.map(({ body }) => JSON.parse(body).target as Item);
    expect(events.map(({ event }, at) => `${event} ${targets[at]?.id}`).toSorted()).toEqual(
      logged.toSorted(),
    );
    for (const [id, target] of byId(targets)) {
      const { buyer: _, ...record } = now.get(id) ?? target;
      expect(target).toMatchObject(record);
    }
  });

  it('are the same for the same data and seed', async () => {
    const run = async () => {
      await using emulator = await startImported(ledgerDescription(), { buyers: 30 });
      return [await changed(emulator, 'buyers', 40), await changed(emulator, 'ledger-entries', 40)];
    };
    expect(await run()).toEqual(await run());
  });

  it('are as the contract has them, and a deleted buyer takes its payment methods along', async () => {
    await using emulator = await startImported(ledgerDescription(), { buyers: 100 });
    const { after } = await changed(emulator, 'buyers');
    await changed(emulator, 'payment-methods');
    const methods = await listAll(emulator, '/payment-methods');
    expect(after.flatMap((buyer) => faultsOf('Buyer', buyer))).toEqual([]);
    expect(methods.flatMap((method) => faultsOf('PaymentMethod', method))).toEqual([]);
    const owners = methods.map(({ buyer }) => (buyer as Item).id);
    expect(owners.filter((id) => !after.some((buyer) => buyer.id === id))).toEqual([]);
  });

  it('keep the amounts, the status and the times of payments possible', async () => {
    await using emulator = await startImported(sample);
    const { after } = await changed(emulator, 'transactions', 300);
    const touched = after.filter(atNow);
    expect(touched.flatMap(contradictionsIn)).toEqual([]);
    expect(touched.length).toBeGreaterThan(10);
    const created = touched.filter(({ created_at: at }) => Date.parse(String(at)) >= NOW);
    const statuses = new Set(created.map(({ status }) => status));
    expect(statuses).toContain('captured');
    expect(statuses.has('refunded') || statuses.has('partially_refunded')).toBe(false);
  });

  it('move no more money than their payments have', async () => {
    const { parameters, get } = sample.paths['/transactions/{transaction_id}/refunds'];
    const all = { parameters: parameters.slice(1), get: { ...get, operationId: 'list_all_refunds' } };
    const paths = { ...sample.paths, '/refunds': all };
    await using emulator = await startImported({ ...sample, paths });
    const { after } = await changed(emulator, 'refunds', 300);
    const sums = new Map<unknown, number>();
    for (const { transaction_id: id, amount, status } of after)
      if (status === 'succeeded') sums.set(id, (sums.get(id) ?? 0) + Number(amount));
    const payments = await listAll(emulator, '/transactions');
    expect(payments.flatMap(contradictionsIn)).toEqual([]);
    const wrong = payments.filter(({ id, refunded_amount: refunded }) => (sums.get(id) ?? 0) !== refunded);
    expect(wrong).toEqual([]);
    expect(after.some(({ created_at: at }) => Date.parse(String(at)) >= NOW)).toBe(true);
  });

  it('may be deleted by others', async () => {
    await using emulator = await startImported(ledgerDescription());
    const { database } = emulator.emulator;
    const imported = new ImportedService(database, emulator.folder);
    const list = await openList(database, imported, 'ledger-entries');
    const next = list && createChanger(list, createRandom(1));
    for (const { id } of await listAll(emulator, '/ledger-entries'))
      await emulator.call('DELETE', `/ledger-entries/${id}`);
    for (let index = 0; index < 100; index += 1) await list?.change(() => next?.(new Date(NOW)));
    expect((await listAll(emulator, '/ledger-entries')).every(atNow)).toBe(true);
  });
});
