import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { followProcess, type RunningProcess } from '../../harness/follow-process.ts';
import { freePort } from '../../harness/free-port.ts';
import { PAYCTL, useHome } from '../../harness/run-payctl.ts';

const page = join(import.meta.dirname, '../../../docs/webhooks.md');
const home = useHome();

/** The ports of the page, which may be in use where the test runs. */
const PORTS = ['4100', '3000', '4010'];

/** What runs in a terminal of its own, by what its command begins with. */
const TERMINALS: Readonly<Record<string, string>> = {
  'payctl emulator start': 'emulator',
  'payctl webhooks listen': 'listener',
  'node receiver.mjs': 'receiver',
};

/** A command and what it prints; or what a terminal has printed since it was shown last. */
const BLOCK = /```console\n(?:\$ (.*)|# The (\w+))\n([\s\S]*?)```/g;
const PROGRAM = /```\w+ title="([\w.]+)"\n([\s\S]*?)```/g;

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** Replaces what differs from run to run by what the page shows. */
class Placeholders {
  readonly #page: string;
  readonly #ports: ReadonlyMap<string, string>;
  readonly #ids = new Map<string, string>();

  constructor(text: string, ports: ReadonlyMap<string, string>) {
    this.#page = text;
    this.#ports = ports;
  }

  /** A command of the page, as it has to be typed in this run. */
  typed(command: string): string {
    let line = command;
    for (const [actual, shown] of this.#ids) line = line.replaceAll(shown, actual);
    for (const [shown, actual] of this.#ports)
      line = line.replaceAll(new RegExp(`\\b${shown}\\b`, 'g'), actual);
    return line;
  }

  shown(output: string): string {
    let text = output;
    for (const [shown, actual] of this.#ports)
      text = text.replaceAll(new RegExp(`\\b${actual}\\b`, 'g'), shown);
    return text
      .replaceAll(UUID, (id) => this.#idFor(id))
      .replaceAll(home.path, '~')
      .replaceAll(
        /\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(\.\d+)?/g,
        (_, between) => `2026-03-01${between}10:00:00`,
      )
      .replaceAll(/\b\d+(\.\d+)? ms\b/g, '3 ms')
      .replaceAll(/"milliseconds": ?\d+/g, '"milliseconds":3')
      .replaceAll(/\b17\d{8}\b/g, '1772359200')
      .replaceAll(/\b[0-9a-f]{64}\b/g, '5d61…9c')
      .replaceAll('\t', '  ');
  }

  #idFor(id: string): string {
    if (this.#page.includes(id)) return id;
    const number = String(this.#ids.size + 1).padStart(12, '0');
    const known = this.#ids.get(id) ?? `e0000000-0000-4000-8000-${number}`;
    this.#ids.set(id, known);
    return known;
  }
}

/** A process of the page, and how much of its output has been shown. */
type Terminal = { readonly running: RunningProcess; seen: { stdout: number; stderr: number } };

async function fresh({ running, seen }: Terminal): Promise<string> {
  const [stdout, stderr] = await Promise.all([running.sees('stdout', ''), running.sees('stderr', '')]);
  return stdout.slice(seen.stdout) + stderr.slice(seen.stderr);
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the page about webhooks', () => {
  it(`shows what the programs print${hasPython ? '' : ' (skips Python: there is none)'}`, async () => {
    const text = readFileSync(page, 'utf8');
    const ports = new Map<string, string>();
    for (const port of PORTS) ports.set(port, String(await freePort()));
    const placeholders = new Placeholders(text, ports);
    for (const [, name = '', content = ''] of text.matchAll(PROGRAM))
      writeFileSync(join(home.path, name), placeholders.typed(content));
    const terminals = new Map<string, Terminal>();
    const show = async (terminal: Terminal, shown: string) => {
      // What has to come may take a while: the wait after a failed attempt is 5 seconds.
      let before = '';
      for (let still = 0, wait = 0; wait < 80 && still < 10; wait += 1) {
        await sleep(100);
        const now = placeholders.shown(await fresh(terminal));
        if (now === shown && shown !== '') break;
        const mayEnd = now !== '' || (shown === '' && !process.env.UPDATE_PAGES);
        still = now === before && mayEnd ? still + 1 : 0;
        before = now;
      }
      const output = await fresh(terminal);
      const { running } = terminal;
      terminal.seen = {
        stdout: (await running.sees('stdout', '')).length,
        stderr: (await running.sees('stderr', '')).length,
      };
      return output;
    };
    const run = async (command: string, shown: string) => {
      const line = placeholders.typed(command);
      const [, name] = Object.entries(TERMINALS).find(([start]) => command.startsWith(start)) ?? [];
      if (name === undefined) {
        const { stdout, stderr } = await home.shell(line.replaceAll('payctl ', '$PAYCTL '), {
          cwd: home.path,
        });
        return stdout + stderr;
      }
      const words = line.replaceAll('payctl ', '$PAYCTL ');
      const env = { ...home.env, PAYCTL: `${process.execPath} ${PAYCTL}` };
      const child = spawn('bash', ['-c', `exec ${words}`], { env, cwd: home.path });
      onTestFinished(() => void child.kill('SIGKILL'));
      const terminal = { running: followProcess(child), seen: { stdout: 0, stderr: 0 } };
      terminals.set(name, terminal);
      return await show(terminal, shown);
    };
    const pieces: string[] = [];
    let end = 0;
    const put = (block: RegExpExecArray, head: string, output: string) => {
      pieces.push(text.slice(end, block.index), `\`\`\`console\n${head}\n${output}\`\`\``);
      end = block.index + block[0].length;
    };
    for (const block of text.matchAll(BLOCK)) {
      const [, command, terminalName, shown = ''] = block;
      if (command?.includes('python3') && !hasPython) continue;
      if (command === undefined) {
        const terminal = terminals.get(terminalName ?? '');
        if (!terminal) throw new Error(`the page starts no ${terminalName}`);
        if (shown.startsWith('^C')) {
          terminal.running.kill('SIGINT');
          await terminal.running.done;
          continue;
        }
        const output = placeholders.shown(await show(terminal, shown));
        put(block, `# The ${terminalName}`, output);
        continue;
      }
      const output = placeholders.shown(await run(command, shown));
      put(block, `$ ${command}`, output);
    }
    const now = pieces.join('') + text.slice(end);
    if (process.env.UPDATE_PAGES) writeFileSync(page, now);
    expect(now).toBe(text);
  }, 120_000);
});
