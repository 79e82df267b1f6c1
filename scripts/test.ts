/**
 * Runs all tests, or with `--project unit` those of a project of vitest.config.ts, and with words those of matching files.
 * `-u` updates snapshots. Ends with one line, `N passed, N failed`; the exit code is 0 only when none failed.
 */
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { project: { type: 'string', multiple: true }, update: { type: 'boolean', short: 'u' } },
});
const vitest = await startVitest('test', positionals, { ...values, run: true, watch: false });
const results = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
const count = (state: string) => results.filter((test) => test.result().state === state).length;
// A file that cannot be loaded has no tests to count, and must not count as passed.
const broken = vitest.state
  .getTestModules()
  .filter((module) => module.state() === 'failed' && module.errors().length > 0);
const unhandled = vitest.state.getUnhandledErrors().length;
const failed = count('failed') + broken.length + unhandled;
const passed = count('passed');
const skipped = count('skipped') + count('pending');
await vitest.close();
const note = skipped > 0 ? `${skipped} skipped: what this machine lacks, or takes a minute\n` : '';
process.stdout.write(`\n${note}${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
