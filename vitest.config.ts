import { readFileSync, statfsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/**
 * Where Linux has a file system in memory that runs programs and has room, the temporary files of the tests are there: they are
 * thousands, and waiting for a disk takes longer than most tests.
 */
function temporaryFiles(): { TMPDIR?: string } {
  try {
    const options = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8'))?.[1];
    const { bavail, bsize } = statfsSync('/dev/shm');
    const isUsable = options !== undefined && !/\b(noexec|ro)\b/.test(options) && bavail * bsize > 2 ** 31;
    return isUsable ? { TMPDIR: '/dev/shm' } : {};
  } catch {
    return {};
  }
}

// The time limits end tests that hang, on machines that do much else, too. No test passes or fails by how fast it is.
const shared = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  exclude: ['**/node_modules/**'],
  globalSetup: ['test/harness/shared-folder.ts'],
  // Terminals show times in the zone of the machine.
  env: { ...temporaryFiles(), TZ: 'UTC' },
};

/** For the projects that try properties. */
const setupFiles = ['test/harness/fixed-seeds.ts'];

/** For the projects that run the sources within one process. Files share their modules, which makes them start four times as fast. */
const withinProcess = {
  ...shared,
  isolate: false,
  // A process runs hundreds of files: room for what lives as long as a test spares a sixth of their CPU time.
  execArgv: ['--max-semi-space-size=64'],
};

export const TAGS = [{ name: 'slow', description: 'A unit test that takes 50 ms or more.' }];

export default defineConfig({
  test: {
    // One more than the cores of a small machine: many tests wait for a program, a signal or a timer.
    maxWorkers: 3,
    tags: TAGS,
    projects: [
      {
        // Runs the sources alone: no build, no other program, no terminal, no server.
        test: {
          ...withinProcess,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...shared.exclude, 'test/**/*.{server,process}.test.ts', 'test/e2e/**'],
          setupFiles: [...setupFiles, 'test/harness/no-servers.ts'],
        },
      },
      {
        // Runs the sources with servers in the same process: the emulator, or one that a test makes.
        test: { ...withinProcess, name: 'server', include: ['test/**/*.server.test.ts'], setupFiles },
      },
      {
        // Runs the sources with other processes, with a terminal, with thousands of requests, or through long random histories.
        test: { ...shared, name: 'process', include: ['test/**/*.process.test.ts'], setupFiles },
      },
      {
        // Runs the built program. No file replaces a module, so files share theirs here, too.
        test: { ...shared, name: 'e2e', include: ['test/e2e/**/*.test.ts'], isolate: false },
      },
    ],
  },
});
