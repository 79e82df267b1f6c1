import { expect, it } from 'vitest';
import { AbortedError, UsageError } from '../../../src/errors.ts';
import { ledgerDescription } from '../../descriptions/ledger-description.ts';
import { temporaryDirectory } from '../test-emulator.ts';
import { type ImportedEmulator, startImported } from './imported-emulator.ts';

const entries = ({ emulator }: ImportedEmulator) => {
  const [table] = emulator.database
    .prepare("SELECT name FROM sqlite_master WHERE name GLOB 'described_*_records'")
    .all();
  const sql = `SELECT id, created_ms AS createdMs, document FROM ${table?.name} ORDER BY created_ms DESC`;
  return emulator.database.prepare(sql).all() as { id: string; createdMs: number; document: string }[];
};

it('makes as many records as a list should have, and continues where an earlier run ended', async () => {
  using kept = temporaryDirectory();
  const started = async (count: number | undefined) => {
    const records = count === undefined ? undefined : { 'ledger-entries': count };
    return startImported(ledgerDescription(), { records }, kept.path);
  };
  const first = await started(300);
  const made = entries(first);
  const { body } = await first.call('GET', '/ledger-entries?limit=100');
  await first[Symbol.asyncDispose]();
  expect(made).toHaveLength(300);
  expect(body.items).toEqual(made.slice(0, 100).map(({ document }) => JSON.parse(document)));
  expect(
    made.every(({ createdMs, document }) => Date.parse(JSON.parse(document).created_at) === createdMs),
  ).toBe(true);
  const sequences = made.flatMap(({ document }) => /"sequence":(-?\d+),/.exec(document)?.[1] ?? []);
  expect(sequences).toContain('9007199254740993');
  const second = await started(330);
  expect(entries(second)).toHaveLength(330);
  const known = new Map(entries(second).map(({ id, document }) => [id, document]));
  expect(made.every(({ id, document }) => known.get(id) === document)).toBe(true);
  await second[Symbol.asyncDispose]();
  const third = await started(undefined);
  expect(entries(third)).toHaveLength(330);
  await third[Symbol.asyncDispose]();
});

it('makes the same records for the same seed, also after an interrupted run', async () => {
  using kept = temporaryDirectory();
  const records = { 'ledger-entries': 2000 };
  const controller = new AbortController();
  const run = startImported(
    ledgerDescription(),
    {
      records,
      signal: controller.signal,
      // After a step or two.
      onDescription: () => setImmediate(() => setImmediate(() => controller.abort())),
    },
    kept.path,
  );
  await expect(run).rejects.toBeInstanceOf(AbortedError);
  await using resumed = await startImported(ledgerDescription(), { records }, kept.path);
  await using other = await startImported(ledgerDescription(), { records });
  expect(entries(resumed)).toHaveLength(2000);
  expect(entries(resumed)).toEqual(entries(other));
});

it.each([
  [
    'ledger-entrys',
    'there is no list "ledger-entrys" in its description',
    'Did you mean ledger-entries? Lists: ledger-entries.',
  ],
  ['buyers', 'there is no list "buyers" in its description', 'Lists: ledger-entries.'],
])('refuses the list %s', async (name, problem, hint) => {
  const error = await startImported(ledgerDescription(), { records: { [name]: 5 } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UsageError);
  expect(error).toMatchObject({
    code: 'unknown_list',
    message: `The emulator cannot make records: ${problem}`,
    hint,
  });
});

it('says how many IDs there are', async () => {
  const members = { id: { type: 'string', enum: ['a', 'b', 'c'] } };
  const error = await startImported(ledgerDescription({}, members), {
    records: { 'ledger-entries': 5 },
  }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'too_many_records' });
});
