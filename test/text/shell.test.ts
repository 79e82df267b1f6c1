import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  commandInShell,
  inShell,
  quoteFor,
  type Shell,
  setVariables,
  shellOf,
  shellQuote,
} from '../../src/text/shell.ts';

test.each([
  ['/home/ann/.config/payctl/profiles.json', '/home/ann/.config/payctl/profiles.json'],
  ['key_1+2.pem', 'key_1+2.pem'],
  ['-rf', '-rf'],
  ['', "''"],
  ["it's", "'it'\\''s'"],
  ['$(rm x)', "'$(rm x)'"],
  ['C:\\Users\\Ann', "'C:\\Users\\Ann'"],
  ['~/key', "'~/key'"],
  ['a\nb', "'a\nb'"],
])('%j is written %s', (path, word) => {
  expect(quoteFor('posix', path)).toBe(word);
});

test.skipIf(process.platform === 'win32')('a shell takes every path as it is', () => {
  const unit = fc.constantFrom(...'ab/.-\'"\\$`!*?[]{}()<>|&;~# \t\n=%^,:@ü');
  const paths = fc.sample(fc.string({ unit, maxLength: 12 }), 500);
  const script = `printf '%s\\0' ${paths.map((path) => quoteFor('posix', path)).join(' ')}`;
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  expect(stdout.split('\0').slice(0, -1)).toEqual(paths);
});

/** The arguments in a command line, as the runtime of Microsoft's compilers takes them apart for a program. */
function argumentsIn(line: string): string[] {
  const found: string[] = [];
  let argument: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const [slashes = ''] = /^\\*/.exec(line.slice(at)) ?? [];
    const isMark = line[at + slashes.length] === '"';
    if (slashes !== '') {
      argument = (argument ?? '') + (isMark ? '\\'.repeat(slashes.length >> 1) : slashes);
      at += slashes.length - 1;
      if (!isMark) continue;
      at += 1;
      if (slashes.length % 2 === 1) {
        argument += '"';
        continue;
      }
    }
    const char = line[at] ?? '';
    if (char === '"') {
      argument ??= '';
      if (isQuoted && line[at + 1] === '"') {
        argument += '"';
        at += 1;
      } else isQuoted = !isQuoted;
    } else if (!isQuoted && /[ \t]/.test(char)) {
      if (argument !== undefined) found.push(argument);
      argument = undefined;
    } else argument = (argument ?? '') + char;
  }
  return argument === undefined ? found : [...found, argument];
}

/** What cmd makes of a line: a variable of any name is set, and outside of quotation marks no character may do anything. */
function readByCmd(line: string, { isPrompt }: { isPrompt: boolean }): string {
  const expanded = isPrompt ? line.replace(/%\w[^%:"]*(?::[^%"]*)?%/g, 'EXPANDED') : line;
  let isQuoted = false;
  let result = '';
  for (let at = 0; at < expanded.length; at += 1) {
    const char = expanded[at] ?? '';
    if (char === '"') isQuoted = !isQuoted;
    if (!isQuoted && /[&|<>()]/.test(char)) throw new Error(`cmd acts on ${char} in ${line}`);
    if (!isQuoted && char === '^') at += 1;
    result += !isQuoted && char === '^' ? (expanded[at] ?? '') : char;
  }
  return result;
}

/** The value of a line that is one argument of a PowerShell command. */
function readByPowerShell(line: string): string {
  const [, double] = /^["“”„]((?:[^"“”„`$]|["“”„]{2}|`.)*)["“”„]$/su.exec(line) ?? [];
  if (double !== undefined) return double.replace(/(["“”„])["“”„]|`(.)/gsu, '$1$2');
  const [, single] = /^['‘’‚‛]((?:[^'‘’‚‛]|['‘’‚‛]{2})*)['‘’‚‛]$/su.exec(line) ?? [];
  if (single !== undefined) return single.replace(/(['‘’‚‛])['‘’‚‛]/gu, '$1');
  if (/[\s'"“”„‘’‚‛`$(){};,|&<>]|^[@#]|^-\w+[.:]/u.test(line)) throw new Error(`PowerShell acts on ${line}`);
  return line;
}

/** How PowerShell 7.3 hands a value to a program. */
function withEscapes(value: string): string {
  return `"${value.replace(/(\\*)("|$)/g, (_, slashes: string, mark: string) => slashes + slashes + (mark && `\\${mark}`))}"`;
}

/** How Windows PowerShell does: in quotation marks if it has a blank that is not between two of its own, else as it is. */
function asItIs(value: string): string {
  const plain = value.replaceAll('\\"', '');
  return plain.split('"').some((part, index) => index % 2 === 0 && /\s/.test(part)) ? `"${value}"` : value;
}

const READERS: Readonly<Record<string, readonly [shell: Shell, read: (line: string) => string[]]>> = {
  'cmd, at its prompt': ['cmd', (line) => argumentsIn(readByCmd(line, { isPrompt: true }))],
  'cmd, through the file that npm makes': [
    'cmd',
    (line) => argumentsIn(readByCmd(readByCmd(line, { isPrompt: true }), { isPrompt: false })),
  ],
  'PowerShell 7.3': ['powershell', (line) => argumentsIn(withEscapes(readByPowerShell(line)))],
  'Windows PowerShell': ['windows-powershell', (line) => argumentsIn(asItIs(readByPowerShell(line)))],
};

describe.each(Object.entries(READERS))('%s', (_, [shell, read]) => {
  test('passes every value on as it is', () => {
    const unit = fc.constantFrom(...'aZ9/.-\'"\\$`!*?[]{}()<>|&;~# \t=%^,:@ü“’');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (value) => {
        expect(read(quoteFor(shell, value))).toEqual([value]);
      }),
    );
  });

  test.each([
    ['%PATH%'],
    ['50% of 100%'],
    ['%a:b=c%&calc'],
    ['{"name":"Tea & cake","quantity":2}'],
    ['a\\"b\\'],
    ['\\%%'],
    ['C:\\Program Files\\copy\\'],
    ['.items[] | select(.status == "failed")'],
    ['$HOME `x` $(calc)'],
  ])('passes %s on', (value) => {
    expect(read(quoteFor(shell, value))).toEqual([value]);
  });
});

test('a value without special characters is quoted in the same way for all shells of Windows', () => {
  const unit = fc.constantFrom(..."aZ9/.-'!*?[]{}()<>|&;~# =^,:@ü");
  fc.assert(
    fc.property(fc.string({ unit, minLength: 1, maxLength: 12 }), (value) => {
      const [first, ...others] = (['cmd', 'powershell', 'windows-powershell'] as const).map((shell) =>
        quoteFor(shell, value),
      );
      expect(others).toEqual([first, first]);
    }),
  );
});

const MACHINE =
  'C:\\Program Files\\WindowsPowerShell\\Modules;C:\\WINDOWS\\system32\\WindowsPowerShell\\v1.0\\Modules';

test.each<[Shell, NodeJS.Platform, Record<string, string>]>([
  ['posix', 'linux', { PSModulePath: '/home/ann/.local/share/powershell/Modules' }],
  ['cmd', 'win32', { PSModulePath: MACHINE }],
  ['cmd', 'win32', { PSModulePath: `%ProgramFiles%\\WindowsPowerShell\\Modules;${MACHINE}` }],
  ['cmd', 'win32', { SHELL: 'C:\\WINDOWS\\system32\\cmd.exe' }],
  [
    'windows-powershell',
    'win32',
    { PSModulePath: `C:\\Users\\ann\\Documents\\WindowsPowerShell\\Modules;${MACHINE}` },
  ],
  ['powershell', 'win32', { PSModulePath: `C:\\Users\\ann\\Documents\\PowerShell\\Modules;${MACHINE}` }],
  ['posix', 'win32', { SHELL: '/usr/bin/bash', PSModulePath: MACHINE }],
  ['posix', 'win32', { SHELL: 'C:\\Program Files\\Git\\usr\\bin\\bash.exe', PSModulePath: MACHINE }],
])('%s on %s with %j', (shell, platform, variables) => {
  expect(shellOf(platform, variables)).toBe(shell);
});

test.each<[Shell, string]>([
  ['posix', "payctl api get '/buyers?limit=2' --columns id,name --data @body.json -- 'it'"],
  ['cmd', 'payctl api get "/buyers?limit=2" --columns "id,name" --data "@body.json" -- it'],
  ['powershell', 'payctl api get "/buyers?limit=2" --columns "id,name" --data "@body.json" -- it'],
])('a command for %s', (shell, command) => {
  expect(
    commandInShell("payctl api get '/buyers?limit=2' --columns id,name --data @body.json -- 'it'", shell),
  ).toBe(command);
});

test('a command that reads a file on standard input runs in cmd, because PowerShell has no such mark', () => {
  const command = 'payctl webhooks verify --secret @secret.txt < body.json';
  expect(commandInShell(command, 'cmd')).toBe('payctl webhooks verify --secret "@secret.txt" < body.json');
  expect(commandInShell(command, 'powershell')).toBe(`cmd /c "${command}"`);
});

test('a command for another shell stays as it is', () => {
  const command = 'eval "$(payctl completion bash)"';
  expect(commandInShell(command, 'cmd')).toBe(command);
});

test.each<[Shell, string]>([
  ['cmd', `To sort: --jq ".items | sort_by(.id)", of payctl's own, --data "{...}", "@FILE" or -`],
  ['posix', `To sort: --jq '.items | sort_by(.id)', of payctl's own, --data '{...}', @FILE or -`],
])('a fixed text for %s', (shell, text) => {
  expect(
    inShell(`To sort: --jq '.items | sort_by(.id)', of payctl's own, --data '{...}', @FILE or -`, shell),
  ).toBe(text);
});

test.each<[Shell, string]>([
  ['posix', "export A='https://{id}.example.com' B=ID"],
  ['cmd', 'set "A=https://{id}.example.com" & set "B=ID"'],
  ['powershell', '$env:A = "https://{id}.example.com"; $env:B = "ID"'],
  ['windows-powershell', '$env:A = "https://{id}.example.com"; $env:B = "ID"'],
])('variables are set in %s', (shell, command) => {
  expect(setVariables({ A: 'https://{id}.example.com', B: 'ID' }, shell)).toBe(command);
});

describe('on Windows', () => {
  afterEach(() => vi.restoreAllMocks());

  test('quotes for the shell of this process', () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    vi.stubEnv('SHELL', '');
    vi.stubEnv('PSModulePath', MACHINE);
    expect(shellQuote("it's")).toBe(`"it's"`);
    vi.unstubAllEnvs();
  });
});
