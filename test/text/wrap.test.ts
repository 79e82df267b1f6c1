import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { wrapCommand, wrapProse, wrapWords } from '../../src/text/wrap.ts';

it('breaks a text between its words, and never within one', () => {
  expect(wrapWords('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrapWords('one unbreakable', 5)).toEqual(['one', 'unbreakable']);
  expect(wrapWords('', 5)).toEqual(['']);
});

it('measures a text as it is told to', () => {
  expect(wrapWords('aa bb cc', 8, (text) => 2 * text.length)).toEqual(['aa', 'bb', 'cc']);
});

it('a short command is one line', () => {
  expect(wrapCommand('payctl buyers list', 40)).toEqual(['payctl buyers list']);
});

it('a long command is broken between words, and keeps quoted text and values with their flags', () => {
  expect(wrapCommand(`payctl roles list --jq '.items[] | .slug' --profile emulator`, 30)).toEqual([
    'payctl roles list \\',
    `--jq '.items[] | .slug' \\`,
    '--profile emulator',
  ]);
});

it.each(['|', '>', '<'])('a switch before %s keeps no value', (sign) => {
  expect(wrapCommand(`payctl auth token --quiet ${sign} file`, 28)).toEqual([
    'payctl auth token --quiet \\',
    `${sign} file`,
  ]);
});

it.skipIf(process.platform === 'win32')(
  'a shell reads the lines as the command that they were',
  { tags: 'slow' },
  () => {
    const command = `printf '%s\\n' --jq '.a | select(.b == "c d") | .e' "x \\" y" z\\ z and some words more`;
    const run = (text: string) => spawnSync('sh', ['-c', text], { encoding: 'utf8' }).stdout;
    expect(run(wrapCommand(command, 20).join('\n'))).toBe(run(command));
    expect(run(command).split('\n').length).toBe(9);
  },
);

it.each([
  ['one two three\nfour\n', 'one two\nthree\nfour\n'],
  ['  one two three\n', '  one\n  two\n  three\n'],
  ['unbreakable word', 'unbreakable\nword'],
  ['a b: payctl buyers list --all', 'a b:\npayctl buyers list --all'],
  ['one two three: --cursor abc', 'one two\nthree:\n--cursor abc'],
  ['a: payctl', 'a:\npayctl'],
  [
    '\u001b[1mTry:\u001b[22m \u001b[36mpayctl doctor\u001b[39m',
    '\u001b[1mTry:\u001b[22m\n\u001b[36mpayctl doctor\u001b[39m',
  ],
  ['\u001b[1mone\u001b[22m two\n', '\u001b[1mone\u001b[22m two\n'],
])('breaks the lines of %j between words, and no command', (text, lines) => {
  expect(wrapProse(text, 8)).toBe(lines);
});

describe('a message on a terminal', () => {
  const MESSAGE = [
    '\u001b[1mError:\u001b[22m The profile acme is damaged (profiles_damaged)',
    'Check it with payctl profiles show acme --json, or add --timeout 2m to wait at https://api.example.com/a/long/path.',
    "Set the columns again: payctl profiles set acme --columns 'buyers list=NAME,ID' --base-url https://api.example.com",
    '\u001b[1mRequest:\u001b[22m GET https://api.example.com/buyers?limit=20, merchant account outlet, 3 attempts',
    '\u001b[1mTry:\u001b[22m \u001b[36mpayctl doctor --profile acme\u001b[39m',
    '',
  ].join('\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: taking colours away is what it is for
  const COLORS = /\u001b\[\d+m/g;
  const WHOLE = [
    'payctl profiles show acme --json,',
    '--timeout 2m',
    'https://api.example.com/a/long/path.',
    "payctl profiles set acme --columns 'buyers list=NAME,ID' --base-url https://api.example.com",
    'https://api.example.com/buyers?limit=20,',
    'payctl doctor --profile acme',
  ];

  it.each([40, 80, 160])('of %d columns is broken at no place that somebody copies', (columns) => {
    const shown = wrapProse(MESSAGE, columns);
    const lines = shown.replace(COLORS, '').split('\n');
    for (const text of WHOLE) expect(lines.filter((line) => line.includes(text))).toHaveLength(1);
    const wide = lines.filter((line) => line.length > columns);
    expect(wide.filter((line) => !WHOLE.some((text) => text.startsWith(line) || line === text))).toEqual([]);
    expect(shown.split(/\s+/)).toEqual(MESSAGE.split(/\s+/));
  });

  it('has no command in a sentence about payctl', () => {
    const text = 'Error: payctl cannot read the file x.json: no such file (unreadable_file)';
    expect(wrapProse(text, 80)).toBe(text);
    expect(wrapProse('Its pages have a next cursor, but: payctl prints one page', 80)).not.toContain('\n');
    expect(wrapProse(text, 40)).toBe(
      'Error: payctl cannot read the file\nx.json: no such file (unreadable_file)',
    );
  });

  it.each([
    ['Error: --limit must be a whole number (bad_flag)', 'Error: --limit must be a\nwhole number (bad_flag)'],
    [
      '\u001b[31mError:\u001b[39m payctl roles needs a command (no_verb)',
      '\u001b[31mError:\u001b[39m payctl roles needs a\ncommand (no_verb)',
    ],
    ['add the scope of a token with: --scope NAME -y', 'add the scope of a token\nwith: --scope NAME -y'],
  ])('takes only what ends it for a command: %j', (text, lines) => {
    expect(wrapProse(text, 28)).toBe(lines);
  });

  it('keeps flags at the end together, on the line of the sentence where they fit', () => {
    const text = '+3 columns (EMAIL, PHONE, COUNTRY): -o wide';
    expect(wrapProse(text, 80)).toBe(text);
    expect(wrapProse(text, 40)).toBe('+3 columns (EMAIL, PHONE, COUNTRY):\n-o wide');
  });

  it('has the command after its last sentence on a line of its own, however wide the terminal is', () => {
    const lines = wrapProse(MESSAGE, 300).replace(COLORS, '').split('\n');
    expect(lines[2]).toBe('Set the columns again:');
    expect(lines[3]).toBe(WHOLE[3]);
    expect(lines[5]).toBe('Try: payctl doctor --profile acme');
  });
});

it('leaves lines that fit a terminal as they are, double blanks included', () => {
  expect(wrapProse('one  two: payctl list\n', 80)).toBe('one  two: payctl list\n');
});

it('breaks a command in time in proportion to its length, whatever is quoted in it', () => {
  const flag = `--x=${"'a'\\''".repeat(5000)}`;
  expect(wrapCommand(`payctl a ${flag}`, 20)).toEqual(['payctl a \\', flag]);
  const open = `--x=${`"'`.repeat(5000)}'`;
  expect(wrapCommand(`payctl a ${open} 'b c' | jq`, 20)).toEqual(['payctl a \\', `${open} 'b c' \\`, '| jq']);
});

it.each([1, 20, 40])('keeps what is quoted in a command of %d columns whole', (columns) => {
  const command = "payctl buyers get 'Ada  Lovelace' --limit 5";
  const shown = wrapProse(`To see the buyer, run ${command} and look at the identifier of it.`, columns);
  expect(shown.split('\n').filter((line) => line.includes(command))).toHaveLength(1);
});
