import fc from 'fast-check';
import '../../harness/fixed-seeds.ts';
import { describe, expect, it } from 'vitest';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { largeDescription } from '../../descriptions/large-description.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { type ImportedEmulator, startImported } from './imported-emulator.ts';
import { nestedAmounts, textAmounts, withAmounts } from './sample-variants.ts';

type Json = Record<string, unknown> & { readonly id: string };

/** What the records of a collection have to be, newest first. */
class Model {
  readonly records: Json[] = [];
  readonly gone: string[] = [];

  at(place: number): Json | undefined {
    return this.records[Math.floor(place * this.records.length)];
  }

  replace(id: string, record: Json): void {
    this.records[this.records.findIndex((one) => one.id === id)] = record;
  }

  remove(id: string): void {
    this.gone.push(id);
    this.records.splice(
      this.records.findIndex((one) => one.id === id),
      1,
    );
  }
}

async function readAll(emulator: ImportedEmulator, path: string, filter = ''): Promise<Json[]> {
  const records: Json[] = [];
  let cursor: unknown;
  do {
    const query = typeof cursor === 'string' ? `&cursor=${cursor}` : '';
    const { status, body } = await emulator.call('GET', `${path}?limit=7${filter}${query}`);
    expect(status).toBe(200);
    records.push(...((Array.isArray(body) ? body : body.items) as Json[]));
    cursor = body.next_cursor;
  } while (typeof cursor === 'string');
  return records;
}

const STATUSES = ['pending', 'active', 'captured', 'canceled', 'failed', 'expired'] as const;
const PATHS = ['/connections', '/plans', '/stores', '/invoices', '/terminals', '/coupons', '/buyer-groups'];

/** A value that no record may take over. */
const NOT_TAKEN = 'not taken';

const body = fc.record(
  {
    amount: fc.integer({ min: 0, max: 99_999_999 }),
    currency: fc.stringMatching(/^[A-Z]{3}$/),
    display_name: fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 })),
    external_identifier: fc.string({ maxLength: 50 }),
    status: fc.constantFrom(...STATUSES),
    metadata: fc.dictionary(fc.string({ maxLength: 10 }), fc.string({ maxLength: 20 }), { maxKeys: 5 }),
    starts_at: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString()),
    // Members that records have and bodies have not.
    webhook_secret: fc.constant(NOT_TAKEN),
    created_at: fc.constant('2001-01-01T00:00:00Z'),
    merchant_account_id: fc.constant(NOT_TAKEN),
  },
  { requiredKeys: ['amount', 'currency'] },
);

const step = fc.record({
  path: fc.constantFrom(...PATHS),
  what: fc.constantFrom('create', 'get', 'list', 'update', 'delete', 'get gone', 'filter'),
  place: fc.double({ min: 0, max: 0.999, noNaN: true }),
  limit: fc.integer({ min: 1, max: 100 }),
  filter: fc.record(
    {
      statuses: fc.uniqueArray(fc.constantFrom(...STATUSES), { minLength: 1, maxLength: 3 }),
      /** The time is that of the record there. */
      since: fc.double({ min: 0, max: 0.999, noNaN: true }),
    },
    { requiredKeys: [] },
  ),
  body,
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The members of a body that the records have. */
const KEPT = ['amount', 'currency', 'display_name', 'status', 'metadata'];

function kept(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([name]) => KEPT.includes(name)));
}

const UPDATED = new Set(['/connections', '/plans', '/stores', '/invoices', '/terminals', '/buyer-groups']);
const PAGED = new Set(['/connections', '/invoices', '/buyer-groups']);

function filtered(
  model: Model,
  { statuses, since }: Step['filter'],
): { readonly query: string; readonly records: readonly Json[] } {
  const from = since === undefined ? undefined : model.at(since)?.created_at;
  const isMeant = ({ status, created_at: at }: Json) =>
    statuses?.some((one) => one === status) !== false &&
    (from === undefined || Date.parse(String(at)) >= Date.parse(String(from)));
  const time = from === undefined ? '' : `&created_at_gte=${encodeURIComponent(String(from))}`;
  const query = `${(statuses ?? []).map((one) => `&status=${one}`).join('')}${time}`;
  return { query, records: model.records.filter(isMeant) };
}

async function take(emulator: ImportedEmulator, model: Model, given: Step): Promise<void> {
  const { path, what, place, limit } = given;
  const record = model.at(place);
  const item = `${path}/${record?.id}`;
  switch (what) {
    case 'create': {
      const made = await emulator.call('POST', path, { body: given.body });
      expect(made).toMatchObject({ status: 201, body: kept(given.body) });
      expect(JSON.stringify(made.body)).not.toMatch(/not taken|2001-01-01/);
      model.records.unshift(made.body as Json);
      return;
    }
    case 'get':
      if (record) expect((await emulator.call('GET', item)).body).toEqual(record);
      return;
    case 'get gone': {
      const id = model.gone.at(-1) ?? 'nothing';
      expect(await emulator.call('GET', `${path}/${id}`)).toMatchObject({ status: 404 });
      return;
    }
    case 'update': {
      if (!record || !UPDATED.has(path)) return;
      const changed = await emulator.call('PUT', item, { body: given.body });
      expect(changed).toMatchObject({ status: 200, body: { ...record, ...kept(given.body) } });
      model.replace(record.id, changed.body as Json);
      return;
    }
    case 'delete':
      if (!record) return;
      expect(await emulator.call('DELETE', item)).toMatchObject({ status: 204 });
      model.remove(record.id);
      return;
    default: {
      const { query, records: all } = what === 'filter' ? filtered(model, given.filter) : filtered(model, {});
      const answer = await emulator.call('GET', `${path}?limit=${limit}${query}`);
      expect(answer.body.items).toEqual(all.slice(0, PAGED.has(path) ? limit : undefined));
    }
  }
}

describe('the records of a description', () => {
  it('are what 1,000 random operations have made of them', async () => {
    await using emulator = await startImported(largeDescription());
    const models = new Map<string, Model>();
    for (const path of PATHS) {
      const model = new Model();
      model.records.push(...(await readAll(emulator, path)));
      models.set(path, model);
    }
    const property = fc.asyncProperty(fc.array(step, { minLength: 100, maxLength: 100 }), async (steps) => {
      for (const one of steps) await take(emulator, models.get(one.path) ?? new Model(), one);
    });
    // A failure changes the model, so that shrinking it would say nothing.
    await fc.assert(property, { ...propertyRuns(100, 10), endOnFailure: true });
    for (const path of PATHS) expect(await readAll(emulator, path)).toEqual(models.get(path)?.records);
    for (const path of PAGED) {
      for (const statuses of [[STATUSES[0]], [...STATUSES.slice(1)]]) {
        const { query, records } = filtered(models.get(path) ?? new Model(), { statuses, since: 0.9 });
        expect(await readAll(emulator, path, query)).toEqual(records);
      }
    }
  }, 120_000);
});

const move = fc.record({
  what: fc.constantFrom('create', 'capture', 'void', 'refund'),
  place: fc.double({ min: 0, max: 0.999, noNaN: true }),
  amount: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
  intent: fc.constantFrom('authorize', 'capture'),
  /** What a caller may not set. */
  extra: fc.record(
    {
      status: fc.constantFrom('captured', 'refunded', 'voided', 'failed', 'succeeded'),
      captured_amount: fc.integer({ min: 0, max: 500 }),
      refunded_amount: fc.integer({ min: 0, max: 500 }),
    },
    { requiredKeys: [] },
  ),
});

type Payment = { amount: number; captured: number; refunded: number; isVoided: boolean };

/** The status that a move has to be answered with; changes the payment where it succeeds. */
function expected(payment: Payment, what: string, amount: number | undefined): number {
  if (what === 'void') {
    if (payment.captured > 0 || payment.isVoided) return 400;
    payment.isVoided = true;
    return 200;
  }
  if (what === 'capture') {
    const left = payment.amount - payment.captured;
    if (payment.isVoided || left === 0 || isRefunded(payment)) return 400;
    if ((amount ?? left) > left) return 422;
    payment.captured += amount ?? left;
    return 200;
  }
  const left = payment.captured - payment.refunded;
  if (left === 0 || (amount ?? left) > left) return 422;
  payment.refunded += amount ?? left;
  return 201;
}

function isRefunded({ captured, refunded }: Payment): boolean {
  return refunded > 0 && refunded === captured;
}

const text = (cents: number) => (cents / 100).toFixed(2);
const cents = (value: unknown) => Math.round(Number(value) * 100);

/** How amounts are written and read. */
const NOTATIONS: readonly (readonly [
  string,
  unknown,
  (amount: number) => unknown,
  (value: unknown) => number,
])[] = [
  ['integers', sample, (amount) => amount, Number],
  ['decimal numbers', withAmounts(() => ({ type: 'number' })), (amount) => amount / 100, cents],
  ['decimal texts', textAmounts, text, cents],
  [
    'objects with a decimal text',
    nestedAmounts,
    (amount) => ({ value: text(amount), currency_code: 'EUR' }),
    (value) => cents((value as { value?: string }).value ?? value),
  ],
];

describe('the payments of a description', () => {
  it.each(NOTATIONS)(
    'never hold more than was captured, nor less than was refunded: %s',
    async (...notation) => {
      const [, document, write, read] = notation;
      await using emulator = await startImported(document);
      const payments = new Map<string, Payment>();
      const property = fc.asyncProperty(fc.array(move, { minLength: 50, maxLength: 50 }), async (moves) => {
        for (const { what, place, amount, intent, extra } of moves) {
          const [id, payment] = [...payments][Math.floor(place * payments.size)] ?? [];
          if (what === 'create' || !payment) {
            const made = await emulator.call('POST', '/transactions', {
              body: { amount: write(500), currency: 'EUR', intent, ...extra },
            });
            expect(made.status).toBe(201);
            const captured = intent === 'capture' ? 500 : 0;
            payments.set(String(made.body.id), { amount: 500, captured, refunded: 0, isVoided: false });
            continue;
          }
          const status = expected(payment, what, amount);
          const path = `/transactions/${id}`;
          const options =
            what === 'void'
              ? {}
              : { body: { ...extra, ...(amount !== undefined && { amount: write(amount) }) } };
          const answer = await emulator.call(
            'POST',
            `${path}/${what === 'refund' ? 'refunds' : what}`,
            options,
          );
          expect([what, amount, payment, answer.status]).toEqual([what, amount, payment, status]);
          if (what === 'refund' && status === 201) expect(answer.body.status).toBe('succeeded');
          const { body: now } = await emulator.call('GET', path);
          expect([read(now.captured_amount), read(now.refunded_amount)]).toEqual([
            payment.captured,
            payment.refunded,
          ]);
        }
      });
      await fc.assert(property, { ...propertyRuns(100, 5), endOnFailure: true });
      for (const [id, { refunded }] of payments) {
        const { body: list } = await emulator.call('GET', `/transactions/${id}/refunds`);
        const sum = (list.items as { amount: unknown }[]).reduce((total, one) => total + read(one.amount), 0);
        expect(sum).toBe(refunded);
      }
    },
    120_000,
  );
});
