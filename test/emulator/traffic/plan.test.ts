import { describe, expect, it } from 'vitest';
import { planOfRate, readTrafficPlan } from '../../../src/emulator/traffic/plan.ts';
import { UsageError } from '../../../src/errors.ts';

const problemOf = (read: () => unknown) => {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    expect(error.code).toBe('invalid_traffic');
    return error.message;
  }
};

describe('a plan of traffic', () => {
  it('has a default for every member', () => {
    expect(readTrafficPlan({})).toEqual({
      rate: 1,
      seed: 1,
      records: {},
      burst_every: 60,
      burst_size: 150,
      same_millisecond: 0.1,
      late: 0.05,
      late_ms: 10_000,
      text_body: 0.04,
      null_body: 0.02,
    });
    expect(readTrafficPlan({ rate: 0.5, late: 0 })).toMatchObject({ rate: 0.5, late: 0, seed: 1 });
  });

  it.each([
    [[], 'at the top level: must be an object'],
    [null, 'at the top level: must be an object'],
    [{ speed: 1 }, 'at /speed: is not a known field'],
    [{ 'a/b~c': 1 }, 'at /a~1b~0c: is not a known field'],
    [{ toString: 1 }, 'at /toString: is not a known field'],
    [{ rate: 0 }, 'at /rate: must be a number from 0.01 to 1000'],
    [{ rate: '5' }, 'at /rate: must be a number from 0.01 to 1000'],
    [{ seed: 1.5 }, 'at /seed: must be an integer from 0 to 4294967295'],
    [{ late: 1.01 }, 'at /late: must be a number from 0 to 1'],
    [{ burst_size: 10_001 }, 'at /burst_size: must be an integer from 1 to 10000'],
    [{ records: 5 }, 'at /records: must be an object with a rate for each list'],
    [{ records: { buyers: 0 } }, 'at /records/buyers: must be a number from 0.01 to 10000'],
    [{ records: { 'v1/charges': '5' } }, 'at /records/v1~1charges: must be a number from 0.01 to 10000'],
  ])('cannot be %j', (json, problem) => {
    expect(problemOf(() => readTrafficPlan(json))).toBe(`The traffic plan is not valid ${problem}`);
  });

  it('can be rates of lists alone, without failing requests', () => {
    expect(planOfRate('buyers=200')).toMatchObject({ rate: 0, records: { buyers: 200 } });
    expect(planOfRate('/buyers=0.5/s, v1/charges=7')?.records).toEqual({ buyers: 0.5, 'v1/charges': 7 });
    expect(readTrafficPlan({ rate: 3, records: { buyers: 1 } })).toMatchObject({ rate: 3 });
    expect(problemOf(() => planOfRate('buyers=many'))).toBe(
      '--traffic must be a number from 0.01 to 1000, LIST=RATE or a file, not buyers=many',
    );
    expect(problemOf(() => planOfRate('buyers=10001'))).toBe(
      'The traffic plan is not valid at /records/buyers: must be a number from 0.01 to 10000',
    );
  });

  it('can be a rate alone', () => {
    expect(planOfRate('5')?.rate).toBe(5);
    expect(planOfRate('0.25/s')?.rate).toBe(0.25);
    expect(planOfRate('5.json')).toBeUndefined();
    expect(planOfRate('-5')).toBeUndefined();
    expect(problemOf(() => planOfRate('1001'))).toBe(
      '--traffic must be a number from 0.01 to 1000, LIST=RATE or a file, not 1001',
    );
    expect(problemOf(() => planOfRate('0'))).toBeDefined();
  });
});
