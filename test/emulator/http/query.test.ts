import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/contract/generated/operations.ts';
import { readQuery } from '../../../src/emulator/http/query.ts';
import { HttpError, ValidationError } from '../../../src/emulator/http/response.ts';

function faultsOf(query: string): string[] {
  try {
    readQuery(operations.listBuyers, query);
    return [];
  } catch (error) {
    if (error instanceof ValidationError) {
      return error.issues.map(({ loc, type, msg }) => `422 ${loc.join('.')} ${type}: ${msg}`);
    }
    if (!(error instanceof HttpError)) throw error;
    expect(error.code).toBe('bad_request');
    return (error.options.details ?? []).map(
      ({ type, pointer, message, location }) => `${location} ${pointer} ${type}: ${message}`,
    );
  }
}

describe('the query of GET /buyers', () => {
  it('gives typed values and the default limit, and ignores what the contract does not name', () => {
    expect(readQuery(operations.listBuyers, '')).toEqual({ limit: 20 });
    expect(readQuery(operations.listBuyers, 'limit=007&search=a+b%2Bc&x=1&x=2&y')).toEqual({
      limit: 7,
      search: 'a b+c',
    });
  });

  it.each([
    ['limit=0', ['query /limit value_error.minimum: must be at least 1']],
    ['limit=-5', ['query /limit value_error.minimum: must be at least 1']],
    ['limit=101', ['query /limit value_error.maximum: must be at most 100']],
    [`limit=${'9'.repeat(400)}`, ['query /limit value_error.maximum: must be at most 100']],
    ['limit=', ['422 query.limit int_parsing: must be an integer']],
    ['limit=2.0', ['422 query.limit int_parsing: must be an integer']],
    ['limit=1e1', ['422 query.limit int_parsing: must be an integer']],
    ['limit=+5', ['422 query.limit int_parsing: must be an integer']],
    ['limit=%D9%A5', ['422 query.limit int_parsing: must be an integer']],
    ['limit=5&limit=5', ['query /limit value_error.repeated: must be given only once']],
    ['search=a&search=a', ['query /search value_error.repeated: must be given only once']],
    ['cursor=', ['query /cursor value_error.min_length: must have at least 1 character']],
    [
      `cursor=${'a'.repeat(1001)}`,
      ['query /cursor value_error.max_length: must have at most 1000 characters'],
    ],
    ['search=%FF', ['query  value_error.encoding: the query is not valid percent-encoded UTF-8']],
    ['x=%', ['query  value_error.encoding: the query is not valid percent-encoded UTF-8']],
    [
      'limit=0&cursor=',
      [
        'query /cursor value_error.min_length: must have at least 1 character',
        'query /limit value_error.minimum: must be at least 1',
      ],
    ],
    ['limit=x&cursor=', ['422 query.limit int_parsing: must be an integer']],
    ['limit=5&limit=x', ['query /limit value_error.repeated: must be given only once']],
  ])('is refused as %s', (query, faults) => {
    expect(faultsOf(query)).toEqual(faults);
  });
});
