import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import description from '../../../src/contract/generated/description.json' with { type: 'json' };
import { type Operation, operations } from '../../../src/contract/generated/operations.ts';
import type { ApiLog } from '../../../src/contract/generated/types.ts';
import { seedEndOf } from '../../../src/emulator/clock.ts';
import * as resources from '../../../src/emulator/resources/all.ts';
import type { Resource } from '../../../src/emulator/resources/resource.ts';
import { seedTeam } from '../../../src/emulator/seed/team.ts';
import type { EmulatorDatabase } from '../../../src/emulator/store/database.ts';
import { prepareDatabase, type SeedOptions } from '../../../src/emulator/store/prepare.ts';
import { faultsOf } from '../../contract/schema-validator.ts';
import { SEED_DAY } from '../../harness/seed-day.ts';
import { temporaryDirectory } from '../test-emulator.ts';

/** The tables that tests look into. */
const TABLES = [
  'payment_methods',
  'gift_cards',
  'audit_logs',
  'webhook_subscriptions',
  'digital_wallets',
  'roles',
  'checkout_sessions',
  'api_logs',
] as const;
type Table = (typeof TABLES)[number];
type SchemaName = keyof typeof description.components.schemas;

/** What the records of each table are; those of a list are the items of its operation's pages. */
const SCHEMAS: readonly (readonly [table: string, schema: SchemaName])[] = [
  ['checkout_sessions', 'CheckoutSession'],
  ...Object.values<Resource>(resources).flatMap(({ tables, handlers }) => {
    const lists = Object.values<Operation>(operations).filter(({ id, isList }) => isList && id in handlers);
    const table = /(?<=^CREATE TABLE )\w+/.exec(tables[0] ?? '')?.[0] ?? '';
    return lists.map(({ responseSchema }) => [table, itemSchema(responseSchema)] as const);
  }),
];

/** The name of the schema of a page's items. */
function itemSchema(page: string): SchemaName {
  const schemas: Readonly<Record<string, object>> = description.components.schemas;
  const { properties } = schemas[page] as { properties: { items: { items: { $ref: string } } } };
  return properties.items.items.$ref.replace('#/components/schemas/', '') as SchemaName;
}

function documents(database: EmulatorDatabase, table: string): Record<string, unknown>[] {
  const column = table === 'payment_methods' ? "head || '}'" : 'document';
  const rows = database.prepare(`SELECT ${column} AS document FROM ${table} ORDER BY rowid`).all();
  return rows.map(({ document }) => JSON.parse(String(document)) as Record<string, unknown>);
}

type Records = Record<Table, Record<string, unknown>[]> & {
  readonly buyerIds: ReadonlySet<unknown>;
  /** Of every table in `SCHEMAS`. */
  readonly all: Readonly<Record<string, Record<string, unknown>[]>>;
};

async function seeded(options: SeedOptions): Promise<Records> {
  using directory = temporaryDirectory();
  const database = await prepareDatabase(directory.path, { until: SEED_DAY, ...options });
  const all = Object.fromEntries(SCHEMAS.map(([table]) => [table, documents(database, table)]));
  const found = Object.fromEntries(TABLES.map((table) => [table, all[table]]));
  const buyerIds = new Set(
    database
      .prepare('SELECT id FROM buyers')
      .all()
      .map(({ id }) => id),
  );
  database.close();
  return { ...(found as Record<Table, Record<string, unknown>[]>), buyerIds, all };
}

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+[+]\d\d:00/g;
/** Where only the month or the year is named. */
const OF_YEARS = /"expiration_date":"\d\d\/\d\d"|Summer \d{4}/g;

const seedEndMs = seedEndOf(SEED_DAY);

const digest = ({ buyerIds: _, all: __, ...records }: Records) =>
  createHash('sha256').update(JSON.stringify(records)).digest('hex');

let records: Records;
beforeAll(async () => {
  records = await seeded({ seed: 1, buyers: 250 });
});

describe('the seeded records', () => {
  it('are the same bytes for the same seed and number of buyers, and others for another seed', {
    tags: 'slow',
  }, async () => {
    expect(digest(records)).toBe('292113b1bfab64cfa807f29339aa5152500a731bbebb3500e80fe52ad4b95b0c');
    expect(digest(await seeded({ seed: 2, buyers: 250 }))).not.toBe(digest(records));
  });

  it('are the same on another day, but for their times, which end on that day', {
    tags: 'slow',
  }, async () => {
    const until = '2026-11-23';
    const shift = Date.parse(until) - Date.parse(SEED_DAY);
    const later = await seeded({ seed: 1, buyers: 250, until });
    const timesOf = (found: Records) => JSON.stringify(found.api_logs).match(TIME) ?? [];
    expect(timesOf(later).map((time) => Date.parse(time) - shift)).toEqual(timesOf(records).map(Date.parse));
    expect(Math.max(...timesOf(later).map(Date.parse))).toBeGreaterThan(Date.parse(until) - 24 * 3600 * 1000);
    for (const [table] of SCHEMAS) {
      const texts = [later, records].map(({ all }) =>
        (all[table] ?? []).map((record) =>
          JSON.stringify(record).replaceAll(TIME, 'TIME').replaceAll(OF_YEARS, ''),
        ),
      );
      expect(texts[0], table).toEqual(texts[1]);
    }
  });

  it.each(SCHEMAS)('of %s fit the description', (table, schema) => {
    const found = records.all[table] ?? [];
    expect(found.length).toBeGreaterThan(0);
    for (const record of found) expect(faultsOf(schema, record)).toEqual([]);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });

  it('lie in the past that the seed covers', () => {
    const past = [records.payment_methods, records.audit_logs, records.digital_wallets, records.api_logs];
    for (const record of past.flat()) {
      const times = JSON.stringify(record).match(/\d{4}-\d\d-\d\dT[\d:.]+\+00:00/g) ?? [];
      for (const time of times) expect([time, Date.parse(time) < seedEndMs + 60_000]).toEqual([time, true]);
    }
  });

  it('hold 1.4 payment methods a buyer, whatever the number of buyers, in every state', {
    tags: 'slow',
  }, async () => {
    const many = await seeded({ seed: 3, buyers: 3000 });
    expect(many.payment_methods.length / 3000).toBeCloseTo(1.4, 1);
    expect(new Set(records.payment_methods.map(({ status }) => status)).size).toBe(5);
    expect(many.gift_cards.length).toBeLessThan(250);
    expect(many.audit_logs).toHaveLength(records.audit_logs.length);
  });

  it('are there without any buyer, but for what belongs to buyers', async () => {
    const none = await seeded({ buyers: 0 });
    expect([none.payment_methods, none.gift_cards]).toEqual([[], []]);
    for (const table of ['audit_logs', 'roles', 'api_logs', 'checkout_sessions'] as const) {
      expect(none[table].length).toBeGreaterThan(0);
    }
  });
});

describe('the seeded audit log', () => {
  it('is of a team of seven: one of the service, one who has left', () => {
    const team = seedTeam(1);
    const users = new Map(records.audit_logs.map(({ user }) => [(user as { id: string }).id, user]));
    expect([...users.values()]).toEqual(expect.arrayContaining([...team]));
    expect(users.size).toBe(7);
    expect(team.filter(({ is_staff: isStaff }) => isStaff)).toHaveLength(1);
    expect(team.filter(({ status }) => status !== 'active')).toHaveLength(1);
  });

  it('names resources that exist, unless they were deleted or no endpoint shows them', () => {
    const known = new Set([
      ...records.buyerIds,
      ...[records.payment_methods, records.webhook_subscriptions, records.digital_wallets]
        .flat()
        .map(({ id }) => id),
    ]);
    const shown = new Set(['buyer', 'payment-method', 'webhook-subscription', 'digital-wallet']);
    for (const { action, resource } of records.audit_logs) {
      const { type, id } = resource as { type: string; id: string };
      if (shown.has(type)) expect([type, id, known.has(id)]).toEqual([type, id, action !== 'deleted']);
    }
    const types = records.audit_logs.map(({ resource }) => (resource as { type: string }).type);
    for (const type of [...shown, 'api-key-pair', 'user', 'transaction']) expect(types).toContain(type);
  });

  it('names who created each webhook subscription, at that moment', () => {
    const created = records.audit_logs.filter(
      ({ action, resource }) =>
        action === 'created' && (resource as { type: string }).type === 'webhook-subscription',
    );
    const creators = records.webhook_subscriptions.map(({ id, creator }) => [
      id,
      (creator as { id: string }).id,
    ]);
    const logged = created.map(({ resource, user }) => [
      (resource as { id: string }).id,
      (user as { id: string }).id,
    ]);
    expect(logged.toSorted()).toEqual(creators.toSorted());
  });
});

describe('the seeded API logs', () => {
  it('show every status of the contract, many paths and methods, and take time', () => {
    const logs = records.api_logs as ApiLog[];
    const statuses = [400, 401, 403, 404, 405, 409, 422, 425, 429, 500, 502, 504];
    expect(new Set(logs.map((log) => log.response_status_code))).toEqual(new Set(statuses));
    expect(new Set(logs.map((log) => log.request_method))).toEqual(new Set(['GET', 'POST', 'PUT', 'DELETE']));
    const paths = logs.map((log) => new URL(String(log.request_url)).pathname);
    expect(new Set(paths).size).toBeGreaterThan(10);
    for (const log of logs) {
      const [from, to] = [log.request_received_at, log.response_sent_at].map((time) =>
        Date.parse(String(time)),
      );
      expect(to).toBeGreaterThan(Number(from));
      expect(Number(from)).toBeGreaterThan(seedEndMs - 10 * 24 * 3600 * 1000);
    }
  });
});
