import { expect, it } from 'vitest';
import { type Operation, operations } from '../../../src/contract/generated/operations.ts';
import { emulatorForAll } from '../test-emulator.ts';

const PAGING = ['cursor', 'limit'];

/** The filters of every list; `any-request.process.test.ts` has those that take one of a few values. */
const FILTERS = Object.values<Operation>(operations)
  .filter(({ isList }) => isList)
  .flatMap((operation) =>
    Object.entries(operation.query)
      .filter(([name, parameter]) => !PAGING.includes(name) && !parameter.enum)
      .map(([name]) => ({ id: operation.id, name, operation })),
  );

const test = emulatorForAll();

it.each(FILTERS)('$id applies $name: no item has a value that nothing has', async ({ operation, name }) => {
  const { path, scopes } = operation;
  const send = async (query: string) => (await test.send(`${path}${query}`, { scopes: [...scopes] })).body;
  const unfiltered = await send('');
  const filtered = await send(`?${name}=404404`);
  expect(filtered.items ?? []).toEqual([]);
  expect(filtered).not.toEqual(unfiltered);
});
