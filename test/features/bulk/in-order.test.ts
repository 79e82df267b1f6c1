import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inOrder } from '../../../src/features/bulk/plan/in-order.ts';

it('throws the error of an item where its result is taken, although the next item is late', async () => {
  const late = async function* () {
    yield 1;
    // Long enough for Node to find a rejection that nobody handles, which ends the test run.
    await setTimeout(20);
    yield 2;
  };
  const results: number[] = [];
  const taken = async () => {
    for await (const result of inOrder(late(), 8, async (item) => await fail(item))) results.push(result);
  };
  await expect(taken()).rejects.toThrow('item 1');
  expect(results).toEqual([]);
});

async function fail(item: number): Promise<number> {
  throw new Error(`item ${item}`);
}
