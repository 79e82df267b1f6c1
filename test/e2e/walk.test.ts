import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/emulator/server.ts';
import { answering } from '../harness/answering.ts';
import { freshHome, PAYCTL } from '../harness/run-payctl.ts';
import { freshSecretService } from '../harness/secret-service.ts';
import { SEED_DAY } from '../harness/seed-day.ts';

const root = join(dirname(PAYCTL), '..');

/** Whose home directory the recorded paths are in. */
const HOME_IN_PAGE = '/home/ada';

/** A recorded session: the block of a page that begins with this command, and what is typed in it. */
function recorded(
  page: string,
  first: string,
): { readonly block: string; readonly commands: readonly string[] } {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/```text\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  const block = blocks.find((one) => one.startsWith(`$ payctl ${first}`));
  if (block === undefined) throw new Error(`no block of ${page} begins with payctl ${first}`);
  return { block, commands: block.match(/(?<=^\$ payctl ).*$/gm) ?? [] };
}

/** What is typed at each question of the recorded `auth login`. */
function answers(baseUrl: string): readonly (readonly [question: string, answer: string])[] {
  return [
    ['Profile name [default]: ', 'acme'],
    ['Base URL ({id} is replaced by the instance): ', baseUrl],
    ['Choose [1]: ', ''],
    ['Merchant account (optional): ', 'default'],
    ['Choose [1]: ', '1'],
    ['Private key file: ', '~/.local/share/payctl/emulator/signing-key.pem'],
  ];
}

/** Hides what differs from machine to machine and from day to day. */
function normalized(text: string, homePath: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r', '')
    .replaceAll(homePath, HOME_IN_PAGE)
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:4010')
    .replaceAll(/--cursor[ =]\S+/g, '--cursor CURSOR')
    .replaceAll(/(?<![\w-])[\w-]{43}(?![\w-])/g, 'KEY_ID')
    .replaceAll(/\d+ ms/g, 'N ms')
    .replaceAll(/(request ID )[\da-f-]{36}/g, '$1ID')
    .replaceAll(/\d+ of \d+ testable commands/g, 'N of N testable commands')
    .replaceAll(/; \d+ not tested/g, '; N not tested')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n {20,}|\n {4}(?=\/)/g, ' ');
}

describe('the walk in docs/connecting.md', () => {
  it('is what a terminal shows, from auth login to auth logout', async () => {
    const home = freshHome();
    const emulator = await startEmulator({
      directory: join(home.path, '.local/share/payctl/emulator'),
      until: SEED_DAY,
    });
    onTestFinished(() => emulator.close());
    const keychain = await freshSecretService();
    const env = { ...keychain.env, PAYCTL_CONFIG_DIR: undefined, NO_COLOR: '1' };
    const { block, commands } = recorded('docs/connecting.md', 'auth login');
    expect(commands.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'auth login',
      'doctor',
      'buyers list',
      'profiles use',
      'auth logout',
    ]);
    let transcript = '';
    for (const line of commands) {
      // The home of the test has a longer path than that of the page, so lines with it break elsewhere.
      const columns = line === 'doctor' ? 160 : 80;
      const running = home.start(line.split(' '), { env, terminal: { columns, withStderr: true } });
      const answer = answering(running);
      for (const [question, text] of line === 'auth login' ? answers(emulator.baseUrl) : []) {
        await answer(question, `${text}\r`);
      }
      const run = await running.done;
      expect(run.code, run.stdout).toBe(0);
      transcript += `$ payctl ${line}\n${run.stdout}\n`;
    }
    expect(normalized(transcript, home.path).trimEnd()).toBe(normalized(block, HOME_IN_PAGE).trimEnd());
    expect(keychain.items()).toEqual([]);
  }, 60_000);
});

describe('the day in the README', () => {
  it('is what a terminal shows: a list, a capture, a refund, and one too many', async () => {
    const home = freshHome();
    const imported = await home.shell(
      '$PAYCTL emulator describe > payments.json && $PAYCTL api import payments.json --profile emulator -q',
      { cwd: home.path },
    );
    expect(imported.code, imported.stderr).toBe(0);
    const { block, commands } = recorded('README.md', 'transactions list');
    const env = { PAYCTL_PROFILE: 'emulator', NO_COLOR: '1' };
    const codes: number[] = [];
    let transcript = '';
    for (const line of commands) {
      const terminal = { columns: 80, withStderr: true };
      const { code, stdout } = await home.start(line.split(' '), { env, terminal }).done;
      codes.push(code ?? -1);
      transcript += `$ payctl ${line}\n${stdout}\n`;
    }
    expect(normalized(transcript, home.path).trimEnd()).toBe(normalized(block, home.path).trimEnd());
    expect(codes).toEqual([0, 0, 0, 6]);
  }, 60_000);
});
