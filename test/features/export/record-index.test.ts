import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CHUNK, GONE, IdLog, RecordIndex } from '../../../src/features/export/record-index.ts';
import { EncodedTexts } from '../../../src/output/parts/encoded-texts.ts';

const ids = Array.from({ length: 7 * CHUNK + 7 }, (_, number) => `"${number}"`);
const first = [1, 2] as const;
/** Chunks of versions. */
const MOST_KEPT = 5;

/** An index of records that the state has, which counts how often it is asked for IDs and for versions. */
function indexOf(saved: readonly string[], versions = new Map<number, Uint8Array>()) {
  const asked = { count: 0, versions: 0 };
  const records = {
    count: saved.length,
    ids(chunk: number) {
      asked.count += 1;
      return saved.slice(chunk * CHUNK, (chunk + 1) * CHUNK).join('\n');
    },
    versions(chunk: number) {
      asked.versions += 1;
      return versions.get(chunk);
    },
  };
  return { index: new RecordIndex(7, records, MOST_KEPT), asked };
}

const versionOf = (index: RecordIndex, text: string) =>
  index.versionsOf(new EncodedTexts().encode([text]))[0] ?? GONE;

it('knows versions that are saved and have left its memory, and those that are not', { tags: 'slow' }, () => {
  const stored = new Map<number, Uint8Array>();
  const { index, asked } = indexOf([], stored);
  const changed = new Set<number>();
  expect(ids.every((id, number) => index.numberOf(id, first) === number)).toBe(true);
  for (let chunk = 0; chunk <= 7; chunk += 1) changed.add(chunk);
  const save = () => {
    for (const chunk of changed) stored.set(chunk, index.versions(chunk).slice());
    index.saved(changed);
    changed.clear();
  };
  save();
  expect(stored.get(7)?.length).toBe(7 * 8);
  const gone = [0, CHUNK - 1, CHUNK, 6 * CHUNK, ids.length - 1];
  for (const number of gone) {
    index.setVersion(number, GONE);
    changed.add(Math.floor(number / CHUNK));
  }
  // Reads more chunks than are kept, twice, before and after what has changed is saved.
  const wrong = () =>
    [...ids.keys()].filter((number) => !index.hasVersion(number, gone.includes(number) ? GONE : first));
  expect(wrong()).toEqual([]);
  save();
  asked.versions = 0;
  expect(wrong()).toEqual([]);
  // It keeps none of them in memory that it had to write.
  expect(asked.versions).toBe(8);
  expect(index.numberOf('"new"', versionOf(index, '{}'))).toBe(ids.length);
  expect(index.hasVersion(ids.length, versionOf(index, '{}'))).toBe(true);
  expect(index.hasVersion(ids.length - 1, GONE)).toBe(true);

  const { index: read } = indexOf(ids, stored);
  expect(read.size).toBe(ids.length);
  expect(ids.every((id, number) => read.numberOf(id, GONE) === number)).toBe(true);
  expect(read.hasVersion(CHUNK, GONE)).toBe(true);
  expect(read.hasVersion(CHUNK + 1, first)).toBe(true);
});

it('reads each ID of the state once while records come in its order, and no more than twice after one that does not', () => {
  const { index, asked } = indexOf(ids);
  const chunks = Math.ceil(ids.length / CHUNK);
  expect(ids.every((id, number) => index.numberOf(id, first) === number)).toBe(true);
  expect(asked.count).toBe(chunks);
  expect(index.numberOf('"new"', first)).toBe(ids.length);
  expect(asked.count).toBe(2 * chunks);
});

it('reads no IDs again for records in another order', { tags: 'slow' }, () => {
  const { index, asked } = indexOf(ids);
  const chunks = Math.ceil(ids.length / CHUNK);
  const backwards = [...ids.keys()].reverse();
  expect(backwards.every((number) => index.numberOf(ids[number] ?? '', first) === number)).toBe(true);
  expect(asked.count).toBe(1 + chunks);
});

it('gives each record the number that a plain list of IDs gives, in any order, with records new, gone and repeated', {
  tags: 'slow',
}, () => {
  const saved = ids.slice(0, CHUNK + 50);
  const someWhere = fc.integer({ min: 0, max: saved.length + 20 });
  const run = fc.tuple(someWhere, fc.integer({ min: 1, max: 6 }));
  fc.assert(
    fc.property(fc.array(run, { maxLength: 30 }), (runs) => {
      const { index } = indexOf(saved);
      const plain = [...saved];
      for (const [start, length] of runs) {
        for (let number = start; number < start + length; number += 1) {
          const id = `"${number}"`;
          if (!plain.includes(id)) plain.push(id);
          expect(index.numberOf(id, first)).toBe(plain.indexOf(id));
          expect(index.size).toBe(plain.length);
        }
      }
    }),
    { numRuns: 30 },
  );
});

it('distinguishes versions by every character, by their length and by the seed', () => {
  const { index } = indexOf([]);
  const text = '{"id":"ü😀","n":12345}';
  const texts = [
    ...Array.from({ length: 40 }, (_, length) => '\0'.repeat(length)),
    ...Array.from(text, (_, at) => `${text.slice(0, at)}x${text.slice(at + 1)}`),
    text,
    // Longer than what is hashed without more memory, and different at the end only.
    ...['a', 'b'].map((end) => `${'ü'.repeat(100_000)}${end}`),
  ];
  const versions = texts.map((one) => versionOf(index, one).join());
  expect(new Set(versions).size).toBe(texts.length);
  expect(texts.map((one) => versionOf(index, one).join())).toEqual(versions);
  for (const seed of [8, 7 + 2 ** 32]) {
    const other = new RecordIndex(seed, { count: 0, ids: () => '', versions: () => undefined });
    expect(texts.filter((one, at) => versionOf(other, one).join() === versions[at])).toEqual([]);
  }
});

it('keeps IDs by the chunk that they are for, of any length, and goes on after they are recorded', () => {
  const first = CHUNK - 3;
  const log = new IdLog(first);
  const recorded: string[] = [];
  let number = first;
  const idOf = (at: number) => `"${'é'.repeat(at % 70)}${at}"`;
  const often = Array.from({ length: 9 }, () => 500);
  for (const part of [[2, 1, ...often], [0], [7], [3 * CHUNK, 1], [CHUNK + 5]]) {
    for (const count of part) {
      log.add(Array.from({ length: count }, (_, at) => idOf(number + at)));
      number += count;
    }
    for (const { chunk, ids, count } of log.chunks()) {
      expect(chunk).toBe(Math.floor((first + recorded.length) / CHUNK));
      const some = Buffer.from(ids).toString().split('\n');
      expect(some).toHaveLength(count);
      recorded.push(...some);
    }
    log.clear();
  }
  expect(recorded).toEqual(Array.from({ length: number - first }, (_, at) => idOf(first + at)));
});
