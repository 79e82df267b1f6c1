import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMPLETION_SCRIPTS } from '../../../../src/features/completion/scripts.ts';
import { lines } from '../../../harness/lines.ts';
import { folderForAll } from '../../../harness/temporary-folder.ts';

const folder = folderForAll();
const work = join(folder, 'work');
mkdirSync(join(work, 'plans'), { recursive: true });
const FILES = ['$(touch x)', 'a b.json', 'plan.json', "it's"];
for (const name of FILES) writeFileSync(join(work, name), '');

type Question = {
  /** The line up to the cursor. */
  readonly line: string;
  /** What bash would replace, its second argument. */
  readonly replaces: string;
  /** What payctl answers. */
  readonly answer: string;
};

/**
 * Calls the function as bash does at a press of the key; payctl stands for one that remembers what it was asked, and
 * answers as it is told.
 */
function press({ line, replaces, answer }: Question) {
  writeFileSync(join(folder, 'answer'), answer);
  writeFileSync(join(folder, 'script'), COMPLETION_SCRIPTS.bash);
  writeFileSync(join(folder, 'asked'), '');
  const program = `
    payctl() { printf '%s\\0' "$@" > ../asked; cat ../answer; }
    . ../script
    COMP_LINE=$1 COMP_POINT=\${#1}
    _payctl payctl "$2" ''
    [[ \${#COMPREPLY[@]} == 0 ]] || printf '%s\\0' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '--noprofile', '-u', '-c', program, 'bash', line, replaces];
  const { stdout, stderr, status } = spawnSync('bash', args, { cwd: work, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return { replies: parts(stdout), asked: parts(readFileSync(join(folder, 'asked'), 'utf8')) };
}

const parts = (text: string) => text.split('\0').slice(0, -1);
const asked = (line: string) => press({ line, replaces: '', answer: ':\n' }).asked.slice(3);
const replies = (line: string, replaces: string, answer: string) => press({ line, replaces, answer }).replies;

describe('the script for bash', () => {
  it.each([
    ['payctl ', ['']],
    ['payctl bu', ['bu']],
    ['payctl  buyers \t list ', ['buyers', 'list', '']],
    ['payctl buyers list --output=js', ['buyers', 'list', '--output=js']],
    ['payctl x --base-url http://a:1/b@c --', ['x', '--base-url', 'http://a:1/b@c', '--']],
    ['payctl x "a b" \'c d\' e\\ f ', ['x', 'a b', 'c d', 'e f', '']],
    ['payctl x "a \\" b" y', ['x', 'a " b', 'y']],
    ['payctl x --profile "em', ['x', '--profile', 'em']],
    ["payctl x --profile='em", ['x', '--profile=em']],
    ['payctl x "', ['x', '']],
    ['payctl x \\', ['x', '']],
    ['payctl x > out 2>&1 --l', ['x', '--l']],
    ['payctl x < in ', ['x', '']],
    ['payctl x $(touch y) `touch y` $HOME * ', ['x', '$(touch', 'y)', '`touch', 'y`', '$HOME', '*', '']],
  ])('asks payctl for the words of the line as they stand: %j', (line, words) => {
    expect(asked(line)).toEqual(words);
    expect(readdirSync(work).sort()).toEqual([...FILES, 'plans'].sort());
  });

  it('asks with the hidden command, and ends its flags', () => {
    expect(press({ line: 'payctl bu', replaces: 'bu', answer: ':\n' }).asked).toEqual([
      '__complete',
      '--quotes',
      '--',
      'bu',
    ]);
  });

  it('offers the values without their descriptions', () => {
    expect(replies('payctl ', '', lines('a\tOne.', 'b', ':'))).toEqual(['a', 'b']);
  });

  it.each([
    ['payctl x --output=js', 'js', '--output=json', 'json'],
    ['payctl x --output=', '', '--output=json', 'json'],
    ['payctl x --output=js', '--output=js', '--output=json', '--output=json'],
    ['payctl x a:b', 'b', 'a:bc', 'bc'],
    ['payctl x --profile "em', 'em', 'emulator', 'emulator'],
    ['payctl x --profile "em', '"em', 'emulator', 'emulator'],
    ['payctl x em', 'something else', 'emulator', 'emulator'],
  ])(
    'offers what belongs in the place of the part that bash replaces: %j, %j',
    (line, replaced, value, reply) => {
      expect(replies(line, replaced, lines(value, ':'))).toEqual([reply]);
    },
  );

  it('offers nothing when payctl says nothing', () => {
    expect(replies('payctl x', 'x', '')).toEqual([]);
  });

  it('evaluates nothing that it is given', () => {
    const hostile = {
      '$(touch y)': '\\$\\(touch\\ y\\)',
      '`touch y`': '\\`touch\\ y\\`',
      $HOME: '\\$HOME',
      '*': '\\*',
      "'": "\\'",
      '"': '\\"',
      '\\': '\\\\',
      '-n': '-n',
      '~': '\\~',
    };
    const answer = lines(...Object.keys(hostile).map((text) => `${text}\t${text}`), ':');
    expect(replies('payctl ', '', answer)).toEqual(Object.values(hostile));
    expect(readdirSync(work).sort()).toEqual([...FILES, 'plans'].sort());
  });

  it.each([
    ['payctl x "a', 'a'],
    ["payctl x 'a", 'a'],
  ])('offers nothing in quotation marks that would end them or be expanded there: %s', (line, replaced) => {
    const offered = lines('a b', 'a$b', 'a`b', 'a"b', "a'b", 'a!b', 'a\\b', 'a*(b);', ':');
    expect(replies(line, replaced, offered)).toEqual(['a b', 'a*(b);']);
  });

  it('reads a word with quotation marks and backslashes as bash does', () => {
    expect(asked(`payctl "a\\"b\\c\\$"'d\\'e\\ f"g"`)).toEqual(['a"b\\c$d\\e fg']);
  });

  it.each([
    ['payctl x --faults pl', 'pl', ':files', ['plan.json', 'plans/']],
    ['payctl x --faults=pl', 'pl', ':files --faults=', ['plan.json', 'plans/']],
    ['payctl x --data @pl', '@pl', ':files @', ['@plan.json', '@plans/']],
    ['payctl x --data=@pl', '@pl', ':files --data=@', ['@plan.json', '@plans/']],
    ['payctl x --data @a', '@a', ':files @', ['@a\\ b.json']],
    ['payctl x --data @$', '@$', ':files @', ['@\\$\\(touch\\ x\\)']],
    ['payctl x --data @i', '@i', ':files @', ["@it\\'s"]],
    ['payctl x --data "@', '@', ':files @', ['@a b.json', '@plan.json', '@plans/']],
    ['payctl x --data @nothing', '@nothing', ':files @', []],
  ])('names files, which bash reads back as they are called: %j', (line, replaced, answer, files) => {
    expect(replies(line, replaced, lines(answer)).sort()).toEqual(files);
  });

  it.each([
    ['payctl x > pl', 'pl'],
    ['payctl x 2>pl', 'pl'],
    ['payctl x >> pl', 'pl'],
  ])('names files behind a redirection, without asking payctl: %j', (line, replaced) => {
    const run = press({ line, replaces: replaced, answer: lines('never', ':') });
    expect(run.replies.sort()).toEqual(['plan.json', 'plans/']);
    expect(run.asked).toEqual([]);
  });
});
