import { expect, it } from 'vitest';
import { CHUNK, GONE, RecordIndex, versionOf } from '../../../src/features/export/record-index.ts';

const ids = Array.from({ length: 70 * CHUNK + 7 }, (_, number) => `"${number}"`);
const first = [1, 2] as const;

it('knows versions that are saved and have left its memory, and those that are not', () => {
  const stored = new Map<number, Uint8Array>();
  const index = new RecordIndex((chunk) => stored.get(chunk));
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
  expect(index.numberOf('"new"', versionOf('{}'))).toBe(ids.length);
  expect(index.hasVersion(ids.length, versionOf('{}'))).toBe(true);
  expect(index.hasVersion(ids.length - 1, GONE)).toBe(true);

  const read = new RecordIndex((chunk) => stored.get(chunk));
  for (let from = 0; from < ids.length; from += CHUNK)
    read.addSaved(ids.slice(from, from + CHUNK).join('\n'));
  expect(read.size).toBe(ids.length);
  expect(ids.every((id, number) => read.numberOf(id, GONE) === number)).toBe(true);
  expect(read.hasVersion(CHUNK, GONE)).toBe(true);
  expect(read.hasVersion(CHUNK + 1, first)).toBe(true);
});
