import { defineConfig } from 'vitest/config';
import { TAGS } from '../../vitest.config.ts';

/** The tests that may find a mutant: those that ./run.ts names. */
export default defineConfig({
  test: {
    include: [process.env.MUTATION_TESTS ?? ''],
    setupFiles: ['test/harness/fixed-seeds.ts'],
    tags: TAGS,
    // A mutant that waits forever fails its test, which is cheaper than having its whole process ended from outside.
    testTimeout: 10_000,
    hookTimeout: 10_000,
  },
});
