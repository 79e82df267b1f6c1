import { expect, it } from 'vitest';
import { entry, serveLedger } from './copied-ledger.ts';

const DAY = { type: 'string', format: 'date' };

/** The day of a time where clocks are so many hours ahead of UTC. */
const dayIn = (hours: number, time: string) =>
  new Date(Date.parse(time) + hours * 3_600_000).toISOString().slice(0, 10);

it.each([
  ['updated_after', 0],
  ['updated_after', -8],
  ['updated_after', 13],
  ['updated_since', -8],
  ['updated_since', 13],
])('finds what changed on the day of the last change: %s, %i hours ahead of UTC', async (name, hours) => {
  const service = await serveLedger({
    times: { [name]: DAY },
    entries: [entry('a', '2026-03-02T01:00:00Z')],
    filter: (query) => {
      const from = query.get(name) ?? '';
      return ({ updated_at: at }) =>
        name === 'updated_after' ? dayIn(hours, at) > from : dayIn(hours, at) >= from;
    },
  });
  expect(await service.export()).toMatchObject({ code: 0 });
  service.entries.push(entry('b', '2026-03-02T02:30:00Z'));
  const { code, stdout } = await service.sync('-o', 'json');
  expect({ code, items: JSON.parse(stdout).items }).toMatchObject({ code: 0, items: [{ new: 1 }] });
});
