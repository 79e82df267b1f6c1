import { describe, expect, it } from 'vitest';
import { OUTPUT_FORMATS } from '../../src/output/formats.ts';
import { serviceForAll } from './service-for-all.ts';

const NUMBERS = [
  '1e400',
  '-0',
  '1e-400',
  '0.1000000000000000055511151231257827',
  '1.0',
  '12345678901234567890',
  '-5',
];

const METADATA = `{${NUMBERS.map((number, index) => `"n${index}":${number}`).join(',')}}`;
const service = serviceForAll(({ url }) => ({
  body: url.startsWith('/roles')
    ? `{"items":[{"id":"r-1","metadata":${METADATA}}],"next_cursor":null}`
    : `{"type":"checkout-session","id":"s-1","metadata":${METADATA}}`,
}));

const COLUMNS = NUMBERS.map((_, index) => `metadata.n${index}`).join(',');
/** The contract knows no metadata of a role. */
const UNKNOWN = COLUMNS.replaceAll('metadata', '?metadata');

describe.each(OUTPUT_FORMATS)('numbers in %s', (format) => {
  it.each([
    ['a list', ['roles', 'list', '--columns', UNKNOWN]],
    ['a whole list', ['roles', 'list', '--columns', UNKNOWN, '--all']],
    ['a document', ['checkout-sessions', 'get', 's-1']],
    ['fields of a document', ['checkout-sessions', 'get', 's-1', '--columns', COLUMNS]],
    ['an object', ['roles', 'list', '--columns', '?metadata']],
  ])('have the digits that were sent, in a pipe and on a terminal: %s', async (_, argv) => {
    for (const columns of [undefined, 400]) {
      const { stdout, code } = await service.run([...argv, '-o', format], { columns });
      expect(code).toBe(0);
      // Before and after a number there is no other digit.
      for (const number of NUMBERS) expect(stdout).toMatch(new RegExp(`(?<![\\d.])${number}(?![\\d.e])`));
      expect(stdout).not.toMatch(/Infinity|rawJSON/);
    }
  });
});
