import { describe, expect, test } from 'vitest';
import document from '../../src/contract/generated/description.json' with { type: 'json' };
import { faultsAt } from './schema-validator.ts';

type Content = { schema: { $ref: string }; examples?: Record<string, { value: unknown }> };
type Holder = { content: { 'application/json': Content } } | { $ref: string };
type Described = { operationId: string; requestBody?: Holder; responses: Record<string, Holder> };

const paths: Record<string, Record<string, Described>> = document.paths;
const described = Object.values(paths).flatMap((item) => Object.values(item));
const errors: Record<string, Holder> = document.components.responses;

function contentOf(holder: Holder | undefined): Content {
  if (holder === undefined || '$ref' in holder) throw new TypeError('the body is described elsewhere');
  return holder.content['application/json'];
}

function examplesOf(holder: Holder | undefined): [name: string, value: unknown, pointer: string][] {
  const { schema, examples } = contentOf(holder);
  return Object.entries(examples ?? {}).map(([name, { value }]) => [name, value, schema.$ref.slice(1)]);
}

function success({ responses }: Described): Holder | undefined {
  return responses['200'] ?? responses['201'];
}

function plainError(name: string): unknown {
  return contentOf(errors[name]).examples?.plain?.value;
}

describe('the examples', () => {
  test.each(described)('of $operationId fit their schemas', (operation) => {
    const responses = examplesOf(success(operation));
    const requests = operation.requestBody === undefined ? [] : examplesOf(operation.requestBody);
    expect(responses.length).toBeGreaterThan(0);
    if (operation.requestBody !== undefined) expect(requests.length).toBeGreaterThan(0);
    for (const [name, value, pointer] of [...requests, ...responses]) {
      expect(faultsAt(pointer, value), name).toEqual([]);
    }
  });

  test.each(Object.keys(errors))('of the error response %s fit its schema', (response) => {
    const examples = examplesOf(errors[response]);
    expect(examples.length).toBeGreaterThan(0);
    for (const [name, value, pointer] of examples) expect(faultsAt(pointer, value), name).toEqual([]);
  });

  /** The table of errors of the specification. */
  test.each([
    ['BadRequest', 400, 'bad_request', 'Generic error'],
    ['Unauthorized', 401, 'unauthorized', 'No valid API authentication found'],
    ['Forbidden', 403, 'forbidden', 'Generic error'],
    ['NotFound', 404, 'not_found', 'The resource could not be found'],
    ['MethodNotAllowed', 405, 'method_not_allowed', 'Method Not Allowed'],
    ['DuplicateRecord', 409, 'duplicate_record', 'Generic error'],
    ['TooEarly', 425, 'too_early', 'Generic error'],
    ['TooManyRequests', 429, 'too_many_requests', 'Generic error'],
    ['ServerError', 500, 'server_error', 'Request could not be processed'],
    ['BadGateway', 502, 'bad_gateway', 'Request could not be processed'],
    ['GatewayTimeout', 504, 'gateway_timeout', 'Request could not be processed'],
  ])('of %s carry status %i, code %s and the default message', (response, status, code, message) => {
    expect(plainError(response)).toMatchObject({ type: 'error', status, code, message, details: [] });
  });

  test('of a 422 are its own shape', () => {
    expect(contentOf(errors.ValidationError).schema).toEqual({
      $ref: '#/components/schemas/ValidationErrorBody',
    });
  });

  test('stand under the status of the error that they show', () => {
    for (const { operationId, responses } of described) {
      for (const [status, holder] of Object.entries(responses)) {
        if (!('$ref' in holder) || status === '422') continue;
        const name = holder.$ref.replace('#/components/responses/', '');
        expect(plainError(name), `${operationId} ${status}`).toMatchObject({ status: Number(status) });
      }
    }
  });
});
