import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerDescription } from '../descriptions/ledger-description.ts';
import { entry, refusal, serveLedger } from './copied-ledger.ts';

const entries = ['a', 'b', 'c'].map((id) => entry(id, '2026-03-01T00:00:00Z'));

/** The description of the ledger, with a part of its text replaced. */
function changed(before: string, after: string): object {
  const text = JSON.stringify(ledgerDescription());
  const other = text.replaceAll(before, after);
  if (other === text) throw new Error(`the description has no ${before}`);
  return JSON.parse(other);
}

describe('a copy of lists of a description that was imported again', () => {
  it('is continued and synced if only texts have changed', async () => {
    const service = await serveLedger({ entries });
    service.before = (query) => (query.has('cursor') ? refusal(503, 'unavailable', 'Later') : undefined);
    expect(await service.export()).toMatchObject({ code: 8 });
    service.before = () => undefined;
    service.describeAs({ ...ledgerDescription(), info: { title: 'Other words', version: '2' } });
    expect(await service.run('export', '--resume', service.copy)).toMatchObject({ code: 0 });
    const manifest = () => readFileSync(join(service.copy, 'manifest.json'), 'utf8');
    const before = manifest();
    service.describeAs(changed('Deleted.', 'It was deleted.'));
    expect(await service.sync()).toMatchObject({ code: 0, stderr: '' });
    expect(manifest()).toBe(before);
  });

  it.each([
    [changed('"amount"', '"total"'), 'in which "ledger-entries" has other columns: amount, total'],
    [
      changed('"sequence":{"type":"integer","format":"int64"', '"sequence":{"type":"string"'),
      'in which "ledger-entries" has other columns: sequence',
    ],
    [
      changed('/ledger-entries"', '/ledger_entries"'),
      'in which "ledger-entries" is read by GET /ledger-entries, not by GET /ledger_entries',
    ],
  ])('is refused with what differs: %#', async (description, difference) => {
    const service = await serveLedger({ entries });
    expect(await service.export()).toMatchObject({ code: 0 });
    const sent = service.asked.length;
    service.describeAs(description);
    const refused = {
      code: 2,
      stdout: '',
      stderr: `Error: "./copy" was exported with another API description, ${difference} (other_copy)\nNothing was read. Use the description of the export, or export again to another directory.\n`,
    };
    expect(await service.sync()).toEqual(refused);
    expect(await service.run('export', '--resume', service.copy)).toEqual(refused);
    expect(service.asked.length).toBe(sent);
  });

  it.each([
    ['', []],
    ['--profile acme and ', ['--profile', 'acme']],
  ])(
    'says to use %sthe API description of the export, where the one in use has no such list',
    async (made, flags) => {
      const service = await serveLedger({ entries });
      await service.run('profiles', 'set', 'acme', '--environment', 'sandbox');
      expect(await service.export(...flags)).toMatchObject({ code: 0 });
      service.describeAs(changed('/ledger-entries"', '/bookings"'));
      const refused = {
        code: 2,
        stdout: '',
        stderr: `Error: There is no list "ledger-entries" (unknown_resource)\nUse ${made}the API description with which the export was made.\n`,
      };
      expect(await service.sync()).toEqual(refused);
      expect(await service.run('export', '--resume', service.copy)).toEqual(refused);
    },
  );

  const marked = (members: object) =>
    ledgerDescription(undefined, { holder: { type: 'string' }, ...members });
  const EMAIL = { type: 'string', 'x-personal-data': true };

  it.each([
    ['no longer marks a field', marked({ email: EMAIL }), marked({ email: { type: 'string' } })],
    [
      'marks another field, so that names no longer count',
      marked({ email: { type: 'string' } }),
      marked({ email: { type: 'string' }, holder: EMAIL }),
    ],
    [
      'no longer tells a secret',
      marked({ email: { type: 'string', format: 'password' } }),
      marked({ email: { type: 'string' } }),
    ],
  ])('is refused by a sync if the description %s', async (_, before, after) => {
    const people = entries.map((one) => ({ ...one, email: 'ada@example.com' }));
    const service = await serveLedger({ entries: people });
    service.describeAs(before);
    expect(await service.export()).toMatchObject({ code: 0 });
    service.entries = people.map((one) => ({ ...one, updated_at: '2026-04-01T00:00:00Z' }));
    service.describeAs(after);
    const { code, stderr } = await service.sync();
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'Error: "./copy" was exported with another API description, in which "ledger-entries" marks other fields as personal data or secrets (other_copy)\nNothing was read. Use the description of the export, or export again to another directory.\n',
    });
    service.describeAs(before);
    expect(await service.sync('--compact')).toMatchObject({ code: 0 });
    const parts = await service.run('export', 'verify', service.copy);
    expect(parts.code).toBe(0);
  });

  it('is synced if the same fields are marked in another order, or nothing is masked', async () => {
    const service = await serveLedger({ entries });
    service.describeAs(marked({ email: EMAIL, phone: EMAIL }));
    expect(await service.export()).toMatchObject({ code: 0 });
    service.describeAs(
      ledgerDescription(undefined, { phone: EMAIL, email: EMAIL, holder: { type: 'string' } }),
    );
    expect(await service.sync()).toMatchObject({ code: 0, stderr: '' });
    const revealed = await serveLedger({ entries });
    revealed.describeAs(marked({ email: EMAIL }));
    expect(await revealed.export('--reveal-pii')).toMatchObject({ code: 0 });
    revealed.describeAs(marked({ email: { type: 'string' } }));
    expect(await revealed.sync()).toMatchObject({ code: 0, stderr: '' });
  });

  it('is refused without the filter that it was exported with', async () => {
    const service = await serveLedger({ entries });
    expect(await service.export('--since', '2026-01-01')).toMatchObject({ code: 0 });
    service.describeAs(changed('created_at_gte', 'made_since'));
    const { code, stderr } = await service.sync();
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'another API description, in which "ledger-entries" is filtered by created_at_gte (other_copy)',
      ),
    });
  });
});

it('takes the filters of a resumed export from the copy', async () => {
  const service = await serveLedger({ entries });
  service.before = (query) => (query.has('cursor') ? refusal(503, 'unavailable', 'Later') : undefined);
  expect(await service.export('--since', '7d')).toMatchObject({ code: 8 });
  service.before = () => undefined;
  const { code, stderr } = await service.run('export', '--resume', service.copy, '--since', '7d');
  expect(code).toBe(2);
  expect(stderr).toMatch(/was exported with the filters .*created_at_gte.*, but this run has /);
  expect(stderr).toContain(
    'Nothing was read. Leave out --since: --resume takes the filters from the copy, and a time such as 7d is another one in each run.\n',
  );
  expect(await service.run('export', '--resume', service.copy)).toMatchObject({ code: 0 });
});

it('ends with an error before a record whose bytes are not UTF-8, which a copy would change', async () => {
  const people = entries.map((one) => ({ ...one, label: 'Zoë' }));
  const service = await serveLedger({ entries: people });
  service.encoding = 'latin1';
  const { code, stderr } = await service.export();
  expect({ code, stderr }).toEqual({ code: 9, stderr: expect.stringContaining('is not valid UTF-8') });
  expect(existsSync(join(service.copy, 'manifest.json'))).toBe(false);
  service.encoding = 'utf8';
  expect(await service.run('export', '--resume', service.copy)).toMatchObject({ code: 0 });
  service.encoding = 'latin1';
  service.entries = people.map((one) => ({ ...one, updated_at: '2026-04-01T00:00:00Z' }));
  expect(await service.sync()).toMatchObject({ code: 9, stdout: expect.stringContaining('incomplete') });
  service.encoding = 'utf8';
  expect((await service.sync()).stdout).toContain('\t0\t3\t0\t');
});
