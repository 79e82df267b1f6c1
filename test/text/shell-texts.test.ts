import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The source without comments. What is for one shell, such as completion, names it; the hints for flags are given to the shell as a table. */
const sources = globSync('src/**/*.ts', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\/(?:completion(?:\/|\.ts)|shell\.ts|flag-hints\.ts)/.test(file))
  .map((file) => {
    const code = readFileSync(join(root, file), 'utf8').replace(/^\s*(?:\*|\/\/|\/\*\*).*$/gm, '');
    return [file, code] as const;
  });

/** Texts of one line with a redirection, `--flag @FILE` or `--flag 'quoted'`, which are not the same for every shell. */
const OF_A_SHELL =
  /'[^'\n]*(?:(?:payctl|--)[^'\n]* < \w|--[\w-]+ @FILE)[^'\n]*'|(["`])(?:(?!\1|\n).)*(?:--[\w-]+ (?:< \w|@FILE|')|such as '\/)(?:(?!\1|\n).)*\1/g;

/** What gives a text to the shell of the user; the help does it with all of its texts and examples. */
const IN_SHELL = /(?:[iI]nShell\(|summary:|description:|command:)\s*$/;

it('a text that is written for a POSIX shell is given to the shell of the user', () => {
  const left = sources.flatMap(([file, code]) =>
    [...code.matchAll(OF_A_SHELL)]
      .filter(({ 0: text, index }) => !text.includes('nShell(') && !IN_SHELL.test(code.slice(0, index)))
      .map(([text]) => `${file}: ${text}`),
  );
  expect(sources.length).toBeGreaterThan(500);
  expect(left).toEqual([]);
});

it('no text has a command within a command, which cmd cannot run', () => {
  expect(sources.filter(([, code]) => /\$\(payctl|<\(payctl/.test(code)).map(([file]) => file)).toEqual([]);
});
