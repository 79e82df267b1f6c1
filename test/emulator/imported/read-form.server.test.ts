import { describe, expect, it } from 'vitest';
import { readForm } from '../../../src/descriptions/read-form.ts';
import { growthOf, LINEAR } from '../../harness/growth.ts';
import { startImported } from './imported-emulator.ts';

const FORM = 'application/x-www-form-urlencoded';
const charge = {
  type: 'object',
  required: ['id', 'amount'],
  properties: {
    id: { type: 'string' },
    amount: { type: 'integer' },
    metadata: { type: 'object', additionalProperties: { type: 'string' } },
    tags: { type: 'array', items: { type: 'string' } },
  },
};
const { id: _, ...writable } = charge.properties;
const body = {
  type: 'object',
  required: ['amount'],
  properties: { ...writable, amount: { type: 'integer', minimum: 1 } },
};
const description = {
  openapi: '3.1.0',
  info: { title: 'Charges', version: '1' },
  paths: {
    '/charges': {
      get: {
        responses: {
          200: {
            description: '',
            content: { 'application/json': { schema: { type: 'array', items: charge } } },
          },
        },
      },
      post: {
        requestBody: { required: true, content: { [FORM]: { schema: body } } },
        responses: { 201: { description: '', content: { 'application/json': { schema: charge } } } },
      },
    },
  },
};

describe('the reader of forms', () => {
  const read = (text: string, encoding = {}) => readForm(text, { schema: undefined, encoding });

  it('appends after all elements that there are', () => {
    expect(read('a[1]=x&a[]=y&a[]=z&a[7]=t&a[]=u&a[b]=v')).toEqual({
      a: { 1: 'x', 2: 'y', 3: 'z', 7: 't', 8: 'u', b: 'v' },
    });
  });

  it('takes as many elements as a body can have, in time in proportion to their number', async () => {
    const readElements = (count: number) => read(`a[1]=x${'&a[]='.repeat(count)}`) as { readonly a: object };
    expect(Object.keys(readElements(150_000).a)).toHaveLength(150_001);
    expect(await growthOf(readElements, 500)).toBeLessThan(LINEAR);
  });

  it('takes JSON that is nested deeper than a request may be for a text', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(read(`a=${nested(100)}`, { a: 'json' })).toEqual({ a: JSON.parse(nested(100)) });
    expect(read(`a=${nested(101)}`, { a: 'json' })).toEqual({ a: nested(101) });
  });
});

describe('a form that the emulator takes', () => {
  it('makes a record with the types of the schema', async () => {
    await using emulator = await startImported(description);
    const post = async (text: string, type = FORM) =>
      await emulator.send('/charges', {
        method: 'POST',
        scopes: ['*'],
        body: text,
        headers: { 'content-type': type },
      });
    const made = await post(
      'amount=1299&metadata[order+id]=17&tags=a&tags=b&unknown=1',
      `${FORM}; charset=utf-8`,
    );
    expect(made).toMatchObject({
      status: 201,
      body: { amount: 1299, metadata: { 'order id': '17' }, tags: ['a', 'b'] },
    });
    expect((await post('amount=5&tags[]=a')).body).toMatchObject({ amount: 5, tags: ['a'] });
  });

  it.each([
    ['amount=0', '/amount', 'must be 1 or more'],
    ['amount=x', '/amount', 'must be an integer, not a string'],
    ['tags=a', '/amount', 'is required'],
    ['amount=1&amount=2', '/amount', 'must be an integer, not an array'],
    ['amount=%zz', '', 'must be a form in UTF-8'],
    ['amount=%ff', '', 'must be a form in UTF-8'],
  ])('is checked: %s', async (text, pointer, message) => {
    await using emulator = await startImported(description);
    const refused = await emulator.send('/charges', {
      method: 'POST',
      scopes: ['*'],
      body: text,
      headers: { 'content-type': FORM },
    });
    expect(refused).toMatchObject({
      status: 400,
      body: { details: [{ pointer, message, location: 'body' }] },
    });
  });

  it('is nothing else than a form', async () => {
    await using emulator = await startImported(description);
    const refused = await emulator.send('/charges', {
      method: 'POST',
      scopes: ['*'],
      body: '{"amount":1}',
      headers: { 'content-type': 'application/json' },
    });
    expect(refused).toMatchObject({
      status: 400,
      body: { details: [{ message: `must be ${FORM}`, location: 'header' }] },
    });
  });
});
