import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import '../../../harness/fixed-seeds.ts';
import { describe, expect, it } from 'vitest';
import { formatCompletion } from '../../../../src/features/completion/answer.ts';
import { COMPLETION_SCRIPTS } from '../../../../src/features/completion/scripts.ts';
import { anyText } from '../../../harness/any-text.ts';
import { folderForTest } from '../../../harness/temporary-folder.ts';

/** A line as it is typed up to the cursor, and the value that payctl completes its last word to. */
type Case = { readonly line: string; readonly value: string };
/** The words that payctl is run with once the line is completed and executed. */
type Ran = readonly string[];

/** What payctl answers where this value is the only candidate. */
const answerWith = (value: string) =>
  formatCompletion({ candidates: [{ value, description: 'D.' }] }, { quotes: true });

/**
 * A folder with the cases as files, in which the shell runs. `work` is where its commands would leave something: it has a file for
 * every pattern to match, and nothing may be added.
 */
function setUp(cases: readonly Case[], shell: 'bash' | 'zsh' | 'fish') {
  const folder = folderForTest();
  for (const name of ['work', 'cases', 'answers', 'ran']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'work', 'status=a'), '');
  writeFileSync(join(folder, 'script'), COMPLETION_SCRIPTS[shell]);
  for (const [index, { line, value }] of cases.entries()) {
    const name = String(index).padStart(5, '0');
    writeFileSync(join(folder, 'cases', name), line);
    writeFileSync(join(folder, 'answers', name), answerWith(value));
  }
  return folder;
}

function results(folder: string, cases: readonly Case[]): readonly Ran[] {
  expect(readdirSync(join(folder, 'work'))).toEqual(['status=a']);
  return cases.map((_, index) => {
    const text = readFileSync(join(folder, 'ran', String(index).padStart(5, '0')), 'utf8');
    return text.split('\0').slice(0, -1);
  });
}

function run(folder: string, command: readonly [string, ...string[]], input = '') {
  const [program, ...args] = command;
  const { error, status, stdout } = spawnSync(program, args, {
    cwd: join(folder, 'work'),
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', TERM: 'xterm' },
  });
  expect(error).toBeUndefined();
  expect({ status, stdout }).toMatchObject({ status: 0 });
}

/** Runs the completed line of every case: what bash keeps, what the function replies, and the closing quotation mark. */
function inBash(cases: readonly Case[]): readonly Ran[] {
  const folder = setUp(cases, 'bash');
  const program = `
    payctl() { if [[ $1 == __complete ]]; then cat "$answer"; else printf '%s\\0' "$@" > "$out"; fi; }
    . ../script
    for each in ../cases/*; do
      answer=../answers/\${each##*/} out=../ran/\${each##*/} COMP_LINE=$(<$each) open=''
      COMP_POINT=\${#COMP_LINE} replaced=\${COMP_LINE##*[ =]}
      if [[ $COMP_LINE == *[\\"\\']* ]]; then replaced=\${COMP_LINE#*[\\"\\']}; open=\${COMP_LINE%"$replaced"} open=\${open: -1}; fi
      _payctl payctl "$replaced" ''
      if [[ \${#COMPREPLY[@]} == 1 ]]; then eval "\${COMP_LINE%"$replaced"}$COMPREPLY$open"; else : > "$out"; fi
    done`;
  run(folder, ['bash', '--norc', '--noprofile', '-u', '-c', program]);
  return results(folder, cases);
}

/** Completes each line in the line editor of zsh, and runs the completed line. */
function inZsh(cases: readonly Case[]): readonly Ran[] {
  const folder = setUp(cases, 'zsh');
  const program = `
    payctl() { if [[ $1 == __complete ]]; then cat $answer; else printf '%s\\0' "$@" > $out; fi }
    . ../script
    each_line() {
      for each in ../cases/*; do
        answer=../answers/\${each:t} out=../ran/\${each:t} BUFFER=$(<$each)
        local before=$BUFFER
        CURSOR=\${#BUFFER}
        # Enter would expand the history; what runs here is not expanded.
        if [[ $BUFFER == *\\"* ]]; then unsetopt banghist; else setopt banghist; fi
        zle complete-word
        if [[ $BUFFER == $before ]]; then : > $out; else eval "$BUFFER"; fi
      done
      BUFFER=exit
      zle accept-line
    }
    zle -N each_line
    bindkey '^T' each_line
    `;
  writeFileSync(join(folder, 'program'), program);
  run(folder, ['script', '-qec', 'zsh -fi', '/dev/null'], '. ../program\r\u0014');
  return results(folder, cases);
}

/** Types each line into an interactive shell, then Tab and Enter. */
function typed(shell: 'bash' | 'zsh', cases: readonly Case[]): readonly Ran[] {
  const folder = setUp(cases, shell);
  const program = `
    next=00000
    payctl() {
      if [[ $1 == __complete ]]; then cat ../answers/$next; return; fi
      printf '%s\\0' "$@" > ../ran/$next
      printf -v next %05d $((10#$next + 1))
    }
    . ../script
    `;
  writeFileSync(join(folder, 'program'), program);
  const input = ['. ../program', ...cases.map(({ line }) => `${line}\t`), 'exit'];
  const start = shell === 'bash' ? 'bash --norc --noprofile -i' : 'zsh -fi';
  run(folder, ['script', '-qec', start, '/dev/null'], input.map((line) => `${line}\r`).join(''));
  return results(folder, cases);
}

/** Has fish name what it would insert, escaped as it is inserted, and runs the line with it. */
function inFish(cases: readonly Case[]): readonly Ran[] {
  const folder = setUp(cases, 'fish');
  const program = `
    function payctl
      if test "$argv[1]" = __complete
        cat $answer
      else
        printf '%s\\0' $argv > $out
      end
    end
    source ../script
    for each in ../cases/*
      set -g answer (string replace cases answers $each)
      set -g out (string replace cases ran $each)
      set -l line (cat $each)
      set -l found (complete --escape -C "$line" | string replace -r '\\t.*' '')
      if test (count $found) = 1
        eval (string replace -r '[^ ]*$' '' -- $line)$found
      else
        true > $out
      end
    end`;
  run(folder, ['fish', '--no-config', '-c', program]);
  return results(folder, cases);
}

const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;
const SHELLS = [
  ['bash', inBash, ['payctl x -F sta', 'payctl x -F status=', 'payctl x -F "sta', "payctl x -F 'status="]],
  ['zsh', inZsh, ['payctl x -F sta', 'payctl x -F status=', 'payctl x -F "sta', "payctl x -F 'status="]],
  ['fish', inFish, ['payctl x -F sta', 'payctl x -F status=']],
] as const;

/** Texts that a shell would run, expand, split or cut, if they stood there unquoted. */
const HOSTILE = [
  '$(touch ran)',
  '`touch ran`',
  '; touch ran',
  '&& touch ran #',
  '| touch ran',
  '> ran',
  '$((1+1))',
  '\u0024{HOME}',
  '$HOME',
  "$'a'",
  '~',
  '~root',
  'x=~root',
  'x:~root',
  '=ls',
  '!!',
  '!1',
  '^a^b',
  '*',
  '[a]',
  '?',
  '{a,b}',
  '<(touch ran)',
  '#',
  'Not Applicable',
  ' a ',
  "it's",
  '"q"',
  '\\',
  'a\\',
  '\\n',
  '%1',
  '-n',
  '--',
  '@file',
  'a:b',
  'a,b',
  '\u00e4\u20ac\u{1f600}',
];

describe.each(SHELLS)('what %s reads of a completed line', (shell, complete, typed) => {
  const cases = (texts: readonly string[], lines: readonly string[]) =>
    texts.flatMap((text) => lines.map((line) => ({ line, value: `status=${text}` })));

  it.skipIf(!isInstalled(shell))('is what was offered, and nothing of it runs', () => {
    const plain = typed.filter((line) => !/["']/.test(line));
    const all = cases(HOSTILE, plain);
    expect(complete(all)).toEqual(all.map(({ value }) => ['x', '-F', value]));
  });

  it.skipIf(!isInstalled(shell))(
    'is any text, or it was not offered',
    () => {
      const piece = fc.oneof(
        anyText(6),
        fc.constantFrom(...HOSTILE, '\n', '\t', '\u001b[31m', '\u202e', '\u00a0'),
      );
      const text = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(''));
      fc.assert(
        fc.property(fc.array(text, { minLength: 40, maxLength: 40 }), (texts) => {
          const all = cases(texts, typed);
          for (const [index, ran] of complete(all).entries())
            if (ran.length > 0) expect(ran).toEqual(['x', '-F', all[index]?.value]);
        }),
        { numRuns: 2, endOnFailure: true },
      );
    },
    60_000,
  );
});

describe.each(['bash', 'zsh'] as const)('Tab and Enter in %s', (shell) => {
  const lines =
    shell === 'zsh'
      ? ['payctl x -F sta', 'payctl x -F status=', 'payctl x -F "sta', "payctl x -F 'status="]
      : ['payctl x -F sta', 'payctl x -F status='];
  it.skipIf(!isInstalled(shell))('run payctl with the value that was offered', () => {
    const all = HOSTILE.flatMap((text) => lines.map((line) => ({ line, value: `status=${text}` })));
    expect(typed(shell, all)).toEqual(all.map(({ value }) => ['x', '-F', value]));
  });
});

describe('a value that cannot be seen as it is', () => {
  it.each([
    'a\nb',
    'a\tb',
    '\u001b[31m',
    '\u202eb',
    'a\u200bb',
    '\ud800',
    'a\u00a0b',
    '\u2028',
    '\ue000',
    '\u{a0100}',
    ':files',
    '',
  ])('is not offered: %j', (value) => {
    expect(answerWith(value)).toBe(':\n');
  });
});
