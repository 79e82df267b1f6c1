import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { useHome } from '../harness/run-payctl.ts';
import { useEmulator } from './shared-emulator.ts';

const root = join(import.meta.dirname, '../..');
const home = useHome();
useEmulator(home);

/** Every example of every command's help. */
async function helpExamples(): Promise<string[]> {
  const files = globSync('src/commands/**/*.ts', { cwd: root }).sort();
  const commands = await Promise.all(files.map((file) => import(pathToFileURL(join(root, file)).href)));
  return commands.flatMap(({ default: command }) =>
    command.examples.map((example: { command: string }) => example.command),
  );
}

/** Every line of the README's shell blocks that a reader can type without an account. */
function readmeExamples(): string[] {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  return blocks
    .flatMap((block) => block.trim().split('\n'))
    .filter((line) => line.includes('--profile emulator'));
}

/** What serves until it is stopped, and what ends such a service's data, have tests of their own. */
const runs = (line: string) => !/^payctl emulator (start|reset)/.test(line);

/** A complaint of payctl, of the shell, or of a program that the example pipes to. */
const COMPLAINT = /^(Error|\S*(sh|jq|head|curl)): /m;

/** Examples that need a profile, or ask on a terminal, have tests of their own. */
const standsAlone = (line: string) =>
  runs(line) &&
  !/^payctl (auth (login|logout|status$)|profiles (show$|delete|set sandbox --unset))/.test(line);

async function run(line: string) {
  writeFileSync(join(home.path, 'shipping.json'), '{"last_name":"Lovelace"}');
  return await home.shell(`payctl() { $PAYCTL "$@"; }; ${line}`, { cwd: home.path });
}

describe('the examples of the help', async () => {
  it.each((await helpExamples()).filter(standsAlone))('%s', async (line) => {
    const { code, stderr } = await run(line);
    expect(code, stderr).toBe(0);
    expect(stderr).not.toMatch(COMPLAINT);
  });
});

describe('the examples of the README', () => {
  it.each(readmeExamples())('%s', async (line) => {
    const { code, stdout } = await run(line);
    expect(code).toBe(0);
    expect(stdout !== '' || line.includes('>')).toBe(true);
  });
});
