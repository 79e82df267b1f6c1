import { describe, expect, it } from 'vitest';
import { checkValue, timeMeant } from '../../../src/cli/flags/parameter-values.ts';
import { FlagError } from '../../../src/cli/flags/types.ts';

function refusalOf(what: string, text: string, format: string) {
  try {
    checkValue(what, text, { type: 'string', format });
  } catch (error) {
    if (error instanceof FlagError) return { message: error.message.split('\n')[0], hint: error.hint };
    throw error;
  }
  return undefined;
}

describe('checkValue', () => {
  it.each(['date', 'date-time'])('gives examples that its flag accepts: %s', async (format) => {
    const { hint = '' } = refusalOf('--due', 'soon', format) ?? {};
    const examples = /^Use (.*)\.$/.exec(hint)?.[1]?.split(/, | or /) ?? [];
    expect(examples.length).toBeGreaterThan(3);
    for (const example of examples) {
      const meant = await timeMeant('due', example, { type: 'string', format });
      expect(refusalOf('--due', meant, format), example).toBeUndefined();
    }
  });

  it('gives a date no example with a time of day', () => {
    expect(refusalOf('--due', 'soon', 'date')).toEqual({
      message: '--due must be a date such as 2026-03-01, not "soon"',
      hint: 'Use 7d, today, yesterday or 2026-03-01.',
    });
  });

  it('gives no examples for the argument of a path, which is sent as it is', () => {
    expect(refusalOf('DUE', 'soon', 'date')).toEqual({
      message: 'DUE must be a date such as 2026-03-01, not "soon"',
      hint: undefined,
    });
  });
});
