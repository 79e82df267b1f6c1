import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimPlan } from '../../../src/features/bulk/apply/applied-plans.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { planHeader } from './written-plan.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const HASH = 'a'.repeat(64);
const DAY = 86_400_000;
const ROWS = `${JSON.stringify({ payctl_journal: 1, plan: HASH })}\n{"row":1}\n`;

let folder: string;
beforeEach(() => {
  folder = folderForTest();
  for (const name of ['one', 'two']) mkdirSync(join(folder, name));
});

const journalAt = (place: string) => join(folder, place, 'refunds.plan.journal');
const records = () => join(folder, 'data', 'applied');

/** Begins to apply the plan of a folder with the journal next to it; the code, message and hint of what refuses it. */
function claim(place: string, { hash = HASH, now = NOW, journal = journalAt(place) } = {}) {
  const path = join(folder, place, 'refunds.plan');
  const plan = { path, hash, header: planHeader({ profile: 'acme', origin: 'https://api.example.com' }) };
  try {
    claimPlan(plan, { journal, directory: join(folder, 'data'), now });
    return 'claimed';
  } catch (error) {
    const { code, message, hint } = error as { code: string; message: string; hint?: string };
    return { code, message: message.replaceAll(folder, ''), hint: hint?.replaceAll(folder, '') };
  }
}

describe('a plan that is applied', () => {
  it('is recorded with its journal, which is there from then on', () => {
    expect(claim('one')).toBe('claimed');
    const record = join(records(), `${HASH}.json`);
    expect(JSON.parse(readFileSync(record, 'utf8'))).toEqual({
      journal: journalAt('one'),
      profile: 'acme',
      origin: 'https://api.example.com',
      started_at: NOW.toISOString(),
    });
    expect(readFileSync(journalAt('one'), 'utf8')).toBe(
      `{"payctl_journal":1,"plan":"${HASH}","begun_at":"${NOW.toISOString()}"}\n`,
    );
    expect([record, journalAt('one')].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
    const names = readdirSync(records()).toSorted();
    expect(names).toEqual([`${HASH}.json`, 'cleaned']);
  });

  it('continues with its journal, also by another path, and another plan is not concerned', () => {
    claim('one');
    writeFileSync(journalAt('one'), ROWS);
    expect(claim('one')).toBe('claimed');
    expect(claim('two', { journal: journalAt('one') })).toBe('claimed');
    expect(claim('two', { journal: join(folder, 'two', '..', 'one', 'refunds.plan.journal') })).toBe(
      'claimed',
    );
    expect(claim('two', { hash: 'b'.repeat(64) })).toBe('claimed');
    expect(readFileSync(journalAt('one'), 'utf8')).toBe(ROWS);
  });

  it('is refused as a copy, with and without a copy of the journal, and nothing is left there', () => {
    claim('one');
    const refused = {
      code: 'plan_applied',
      message:
        '/two/refunds.plan is a copy of a plan that was already applied: its journal is /one/refunds.plan.journal',
      hint: 'To continue with that journal: payctl bulk apply /two/refunds.plan --journal /one/refunds.plan.journal',
    };
    expect(claim('two')).toEqual(refused);
    expect(existsSync(journalAt('two'))).toBe(false);
    writeFileSync(journalAt('one'), ROWS);
    copyFileSync(journalAt('one'), journalAt('two'));
    expect(claim('two')).toEqual(refused);
  });

  it('is refused where its journal is gone, also in the same place', () => {
    claim('one');
    rmSync(journalAt('one'));
    const refused = {
      code: 'plan_applied',
      message:
        '/one/refunds.plan was already applied, but its journal /one/refunds.plan.journal no longer exists',
      hint: 'Without the journal, rows that are done would be sent again. If you moved it: payctl bulk apply /one/refunds.plan --journal FILE',
    };
    expect(claim('one')).toEqual(refused);
    writeFileSync(journalAt('two'), '');
    expect(claim('one', { journal: journalAt('two') })).toEqual(refused);
    expect(existsSync(journalAt('one'))).toBe(false);
  });

  it.each(['', ROWS.slice(0, 40)])('is refused where its journal was cut to %j', (text) => {
    claim('one');
    writeFileSync(journalAt('one'), text);
    expect(claim('one')).toEqual({
      code: 'plan_applied',
      message:
        '/one/refunds.plan was already applied, but the first line of its journal /one/refunds.plan.journal is missing or damaged',
      hint: 'Restore the journal: without it, rows that are done would be sent again.',
    });
    expect(readFileSync(journalAt('one'), 'utf8')).toBe(text);
  });

  it('makes no file where its journal is a symbolic link', () => {
    symlinkSync(join(folder, 'elsewhere'), journalAt('one'));
    expect(claim('one')).toMatchObject({ code: 'file_unwritable' });
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
    expect(readdirSync(records())).toEqual([]);
  });

  it('continues where it was moved with its journal, and then only there', () => {
    claim('one');
    writeFileSync(journalAt('one'), ROWS);
    renameSync(journalAt('one'), journalAt('two'));
    expect(claim('two')).toBe('claimed');
    writeFileSync(journalAt('one'), ROWS);
    expect(claim('one')).toMatchObject({ message: expect.stringContaining('its journal is /two/') });
    rmSync(journalAt('one'));
    renameSync(journalAt('two'), journalAt('one'));
    expect(claim('one')).toBe('claimed');
    expect(claim('two')).toMatchObject({ message: expect.stringContaining('its journal is /one/') });
  });

  it('is refused with the journal of another plan, which then is not recorded', () => {
    for (const text of [ROWS.replace('aa', 'bb'), 'x', '{', '\n', `[${' '.repeat(5000)}]`]) {
      writeFileSync(journalAt('one'), text);
      expect(claim('one')).toEqual({
        code: 'journal_unreadable',
        message: '"/one/refunds.plan.journal" is not the journal of "/one/refunds.plan"',
        hint: 'Nothing was sent. Name the journal of this plan: payctl bulk apply /one/refunds.plan --journal FILE',
      });
    }
    writeFileSync(journalAt('two'), ROWS);
    expect(claim('one', { journal: journalAt('two') })).toBe('claimed');
  });

  it.each(['', '{', '{}', '[]', '{"journal":1}'])('is refused where its record is %j', (text) => {
    mkdirSync(records(), { recursive: true });
    writeFileSync(join(records(), `${HASH}.json`), text);
    expect(claim('one')).toEqual({
      code: 'plan_applied',
      message: `/one/refunds.plan was already applied, but /data/applied/${HASH}.json does not name its journal`,
      hint: 'The file is damaged. Make a new plan for the remaining rows.',
    });
  });

  it('is refused where its record or its journal cannot be written', () => {
    writeFileSync(join(folder, 'data'), 'a file');
    expect(claim('one')).toMatchObject({ code: 'profiles_unwritable' });
    rmSync(join(folder, 'data'));
    expect(claim('one', { journal: join(folder, 'gone', 'journal') })).toMatchObject({
      code: 'file_unwritable',
      message: '"/gone/journal" cannot be written: no such file or directory',
    });
    expect(readdirSync(records())).toEqual([]);
  });
});

it('forgets plans after 400 days, and looks for them once a day', () => {
  const hashes = ['b', 'c'].map((digit) => digit.repeat(64));
  for (const hash of hashes) claim(hash[0] === 'b' ? 'one' : 'two', { hash });
  const [old = '', young = ''] = hashes.map((hash) => join(records(), `${hash}.json`));
  const setAge = (path: string, days: number) => utimesSync(path, NOW, new Date(NOW.getTime() - days * DAY));
  setAge(old, 401);
  setAge(young, 399);
  const claimAt = (days: number) =>
    claim(`${days}`, { hash: `${days}`.padEnd(64, '0'), now: new Date(NOW.getTime() + days * DAY) });
  for (const days of [0.9, 1]) mkdirSync(join(folder, `${days}`));
  claimAt(0.9);
  expect([old, young].map((path) => existsSync(path))).toEqual([true, true]);
  claimAt(1);
  expect([old, young].map((path) => existsSync(path))).toEqual([false, true]);
});
