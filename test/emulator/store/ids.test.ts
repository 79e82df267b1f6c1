import { expect, it } from 'vitest';
import { createIds } from '../../../src/emulator/store/ids.ts';

it('makes UUIDs that differ and begin alike in runs', () => {
  const next = createIds();
  const ids = Array.from({ length: 64 * 20 }, next);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const runs = Array.from(
    { length: 20 },
    (_, run) => new Set(ids.slice(run * 64, run * 64 + 64).map((id) => id.slice(0, 4))),
  );
  expect(runs.map(({ size }) => size)).toEqual(Array(20).fill(1));
  expect(new Set(runs.flatMap((run) => [...run])).size).toBeGreaterThan(10);
});
