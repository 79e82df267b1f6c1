import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completionLines } from '../../../scripts/render-completion.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { answerCompletion } from '../../../src/features/completion/answer.ts';
import { lines } from '../../harness/lines.ts';
import { folderForAll } from '../../harness/temporary-folder.ts';
import { SAMPLE_DATA } from './sample-data.ts';

const folder = folderForAll();
const jq = { name: 'jq', summary: 'Filter.', value: 'unknown' as const };
const own = { summary: 'Own.', flags: [jq], args: ['unknown' as const], columns: [], deepColumns: [] };
const commands = { ...SAMPLE_DATA.commands, 'api call': own, 'api show': own };
writeFileSync(join(folder, 'completion.jsonl'), completionLines({ ...SAMPLE_DATA, commands }));

const named = { summary: 'S.', flags: [], args: [], columns: [], deepColumns: [] };
const members = {
  members: ['amount=', 'status=', 'status=active', 'status=gone', 'buyer.name=', 'buyer.age=', 'file=@'],
};
const field = { name: 'field', char: 'F', summary: 'A member.', value: members };
const operations = (call: string) => ({
  [`${call} list_refunds`]: named,
  [`${call} refunds list`]: named,
  [`${call} refunds make`]: { ...named, flags: [field] },
});

const answer = async (...words: string[]) =>
  await answerCompletion({ words }, readEnvironment({ PAYCTL_CONFIG_DIR: folder }), {
    programFolder: folder,
    imported: async () => ({ commands: operations(words.slice(0, 2).join(' ')), topics: {} }),
  });

describe('the operations after api call and api show', () => {
  it.each(['api call', 'api show'])('are offered by their ids and words: %s', async (call) => {
    const words = call.split(' ');
    expect(await answer(...words, '')).toBe(lines('list_refunds\tS.', 'refunds', ':'));
    expect(await answer(...words, 'ref')).toBe(lines('refunds', ':'));
    expect(await answer(...words, 'refunds', '')).toBe(lines('list\tS.', 'make\tS.', ':'));
  });

  it('are followed by the flags of api show, or by those of the operation that is called', async () => {
    expect(await answer('api', 'show', 'refunds', 'list', '--j')).toBe(lines('--jq\tFilter.', ':'));
    expect(await answer('api', 'show', 'list_refunds', '--j')).toBe(lines('--jq\tFilter.', ':'));
    expect(await answer('api', 'call', 'refunds', 'make', '--f')).toBe(lines('--field\tA member.', ':'));
  });
});

describe('the members of a body after -F', () => {
  it.each([
    ['', lines('amount=', 'status=', 'buyer.', 'file=', ':nospace')],
    ['b', lines('buyer.', ':nospace')],
    ['buyer.', lines('buyer.name=', 'buyer.age=', ':nospace')],
    ['status', lines('status=', ':nospace')],
    ['status=', lines('status=active', 'status=gone', ':')],
    ['amount=', lines(':')],
    ['file=', lines('file=@', ':nospace')],
    ['file=@', lines(':files file=@')],
    ['note=@a', lines(':files note=@')],
    ['x', lines(':nospace')],
  ])('are offered step by step: %j', async (typed, expected) => {
    expect(await answer('api', 'call', 'refunds', 'make', '-F', typed)).toBe(expected);
  });
});
