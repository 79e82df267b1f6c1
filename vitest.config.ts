import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 20_000,
    maxWorkers: 2,
    hookTimeout: 30_000,
  },
});
