/**
 * Runs all tests, or with `--project unit` those of a project of vitest.config.ts, and with words those of matching files. `--quick` runs
 * the unit tests that are not tagged `slow`; `-u` updates snapshots.
 * Names the skipped tests and ends with one line, `N passed, N failed, N skipped`; the exit code is 0 only when none failed.
 */
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    project: { type: 'string', multiple: true },
    quick: { type: 'boolean' },
    update: { type: 'boolean', short: 'u' },
  },
});
const { quick: isQuick, ...given } = values;
// None of these tests waits, so more processes than a small machine has cores would take longer.
const quick = isQuick && { project: ['unit'], tagsFilter: ['!slow'], maxWorkers: 2 };
const vitest = await startVitest('test', positionals, { ...given, ...quick, run: true, watch: false });
const results = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
const count = (state: string) => results.filter((test) => test.result().state === state).length;
// A file that cannot be loaded has no tests to count, and must not count as passed.
const broken = vitest.state
  .getTestModules()
  .filter((module) => module.state() === 'failed' && module.errors().length > 0);
const unhandled = vitest.state.getUnhandledErrors().length;
const failed = count('failed') + broken.length + unhandled;
const passed = count('passed');
const skipped = results.filter(
  (test) => ['skipped', 'pending'].includes(test.result().state) && !(isQuick && test.tags.includes('slow')),
);
await vitest.close();
const names = skipped.map((test) => `skipped: ${test.module.relativeModuleId} > ${test.fullName}\n`).join('');
const andSkipped = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
process.stdout.write(`\n${names}${passed} passed, ${failed} failed${andSkipped}\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
