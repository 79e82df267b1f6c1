import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { commandTree } from '../../scripts/help/tree.ts';
import { helpPages } from '../../scripts/help/write.ts';
import { startEmulator } from '../../src/emulator/server.ts';
import { wrapCommand } from '../../src/text/wrap.ts';
import { followProcess } from '../harness/follow-process.ts';
import { PAYCTL } from '../harness/run-payctl.ts';
import { SEED_DAY } from '../harness/seed-day.ts';
import { wordsOf } from '../harness/words-of.ts';
import { quickHomes } from './quick-homes.ts';
import { useEmulator } from './shared-emulator.ts';

const { freshHome, useHome } = quickHomes({ firstAsProgram: false });

const root = join(import.meta.dirname, '../..');
const home = useHome();
useEmulator(home);

const tree = await commandTree(root, '1.2.3');

/** Every example of the help: of the commands, and of the topics. */
const helpExamples = helpPages(tree).flatMap(({ sections }) =>
  sections
    .filter(({ heading }) => heading === 'EXAMPLES')
    .flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'command' ? [block.command] : []))),
);

/** The pages that a new user, or an agent, reads first. */
const PAGES = [
  'README.md',
  'docs/connecting.md',
  'docs/scripts.md',
  'docs/settings.md',
  'share/skills/payctl/SKILL.md',
];

/** Every line of their shell blocks, in their order. */
function pageLines(): readonly string[] {
  const text = PAGES.map((page) => readFileSync(join(root, page), 'utf8')).join('\n');
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  return blocks.flatMap((block) => block.trim().split('\n'));
}

/** What runs until it is stopped or for an hour, and what ends a service's data, have tests of their own. */
const runs = (line: string) =>
  !/^payctl (emulator (start|stop|reset|deliveries get)|(api|audit)-logs tail|webhooks (listen|get|replay|verify|trigger .*--secret)|doctor --webhooks|sync .*--every)/.test(
    line,
  );

/** In the place of the descriptions that users bring: that of payctl's own contract, whose operations the examples name. */
const DESCRIPTION = readFileSync(join(root, 'openapi/openapi.yaml'), 'utf8');

/** The archive of requests that a merchant sent, with the entry that the examples name. */
const FAILED = gzipSync(
  JSON.stringify({ type: 'api-log', id: '5041a892-fb00-4846-8360-690c9631e63e', status_code: 400 }),
);

/** The table that the examples plan. */
const SHIPPING = 'buyer_id,first_name\nef28fde9-5d24-429e-af7b-494ed25fc77c,Ada\n';

/** A complaint of payctl, of the shell, or of a program that the example pipes to. */
const COMPLAINT = /^(Error|\S*(sh|jq|head|curl)): /m;

/** Examples that need a profile, an import or a plan, or ask on a terminal, have tests of their own. */
const standsAlone = (line: string) =>
  runs(line) &&
  !/^payctl (api remove|auth (login|logout|status$)|profiles (show$|use -$|delete|set sandbox --access))/.test(
    line,
  ) &&
  !/^payctl bulk (?!plan)/.test(line);

/** The files that the examples read, or write. */
const FILE = /\.(json|yaml|csv|gz|plan)|\.\//;
const BY_SHELL = /[|<>$"`\\]/;

/** Runs a line in bash, or without it where it does nothing but split words. */
async function run(line: string) {
  const isPlain = line.startsWith('payctl ') && !BY_SHELL.test(line) && !FILE.test(line);
  if (isPlain) return await home.payctl(wordsOf(line).slice(1));
  return await home.shell(`payctl() { $PAYCTL "$@"; }; ${line}`, { cwd: home.path });
}

beforeAll(() => {
  writeFileSync(join(home.path, 'shipping.json'), '{"last_name":"Lovelace"}');
  for (const name of ['openapi.json', 'openapi.yaml', 'old.json', 'new.json']) {
    writeFileSync(join(home.path, name), DESCRIPTION);
  }
  writeFileSync(join(home.path, 'failed.har.gz'), FAILED);
  writeFileSync(join(home.path, 'shipping.csv'), SHIPPING);
});

/** For bash alone. */
const isForBash = (line: string) => line.startsWith('eval ');

/**
 * Words that bash, zsh and fish read alike: bare ones without what any of them expands, single quotes without a backslash,
 * double quotes without an expansion; and between them pipes and files.
 */
const SAME_IN_EVERY_SHELL =
  /^(?:(?:[\w@%+:,./][\w@%+=:,./-]*|-[\w@%+=:,./-]*|'[^'\\!]*'|"[^"\\!$`]*"|[|<>])(?: |$))+$/;

describe('the examples of the help', () => {
  it.each(helpExamples.filter(standsAlone))('%s', async (line) => {
    const { code, stderr } = await run(line);
    expect(code, stderr).toBe(0);
    expect(stderr).not.toMatch(COMPLAINT);
  });

  it('are as many as there are commands at least', () => {
    expect(helpExamples.length).toBeGreaterThanOrEqual(tree.commands.length);
    expect(helpExamples.filter(standsAlone).length).toBeGreaterThan(30);
  });

  it('read alike in bash, zsh and fish', () => {
    const different = helpExamples.filter((line) => !isForBash(line) && !SAME_IN_EVERY_SHELL.test(line));
    expect(different).toEqual([]);
  });

  it.each(['bash', 'zsh', 'fish'])('are no syntax error in %s, where it is installed', (shell) => {
    if (spawnSync(shell, ['-c', 'true']).status !== 0) return;
    const wrong = helpExamples
      .filter((line) => shell === 'bash' || !isForBash(line))
      .filter((line) => spawnSync(shell, ['-n', '-c', wrapCommand(line, 40).join('\n')]).status !== 0);
    expect(wrong).toEqual([]);
  });
});

describe('the lines of the README and of the pages for new users', () => {
  /** What installs payctl or asks on a terminal runs in tests of its own; the emulator runs while the lines that follow do. */
  const lines = pageLines().filter(
    (line) => !/^(npm |payctl (auth login|emulator start|webhooks (listen|replay)))/.test(line),
  );

  it('need no comment, which zsh would take for arguments', () => {
    expect(pageLines().filter((line) => line.includes('#'))).toEqual([]);
  });

  it.each([
    ['bash', ['-o', 'pipefail', '-c']],
    ['zsh', ['-f', '-o', 'pipefail', '-c']],
    ['fish', ['--no-config', '-c']],
  ])('run as they are printed, one after the other, in %s, where it is installed', async (shell, flags) => {
    if (spawnSync(shell, ['-c', 'true']).status !== 0) return;
    const home = freshHome();
    const emulator = await startEmulator({
      directory: join(home.path, '.local/share/payctl/emulator'),
      until: SEED_DAY,
    });
    onTestFinished(() => emulator.close());
    const bin = join(home.path, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'payctl'), `#!/bin/sh\nexec ${process.execPath} ${PAYCTL} "$@"\n`, {
      mode: 0o755,
    });
    const script = lines.map((line, index) => `${line} || exit ${100 + index}`).join('\n');
    const program = script.replaceAll('http://127.0.0.1:4010', emulator.baseUrl);
    const { XDG_CACHE_HOME } = home.env;
    const env = { PATH: `${bin}:${home.env.PATH}`, HOME: home.path, XDG_CACHE_HOME };
    // Not spawnSync: the emulator runs in this process.
    const child = spawn(shell, [...flags, program], { env, cwd: home.path });
    child.stdin.end();
    const { code, stdout, stderr } = await followProcess(child).done;
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(COMPLAINT) });
    expect(stdout).toContain('CUST_GD-249');
  });
});
