import { describe, expect, it } from 'vitest';
import { ERROR_KINDS, errorKindOf } from '../../../src/cli/failure/error-codes.ts';
import { operations } from '../../../src/contract/generated/operations.ts';

describe('what is known of error responses', () => {
  it('covers every status that the contract lists', () => {
    const statuses = new Set(Object.values(operations).flatMap(({ errors }) => errors));
    expect([...statuses].filter((status) => !ERROR_KINDS.some((kind) => kind.status === status))).toEqual([]);
  });

  it.each([
    [401, 'unauthorized', 401],
    [400, 'duplicate_record', 409],
    [422, undefined, 422],
    [400, 'unheard_of', 400],
    [503, undefined, 503],
    [507, undefined, 500],
    [418, undefined, undefined],
    // A code of another status contradicts it, unless it says what is wrong with the data.
    [401, 'forbidden', 401],
    [429, 'forbidden', 429],
    [400, 'unauthorized', 400],
    [503, 'bad_request', 503],
    [507, 'bad_request', 500],
    [418, 'forbidden', 403],
    [undefined, undefined, undefined],
  ])('of status %j and code %j is that of %j', (status, code, known) => {
    expect(errorKindOf(status, code)?.status).toBe(known);
  });
});
