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
};
type Arg = { readonly name: string; readonly required?: boolean };
type Command = {
  readonly id: string;
  readonly summary?: string;
  readonly flags: Readonly<Record<string, Flag>>;
  readonly args: Readonly<Record<string, Arg>>;
};

const manifest = join(dirname(PAYCTL), '../oclif.manifest.json');
const commands: readonly Command[] = Object.values(JSON.parse(readFileSync(manifest, 'utf8')).commands);

/** One line a command and a flag: what scripts depend upon. */
function surface(): string {
  const sorted = commands.toSorted((a, b) => a.id.localeCompare(b.id, 'en'));
  return sorted
    .map(({ id, args, flags }) => {
      const names = Object.values(args).map(({ name, required }) => (required ? name : `[${name}]`));
      const rows = Object.values(flags).map(flagLine).sort();
      return `${[id.replaceAll(':', ' '), ...names].join(' ')}\n${rows.map((row) => `  ${row}\n`).join('')}`;
    })
    .join('');
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
