/**
 * Skips the tests that measure how long something takes, known by their names. Sources that hold all their mutants at
 * once are slower by far than the real ones, and such a test is the slowest of its folder.
 */
import { beforeEach } from 'vitest';

const TIMED = /\b(slower than|within (a second|seconds)|noticeable delay|megabyte at once)\b/;

beforeEach(({ task, skip }) => {
  if (TIMED.test(task.name)) skip();
});
