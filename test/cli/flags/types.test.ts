import { Parser } from '@oclif/core';
import { describe, expect, it } from 'vitest';
import { FlagError, integerFlag, listFlag, textFlag } from '../../../src/cli/flags/types.ts';

const flags = {
  limit: integerFlag({ min: 1, max: 100 }),
  'max-items': integerFlag({ min: 1 }),
  search: textFlag({ maxLength: 5 }),
  columns: listFlag(),
};

async function parse(...argv: string[]): Promise<Record<string, unknown>> {
  return (await Parser.parse(argv, { flags })).flags;
}

/** What a value is refused with; oclif keeps the error of the parser, or it is the cause. */
async function refusal(...argv: string[]) {
  const error = await parse(...argv).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FlagError);
  const { code, problem, hint } = error as FlagError;
  return { code, problem, hint };
}

describe('the value of a flag', () => {
  it('is taken where it fits', async () => {
    expect(
      await parse('--limit', '100', '--max-items=5', '--search', 'Ada 1', '--columns', 'id, a.b'),
    ).toEqual({
      limit: 100,
      'max-items': 5,
      search: 'Ada 1',
      columns: ['id', 'a.b'],
    });
  });

  it.each(['0', '101', '-5', '1e1', '1.5', '', 'x', '9'.repeat(16)])(
    'is refused where it is not a number within the limits: %j',
    async (value) => {
      expect(await refusal(`--limit=${value}`)).toEqual({
        code: 'bad_flag',
        problem: `--limit must be a whole number from 1 to 100, not ${JSON.stringify(value)}`,
        hint: undefined,
      });
    },
  );

  it('is refused where it is below the one limit', async () => {
    expect((await refusal('--max-items=0')).problem).toBe(
      '--max-items must be a whole number of 1 or more, not "0"',
    );
  });

  it('is refused where a text is empty or too long, counted in characters', async () => {
    expect(await refusal('--search=')).toEqual({
      code: 'bad_flag',
      problem: '--search cannot be empty',
      hint: 'Remove --search, or give it a value.',
    });
    expect((await refusal('--search=sixsix')).problem).toBe('--search must have at most 5 characters, not 6');
    expect(await parse('--search=💳💳💳💳💳')).toMatchObject({ search: '💳💳💳💳💳' });
  });

  it('is refused where a name of a list is empty', async () => {
    expect((await refusal('--columns=id,,name')).problem).toBe(
      '--columns must be a comma-separated list of names, not "id,,name"',
    );
  });
});
