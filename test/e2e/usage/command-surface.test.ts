import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAYCTL } from '../../harness/run-payctl.ts';

type Flag = {
  readonly name: string;
  readonly char?: string;
  readonly type: string;
  readonly options?: readonly string[];
  readonly required?: boolean;
  readonly multiple?: boolean;
  readonly summary?: string;
  readonly helpGroup?: string;
};
type Arg = { readonly name: string; readonly required?: boolean };
type Command = {
  readonly id: string;
  readonly summary?: string;
  readonly flags: Readonly<Record<string, Flag>>;
  readonly args: Readonly<Record<string, Arg>>;
};

const root = join(dirname(PAYCTL), '..');
const manifest = readFileSync(join(root, 'oclif.manifest.json'), 'utf8');
const commands: readonly Command[] = Object.values(JSON.parse(manifest).commands);

const reference = readFileSync(join(root, 'docs/commands.md'), 'utf8').split('\n## payctl ');

/**
 * What scripts depend upon and docs/commands.md does not show: the flags that are not on the page of a command, first those of
 * all commands, and the flags that can be repeated or have to be given. Commands with the same of them stand together.
 */
function surface(): string {
  const parts: ((command: string, flag: Flag) => boolean)[] = [
    (_, flag) => flag.helpGroup === 'GLOBAL',
    (command, flag) => flag.helpGroup !== 'GLOBAL' && !isMarked(flag) && !isInReference(command, flag),
    (_, flag) => isMarked(flag),
  ];
  const named = commands
    .map(({ id, flags }) => ({ name: id.replaceAll(':', ' '), flags }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const blocks = parts.flatMap((isPart) => [
    ...Map.groupBy(named, ({ name, flags }) => {
      const some = Object.values(flags).filter((flag) => isPart(name, flag));
      return some
        .map((flag) => `  ${flagLine(flag)}\n`)
        .sort()
        .join('');
    }),
  ]);
  return blocks
    .filter(([flags]) => flags !== '')
    .map(([flags, takers]) => `${takers.map(({ name }) => `${name}\n`).join('')}${flags}`)
    .join('');
}

function isMarked({ multiple, required }: Flag): boolean {
  return multiple === true || required === true;
}

function isInReference(command: string, { name, char, options = [] }: Flag): boolean {
  const page = reference.find((section) => section.startsWith(`${command}\n`)) ?? '';
  const text = new RegExp(`^ +${char ? `-${char}, ` : ''}--${name} [^]*`, 'm').exec(page)?.[0];
  return text !== undefined && options.every((option) => text.includes(option));
}

function flagLine({ name, char, type, options, required, multiple }: Flag): string {
  const value = type === 'boolean' ? '' : `=${options?.join('|') ?? 'VALUE'}`;
  const marks = `${multiple ? ' (many)' : ''}${required ? ' (required)' : ''}`;
  return `--${name}${value}${char ? `, -${char}` : ''}${marks}`;
}

describe('the surface of the command line', () => {
  it('changes only on purpose: it is what scripts depend upon', () => {
    expect(surface()).toMatchSnapshot();
  });

  it('has a summary for every command and every flag', () => {
    const mute = commands.flatMap(({ id, summary, flags }) => [
      ...(summary?.endsWith('.') ? [] : [id]),
      ...Object.values(flags).flatMap((flag) =>
        flag.summary?.endsWith('.') ? [] : [`${id} --${flag.name}`],
      ),
    ]);
    expect(mute).toEqual([]);
  });

  it('has no flag and no argument that takes a secret: every process can read arguments', () => {
    const values = commands.flatMap(({ flags, args }) => [
      ...Object.values(flags).flatMap(({ name, type }) => (type === 'option' ? [name] : [])),
      ...Object.keys(args),
    ]);
    expect(values.length).toBeGreaterThan(100);
    const suspicious = values.filter((name) => /token|secret|password|private|key$|pem/.test(name));
    // `--key` of bulk names a column. The path of a file, in the place of which a key is refused without being shown; and a name that makes repeating harmless.
    // --secret of webhooks accepts nothing but `@FILE`.
    const harmless = new Set(['client-key', 'idempotency-key', 'key', 'secret']);
    expect(suspicious.filter((name) => !harmless.has(name))).toEqual([]);
  });

  it('has the flags for display on every command', () => {
    for (const { id, flags } of commands) {
      expect(Object.keys(flags), id).toEqual(
        expect.arrayContaining(['output', 'json', 'no-color', 'verbose', 'quiet']),
      );
    }
  });
});
