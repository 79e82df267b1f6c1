import { runInProcess } from '../commands/run-in-process.ts';
import type { Home } from '../harness/run-payctl.ts';
import * as programs from '../harness/run-payctl.ts';

/**
 * Homes for a file that runs the same commands over and over: the first run of each command (of each two first words) is the built
 * program, and each further one runs within the test, from the sources, in a tenth of the time. With `PAYCTL_LONG_TESTS=1` all are
 * the program, as are always those of `start` and `shell`, and those with an option that only a process has, such as a terminal.
 * `firstAsProgram: false` is for tests of what commands are given, of which each runs as the program elsewhere.
 */
export function quickHomes({ firstAsProgram = true } = {}): Pick<typeof programs, 'useHome' | 'freshHome'> {
  const ran = new Set<string>();
  const quick = (home: Home): Home => ({
    ...home,
    async payctl(args, options = {}) {
      const { env: more, stdin = '', ...ofProcess } = options;
      const command = args.slice(0, 2).join(' ');
      const isFirst = firstAsProgram && !ran.has(command);
      ran.add(command);
      const isProgram = isFirst || process.env.PAYCTL_LONG_TESTS === '1' || Object.keys(ofProcess).length > 0;
      if (isProgram) return await home.payctl(args, options);
      const variables = Object.entries({ ...home.env, ...more });
      const env = Object.fromEntries(
        variables.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
      );
      return { ...(await runInProcess(args, { env, stdin: Buffer.from(stdin) })), signal: null };
    },
  });
  return {
    useHome: () => quick(programs.useHome()),
    freshHome: (options) => quick(programs.freshHome(options)),
  };
}
