import { describe, expect, it } from 'vitest';
import { Pseudonyms } from '../../../../src/features/api-logs/report/pseudonyms.ts';
import { maskText } from '../../../../src/features/api-logs/report/text-masking.ts';
import { growthOf, LINEAR } from '../../../harness/growth.ts';

/** What patterns of the masking begin with, go on with or look behind for. */
const HOSTILE = [
  ...(
    'a A 1 0 1- 1. +1 ( : = :1 ab: @ a@ a. / /a /a1 // :// a:// a:b@ % %41 %2541 " {" [ ----- ' +
    'eyJabcd. password= pin: ;a= 2001: 1.1.1. 1_ a(at) "a "@ 4111/ order-'
  ).split(' '),
  '1 ',
  '\\',
  '\\u0041',
  "'",
  '\n',
  ' ',
  '  ',
  '\u00e9',
  '-----BEGIN A-----',
  'password ',
  'password is ',
  'pin:\n',
  'account number ',
  'exp ',
  'born on ',
  'cookie: ',
  'authorization: ',
  'Bearer ',
  'identifier "',
  'DE89 ',
  'AB 12 ',
  '\u200b',
  '1\u200b',
  '\u00a0',
  '1\u00a0',
  '\uff20',
  'a [at] b',
  'a @',
  '4111\t',
  'order 1',
  'name: ',
  'street: a ',
  'street: A ',
  'secret (',
  'request id ',
  '--token ',
  '\ue000',
];

describe('masking the texts of a report', () => {
  it.each(HOSTILE)('takes time in proportion to its length: %j', { tags: 'slow' }, async (part) => {
    const growth = await growthOf(
      (size) => maskText(part.repeat(size / part.length), new Pseudonyms()),
      1_000,
    );
    expect(growth).toBeLessThan(LINEAR);
  });

  it.each(['ada lovelace ', 'ada@example.com '])(
    'looks for known values in linear time: %j',
    { tags: 'slow' },
    async (part) => {
      const growth = await growthOf((size) => {
        const pseudonyms = new Pseudonyms();
        const people = Array.from({ length: size / 40 }, (_, at) => ({ last_name: `${part}${at}` }));
        return pseudonyms.value([people, part.repeat(size / part.length)]);
      }, 2_000);
      expect(growth).toBeLessThan(LINEAR);
    },
  );
});
