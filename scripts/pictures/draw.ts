/**
 * Draws the pictures of the README from what payctl prints: `node scripts/pictures/draw.ts`, after a build. With `--check` it
 * writes nothing and fails where a picture is out of date.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandInTerminal } from '../../test/harness/in-terminal.ts';
import { SEED_DAY } from '../../test/harness/seed-day.ts';
import { type WrittenFile, writeOrCheck } from '../written-files.ts';
import { THEMES, terminalSvg } from './terminal-svg.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const COLUMNS = 80;
/** The escape sequence that erases the progress line. */
const ERASED_LINE = '\r\u001b[2K';

type Picture = { readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> };

/** The command line of each picture, on a new account. */
const PICTURES: Readonly<Record<string, Picture>> = {
  buyers: { args: ['buyers', 'list', '--profile', 'emulator', '--limit', '6'] },
  error: {
    args: ['payment-methods', 'list'],
    env: { PAYCTL_PROFILE: 'emulator', PAYCTL_TOKEN: 'not-a-token' },
  },
  doctor: { args: ['doctor', '--profile', 'emulator'] },
};

/** The files of all pictures as they are to be now. */
export function drawPictures(): WrittenFile[] {
  return Object.entries(PICTURES).flatMap(([name, picture]) => {
    const screen = `$ payctl ${picture.args.join(' ')}\n${screenOf(picture)}`;
    return Object.entries(THEMES).map(
      ([themeName, theme]): WrittenFile => [
        `docs/pictures/${name}-${themeName}.svg`,
        terminalSvg(screen, COLUMNS, theme),
      ],
    );
  });
}

/** The output of the command on a terminal of 80 columns. Values that differ between runs are replaced by examples. */
function screenOf({ args, env }: Picture): string {
  // As short as homes are: where lines break depends on it, and other folders for temporary files have longer names.
  const home = mkdtempSync('/tmp/');
  try {
    const words = [process.execPath, join(PROJECT, 'bin', 'run.js'), ...args];
    const [program = '', ...rest] = commandInTerminal(words, { columns: COLUMNS, withStderr: true }, '');
    const { stdout } = spawnSync(program, rest, {
      env: {
        PATH: process.env.PATH,
        HOME: home,
        TERM: 'xterm',
        TZ: 'UTC',
        PAGER: 'cat',
        PAYCTL_EMULATOR_UNTIL: SEED_DAY,
        ...env,
      },
      encoding: 'utf8',
    });
    return withExamples(stdout, home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function withExamples(screen: string, home: string): string {
  return screen
    .split('\n')
    .map((line) => line.split(ERASED_LINE).at(-1))
    .join('\n')
    .replaceAll(home, '~')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:4010')
    .replace(/\b\d+ ms\b/g, '21 ms')
    .replace(/--cursor[ =][\w-]{40,}/g, '--cursor 66npCqCjnPFLSU6K7Vri6VswLDE3NTcwNjM3')
    .replace(/(request ID\s)[\da-f-]{36}/g, '$1f3428893-6890-430a-b696-7665603dd530')
    .replace(/(key ID\s)[\w-]{43}/g, '$1mbnL3qHhryN8RVxHUg9LGRRWbpWLA5PomrnHqahDNz4');
}

if (import.meta.main) writeOrCheck(drawPictures());
