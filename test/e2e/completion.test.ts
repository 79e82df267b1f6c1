import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { TOPICS } from '../../src/cli/routing/catalog/topics.ts';
import { COMPLETION_SCRIPTS, SHELLS } from '../../src/features/completion/scripts.ts';
import { OUTPUT_FORMATS } from '../../src/output/formats.ts';
import { errorObject } from '../harness/error-object.ts';
import { lines } from '../harness/lines.ts';
import { failed, succeeded } from '../harness/outcome.ts';
import { freshHome, PAYCTL, useHome } from '../harness/run-payctl.ts';
import { useEmulator } from './shared-emulator.ts';

const home = useHome();
useEmulator(home);
const root = join(dirname(PAYCTL), '..');
const ask = (...words: string[]) => home.payctl(['__complete', '--', ...words]);
const answer = (...texts: string[]) => succeeded(lines(...texts, ':'));

/** A home with this text as its file of profiles. */
function homeWithProfiles(text: string) {
  const other = freshHome();
  mkdirSync(other.configDirectory, { mode: 0o700 });
  writeFileSync(join(other.configDirectory, 'profiles.json'), text, { mode: 0o600 });
  return other;
}

describe('payctl __complete', () => {
  it('offers the resources of an export, and the command whose name goes on', async () => {
    const lists =
      'api-logs\naudit-logs\nbuyers\ndigital-wallets\npayment-methods\nroles\nwebhook-subscriptions\n';
    const { stdout } = await ask('export', '');
    expect(stdout).toBe(
      `${lists}verify\tRead every file of an export, and compare it with the manifest. Nothing is sent.\n:\n`,
    );
    expect((await ask('sync', 'buyers', '')).stdout).toBe(`${lists}:\n`);
  });

  it.each([
    [['buy'], [`buyers\t${TOPICS.buyers}`]],
    [['buyers', 'list', '--reveal-p'], ['--reveal-pii\tShow personal data instead of ********.']],
    [
      ['audit-logs', 'list', '--action', 'c'],
      ['created', 'canceled', 'captured'],
    ],
    [['buyers', 'list', '--profile', 'em'], ['emulator\tbuilt in']],
  ])('offers what may come next: %j', async (words, candidates) => {
    expect(await ask(...words)).toEqual(answer(...candidates));
  });

  it('names the stored profiles', async () => {
    const other = homeWithProfiles(
      '{"version":1,"active":"eu","profiles":{"eu":{"environment":"production"}}}',
    );
    const run = await other.payctl(['__complete', '--', 'buyers', 'list', '--profile', '']);
    expect(run).toEqual(answer('eu\tproduction, active', 'emulator\tbuilt in'));
  });

  it.each(['{', '{"version":1,"profiles":{"$(touch x)":{}}}'])(
    'offers less, and stays silent, when the profiles are damaged: %s',
    async (text) => {
      const other = homeWithProfiles(text);
      const run = await other.payctl(['__complete', '--', 'buyers', 'list', '--profile', '']);
      expect(run).toEqual(answer('emulator\tbuilt in'));
      const command = await other.payctl(['__complete', '--', 'buy']);
      expect(command).toEqual(answer(`buyers\t${TOPICS.buyers}`));
    },
  );

  it.each([[[]], [['--']], [['--', '\u001b[31m']], [['--', 'buyers', 'list', '--columns', '$(x),']]])(
    'ends with 0 and says nothing on stderr, whatever it is asked: %j',
    async (args) => {
      const run = await home.payctl(['__complete', ...args]);
      expect(run).toMatchObject({ stderr: '', code: 0 });
      expect(run.stdout).toMatch(/^([\w-]+(\t[ -~]+)?\n)*:(nospace)?\n$/);
    },
  );

  it('loads no command and no more than it needs', async () => {
    const file = join(home.path, 'loaded');
    rmSync(file, { force: true });
    await home.payctl(['__complete', '--', 'buyers', 'list', '--profile', ''], {
      env: { LOADED_MODULES: file },
      nodeFlags: ['--import', join(import.meta.dirname, 'record-modules.mjs')],
    });
    const dist = pathToFileURL(join(root, 'dist/')).href;
    const loaded = readFileSync(file, 'utf8').split('\n');
    const files = loaded.filter((name) => name.startsWith(dist)).map((name) => name.slice(dist.length));
    expect(files).toEqual(['complete.cjs']);
    expect(loaded).not.toContain('NativeModule crypto');
    expect(loaded).not.toContain('NativeModule http');
  });

  it('is named in no help and in no document', () => {
    const files = globSync(['dist/help/**/*.txt', 'docs/commands.md', 'oclif.manifest.json'], { cwd: root });
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((name) => readFileSync(join(root, name), 'utf8').includes('__complete'))).toEqual([]);
  });
});

describe('payctl completion', () => {
  it.each(SHELLS)('prints the script of %s', async (shell) => {
    const stdout = COMPLETION_SCRIPTS[shell];
    expect(await home.payctl(['completion', shell])).toEqual(succeeded(stdout));
  });

  it('prints the script although the environment asks for JSON and the profiles are damaged', async () => {
    const other = homeWithProfiles('{');
    const run = await other.payctl(['completion', 'bash'], { env: { PAYCTL_OUTPUT: 'json' } });
    expect(run).toEqual(succeeded(COMPLETION_SCRIPTS.bash));
  });

  it.each(['table', 'wide', 'detail'])('prints the script with -o %s', async (format) => {
    const run = await home.payctl(['completion', 'fish', '-o', format]);
    expect(run.stdout).toBe(COMPLETION_SCRIPTS.fish);
  });

  it('prints one JSON document with --json', async () => {
    const run = await home.payctl(['completion', 'fish', '--json']);
    expect(run).toMatchObject({ stderr: '', code: 0 });
    expect(JSON.parse(run.stdout)).toEqual({ shell: 'fish', script: COMPLETION_SCRIPTS.fish });
  });

  it.each([
    [['nu'], 'payctl has no completion for the shell "nu"', 'unknown_shell', ''],
    [['bahs'], 'payctl has no completion for the shell "bahs"', 'unknown_shell', 'Did you mean bash? '],
    [[], 'payctl completion needs the name of a shell', 'no_shell', ''],
  ])('exits with 2 for %j', async (args, message, code, suggestion) => {
    const hint = `${suggestion}Use one of bash, zsh, fish, powershell.`;
    expect(await home.payctl(['completion', ...args])).toEqual(
      failed(2, `Error: ${message} (${code})`, hint),
    );
    const { stderr } = await home.payctl(['completion', ...args, '--json']);
    expect(errorObject(stderr)).toMatchObject({ code, message, hint, exit_code: 2 });
  });
});

describe('the script in bash', () => {
  const press = (line: string, replaces: string) =>
    home.shell(
      `payctl() { $PAYCTL "$@"; }; eval "$(payctl completion bash)"
       COMP_LINE=$LINE COMP_POINT=\${#LINE}; _payctl payctl "$REPLACES" ''; printf '%s\\n' "\${COMPREPLY[@]}"`,
      { env: { LINE: line, REPLACES: replaces } },
    );

  it.each([
    ['payctl buy', 'buy', ['buyers']],
    ['payctl buyers list --output=', '', [...OUTPUT_FORMATS]],
    ['payctl buyers list --columns id,dis', 'id,dis', ['id,display_name']],
    ['payctl buyers list --profile "em', 'em', ['emulator']],
    ['payctl buyers list --search "$(touch x)" --lim', '--lim', ['--limit']],
  ])('completes %s', async (line, replaced, values) => {
    expect(await press(line, replaced)).toEqual(succeeded(lines(...values)));
  });
});
