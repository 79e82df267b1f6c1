import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFailure } from '../../../src/cli/failure/describe.ts';
import { maskExcerpt } from '../../../src/cli/failure/excerpt.ts';
import { ApiError } from '../../../src/client/errors.ts';
import { growthOf, LINEAR } from '../../harness/growth.ts';

const M = '********';

it.each([
  'sk_live_51H8xZabcdefghij',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
])('a detail that is a secret as a whole is masked, as it is in the excerpt: %s', (message) => {
  const body = JSON.stringify({ errors: [message] });
  expect(maskExcerpt(body)).toBe(`{"errors":["${M}"]}`);
  const fields = { status: 400, attempts: 1, request: { method: 'GET', path: '/', origin: '' } };
  const error = new ApiError('http_400', 'No', { ...fields, details: [{ message }], bodyExcerpt: body });
  expect(describeFailure(error).details).toEqual([{ message: M }]);
});

describe('the excerpt of a body', () => {
  it.each([
    ['{"secret":"SEKRET"', `{"secret":"${M}"`],
    ['upstream said: {"secret":"SEKRET"}', `upstream said: {"secret":"${M}"}`],
    ['{"a":1}\n{"secret":"SEKRET"}', `{"a":1}\n{"secret":"${M}"}`],
    [')]}\',\n{"items":[{"secret":"SEKRET"}]}', `)]}',\n{"items":[{"secret":"${M}"}]}`],
    ['x "secret" : ["SEKRET", {"a": "SEKRET"}], "b": 1', `x "secret" : ${M}, "b": 1`],
    ['"{\\"secret\\":\\"SEK\\\\\\"RET\\",\\"a\\":1}"', `"{\\"secret\\":\\"${M}\\",\\"a\\":1}"`],
    ['a=1&secret=SEKRET&password=SEKRET&b=2', `a=1&secret=${M}&password=${M}&b=2`],
    ['id: 1\nsecret: SEKRET SEKRET\nb: 2', `id: 1\nsecret: ${M}\nb: 2`],
    ['secret: |\n  SEKRET\n  SEKRET', `secret: ${M}`],
    ['secrets:\n  - SEKRET\n  - SEKRET', `secrets:\n  ${M}`],
    ["{'secret':'SEKRET','a':'b'}", `{'secret':'${M}','a':'b'}`],
    ['x {"secret"=>"SEKRET", "a"=>1}', `x {"secret"=>"${M}", "a"=>1}`],
    ['<secret>SEKRET</secret>', `<secret>${M}</secret>`],
    ['x {"s\\u0065cret":"SEKRET"}', `x {"s\\u0065cret":"${M}"}`],
    ['Authorization: Bearer SEKRET\nHost: a', `Authorization: ${M}\nHost: a`],
    ['got header Authorization: Bearer SEKRET', `got header Authorization: ${M}`],
    ['the api key: SEKRET', `the api key: ${M}`],
    ['x {"secret":SEKRET', `x {"secret":${M}`],
    ['x {"secret":"SEKRET', `x {"secret":"${M}`],
  ])('shows no secret: %s', (text, shown) => {
    expect(maskExcerpt(text)).toBe(shown);
    expect(maskExcerpt(text, { revealPii: true })).toBe(shown);
  });

  it.each([
    [
      '{"items":[{"id":"b1","billing_details":{"first_name":"ALICE',
      `{"items":[{"id":"b1","billing_details":"${M}"`,
    ],
    [
      '{"first_name":"ALICE","id":"i","phone_number":5',
      `{"first_name":"${M}","id":"i","phone_number":"${M}"`,
    ],
    ['x {"address":{"city":"ALICE"},"a":1}', `x {"address":${M},"a":1}`],
    ['{"error":{"buyer":{"emailAddress":"ALICE"}}}', `{"error":{"buyer":{"emailAddress":"${M}"}}}`],
    ['first_name=ALICE&id=1', `first_name=${M}&id=1`],
  ])('shows no personal data unless they are revealed: %s', (text, shown) => {
    expect(maskExcerpt(text)).toBe(shown);
    expect(maskExcerpt(text, { revealPii: true })).toBe(text);
  });

  it.each([
    '{"message":"it failed: at 12:30","code":"x","secret_id":"1","secret":null}',
    '<html><head><title>Welcome</title></head>',
    'upstream connect error: reset=1, next_cursor=abc',
    'https://example.com/?a=b',
    'secret:',
    '',
  ])('is shown as it is where it holds neither: %s', (text) => {
    expect(maskExcerpt(text)).toBe(text);
  });

  it('shows no secret in any text around it', () => {
    const shapes = fc.constantFrom(
      '"secret":"SEKRET"',
      'secret=SEKRET',
      "'password' : 'SEKRET'",
      'api_key: SEKRET',
    );
    const around = fc.string().filter((text) => !/[a-z0-9]$/i.test(text));
    fc.assert(
      fc.property(around, shapes, fc.string(), (before, shape, after) => {
        expect(maskExcerpt(`${before}\n${shape}\n${after}`)).not.toContain('SEKRET');
      }),
    );
  });

  it.each(['secret=', '"secret":"', '"secret":{', 'secret:\\\\', ':', '\\', 'secret ', 'secret:\n'])(
    'is masked in time in proportion to its length: %s',
    { tags: 'slow' },
    async (part) => {
      expect(await growthOf((size) => maskExcerpt(part.repeat(size)), 1_000)).toBeLessThan(LINEAR);
    },
  );
});
