import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject, onTestFinished } from 'vitest';
import { followProcess, type Run, type RunningProcess } from './follow-process.ts';
import { commandInTerminal, type TerminalSize } from './in-terminal.ts';
import { SEED_DAY } from './seed-day.ts';

/** The program as a user starts it. */
export const PAYCTL = join(import.meta.dirname, '../../bin/run.js');

/** How a run differs from `payctl ARGS` in an empty environment with pipes. */
export type RunOptions = {
  /** Variables in addition to those of the home; `undefined` takes one of these away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Text for standard input, which is empty otherwise. */
  readonly stdin?: string;
  /** The executable that runs bin/run.js. Default: the Node that runs the tests. */
  readonly node?: string;
  /** Flags for Node itself. */
  readonly nodeFlags?: readonly string[];
  /** Default: bin/run.js of this project. */
  readonly program?: string;
  /** Makes stdout a terminal of this size; stderr stays apart unless the size says otherwise. */
  readonly terminal?: TerminalSize;
  readonly cwd?: string;
};

/** A user account that nobody has used: its directories, and payctl run in it, with code that was compiled in other homes. */
export type Home = {
  readonly path: string;
  /** What PAYCTL_CONFIG_DIR names. */
  readonly configDirectory: string;
  /** Every variable of a run; nothing is inherited but PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs payctl to its end. */
  payctl(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** Starts payctl; the end of the present test kills what is left of it. */
  start(args: readonly string[], options?: RunOptions): RunningProcess;
  /** Runs a command line in bash with the home's environment; `$PAYCTL` in it is payctl. */
  shell(line: string, options?: Pick<RunOptions, 'env' | 'cwd'>): Promise<Run>;
};

/** Makes a home for the tests of a file, or of a `describe`, and deletes it after the last one. */
export function useHome(): Home {
  const home = createHome();
  afterAll(() => rmSync(home.path, { recursive: true, force: true }));
  return home;
}

/** Makes a home for one test, which is deleted at its end. A cold one has no compiled code of earlier runs, and keeps its own. */
export function freshHome({ isCold = false } = {}): Home {
  const home = createHome({ isCold });
  onTestFinished(() => rmSync(home.path, { recursive: true, force: true }));
  return home;
}

function createHome({ isCold = false } = {}): Home {
  const path = mkdtempSync(join(tmpdir(), 'payctl-home-'));
  const configDirectory = join(path, 'payctl');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: path,
    TZ: 'UTC',
    USERPROFILE: path,
    TMPDIR: join(path, 'tmp'),
    XDG_CONFIG_HOME: join(path, '.config'),
    XDG_DATA_HOME: join(path, '.local/share'),
    XDG_CACHE_HOME: isCold ? join(path, '.cache') : join(inject('sharedFolder'), 'cache'),
    PAYCTL_CONFIG_DIR: configDirectory,
    PAYCTL_EMULATOR_UNTIL: SEED_DAY,
  };
  mkdirSync(env.TMPDIR);
  const start: Home['start'] = (args, options = {}) => {
    const running = launch(args, { ...options, env: { ...env, ...options.env } });
    onTestFinished(() => running.kill('SIGKILL'));
    return running;
  };
  return {
    path,
    configDirectory,
    env,
    start,
    payctl: (args, options = {}) => launch(args, { ...options, env: { ...env, ...options.env } }).done,
    shell: (line, options = {}) => {
      const variables = { ...env, PAYCTL: `${process.execPath} ${PAYCTL}`, ...options.env };
      const child = spawn('bash', ['-o', 'pipefail', '-c', line], { env: variables, cwd: options.cwd });
      child.stdin.end();
      return followProcess(child).done;
    },
  };
}

function launch(args: readonly string[], options: RunOptions): RunningProcess {
  const { node = process.execPath, nodeFlags = [], program = PAYCTL, terminal, cwd } = options;
  const env = Object.fromEntries(
    Object.entries(options.env ?? {}).filter(([, value]) => value !== undefined),
  );
  const words = [node, ...nodeFlags, program, ...args];
  if (terminal === undefined) {
    const [command = '', ...rest] = words;
    const child = spawn(command, rest, { env, cwd });
    // A program that ends without reading its input is no fault of the test.
    child.stdin.on('error', () => {});
    child.stdin.end(options.stdin ?? '');
    return followProcess(child);
  }
  const folder = mkdtempSync(join(tmpdir(), 'payctl-terminal-'));
  const stderrFile = join(folder, 'stderr');
  closeSync(openSync(stderrFile, 'w'));
  const [command = '', ...rest] = commandInTerminal(words, terminal, stderrFile);
  const child = spawn(command, rest, { env: { TERM: 'xterm-256color', PAYCTL_PAGER: 'cat', ...env }, cwd });
  child.stdin.on('error', () => {});
  return followProcess(child, {
    stderrFile,
    cleanUp: () => rmSync(folder, { recursive: true, force: true }),
  });
}
