import { expect, it } from 'vitest';
import { chunkGroups, unusedPatterns } from '../../scripts/chunks.ts';

/** A module for each pattern of the chunk `colour`, which has one. */
const CHALK = '/project/node_modules/chalk/source/index.js';

it('an unused pattern is named with its chunk', () => {
  const unused = unusedPatterns([]);
  expect(unused).toContain(String.raw`colour: /node_modules\/chalk\//`);
  expect(unused.length - unusedPatterns([CHALK]).length).toBe(1);
});

it('paths of Windows match like all others', () => {
  expect(unusedPatterns([CHALK.replaceAll('/', '\\')])).toEqual(unusedPatterns([CHALK]));
});

it('a module belongs to the first chunk that takes it, and to no other', () => {
  const takers = chunkGroups().filter(({ test }) => typeof test === 'function' && test(CHALK));
  expect(takers.map(({ name }) => name)).toEqual(['colour']);
});

it('a module that no pattern names belongs to no chunk', () => {
  expect(
    chunkGroups().filter(({ test }) => typeof test === 'function' && test('/project/src/main.ts')),
  ).toEqual([]);
});
