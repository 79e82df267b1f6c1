import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { copyFileSync, existsSync, globSync, readFileSync, readlinkSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, Writable } from 'node:stream';
import { followProcess, type RunningProcess } from '../harness/follow-process.ts';

const SCRIPT = join(import.meta.dirname, 'wine.sh');
const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');

/** Why programs for Windows cannot be run on this machine; undefined if they can. */
export const NO_WINE =
  process.getuid?.() !== 0
    ? 'Wine is run as root'
    : existsSync(join(cache, 'payctl-tests', 'wine', 'ready'))
      ? undefined
      : 'there is no Wine; as root on Debian, test/foreign/wine.sh get';

/** The command that runs a program for Windows, with `folder` as its `Z:\\w`. */
export function runInWine(folder: string, words: readonly string[]): string[] {
  return [SCRIPT, 'run', folder, ...words];
}

/** What a program for Windows is started with; `program` is a path of Windows, `verbatim` leaves the quoting to the caller. */
export type WindowsProgram = {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly verbatim?: boolean;
};

/** A Windows that has started. */
export type Wine = {
  /** The path of a file in the folder, as Windows names it. */
  named(path: string): string;
  /** Starts a program; its `SIGINT` is Ctrl-C. */
  start(program: WindowsProgram, stdin?: string): RunningProcess;
  close(): Promise<void>;
};

type Told = {
  readonly id: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly error?: string;
  readonly code?: number | null;
  readonly signal?: NodeJS.Signals | null;
};

/** Starts Wine, with `folder` as a folder of Windows in which the files of a test are, and the given Node for Windows in it. */
export async function startWine(folder: string, node: string): Promise<Wine> {
  copyFileSync(node, join(folder, 'node.exe'));
  copyFileSync(join(import.meta.dirname, 'wine-agent.cjs'), join(folder, 'agent.cjs'));
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { PATH: process.env.PATH, XDG_CACHE_HOME: cache };
  const [command = '', ...words] = runInWine(folder, ['Z:\\w\\node.exe', 'Z:\\w\\agent.cjs', `${port}`]);
  // Node under Wine takes files for its output, but no pipes of Unix.
  const wine = spawn(command, words, { env, stdio: 'ignore' });
  const gone = once(wine, 'exit');
  const socket = await Promise.race([
    once(server, 'connection').then(([connection]) => connection as Socket),
    gone.then(() => Promise.reject(new Error('Wine did not start'))),
  ]);
  server.close();
  const tell = (message: object) => void socket.write(`${JSON.stringify(message)}\n`);
  const programs = new Map<number, Program>();
  createInterface({ input: socket }).on('line', (line) => {
    const told: Told = JSON.parse(line);
    programs.get(told.id)?.hear(told);
  });
  let last = 0;
  return {
    named: (path) => `Z:\\w\\${relative(folder, path).replaceAll('/', '\\')}`,
    start(program, stdin = '') {
      last += 1;
      const id = last;
      const interrupt = () => interruptWindowsProgram(wine.pid ?? 0, program);
      const started = new Program((message) => tell({ id, ...message }), interrupt);
      programs.set(id, started);
      tell({ id, start: program });
      started.stdin.end(stdin);
      return followProcess(started);
    },
    async close() {
      socket.destroy();
      wine.kill('SIGKILL');
      await gone;
    },
  };
}

/** Stands for a program that the agent has started. */
class Program extends EventEmitter {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly stdin: Writable;

  readonly #tell: (message: object) => void;
  readonly #interrupt: () => void;

  constructor(tell: (message: object) => void, interrupt: () => void) {
    super();
    this.#tell = tell;
    this.#interrupt = interrupt;
    this.stdin = new Writable({
      write: (chunk: Buffer, _, done) => {
        tell({ stdin: chunk.toString('base64') });
        done();
      },
      final: (done) => {
        tell({ end: true });
        done();
      },
    });
  }

  kill(signal: NodeJS.Signals): void {
    if (signal === 'SIGINT') this.#interrupt();
    else this.#tell({ kill: true });
  }

  hear({ stdout, stderr, error, code, signal }: Told): void {
    if (stdout !== undefined) this.stdout.write(Buffer.from(stdout, 'base64'));
    if (stderr !== undefined) this.stderr.write(Buffer.from(stderr, 'base64'));
    if (error !== undefined) this.emit('error', new Error(error));
    if (code !== undefined) {
      this.stdout.end();
      this.stderr.end();
      // Their last bytes arrive first.
      setImmediate(() => this.emit('close', code, signal ?? null));
    }
  }
}

/**
 * Wine takes the SIGINT of a process for Ctrl-C at its console. The process is found by its words among those that see the same
 * mounts as `wine`.
 */
function interruptWindowsProgram(wine: number, { program, args }: WindowsProgram): void {
  const mounts = readlinkSync(`/proc/${wine}/ns/mnt`);
  const words = `${[program, ...args].join('\0')}\0`;
  const pids = globSync('[0-9]*', { cwd: '/proc' }).filter((pid) => {
    try {
      return (
        readlinkSync(`/proc/${pid}/ns/mnt`) === mounts &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(words)
      );
    } catch {
      return false; // It has just ended.
    }
  });
  if (pids.length !== 1) throw new Error(`${pids.length} processes are ${words.replaceAll('\0', ' ')}`);
  process.kill(Number(pids[0]), 'SIGINT');
}
