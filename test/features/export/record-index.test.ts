import { expect, it } from 'vitest';
import { CHUNK, GONE, RecordIndex } from '../../../src/features/export/record-index.ts';

const ids = Array.from({ length: 70 * CHUNK + 7 }, (_, number) => `"${number}"`);
const first = [1, 2] as const;

it('knows versions that are saved and have left its memory, and those that are not', () => {
  const stored = new Map<number, Uint8Array>();
  const index = new RecordIndex(7, (chunk) => stored.get(chunk));
  const changed = new Set<number>();
  expect(ids.every((id, number) => index.numberOf(id, first) === number)).toBe(true);
  for (let chunk = 0; chunk <= 70; chunk += 1) changed.add(chunk);
  const save = () => {
    for (const chunk of changed) stored.set(chunk, index.versions(chunk).slice());
    index.saved(changed);
    changed.clear();
  };
  save();
  expect(stored.get(70)?.length).toBe(7 * 8);
  const gone = [0, CHUNK - 1, CHUNK, 69 * CHUNK, ids.length - 1];
  for (const number of gone) {
    index.setVersion(number, GONE);
    changed.add(Math.floor(number / CHUNK));
  }
  // Reads more chunks than are kept, twice, before and after what has changed is saved.
  const wrong = () =>
    [...ids.keys()].filter((number) => !index.hasVersion(number, gone.includes(number) ? GONE : first));
  expect(wrong()).toEqual([]);
  save();
  expect(wrong()).toEqual([]);
  expect(index.numberOf('"new"', index.versionOf('{}'))).toBe(ids.length);
  expect(index.hasVersion(ids.length, index.versionOf('{}'))).toBe(true);
  expect(index.hasVersion(ids.length - 1, GONE)).toBe(true);

  const read = new RecordIndex(7, (chunk) => stored.get(chunk));
  for (let from = 0; from < ids.length; from += CHUNK)
    read.addSaved(ids.slice(from, from + CHUNK).join('\n'));
  expect(read.size).toBe(ids.length);
  expect(ids.every((id, number) => read.numberOf(id, GONE) === number)).toBe(true);
  expect(read.hasVersion(CHUNK, GONE)).toBe(true);
  expect(read.hasVersion(CHUNK + 1, first)).toBe(true);
});

it('distinguishes versions by every character, by their length and by the seed', () => {
  const index = new RecordIndex(7, () => undefined);
  const text = '{"id":"ü😀","n":12345}';
  const texts = [
    ...Array.from({ length: 40 }, (_, length) => '\0'.repeat(length)),
    ...Array.from(text, (_, at) => `${text.slice(0, at)}x${text.slice(at + 1)}`),
    text,
    // Longer than what is hashed without more memory, and different at the end only.
    ...['a', 'b'].map((end) => `${'ü'.repeat(100_000)}${end}`),
  ];
  const versions = texts.map((one) => index.versionOf(one).join());
  expect(new Set(versions).size).toBe(texts.length);
  expect(texts.map((one) => index.versionOf(one).join())).toEqual(versions);
  for (const seed of [8, 7 + 2 ** 32]) {
    const other = new RecordIndex(seed, () => undefined);
    expect(texts.filter((one, at) => other.versionOf(one).join() === versions[at])).toEqual([]);
  }
});
