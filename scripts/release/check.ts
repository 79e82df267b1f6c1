/**
 * Goes through everything that a release needs, and prints a line for each: whether it is there, and what to do where it is not. Ends with 1
 * if something is missing. What has not been built is skipped.
 */
import { join } from 'node:path';
import { CHECKS } from './checks.ts';

const root = join(import.meta.dirname, '..', '..');
const width = Math.max(...Object.keys(CHECKS).map((name) => name.length));
const counts = { pass: 0, fail: 0, skip: 0 };
for (const [name, check] of Object.entries(CHECKS)) {
  const { outcome, note } = await check(root);
  counts[outcome] += 1;
  process.stdout.write(`${outcome}  ${name.padEnd(width)}  ${note}\n`);
}
process.stdout.write(`${counts.pass} passed, ${counts.fail} failed, ${counts.skip} skipped\n`);
if (counts.fail > 0) process.exitCode = 1;
