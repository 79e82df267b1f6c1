import { describe, expect, it } from 'vitest';
import { flagName, queryFlags } from '../../../src/cli/flags/list.ts';
import {
  type Operation,
  operations,
  type QueryParameter,
} from '../../../src/contract/generated/operations.ts';

const base: Operation = operations.listRoles;

function flagFor(name: string, parameter: QueryParameter) {
  return queryFlags({ ...base, query: { [name]: parameter } })[flagName(name)];
}

/** What a flag makes of a text, or what it says against it. */
async function parsed(name: string, parameter: QueryParameter, input: string): Promise<unknown> {
  const flag = flagFor(name, parameter);
  if (flag?.type !== 'option') throw new Error(`--${name} takes no value`);
  const named = Object.assign(flag, { name: flagName(name) });
  return await Promise.resolve(named.parse(input, {} as never, named as never)).catch(
    (error: Error) => error.message,
  );
}

describe('queryFlags', () => {
  it('has one flag for each filter of a list, in the order of the contract, and none for paging', () => {
    expect(Object.keys(queryFlags(operations.listPaymentMethods))).toEqual([
      'buyer-id',
      'buyer-external-identifier',
      'external-identifier',
      'status',
    ]);
    expect(queryFlags(operations.listRoles)).toEqual({});
  });

  it('takes the line of help from the contract, and shows what kind of value is meant', () => {
    const { search, 'external-identifier': identifier } = queryFlags(operations.listBuyers);
    expect(search).toMatchObject({ summary: operations.listBuyers.query.search.summary, helpValue: 'TEXT' });
    expect(identifier).toMatchObject({ helpValue: 'ID' });
    expect(queryFlags(operations.listAuditLogs)['resource-type']).toMatchObject({ helpValue: 'TYPE' });
  });

  it('takes the values of an enumeration', () => {
    const { action } = queryFlags(operations.listAuditLogs);
    expect(action).toMatchObject({ options: operations.listAuditLogs.query.action.enum });
  });

  it.each([
    ['7', 7],
    ['5', 5],
    ['4', '--min-amount must be a whole number from 5 to 9, not "4"'],
    ['10', '--min-amount must be a whole number from 5 to 9, not "10"'],
    ['x', '--min-amount must be a whole number from 5 to 9, not "x"'],
  ])('keeps a number within the limits of the contract: %s', async (input, expected) => {
    const parameter: QueryParameter = {
      type: 'integer',
      minimum: 5,
      maximum: 9,
      summary: 'Only large ones.',
    };
    expect(await parsed('min_amount', parameter, input)).toBe(expected);
  });

  it.each([
    ['abc', 'abc'],
    ['abcd', '--code must have at most 3 characters, not 4'],
    ['', '--code cannot be empty'],
  ])('keeps a text within the length of the contract: %j', async (input, expected) => {
    expect(await parsed('code', { type: 'string', maxLength: 3 }, input)).toBe(expected);
  });
});
