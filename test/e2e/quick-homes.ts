import { runInProcess } from '../commands/run-in-process.ts';
import type { Home } from '../harness/run-payctl.ts';
import * as programs from '../harness/run-payctl.ts';

/**
 * Homes for a file that runs the same commands over and over: the first run of each command (of each two first words) is the built
 * program, and each further one runs within the test, from the sources, in a tenth of the time. With `PAYCTL_LONG_TESTS=1` all are
 * the program, as are always those of `start` and `shell`, and those with an option that only a process has, such as a terminal. Use
 * `start` where several processes matter, or what libraries read from the environment (keychains, traces).
 * `firstAsProgram: false` is for tests of what commands are given, of which each runs as the program elsewhere.
 */
export function quickHomes({ firstAsProgram = true } = {}): Pick<typeof programs, 'useHome' | 'freshHome'> {
  const ran = new Set<string>();
  const quick = (home: Home): Home => ({
    ...home,
    async payctl(args, options = {}) {
      const { env: more, stdin = '', cwd, ...ofProcess } = options;
      const command = args.slice(0, 2).join(' ');
      const isFirst = firstAsProgram && !ran.has(command);
      ran.add(command);
      const isProgram = isFirst || process.env.PAYCTL_LONG_TESTS === '1' || Object.keys(ofProcess).length > 0;
      if (isProgram) return await home.payctl(args, options);
      const variables = Object.entries({ ...home.env, ...more });
      const env = Object.fromEntries(
        variables.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
      );
      const run = () => runInProcess(args, { env, stdin: Buffer.from(stdin) });
      return { ...(await (cwd === undefined ? run() : inFolder(cwd, run))), signal: null };
    },
  });
  return {
    useHome: () => quick(programs.useHome()),
    freshHome: (options) => quick(programs.freshHome(options)),
  };
}

/** The folder of this process is that of all its runs, so the next run in one waits for this. */
let running: Promise<unknown> = Promise.resolve();

async function inFolder<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const before = running;
  const { promise, resolve } = Promise.withResolvers<void>();
  running = promise;
  await before;
  const from = process.cwd();
  process.chdir(folder);
  try {
    return await run();
  } finally {
    process.chdir(from);
    resolve();
  }
}
