import { describe, expect, it, onTestFinished } from 'vitest';
import type { EmulatorDatabase } from '../../../src/emulator/store/database.ts';
import {
  type CursorPosition,
  countAll,
  type KeysetPage,
  type ListIndex,
  type ListQuery,
  positionAfter,
  readPage,
} from '../../../src/emulator/store/keyset.ts';

type Row = readonly [id: string, createdMs: number, kind: string];

/** A database of these records, and the statements that it was asked for. */
function databaseOf(rows: readonly Row[]) {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const sqlite = new DatabaseSync(':memory:');
  onTestFinished(() => sqlite.close());
  sqlite.exec(`CREATE TABLE records (id TEXT, created_ms INTEGER, kind TEXT, document TEXT);
    CREATE INDEX in_order ON records (kind, created_ms, id);
    CREATE INDEX by_kind ON records (kind);`);
  const insert = sqlite.prepare('INSERT INTO records VALUES (?, ?, ?, ?)');
  for (const [id, createdMs, kind] of rows) insert.run(id, createdMs, kind, `"${id}"`);
  const statements: string[] = [];
  const prepare = (sql: string) => {
    statements.push(sql);
    return sqlite.prepare(sql);
  };
  return { database: { prepare } as unknown as EmulatorDatabase, statements };
}

const list: ListQuery = { table: 'records', document: 'document', filters: [] };
const ofKind = (kind: string): ListQuery => ({ ...list, filters: [{ sql: 'kind = ?', values: [kind] }] });

/** Five records, newest first: e, d, c, b, a; two of them were created at once. */
const FIVE: readonly Row[] = [
  ['a', 1, 'odd'],
  ['c', 3, 'odd'],
  ['b', 3, 'even'],
  ['d', 4, 'even'],
  ['e', 5, 'odd'],
];

const textOf = ({ documents }: KeysetPage) => Buffer.from(documents).toString();
const at = (direction: CursorPosition['direction'], [id, createdMs]: readonly [string, number]) => ({
  direction,
  createdMs,
  id,
});

describe('a page of a list', () => {
  const read = (limit: number, position?: CursorPosition, query = list) => {
    const page = readPage(databaseOf(FIVE).database, query, { position, limit });
    return [textOf(page), page.previous, page.next];
  };
  const next = (id: string, createdMs: number) => at('next', [id, createdMs]);
  const previous = (id: string, createdMs: number) => at('previous', [id, createdMs]);

  it.each<readonly [string, number, CursorPosition | undefined, unknown]>([
    ['the first', 2, undefined, ['"e","d"', undefined, next('d', 4)]],
    ['the first, which is the whole list', 5, undefined, ['"e","d","c","b","a"', undefined, undefined]],
    ['the first, which is not full', 6, undefined, ['"e","d","c","b","a"', undefined, undefined]],
    ['one in the middle', 2, next('d', 4), ['"c","b"', previous('c', 3), next('b', 3)]],
    ['the last', 2, next('b', 3), ['"a"', previous('a', 1), undefined]],
    ['the last, which is full', 1, next('b', 3), ['"a"', previous('a', 1), undefined]],
    ['one beyond the end', 2, next('a', 1), ['', previous('', Number.MIN_SAFE_INTEGER), undefined]],
    ['one before another', 2, previous('b', 3), ['"d","c"', previous('d', 4), next('c', 3)]],
    ['one before another, up to the newest', 2, previous('c', 3), ['"e","d"', undefined, next('d', 4)]],
    ['one before another, which is not full', 3, previous('c', 3), ['"e","d"', undefined, next('d', 4)]],
    ['one before the newest', 2, previous('e', 5), ['', undefined, next('', Number.MAX_SAFE_INTEGER)]],
  ])('%s, with those beside it', (_, limit, position, expected) => {
    expect(read(limit, position)).toEqual(expected);
  });

  it('has the records for which every filter holds', () => {
    expect(read(2, undefined, ofKind('odd'))).toEqual(['"e","c"', undefined, next('c', 3)]);
    expect(read(2, next('c', 3), ofKind('odd'))).toEqual(['"a"', previous('a', 1), undefined]);
    const two = {
      ...list,
      filters: [...ofKind('odd').filters, { sql: 'id > ? AND id < ?', values: ['a', 'e'] }],
    };
    expect(read(2, undefined, two)).toEqual(['"c"', undefined, undefined]);
    expect(read(2, undefined, ofKind('none'))).toEqual(['', undefined, undefined]);
  });

  it('leads back from an empty list to what was added since', () => {
    const { database } = databaseOf([['new', 9, 'odd']]);
    const empty = readPage(database, list, { position: at('next', ['new', 9]), limit: 2 });
    expect(empty.previous).toEqual(at('previous', ['', Number.MIN_SAFE_INTEGER]));
    const page = readPage(database, list, { position: empty.previous, limit: 2 });
    expect([textOf(page), page.previous, page.next]).toEqual(['"new"', undefined, undefined]);
  });
});

describe('the index of a list', () => {
  const index = (name: string, isOrdered: boolean, place: ListIndex['place'] = []) => ({
    name,
    isOrdered,
    place,
  });

  it('in its order is used for the page and for what is beside it', () => {
    const { database, statements } = databaseOf(FIVE);
    const page = readPage(
      database,
      { ...ofKind('odd'), index: index('in_order', true) },
      { position: undefined, limit: 2 },
    );
    expect([textOf(page), page.next?.id]).toEqual(['"e","c"', 'c']);
    expect(statements).toHaveLength(2);
    for (const sql of statements) {
      expect(sql).toContain('records INDEXED BY in_order WHERE kind = ?');
      expect(sql).toContain(' ORDER BY created_ms DESC, id DESC LIMIT ?');
    }
  });

  const LONG = Array.from(
    { length: 1500 },
    (_, n): Row => [String(n).padStart(4, '0'), n, n < 5 ? 'rare' : 'common'],
  );

  it('in another order is not asked where the next records have enough that match', () => {
    const { database, statements } = databaseOf(LONG);
    const query = { ...ofKind('common'), index: index('by_kind', false) };
    const page = readPage(database, query, { position: undefined, limit: 2 });
    expect([textOf(page), page.next?.id]).toEqual(['"1499","1498"', '1498']);
    expect(statements).toHaveLength(2);
    expect(statements[0]).not.toContain('INDEXED BY');
    // Whether there is any is known without sorting all of them.
    expect(statements[1]).toMatch(
      /INDEXED BY by_kind WHERE kind = \? AND \(created_ms, id\) < \(\?, \?\) LIMIT \?$/,
    );
  });

  it('in another order finds what is far away', () => {
    const { database, statements } = databaseOf(LONG);
    const query = { ...ofKind('rare'), index: index('by_kind', false) };
    const page = readPage(database, query, { position: undefined, limit: 2 });
    expect([textOf(page), page.next?.id]).toEqual(['"0004","0003"', '0003']);
    expect(statements[1]).toContain('INDEXED BY by_kind');
    expect(statements[1]).toContain('ORDER BY created_ms DESC, id DESC');
    const before = readPage(database, query, { position: at('previous', ['0002', 2]), limit: 2 });
    expect([textOf(before), before.previous, before.next?.id]).toEqual(['"0004","0003"', undefined, '0003']);
  });

  it('in another order is asked only after a thousand records of the place of the list', () => {
    const place = [{ sql: 'id < ?', values: ['0600'] }];
    const placed = (kind: string): ListQuery => ({
      ...list,
      filters: [...place, { sql: 'kind = ?', values: [kind] }],
      index: index('by_kind', false, place),
    });
    const read = (query: ListQuery, limit: number) => {
      const { database, statements } = databaseOf(LONG);
      const text = textOf(readPage(database, query, { position: undefined, limit }));
      return [text, statements.filter((sql) => sql.includes('AS keys')).length];
    };
    expect(read(placed('rare'), 1)).toEqual(['"0004"', 1]);
    const all = { ...placed('rare'), index: index('by_kind', false, [{ sql: 'id < ?', values: ['1004'] }]) };
    expect(read(all, 1)).toEqual(['"0004"', 1]);
    const far = { ...placed('rare'), index: index('by_kind', false, [{ sql: 'id < ?', values: ['1005'] }]) };
    expect(read(far, 2)).toEqual(['"0004","0003"', 2]);
  });
});

describe('the whole of a list', () => {
  it.each([
    [1, at('next', ['e', 5])],
    [3, at('next', ['c', 3])],
    [5, at('next', ['a', 1])],
    [6, undefined],
  ])('has a place after its newest %d records', (count, expected) => {
    expect(positionAfter(databaseOf(FIVE).database, list, count)).toEqual(expected);
  });

  it('is counted, whatever index it has', () => {
    const { database, statements } = databaseOf(FIVE);
    expect(countAll(database, list)).toBe(5);
    expect(countAll(database, ofKind('even'))).toBe(2);
    expect(countAll(database, ofKind('none'))).toBe(0);
    expect(statements.join()).not.toContain('ORDER BY');
  });
});
