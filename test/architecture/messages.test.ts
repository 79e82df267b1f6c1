import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../src');
/** Help, which is read as prose, and scripts. */
const IS_PROSE = /^(?:commands|cli\/routing\/help|features\/completion|emulator)\/|\/generated\//;
const TOPICS = readdirSync(join(SOURCES, 'commands')).map((name) => name.replace('.ts', ''));

/** A string in a line of code, without interpolations in it that hold strings. */
const LITERALS = /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"/g;
const COMMAND = `payctl (?:(?:${TOPICS.join('|')})\\b|\\$\\{)`;
/** A command with more of its sentence, or another sentence, behind it. */
const WITHIN = new RegExp(
  `${COMMAND}.* (?:and|finds|gives|lists|or|prints|says|shows|starts|stores|to|uses|with) |${COMMAND}[^']*\\. `,
);
/** A command in a sentence that does not end with a colon before it. */
const AFTER_WORDS = new RegExp(`[a-z,] ${COMMAND}`);

function messages(): readonly string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !IS_PROSE.test(file.replaceAll('\\', '/')))
    .flatMap((file) => readFileSync(join(SOURCES, file), 'utf8').split('\n'))
    .filter((line) => !/^\s*(?:\*|\/\/|\/\*)/.test(line))
    .flatMap((line) => line.match(LITERALS) ?? []);
}

it('commands stand at the end of messages, after a colon or alone, so that they can be copied', () => {
  const found = messages().filter((text) => WITHIN.test(text) || AFTER_WORDS.test(text));
  expect(found).toEqual([]);
});

/** They break lines for a terminal, or write what has its width. */
const WRITES_TO_STDERR = [
  'cli/failure/report.ts',
  'cli/routing/help/search-help.ts',
  'cli/session/confirm-write.ts',
  'cli/session/mark-production.ts',
  'cli/show/display.ts',
  'cli/watch.ts',
  'commands/bulk/approve.ts',
  'output/paged-output.ts',
  'output/progress.ts',
];

it('a body is refused in one way, which says that nothing was sent', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const refusing = files.filter((file) =>
    /Error\(\s*'bad_body'/.test(readFileSync(join(SOURCES, file), 'utf8')),
  );
  expect(refusing).toEqual(['errors.ts']);
});

it('messages go to stderr through what breaks lines for a terminal', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const writing = files.filter((file) => readFileSync(join(SOURCES, file), 'utf8').includes('stderr.write('));
  expect(writing.map((file) => file.replaceAll('\\', '/')).sort()).toEqual(WRITES_TO_STDERR);
});
