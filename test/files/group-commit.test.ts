import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/files/database.ts';
import { temporaryDirectory } from '../emulator/test-emulator.ts';

/** A database with one table, and another connection to it. */
function openTwo() {
  const directory = temporaryDirectory();
  const path = join(directory.path, 'some.db');
  const database = openDatabase(path, { timeout: 100, settings: '' });
  database.useWriteAheadLog();
  database.execute('CREATE TABLE words (word TEXT UNIQUE)');
  const other = openDatabase(path, { timeout: 100, settings: '' });
  return {
    database,
    other,
    [Symbol.dispose]() {
      for (const one of [database, other]) one.close();
      directory[Symbol.dispose]();
    },
  };
}

const add = (database: Database, word: string) => () => {
  database.prepare('INSERT INTO words VALUES (?)').run(word);
  return word;
};
const words = (database: Database) =>
  database
    .prepare('SELECT word FROM words ORDER BY word')
    .all()
    .map(({ word }) => word);

it('commits what is changed at the same moment together, before it is known to be done', async () => {
  using two = openTwo();
  const { database, other } = two;
  const changes = ['a', 'b', 'c'].map((word) => database.inSharedTransaction(add(database, word)));
  expect(words(database)).toEqual(['a', 'b', 'c']);
  expect(words(other)).toEqual([]);
  const seen = changes.map((change) => change.then(() => words(other)));
  expect(await Promise.all(changes)).toEqual(['a', 'b', 'c']);
  expect(await Promise.all(seen)).toEqual(Array(3).fill(['a', 'b', 'c']));
  expect(await database.inSharedTransaction(add(database, 'd'))).toBe('d');
  expect(words(other)).toEqual(['a', 'b', 'c', 'd']);
});

it('undoes only the change that fails', async () => {
  using two = openTwo();
  const { database, other } = two;
  const changes = await Promise.allSettled([
    database.inSharedTransaction(add(database, 'a')),
    database.inSharedTransaction(() => {
      add(database, 'b')();
      add(database, 'a')();
    }),
    database.inSharedTransaction(add(database, 'c')),
  ]);
  expect(changes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(words(other)).toEqual(['a', 'c']);
});

it('makes the others again where one fails after it has changed something, and fails those that cannot be', async () => {
  using two = openTwo();
  const { database, other } = two;
  let runs = 0;
  const changes = await Promise.allSettled([
    database.inSharedTransaction(() => {
      runs += 1;
      return add(database, `a${runs}`)();
    }),
    database.inSharedTransaction(() => {
      const word = add(database, 'b')();
      if (runs > 1) throw new Error('not twice');
      return word;
    }),
    database.inSharedTransaction(() => {
      add(database, 'c')();
      runs = 1;
      throw new Error('never');
    }),
    database.inSharedTransaction(add(database, 'd')),
  ]);
  expect(changes).toEqual([
    { status: 'fulfilled', value: 'a2' },
    { status: 'rejected', reason: new Error('not twice') },
    { status: 'rejected', reason: new Error('never') },
    { status: 'fulfilled', value: 'd' },
  ]);
  expect(words(other)).toEqual(['a2', 'd']);
});

it('keeps what others write while a group is open, also where a change of it fails', async () => {
  using two = openTwo();
  const { database, other } = two;
  const first = database.inSharedTransaction(add(database, 'a'));
  add(database, 'b')();
  const failing = database.inSharedTransaction(() => {
    add(database, 'c')();
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await first).toBe('a');
  await database.inSharedTransaction(add(database, 'd'));
  expect(words(other)).toEqual(['a', 'b', 'd']);
});

it('fails every change of a transaction that is lost as a whole, and goes on', async () => {
  using two = openTwo();
  const { database, other } = two;
  const lost = new Error('the disk is full');
  const changes = await Promise.allSettled([
    database.inSharedTransaction(add(database, 'a')),
    database.inSharedTransaction(() => {
      database.execute('ROLLBACK');
      throw lost;
    }),
  ]);
  expect(changes).toEqual([
    { status: 'rejected', reason: lost },
    { status: 'rejected', reason: lost },
  ]);
  expect(words(other)).toEqual([]);
  expect(await database.inSharedTransaction(add(database, 'b'))).toBe('b');
  expect(words(other)).toEqual(['b']);
});

it('fails every change where the commit fails', async () => {
  using two = openTwo();
  const { database } = two;
  database.execute('CREATE TABLE letters (word TEXT REFERENCES absent (word) DEFERRABLE INITIALLY DEFERRED)');
  database.execute('CREATE TABLE absent (word TEXT UNIQUE)');
  const changes = await Promise.allSettled([
    database.inSharedTransaction(add(database, 'a')),
    database.inSharedTransaction(() => database.execute("INSERT INTO letters VALUES ('x')")),
  ]);
  expect(changes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(words(database)).toEqual([]);
});

it('is committed before another transaction, and before the database closes', async () => {
  using two = openTwo();
  const { database, other } = two;
  const first = database.inSharedTransaction(add(database, 'a'));
  expect(() =>
    database.inTransaction(() => {
      add(database, 'b')();
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(await first).toBe('a');
  const last = database.inSharedTransaction(add(database, 'c'));
  database.close();
  expect(await last).toBe('c');
  expect(words(other)).toEqual(['a', 'c']);
});

it('is committed at once where that is asked for', async () => {
  using two = openTwo();
  const { database, other } = two;
  database.commit();
  const first = database.inSharedTransaction(add(database, 'a'));
  add(database, 'b')();
  expect(words(other)).toEqual([]);
  database.commit();
  expect(words(other)).toEqual(['a', 'b']);
  expect(await first).toBe('a');
});

it('fails a change while another program writes, and takes it later', { tags: 'slow' }, async () => {
  using two = openTwo();
  const { database, other } = two;
  other.execute('BEGIN IMMEDIATE');
  await expect(database.inSharedTransaction(add(database, 'a'))).rejects.toThrow('database is locked');
  other.execute('COMMIT');
  expect(await database.inSharedTransaction(add(database, 'a'))).toBe('a');
});
