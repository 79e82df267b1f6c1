import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openEmulatorDatabase } from '../../../src/emulator/store/database.ts';
import { temporaryDirectory } from '../test-emulator.ts';

function open(directory: string, timeout = 1000) {
  return openEmulatorDatabase(join(directory, 'test.sqlite'), timeout);
}

it('undoes a transaction whose work throws, and hands the error on', () => {
  using directory = temporaryDirectory();
  const database = open(directory.path);
  database.execute('CREATE TABLE t (x)');
  const insert = database.prepare('INSERT INTO t VALUES (?)');
  expect(database.prepare('INSERT INTO t VALUES (?)')).toBe(insert);
  expect(database.inTransaction(() => insert.run(1).changes)).toBe(1);
  expect(() =>
    database.inTransaction(() => {
      insert.run(2);
      throw new Error('half way');
    }),
  ).toThrow('half way');
  expect(database.prepare('SELECT x FROM t').all()).toEqual([{ x: 1 }]);
  database.close();
  database.close();
});

it('caches what it read until this or another connection has written', () => {
  using directory = temporaryDirectory();
  const one = open(directory.path);
  one.useWriteAheadLog();
  one.execute('CREATE TABLE t (x)');
  const other = open(directory.path);
  const count = () => {
    one.refresh();
    return one.cached('count', () => one.prepare('SELECT count(*) AS n FROM t').get()?.n);
  };
  expect([count(), count()]).toEqual([0, 0]);
  one.execute('INSERT INTO t VALUES (1)');
  expect(count()).toBe(1);
  other.execute('INSERT INTO t VALUES (1)');
  expect(count()).toBe(2);
  other.close();
  one.close();
});

it('waits for another connection that writes as long as its timeout says', { tags: 'slow' }, () => {
  using directory = temporaryDirectory();
  const one = open(directory.path);
  const other = open(directory.path, 50);
  one.inTransaction(() => {
    expect(() => other.inTransaction(() => undefined)).toThrow('database is locked');
  });
  expect(other.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 50 });
  expect(other.inTransaction(() => 'free')).toBe('free');
  other.close();
  one.close();
});
