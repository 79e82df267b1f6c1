import { describe, expect, it } from 'vitest';
import { bytesSource } from '../../src/descriptions/byte-source.ts';
import { checkableParts, problemsOfParts } from '../../src/descriptions/check-parts.ts';

const file = { type: 'string', format: 'binary', minLength: 2, maxLength: 3 };
const schema = {
  type: 'object',
  properties: { file, pages: { type: 'array', items: file }, count: { type: 'integer' } },
};
const bytes = (length: number) => bytesSource(new Uint8Array(length));

describe('a body of parts', () => {
  it('is checked with an empty text in place of each file, and with texts as their types', () => {
    const body = { file: bytes(2), pages: [bytes(2), bytes(3)], count: '7', note: { a: 'b' } };
    expect(JSON.stringify(checkableParts(body, schema))).toBe(
      '{"file":"","pages":["",""],"count":7,"note":{"a":"b"}}',
    );
    expect(checkableParts('text', schema)).toBe('text');
  });

  it('has the problems of its files in place of those of the empty texts', () => {
    const body = { file: bytes(1), pages: [bytes(4), 'text'], count: 'x' };
    const found = ['/file', '/pages/0', '/count'].map((pointer) => ({ pointer, message: 'found' }));
    expect(problemsOfParts(body, schema, found)).toEqual([
      { pointer: '/count', message: 'found' },
      { pointer: '/file', message: expect.stringMatching(/^must have at least 2 bytes/) },
      { pointer: '/pages/0', message: expect.stringMatching(/^must have at most 3 bytes/) },
      { pointer: '/pages/1', message: expect.stringMatching(/^must be a file/) },
    ]);
  });
});
