import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCompletion } from '../../../src/features/completion/answer.ts';
import { complete } from '../../../src/features/completion/complete.ts';
import type { Candidate, Completion } from '../../../src/features/completion/data.ts';
import type { CompletionSources } from '../../../src/features/completion/values.ts';
import { anyText } from '../../harness/any-text.ts';
import { SAMPLE_DATA } from './sample-data.ts';

const PROFILES: readonly Candidate[] = [
  { value: 'emulator', description: 'built in' },
  { value: 'europe', description: 'production' },
];
const sources: CompletionSources = {
  profiles: async ({ builtIn }) => PROFILES.slice(builtIn ? 0 : 1),
};
const noSources: CompletionSources = {
  profiles: async () => {
    throw new Error('the profiles were asked for');
  },
};

/** The values that are offered for a line; the word being completed is what follows its last blank. */
async function offered(line: string, from: CompletionSources = noSources): Promise<string[]> {
  const { candidates } = await complete(line.split(' '), SAMPLE_DATA, from);
  return candidates.map(({ value }) => value);
}

const GLOBAL = ['--output', '--verbose', '--profile', '--help'];
const OF_BUYERS_LIST = ['--search', '--columns', '--metadata', '--data', '--faults', ...GLOBAL];

describe('the words of a command', () => {
  it.each([
    ['', ['buyers', 'completion', 'profiles', 'help', 'version']],
    ['b', ['buyers']],
    ['x', []],
    ['buyers', ['buyers']],
    ['buyers ', ['gift-cards', 'list']],
    ['buyers l', ['list']],
    ['buyers gift-cards ', ['list']],
    ['buyers list', ['list']],
    ['buyers x ', []],
    ['x ', []],
    ['constructor ', []],
    ['help ', ['buyers', 'completion', 'profiles', 'formats']],
    ['help f', ['formats']],
    ['help formats ', []],
    ['help buyers ', ['gift-cards', 'list']],
    ['help buyers list ', []],
  ])('are offered after %j', async (line, values) => {
    expect(await offered(line)).toEqual(values);
  });

  it('are offered with the arguments of a command whose name others begin with', async () => {
    const list = SAMPLE_DATA.commands['buyers list'];
    if (!list) throw new Error('the sample has no list');
    const exporting = { ...list, flags: [], args: [['buyers', 'roles']], repeats: true };
    const commands = { ...SAMPLE_DATA.commands, export: exporting, 'export verify': list };
    const data = { ...SAMPLE_DATA, commands };
    const offeredFor = async (line: string) =>
      (await complete(line.split(' '), data, noSources)).candidates.map(({ value }) => value);
    expect(await offeredFor('export ')).toEqual(['buyers', 'roles', 'verify']);
    expect(await offeredFor('export v')).toEqual(['verify']);
    expect(await offeredFor('export buyers ')).toEqual(['buyers', 'roles']);
    expect(await offeredFor('export buyers r')).toEqual(['roles']);
    expect(await offeredFor('export -')).toEqual(['-h', '--help']);
  });

  it('come with the summary of their group or command', async () => {
    const { candidates } = await complete(['buyers', ''], SAMPLE_DATA, noSources);
    expect(candidates).toEqual([
      { value: 'gift-cards', description: 'Gift cards.' },
      { value: 'list', description: 'List buyers.' },
    ]);
  });

  it.each([
    ['-', ['-o', '-v', '-V', '-h', '--output', '--verbose', '--profile', '--version', '--help']],
    ['--', ['--output', '--verbose', '--profile', '--version', '--help']],
    ['buyers -', ['-h', '--help']],
    ['buyers --he', ['--help']],
    ['x --', []],
    ['constructor --', []],
    ['help -', ['--json', '--search']],
    ['help buyers --', ['--json', '--search']],
  ])('have flags of their own: %j', async (line, values) => {
    expect(await offered(line)).toEqual(values);
  });
});

describe('shared flags before the command', () => {
  it.each([
    ['--pro', ['--profile']],
    ['-v --vers', []],
    ['-v --', ['--output', '--profile', '--help']],
    ['-o ', ['table', 'json']],
    ['-vo ', ['table', 'json']],
    ['--output=', ['--output=table', '--output=json']],
    ['-o json buy', ['buyers']],
    ['--profile acme buyers ', ['gift-cards', 'list']],
    ['--profile acme buyers list --pro', []],
    ['-o json help buy', ['buyers']],
  ])('leave the rest as it is: %j', async (line, values) => {
    expect(await offered(line)).toEqual(values);
  });
});

describe('the flags of a command', () => {
  it.each([
    ['buyers list ', OF_BUYERS_LIST],
    ['buyers list --', OF_BUYERS_LIST],
    ['buyers list -', ['-o', '-v', '-h', ...OF_BUYERS_LIST]],
    ['buyers list --s', ['--search']],
    ['buyers list x', []],
    ['buyers list x ', OF_BUYERS_LIST],
  ])('are offered for %j', async (line, values) => {
    expect(await offered(line)).toEqual(values);
  });

  it.each([
    ['--search x', '--search'],
    ['--search=x', '--search'],
    ['--verbose', '--verbose'],
    ['-v', '--verbose'],
    ['-o json', '--output'],
    ['-ojson', '--output'],
    ['--help', '--help'],
  ])('are not offered again: %s', async (given, gone) => {
    expect(await offered(`buyers list ${given} --`)).toEqual(OF_BUYERS_LIST.filter((flag) => flag !== gone));
  });

  it('lose every one of the short flags that stand together', async () => {
    const left = OF_BUYERS_LIST.filter((flag) => flag !== '--verbose' && flag !== '--output');
    expect(await offered('buyers list -vo json --')).toEqual(left);
    expect(await offered('buyers list -vojson --')).toEqual(left);
  });

  it('stay when they may be repeated', async () => {
    expect(await offered('buyers list --metadata a=1 --m')).toEqual(['--metadata']);
  });

  it('are not offered for the value of another', async () => {
    expect(await offered('buyers list --search ')).toEqual([]);
    expect(await offered('buyers list --search --')).toEqual([]);
  });

  it('are not offered behind --', async () => {
    expect(await offered('buyers list -- --')).toEqual([]);
    expect(await offered('buyers list -- ')).toEqual([]);
    expect(await offered('buyers list -- --output=')).toEqual([]);
  });

  it('are offered behind -- that is the value of a flag', async () => {
    expect(await offered('buyers list --search -- --o')).toEqual(['--output']);
  });

  it('come with their summaries', async () => {
    const { candidates } = await complete(['buyers', 'list', '--o'], SAMPLE_DATA, noSources);
    expect(candidates).toEqual([{ value: '--output', description: 'Format.' }]);
  });
});

describe('values', () => {
  it.each([
    ['buyers list --output ', ['table', 'json']],
    ['buyers list -o j', ['json']],
    ['buyers list -vo j', ['json']],
    ['buyers list --output=', ['--output=table', '--output=json']],
    ['buyers list --output=j', ['--output=json']],
    ['buyers list --output x', []],
    ['buyers list --verbose=', []],
    ['buyers list --nonsense=', []],
    ['buyers list --nonsense ', OF_BUYERS_LIST],
    ['completion ', ['bash', 'zsh']],
    ['completion z', ['zsh']],
    ['completion -- z', ['zsh']],
    ['completion -v b', ['bash']],
    ['completion bash z', []],
  ])('are those that are allowed: %j', async (line, values) => {
    expect(await offered(line)).toEqual(values);
  });

  it.each([
    ['buyers list --profile ', ['emulator', 'europe']],
    ['buyers list --profile eu', ['europe']],
    ['buyers list --profile=eu', ['--profile=europe']],
    ['profiles show ', ['emulator', 'europe']],
    ['profiles show -- em', ['emulator']],
    ['profiles delete ', ['europe']],
    ['profiles show europe ', GLOBAL],
  ])('are names of profiles: %j', async (line, values) => {
    expect(await offered(line, sources)).toEqual(values);
  });

  it('are names of profiles with what tells them apart', async () => {
    const { candidates } = await complete(['profiles', 'show', 'eu'], SAMPLE_DATA, sources);
    expect(candidates).toEqual([{ value: 'europe', description: 'production' }]);
  });
});

describe('columns', () => {
  it.each([
    ['--columns ', ['id', 'display_name', 'address', 'address.city']],
    ['--columns dis', ['display_name']],
    ['--columns id,dis', ['id,display_name']],
    ['--columns id,', ['id,display_name', 'id,address', 'id,address.city']],
    ['--columns id,address.city,', ['id,address.city,display_name', 'id,address.city,address']],
    ['--columns=id,dis', ['--columns=id,display_name']],
    ['--columns address.', ['address.city']],
    ['--columns address.geo.', ['address.geo.lat', 'address.geo.lon']],
    ['--columns address.geo.lat,address.geo.l', ['address.geo.lat,address.geo.lon']],
    ['--columns x', []],
  ])('are offered, each once, for %j', async (words, values) => {
    expect(await offered(`buyers list ${words}`)).toEqual(values);
  });

  it('may go on after each', async () => {
    expect(await complete(['buyers', 'list', '--columns', 'i'], SAMPLE_DATA, noSources)).toEqual({
      candidates: [{ value: 'id', description: '' }],
      goesOn: true,
    });
  });
});

describe('files', () => {
  it.each([
    ['--faults', '', ''],
    ['--faults', 'pl', ''],
    ['--faults=pl', undefined, '--faults='],
    ['--data', '@', '@'],
    ['--data', '@bo', '@'],
    ['--data=@bo', undefined, '--data=@'],
  ])('are left to the shell: %s %s', async (flag, value, filesAfter) => {
    const words = ['buyers', 'list', flag, ...(value === undefined ? [] : [value])];
    expect(await complete(words, SAMPLE_DATA, noSources)).toEqual({ candidates: [], filesAfter });
  });

  it('are one of the ways to give a text', async () => {
    expect(await offered('buyers list --data ')).toEqual(['@', '-']);
    expect(await offered('buyers list --data=')).toEqual(['--data=@', '--data=-']);
    expect(await offered('buyers list --data {')).toEqual([]);
  });
});

describe('the word to complete', () => {
  it.each([[[]], [['']], [[' ']]])('is empty for %j', async (words) => {
    const { candidates } = await complete(words, SAMPLE_DATA, noSources);
    expect(candidates.map(({ value }) => value)).toContain('buyers');
  });
});

/** The values that a script is given. */
function valuesFor(completion: Completion, script: { readonly quotes: boolean }): readonly string[] {
  const lines = formatCompletion(completion, script).split('\n').slice(0, -2);
  return lines.map((line) => line.split('\t')[0] ?? '');
}

describe('whatever was typed, and whatever a profile is called', () => {
  const hostile = [
    '$(touch x)',
    '`x`',
    'a b',
    "'",
    '"',
    'a\nb',
    ':files',
    '=ls',
    '~',
    '*',
    '',
    '-',
    '--',
    '@',
    '\t',
  ];
  const known = 'buyers list completion profiles show --profile --columns -o --data=@'.split(' ');
  const word = fc.oneof(fc.constantFrom(...hostile, ...known), anyText(5));

  it('a script that quotes nothing is given no more than a plain word, and only what was begun', async () => {
    const line = fc.tuple(fc.array(word, { maxLength: 6 }), word, fc.array(word, { maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(line, async ([before, last, names]) => {
        const profiles = async () => names.map((value) => ({ value, description: '' }));
        const found = await complete([...before, last], SAMPLE_DATA, { profiles });
        for (const value of valuesFor(found, { quotes: false })) {
          expect(value).toMatch(/^[A-Za-z0-9_@-][A-Za-z0-9_@.,:=+/-]*$/);
          expect(value.startsWith(last.trim())).toBe(true);
        }
        for (const value of valuesFor(found, { quotes: true }))
          expect(value).toMatch(/^(?!:)[^\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]+$/u);
      }),
    );
  });

  it('a profile of a plain name is offered, and one of any other name where the script quotes it', async () => {
    const names = [
      ...hostile,
      'eu-1.test',
      'é',
      'a;b',
      'a&b',
      'a>b',
      'a|b',
      'a\\b',
      '$x',
      '%x',
      '#x',
      'a{b,c}',
      '!x',
    ];
    const from = { profiles: async () => names.map((value) => ({ value, description: '' })) };
    const found = await complete(['buyers', 'list', '--profile', ''], SAMPLE_DATA, from);
    expect(valuesFor(found, { quotes: false })).toEqual(['-', '--', '@', 'eu-1.test']);
    const unseen = ['a\nb', ':files', '', '\t'];
    expect(valuesFor(found, { quotes: true })).toEqual(names.filter((name) => !unseen.includes(name)));
  });
});
