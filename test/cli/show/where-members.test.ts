import { describe, expect, it } from 'vitest';
import { unknownMemberOf } from '../../../src/cli/show/where-members.ts';

const said = async (expression: string, operation = 'listApiLogs') =>
  await unknownMemberOf(expression, { operation, flag: '--where' });

describe('a member that entries do not have', () => {
  it.each([
    ['.status == 400', '.response_status_code or .response_body.status'],
    ['.code=="bad_request"', '.response_status_code or .response_body.code'],
    ['.url', '.request_url'],
    ['(.method == "GET") and .id', '.request_method'],
    ['.request_methd == "GET"', '.request_method'],
    ['.response_body | .stat', undefined],
  ])('is named with those that were probably meant: %s', async (expression, meant) => {
    const name = /\.(\w+)/.exec(expression.replace('.response_body | ', ''))?.[1];
    const text = `--where reads .${name}, which an entry does not have`;
    const hint = await said(expression);
    if (meant === undefined) expect(hint).toContain(`${text}; it has .type, .id, `);
    else expect(hint).toBe(`${text}: did you mean ${meant}?`);
  });

  it.each([
    '.response_status_code == 400',
    '.response_body.anything.at.all == 1',
    '.response_body | .status == 400',
    '.response_body.details[0].odd',
    '.request_url | test("x.status y") # .status',
    '. as $e | $e.status',
    '1 < 2.5',
    'true',
  ])('is not found in %s', async (expression) => {
    expect(await said(expression)).toBeUndefined();
  });

  it('is not looked for where the contract does not say what there is', async () => {
    expect(await said('.anything', 'none')).toBeUndefined();
  });
});
