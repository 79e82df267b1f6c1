import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completionLines } from '../../../scripts/render-completion.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { answerCompletion, formatCompletion } from '../../../src/features/completion/answer.ts';
import { anyText } from '../../harness/any-text.ts';
import { lines } from '../../harness/lines.ts';
import { folderForAll } from '../../harness/temporary-folder.ts';
import { SAMPLE_DATA } from './sample-data.ts';

const folder = folderForAll();
writeFileSync(join(folder, 'completion.jsonl'), completionLines(SAMPLE_DATA));

const PROFILES_WANTED = ['buyers', 'list', '--profile', ''];
let configurations = 0;

/** The answer with these texts as files of the configuration; a name that ends with / is a directory. */
async function answer(words: readonly string[], files: Readonly<Record<string, string>> = {}) {
  configurations += 1;
  const directory = join(folder, `config-${configurations}`);
  mkdirSync(directory, { mode: 0o700 });
  for (const [name, text] of Object.entries(files)) {
    if (name.endsWith('/')) mkdirSync(join(directory, name));
    else writeFileSync(join(directory, name), text, { mode: 0o600 });
  }
  return await answerCompletion({ words }, readEnvironment({ PAYCTL_CONFIG_DIR: directory }), {
    programFolder: folder,
  });
}

const stored = (profiles: Record<string, unknown>, active?: string) => ({
  'profiles.json': JSON.stringify({ version: 1, profiles, ...(active ? { active } : {}) }),
});

describe('the answer to a shell', () => {
  it('is a candidate a line, its description behind a tab, and a line for the script', async () => {
    expect(await answer(['buyers', ''])).toBe(lines('gift-cards\tGift cards.', 'list\tList buyers.', ':'));
  });

  it('says that a list may go on', async () => {
    expect(await answer(['buyers', 'list', '--columns', 'id,dis'])).toBe(
      lines('id,display_name', ':nospace'),
    );
  });

  it.each([
    [['--faults', 'x'], ':files'],
    [['--faults=x'], ':files --faults='],
    [['--data', '@x'], ':files @'],
    [['--data=@x'], ':files --data=@'],
  ])('leaves files to the shell: %j', async (words, line) => {
    expect(await answer(['buyers', 'list', ...words])).toBe(lines(line));
  });

  it('names the profiles, and says which is active and which is production', async () => {
    const files = stored(
      { eu: { environment: 'production' }, test: { environment: 'sandbox' }, x: {} },
      'eu',
    );
    expect(await answer(PROFILES_WANTED, files)).toBe(
      lines('eu\tproduction, active', 'test\tsandbox', 'x', 'emulator\tbuilt in', ':'),
    );
  });

  it("names the profiles of one's own where a built-in one cannot stand", async () => {
    expect(await answer(['profiles', 'delete', ''], stored({ eu: {} }))).toBe(lines('eu', ':'));
  });

  it.each(['$(touch x)', '`x`', 'a b', 'a\nb', ':files', '=ls'])(
    'names none of a file with a profile that no shell would read as one plain word: %j',
    async (name) => {
      const files = stored({ ok: {}, [name]: {} });
      expect(await answer(PROFILES_WANTED, files)).toBe(lines('emulator\tbuilt in', ':'));
    },
  );

  it.each([
    ['damaged', { 'profiles.json': '{' }],
    ['of another kind', { 'profiles.json': '[]' }],
    ['a directory', { 'profiles.json/': '' }],
    ['not there', {}],
  ])('names the built-in profile alone when the file of the profiles is %s', async (_, files) => {
    expect(await answer(PROFILES_WANTED, files)).toBe(lines('emulator\tbuilt in', ':'));
  });

  it.each([
    ['there are none', undefined],
    ['they are damaged', '{'],
    ['they are of another kind', '7'],
  ])('is empty when the data of the build cannot be used: %s', async (_, text) => {
    const other = mkdtempSync(join(folder, 'program-'));
    if (text !== undefined) writeFileSync(join(other, 'completion.jsonl'), text);
    expect(
      await answerCompletion({ words: ['buyers', ''] }, readEnvironment({}), { programFolder: other }),
    ).toBe(lines(':'));
  });
});

describe('formatCompletion', () => {
  it('makes one line of each candidate, whatever its description is', () => {
    const text = anyText();
    fc.assert(
      fc.property(fc.array(text), (descriptions) => {
        const candidates = descriptions.map((description) => ({ value: 'x', description }));
        const printed = formatCompletion({ candidates }, { quotes: true }).split('\n');
        expect(printed).toHaveLength(descriptions.length + 2);
        for (const line of printed.slice(0, -2)) expect(line).toMatch(/^x(\t[^\p{Cc}\u2028\u2029]+)?$/u);
        expect(printed.slice(-2)).toEqual([':', '']);
      }),
    );
  });
});
