import { describe, expect, it } from 'vitest';
import { groupsOf, withoutCommands } from '../../../src/descriptions/listing.ts';
import { helpOf, importedCommandHelp } from '../../../src/features/api/imported-help.ts';
import { operationOf } from './operations.ts';

const hostile = 'Pay\u001b[2J\n\nFLAGS\n\t--evil\u202E  now\u2028';
const operation = operationOf({
  path: '/transactions/{id}',
  summary: hostile,
  description: `${hostile} ${'word '.repeat(100)}`,
  pathValues: { id: { type: 'string', summary: hostile } },
  query: { status: { type: 'string', summary: hostile, required: true } },
  isDeprecated: true,
});
const indexed = {
  id: 'x',
  method: 'GET',
  path: '/x',
  summary: hostile,
  command: 'x list',
  scopes: [],
} as const;

describe('the texts of a description in the help', () => {
  it('stay on one line, without characters that a terminal acts on', () => {
    const help = helpOf(operation, 'transactions get');
    const texts = [
      help.summary,
      help.description,
      ...help.arguments.map(({ summary }) => summary),
      help.flags[0]?.summary,
    ];
    expect(texts.every((text) => text?.includes('Pay [2J FLAGS --evil now'))).toBe(true);
    const page = importedCommandHelp({ words: 'transactions get', operation }, 80);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u2028]/);
  });

  it('say what is required, what is deprecated, and no more than a few lines', () => {
    const help = helpOf(operation, 'transactions get');
    expect(help.flags[0]).toMatchObject({ name: '--status', required: true });
    expect(help.summary).toMatch(/\. Deprecated\.$/);
    expect(help.description?.length).toBeLessThanOrEqual(244);
  });

  it('say the method and the path where the document says nothing', () => {
    const silent = { ...indexed, summary: '', isDeprecated: false };
    expect(groupsOf(new Map([['x list', silent]])).x?.[0]?.summary).toBe(`${silent.method} ${silent.path}`);
    const summaryOf = (isDeprecated: boolean) =>
      helpOf({ ...operation, summary: '', isDeprecated }, 'transactions get').summary;
    expect([summaryOf(false), summaryOf(true)]).toEqual([
      `${operation.method} ${operation.path}`,
      `${operation.method} ${operation.path} (deprecated)`,
    ]);
  });

  it('leave out the commands that payctl has itself', () => {
    const groups = groupsOf(new Map([['x list', indexed]]));
    expect(withoutCommands({ title: '', groups }, ['x get']).groups).toEqual(groups);
    expect(withoutCommands({ title: '', groups }, ['x list']).groups).toEqual({});
  });
});
