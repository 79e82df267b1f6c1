/**
 * Mutation testing: changes the sources in one small place at a time, and lists the changes that no test of the sources notices.
 * Without arguments it takes the parts below, else the files or patterns that are named. Each is judged by its own tests
 * alone: src/client/** by those of test/client, src/client/retry.ts by test/client/retry.test.ts. `--tests` names others.
 */
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

const PARTS = [
  'src/client/**',
  'src/tokens/**',
  // The keychain's binding blocks its thread, so its tests use it in other processes.
  'src/credentials/{keychain-errors,read,sources,store}.ts',
  'src/json/**',
  'src/output/**',
  'src/cli/failure/**',
  'src/cli/secrets/**',
  'src/cli/session/hooks.ts',
  'src/start/{code-cache,code-folder,loader,read-at-once}.ts',
  'src/emulator/imported/money/{amounts,bodies,new-payment,payment,rules}.ts',
  'src/emulator/store/keyset.ts',
];

const GENERATED = ['!src/**/generated/**'];

/** The reports, and the copies of the sources while it runs; .gitignore names it, and so does ./stryker.config.ts. */
const OUTPUT = '.mutation';

type Flags = { readonly incremental: boolean; readonly ignoreStatic: boolean; readonly dryRunOnly: boolean };
type Mutants = Awaited<ReturnType<Stryker['runMutationTest']>>;

async function mutate(tests: string, parts: readonly string[], flags: Flags): Promise<Mutants> {
  const name = parts
    .join(' ')
    .replace(/\bsrc\//g, '')
    .replace(/\W+/g, '-')
    .replace(/-$/, '')
    .slice(0, 60);
  process.stdout.write(`\nMutating ${parts.join(' ')}, tested by ${tests}\n`);
  // ./vitest.config.ts reads it, in the processes that Stryker starts.
  process.env.MUTATION_TESTS = tests;
  const stryker = new Stryker({
    ...flags,
    configFile: 'scripts/mutate/stryker.config.ts',
    mutate: [...parts, '!**/*.json', ...GENERATED],
    incrementalFile: `${OUTPUT}/${name}.json`,
    htmlReporter: { fileName: `${OUTPUT}/${name}.html` },
    reporters: ['clear-text', 'html', process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    allowConsoleColors: process.stdout.isTTY === true,
  });
  return await stryker.runMutationTest();
}

/** The tests that mirror the files in name (`redact.test.ts`, `redact-known-secrets.test.ts`, `send.server.test.ts`), else those of their folder. */
function testsOf(part: string): string {
  const [, ...path] = withoutLines(part).replace(/\.ts$/, '').split('/');
  const mirror = ['test', ...path].join('/').replace(/\/?\*+$/, '/**/*');
  const named = `${mirror}{,-*,.server,.process}.test.ts`;
  return globSync(named).length > 0 ? named : `${mirror.slice(0, mirror.lastIndexOf('/'))}/*.test.ts`;
}

/** Stryker accepts a range of lines after the name of a file. */
function withoutLines(part: string): string {
  return part.replace(/:[\d:-]+$/, '');
}

function isMutable(part: string): boolean {
  return /^src\/[\w-]+\//.test(part) && globSync(withoutLines(part)).length > 0;
}

function score(mutants: Mutants): string {
  const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const found = count('Killed', 'Timeout');
  const all = found + count('Survived', 'NoCoverage');
  return all === 0
    ? 'no mutants'
    : `${found} of ${all} mutants killed (${((100 * found) / all).toFixed(1)} %)`;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    incremental: { type: 'boolean', default: false },
    'ignore-static': { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
    tests: { type: 'string' },
  },
});
const flags = {
  incremental: values.incremental,
  ignoreStatic: values['ignore-static'],
  dryRunOnly: values['dry-run'],
};
const parts = positionals.length > 0 ? positionals : PARTS;
const wrong = parts.filter((part) => !isMutable(part));
if (wrong.length > 0) {
  process.stderr.write(`Not files in a folder of src: ${wrong.join(', ')}\n`);
  process.exit(2);
}

const scores: string[] = [];
for (const [tests, group] of Map.groupBy(parts, (part) => values.tests ?? testsOf(part))) {
  scores.push(`${group.join(' ')}: ${score(await mutate(tests, group, flags))}`);
}
if (!flags.dryRunOnly)
  process.stdout.write(`\n${scores.join('\n')}\nDetails of every mutant: ${OUTPUT}/*.html\n`);
