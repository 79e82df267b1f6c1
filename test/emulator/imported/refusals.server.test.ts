import { describe, expect, it } from 'vitest';
import { answer, document, type Json } from '../../descriptions/describe.ts';
import { importedForAll } from './imported-emulator.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: Json, others: Json = {}) => ({ type: 'object', properties, ...others });
const strict = (properties: Json) =>
  object(properties, { required: Object.keys(properties), additionalProperties: false });
const json = (schema: unknown, type = 'application/json') => ({
  description: 'D',
  content: { [type]: { schema } },
});

const thing = object({ id: text, name: text }, { required: ['id', 'name'] });
const problem = strict({ type: text, title: text, status: integer, detail: text });
const body = { content: { 'application/json': { schema: object({ name: text }, { required: ['name'] }) } } };
const named = [{ name: 'id', in: 'path', required: true, schema: text }];

/** A collection whose error responses are these. */
const collection = (path: string, errors: Json) => ({
  [path]: {
    get: { responses: { ...answer({ type: 'array', items: thing }), ...errors } },
    post: {
      parameters: [{ name: 'Idempotency-Key', in: 'header', schema: text }],
      requestBody: { required: true, ...body },
      responses: { ...answer(thing, '201'), ...errors },
    },
  },
  [`${path}/{id}`]: { parameters: named, get: { responses: { ...answer(thing), ...errors } } },
});

const emulator = importedForAll(
  document(
    {
      ...collection('/strict', {
        '400': json(
          strict({
            name: text,
            message: text,
            details: {
              type: 'array',
              items: strict({ field: text, issue: text, description: text, location: text }),
            },
          }),
        ),
        '401': json(strict({ error: { enum: ['invalid_client'] }, error_description: text })),
        '404': json(
          strict({ error: strict({ type: { enum: ['invalid_request'] }, message: text, code: text }) }),
        ),
        default: json(problem, 'application/problem+json'),
      }),
      ...collection('/numbered', {
        '4XX': json(
          strict({ code: integer, message: text, more_info: { ...text, format: 'uri' }, status: integer }),
        ),
      }),
      ...collection('/listed', {
        '404': json(
          strict({ errors: { type: 'array', minItems: 1, items: strict({ code: text, message: text }) } }),
        ),
      }),
      ...collection('/open', {
        default: json(object({ reason: text, errors: { type: 'array', items: text } })),
      }),
      ...collection('/typed', { default: json(object({ type: text, status: text, details: text })) }),
      ...collection('/free', { default: json({ type: 'object' }) }),
      ...collection('/unread', { default: { $ref: '#/components/responses/Gone' } }),
      ...collection('/endless', { default: json({ $ref: '#/components/schemas/Endless' }) }),
    },
    {
      components: {
        schemas: {
          Endless: object(
            { message: text, again: { $ref: '#/components/schemas/Endless' } },
            { required: ['again'] },
          ),
        },
      },
    },
  ),
);

const send = async (method: string, path: string, options = {}) => {
  const { status, body } = await emulator().call(method, path, options);
  return { status, body };
};
const notFound = 'The resource could not be found';

describe('an error has the form that the description has for its status', () => {
  it('with the fields that are wrong', async () => {
    expect(await send('POST', '/strict', { body: {} })).toEqual({
      status: 400,
      body: {
        name: 'bad_request',
        message: 'Generic error',
        details: [
          { field: '/name', issue: 'value_error.schema', description: 'is required', location: 'body' },
        ],
      },
    });
  });

  it('within a member', async () => {
    const error = { type: 'invalid_request', message: notFound, code: 'not_found' };
    expect(await send('GET', '/strict/none')).toEqual({ status: 404, body: { error } });
  });

  it('with values of an enumeration, its media type, and what only its form requires', async () => {
    const { headers, body } = await emulator().send('/strict', { method: 'POST', body: '{', scopes: ['*'] });
    expect(body).toMatchObject({ name: 'bad_request' });
    expect(headers.get('content-type')).toContain('application/json');
    expect((await emulator().send('/strict', { headers: { authorization: 'Bearer none' } })).body).toEqual({
      error: 'invalid_client',
      error_description: 'No valid API authentication found',
    });
    const created = { body: { name: 'a' }, headers: { 'idempotency-key': 'k' } };
    await send('POST', '/strict', created);
    const conflict = await emulator().send('/strict', {
      method: 'POST',
      scopes: ['*'],
      body: '{"name":"b"}',
      headers: { 'idempotency-key': 'k' },
    });
    const used = 'The idempotency key was used for another request';
    expect(conflict.headers.get('content-type')).toBe('application/problem+json');
    expect(conflict.body).toEqual({ type: 'duplicate_record', title: used, status: 409, detail: used });
  });

  it('with a number for a code, for all statuses of a kind', async () => {
    expect(await send('GET', '/numbered/none')).toMatchObject({
      status: 404,
      body: { code: 404, message: notFound, status: 404, more_info: expect.stringContaining('://') },
    });
  });

  it('as a list', async () => {
    const errors = [{ code: 'not_found', message: notFound }];
    expect(await send('GET', '/listed/none')).toEqual({ status: 404, body: { errors } });
  });

  it('beside the members of the error object, where it allows others', async () => {
    expect((await send('GET', '/open/none')).body).toMatchObject({
      ...{ type: 'error', code: 'not_found', message: notFound },
      ...{ reason: notFound, errors: [notFound] },
    });
  });

  it('with its own members rather than those of the error object', async () => {
    expect((await send('GET', '/typed/none')).body).toEqual({
      ...{ type: 'not_found', status: '404', details: notFound },
      ...{ code: 'not_found', message: notFound },
    });
  });

  it.each(['free', 'unread', 'endless'])('or that of the contract: %s', async (path) => {
    expect((await send('GET', `/${path}/none`)).body).toMatchObject({ type: 'error', code: 'not_found' });
  });

  it('and stays the error object of the contract in the API logs', async () => {
    await send('GET', '/strict/none');
    const { items } = (await emulator().call('GET', '/api-logs')).body as { items: Json[] };
    expect(items[0]).toMatchObject({
      response_body: { type: 'error', code: 'not_found', message: notFound },
    });
  });
});
