import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { completionData } from '../../scripts/render-completion.ts';
import type { BaseCommand } from '../../src/cli/base-command.ts';
import { connectionFlags, displayFlags } from '../../src/cli/flags/global.ts';
import { HELP_TOPICS } from '../../src/cli/routing/catalog/help-topics.ts';
import { COMMAND_OPERATIONS } from '../../src/cli/routing/catalog/operations.ts';
import { listCommands } from '../../src/cli/routing/route.ts';
import { SHELLS } from '../../src/features/completion/scripts.ts';
import type { Column } from '../../src/output/columns.ts';
import { OUTPUT_FORMATS } from '../../src/output/formats.ts';

const root = join(import.meta.dirname, '../..');
const { commands, helpTopics, shared } = await completionData(root);
const { commands: manifest } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
const flagOf = (command: string, name: string) => commands[command]?.flags.find((flag) => flag.name === name);

const LISTS = Object.entries(COMMAND_OPERATIONS).flatMap(([command, { isList }]) =>
  isList ? [command] : [],
);

/** The columns of a command's table, as the command declares them. */
async function columnsOf(command: string): Promise<readonly Column[]> {
  const file = join(root, 'src/commands', ...command.split(' '));
  const { default: found }: { default: typeof BaseCommand } = await import(pathToFileURL(`${file}.ts`).href);
  return found.columns;
}

/** The paths of the values that columns show, each once. */
function pathsOf(columns: readonly Column[]): readonly string[] {
  return [...new Set(columns.flatMap(({ path, parts }) => parts ?? [path]))];
}

describe('the data of completion', () => {
  it('hold every command with its summary, in the order of their names', () => {
    expect(Object.keys(commands)).toEqual([...listCommands(join(root, 'src/commands'))].sort());
    for (const [name, { summary }] of Object.entries(commands)) {
      expect(summary).toBe(manifest[name.replaceAll(' ', ':')].summary);
    }
  });

  it('hold every flag that the help of a command shows, those of all commands last', () => {
    for (const [name, { flags }] of Object.entries(commands)) {
      const all = Object.entries<{ hidden?: boolean }>(manifest[name.replaceAll(' ', ':')].flags);
      const expected = all.flatMap(([flag, { hidden }]) => (hidden ? [] : [flag]));
      expect(flags.map((flag) => flag.name).sort()).toEqual(expected.sort());
    }
    const names = commands['buyers list']?.flags.map(({ name }) => name) ?? [];
    expect(names.indexOf('columns')).toBeLessThan(names.indexOf('output'));
  });

  it('hold the topics of the help, and each shared flag once', () => {
    expect(helpTopics).toEqual(HELP_TOPICS);
    const names = shared.map(({ name }) => name);
    expect(names.toSorted()).toEqual(Object.keys({ ...displayFlags(), ...connectionFlags() }).sort());
  });

  it('offer files for every argument that may be one', () => {
    const files = Object.entries<{ args: Record<string, { description: string }> }>(manifest).flatMap(
      ([id, { args }]) =>
        Object.values(args).flatMap(({ description }, index) =>
          /\bfile\b/i.test(description) ? [`${id.replaceAll(':', ' ')} ${index}`] : [],
        ),
    );
    expect(files).toEqual(
      expect.arrayContaining(['api import 0', 'api diff 0', 'api diff 1', 'auth inspect 0']),
    );
    const offered = Object.entries(commands).flatMap(([name, { args }]) =>
      args.flatMap((kind, index) => (kind === 'file' ? [`${name} ${index}`] : [])),
    );
    expect(offered.sort()).toEqual(files.sort());
  });

  it('tell what completes the value of a flag or an argument', () => {
    expect(flagOf('buyers list', 'output')).toMatchObject({ char: 'o', value: OUTPUT_FORMATS });
    expect(flagOf('buyers list', 'profile')).toMatchObject({ value: 'profile' });
    expect(flagOf('buyers list', 'columns')).toMatchObject({ value: 'columns' });
    expect(flagOf('buyers list', 'search')).toMatchObject({ value: 'unknown' });
    expect(flagOf('emulator start', 'faults')).toMatchObject({ value: 'file' });
    expect(flagOf('checkout-sessions update', 'cart-items')).toMatchObject({ value: 'text-or-file' });
    expect(flagOf('checkout-sessions update', 'metadata')).toMatchObject({
      value: 'unknown',
      multiple: true,
    });
    expect(flagOf('buyers list', 'all')).toEqual({ name: 'all', summary: 'Fetch all pages.' });
    expect(commands.completion?.args).toEqual([SHELLS]);
    expect(commands['checkout-sessions get']?.args).toEqual(['unknown']);
    const verbs = ['show', 'use', 'set', 'delete'].map((verb) => commands[`profiles ${verb}`]?.args);
    expect(verbs).toEqual([['profile'], ['profile'], ['stored-profile'], ['stored-profile']]);
  });
});

describe('the columns', () => {
  it.each(LISTS)('of %s begin with those of its table', async (command) => {
    const paths = pathsOf(await columnsOf(command));
    expect(paths.length).toBeGreaterThan(0);
    expect(commands[command]?.columns.slice(0, paths.length)).toEqual(paths);
  });

  it('are known for every command that calls an operation and shows what it answers', () => {
    expect(Object.keys(COMMAND_OPERATIONS).filter((command) => command.endsWith(' list'))).toEqual(LISTS);
    const unknown = Object.keys(COMMAND_OPERATIONS).filter(
      (command) => flagOf(command, 'columns') && !commands[command]?.columns.includes('id'),
    );
    expect(unknown).toEqual(['payment-service-definitions sessions create']);
  });

  it('go on with the other fields of the resource, each once', async () => {
    const own = pathsOf(await columnsOf('buyers gift-cards list'));
    expect(commands['buyers gift-cards list']?.columns.slice(own.length)).toEqual([
      'type',
      'merchant_account_id',
      'sub_bin',
      'balance_raw_error_code',
    ]);
    for (const { columns, deepColumns } of Object.values(commands)) {
      const all = [...columns, ...deepColumns];
      expect(new Set(all).size).toBe(all.length);
    }
  });

  it('that lie deep are kept apart', () => {
    expect(commands['payment-methods list']?.deepColumns).toContain('buyer.billing_details.address.city');
    expect(commands['buyers list']?.columns).not.toContain('billing_details.address.city');
    expect(commands['payment-service-definitions sessions create']).toMatchObject({
      columns: ['type', 'status', 'code', 'status_code', 'response_body'],
      deepColumns: [],
    });
  });

  it('of a document that is made of several are below its members', () => {
    expect(commands['buyers find']?.columns).toEqual(expect.arrayContaining(['buyer', 'buyer.id']));
    expect(commands['buyers find']?.deepColumns).toContain('payment_methods.0.status');
    expect(commands['roles get']?.columns).toContain('slug');
  });

  it('are none for a command that shows no columns', () => {
    expect(commands['emulator start']).toMatchObject({ columns: [], deepColumns: [] });
  });
});
