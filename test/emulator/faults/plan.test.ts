import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFaultPlan } from '../../../src/emulator/faults/plan.ts';
import { UsageError } from '../../../src/errors.ts';

const messageOf = (json: unknown) => {
  try {
    readFaultPlan(json);
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    expect(error.code).toBe('invalid_faults');
    expect(error.hint).toContain('[{"path":"/buyers","status":503,"count":2}]');
    return error.message.replace('The fault plan is not valid at ', '');
  }
};

describe('a plan of faults', () => {
  it('is read as it is written', () => {
    const rule = {
      method: 'GET',
      path: '/buyers',
      count: 2,
      after: 1,
      every: 3,
      share: 0.5,
      seed: 7,
      perform: true,
      hold_ms: 20,
      forget_key: true,
      status: 503,
      code: 'busy',
      retry_after: 'Wed, 21 Oct 2026 07:28:00 GMT',
      latency_ms: 100,
      body: 'cut',
      drop: true,
      cursor: 'repeat',
    };
    expect(readFaultPlan([rule, { code: 'too_early', retry_after: 0 }])).toEqual([
      rule,
      { code: 'too_early', retry_after: 0 },
    ]);
    expect(readFaultPlan([])).toEqual([]);
  });

  it.each([
    [{}, 'the top level: must be a list of rules'],
    [null, 'the top level: must be a list of rules'],
    [[{ status: 503 }, []], '/1: must be an object'],
    [[null], '/0: must be an object'],
    [[{}], '/0: selects requests but names no fault'],
    [[{ path: '/buyers', count: 1 }], '/0: selects requests but names no fault'],
    [
      [{ method: 'GET', after: 1, every: 2, share: 1, seed: 0, perform: true }],
      '/0: selects requests but names no fault',
    ],
    [
      [{ latency_ms: 5, perform: false }],
      '/0/perform: requires status, code or drop, because without the operation there is no response',
    ],
    [[{ status: 503, every: 0 }], '/0/every: must be an integer from 1 to 1000000000'],
    [[{ status: 503, share: 0 }], '/0/share: must be a number greater than 0 and at most 1'],
    [[{ status: 503, share: 1.5 }], '/0/share: must be a number greater than 0 and at most 1'],
    [[{ status: 503, share: '0.5' }], '/0/share: must be a number greater than 0 and at most 1'],
    [[{ status: 503, share: 0.5, seed: -1 }], '/0/seed: must be an integer from 0 to 4294967295'],
    [[{ status: 503, perform: 1 }], '/0/perform: must be true or false'],
    [[{ hold_ms: 1e9 }], '/0/hold_ms: must be an integer from 0 to 600000'],
    [[{ forget_key: false }], '/0/forget_key: must be true'],
    [[{ status: 200 }], '/0/status: must be an integer from 400 to 599'],
    [[{ status: '503' }], '/0/status: must be an integer from 400 to 599'],
    [[{ status: 503, sttaus: 1 }], '/0/sttaus: is not a known field of a rule'],
    [[{ 'a/b~c': 1 }], '/0/a~1b~0c: is not a known field of a rule'],
    [[{ toString: 1 }], '/0/toString: is not a known field of a rule'],
    [[{ status: 503, count: 0 }], '/0/count: must be an integer from 1 to 1000000000'],
    [[{ status: 503, after: -1 }], '/0/after: must be an integer from 0 to 1000000000'],
    [[{ status: 503, method: 'get' }], '/0/method: must be an upper-case method such as "GET"'],
    [
      [{ status: 503, path: '/buyers?limit=1' }],
      '/0/path: must be a path such as "/buyers" or "/checkout/sessions/*", without a query',
    ],
    [[{ code: 'Not A Code' }], '/0/code: must be a code such as "too_many_requests"'],
    [[{ code: 'busy' }], '/0/status: is required, because the contract does not define the code busy'],
    [
      [{ retry_after: 'soon\r\nx: y' }],
      '/0/retry_after: must be a number of seconds or printable ASCII text',
    ],
    [[{ retry_after: -1 }], '/0/retry_after: must be a number of seconds or printable ASCII text'],
    [[{ latency_ms: 1e9 }], '/0/latency_ms: must be an integer from 0 to 600000'],
    [[{ body: 'broken' }], '/0/body: must be "cut" or "malformed" or "html" or "trickle" or "hostile"'],
    [[{ drop: false }], '/0/drop: must be true'],
    [[{ cursor: 'loop' }], '/0/cursor: must be "repeat"'],
  ])('%j is refused with its place', (json, message) => {
    expect(messageOf(json)).toBe(message);
  });

  it('is read or refused with a typed error, whatever JSON it is', { tags: 'slow' }, () => {
    const names = ['method', 'path', 'share', 'perform', 'status', 'code', 'body', 'drop', '__proto__'];
    const rule = fc.dictionary(fc.constantFrom(...names), fc.jsonValue(), { noNullPrototype: true });
    fc.assert(fc.property(fc.oneof(fc.jsonValue(), fc.array(rule)), (json) => void messageOf(json)));
  });
});
