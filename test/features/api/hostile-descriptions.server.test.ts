import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { documentText } from '../../../src/cli/routing/help/requested-help.ts';
import { searchHelp } from '../../../src/cli/routing/help/search-help.ts';
import { createRuntime } from '../../../src/cli/runtime.ts';
import { openDescription } from '../../../src/cli/session/open-description.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { importedCompletion } from '../../../src/features/api/imported-completion.ts';
import { importedHelp } from '../../../src/features/api/imported-help.ts';
import { formatCompletion } from '../../../src/features/completion/answer.ts';
import { complete } from '../../../src/features/completion/complete.ts';
import { hasUnseen, hostileDescription, INHERITED, UNSEEN } from '../../harness/hostile-description.ts';
import { importedForAll, runImported } from './run-imported.ts';

/** A page, and a record, whose every name and text is this one. */
function answerOf(name: string) {
  const record = { id: '1', ...Object.fromEntries([[name, name]]), status: name };
  const body = JSON.stringify({ ...record, items: [record], next_cursor: null });
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

/** What each command of the description is run with, and how that ends. */
const RUNS: readonly (readonly [verb: string, words: readonly string[], code: number])[] = [
  ['list', ['--all'], 0],
  ['list', ['-o', 'json'], 0],
  ['list', ['-o', 'yaml'], 0],
  ['list', ['--bad-flag'], 2],
  ['list', ['--status', 'x'], 2],
  ['list', ['--columns', 'nothing'], 2],
  ['create', ['-F', 'id=1', '--no-validate'], 0],
  ['create', ['--data', '{}'], 2],
  ['create', ['-F', 'status=other', '-F', 'id=1'], 2],
  ['get', ['1'], 0],
  ['get', [], 2],
  ['replace', ['1', '-F', 'id=1', '--no-validate', '--dry-run'], 0],
  ['update', ['1', '-F', 'id=1', '--no-validate', '--dry-run'], 0],
  ['delete', ['1', '--yes'], 0],
];

describe.each([...INHERITED, UNSEEN])('a description whose every name is %j', (name) => {
  const ENV = { COLUMNS: '80' };
  const home = importedForAll(hostileDescription(name));

  /** Runs a command line, and checks that it ends as it should, and prints nothing that a terminal obeys. */
  async function opened() {
    const run = async (argv: readonly string[], code = 0) => {
      const done = await runImported(argv, home, {
        script: Array.from({ length: 4 }, () => answerOf(name)),
        env: ENV,
      });
      const printed = {
        argv,
        code: done.code,
        stdout: done.stdout.replaceAll('\r\n', '\n'),
        stderr: done.stderr,
      };
      expect({ ...printed, unseen: hasUnseen(printed.stdout + printed.stderr) }).toEqual({
        ...printed,
        code,
        unseen: false,
      });
      // The text of a function that every object inherits would be sent as a value.
      expect(JSON.stringify(done.sent)).not.toContain('native');
      return done.stdout;
    };
    const listed: { items: { command: string; id: string }[] } = JSON.parse(
      await run(['api', 'list', '-o', 'json']),
    );
    return { run, operations: listed.items };
  }

  it('is listed, shown, explained and compared', async () => {
    const { run, operations } = await opened();
    await run(['api', 'list']);
    await run(['api', 'list', '--tag', name]);
    await run(['api', 'diff', home.file, home.file, '-o', 'json']);
    await run(['help', operations[0]?.command.split(' ')[0] ?? '']);
    for (const { command, id } of operations) {
      await run([...command.split(' '), '--help']);
      await run(['api', 'show', ...id.split(/ (?=\/)/)]);
      await run(['api', 'show', ...command.split(' '), '-o', 'json']);
    }
  });

  it('is described as JSON with the commands of payctl itself, and found by words', async () => {
    const { operations } = await opened();
    const environment = readEnvironment({ PAYCTL_CONFIG_DIR: home.home, PAYCTL_DESCRIPTION: home.file });
    const description = await openDescription([], environment);
    const programFolder = join(import.meta.dirname, '../../../src');
    const imported = importedHelp(description, { programFolder, otherProfiles: [] });
    const empty = { version: 2, commands: [], shared_flags: [], environment: [], exit_codes: [] };
    writeFileSync(join(home.home, 'help.json.zst'), zstdCompressSync(JSON.stringify(empty)));
    const tree = documentText([], { programFolder: home.home, imported });
    const { commands: described }: { commands: { command: string }[] } = JSON.parse(tree);
    const names = operations.map(({ command }) => command);
    expect(described.map(({ command }) => command)).toEqual(expect.arrayContaining(names));
    const runtime = createRuntime({
      stdout: { write: () => true, on() {} },
      stderr: { write: () => true, on() {} },
      stdin: () => Readable.from([]),
      env: {},
      signal: new AbortController().signal,
      version: '0.0.0',
    });
    const find = async (json: boolean) =>
      await searchHelp({ search: names, json }, runtime, { programFolder: home.home, imported });
    for (const text of [tree, await find(true), await find(false)]) {
      expect(text).not.toBe('');
      expect(hasUnseen(text)).toBe(false);
    }
  });

  it('is run', async () => {
    const { run, operations } = await opened();
    const ran = operations.flatMap(({ command }) => {
      const verb = command === name ? 'delete' : (command.split(' ').at(-1) ?? '');
      return RUNS.filter(([of]) => of === verb).map(
        ([, words, code]) => [[...command.split(' '), ...words], code] as const,
      );
    });
    expect(ran.length).toBeGreaterThan(8);
    for (const [argv, code] of ran) await run(argv, code);
  });

  it('is completed', async () => {
    const { operations } = await opened();
    const environment = readEnvironment({ PAYCTL_CONFIG_DIR: home.home, PAYCTL_DESCRIPTION: home.file });
    const profiles = async () => [];
    const lines = [
      '',
      ...operations.flatMap(({ command, id }) => [
        `${command} `,
        `${command} --`,
        `${command} -F `,
        `${command} -F status=`,
        `${command} --columns `,
        `${command} --status `,
        `api call ${id} --`,
        `api show ${id}`,
        `help ${command}`,
      ]),
    ];
    let offered = 0;
    for (const line of lines) {
      const words = line.split(' ');
      const { commands, topics } = (await importedCompletion(words.slice(0, -1), environment)) ?? {
        commands: {},
        topics: {},
      };
      const found = await complete(words, { commands, topics, helpTopics: {}, shared: [] }, { profiles });
      const text = formatCompletion(found, { quotes: true });
      offered += found.candidates.length;
      for (const one of text.split('\n')) expect([line, hasUnseen(one)]).toEqual([line, false]);
    }
    expect(offered).toBeGreaterThan(lines.length);
  });
});
