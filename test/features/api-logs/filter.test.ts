import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEntry } from '../../../src/features/api-logs/entry.ts';
import { openFilter } from '../../../src/features/api-logs/filter.ts';
import type { FilterValues } from '../../../src/features/api-logs/filter-flags.ts';
import { createMessageMatcher, readMessagePattern } from '../../../src/features/api-logs/message-filter.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

const at = (iso: string) => ({ request_received_at: iso });
const item = (value: unknown) => ({ entry: readEntry(value), text: JSON.stringify(value) });

async function keeps(values: FilterValues, logs: readonly unknown[], now = Date.UTC(2026, 2, 2)) {
  const filter = await openFilter(values);
  filter.begin(now);
  const kept = await filter.select(logs.map(item));
  filter.close();
  return kept;
}

const statuses = [400, 401, 404, 422, 499, 500, 502, 504, 599].map((status) => ({
  response_status_code: status,
}));
const keptStatuses = async (...status: string[]) => {
  const kept = await keeps({ status }, statuses);
  return statuses.filter((_, index) => kept[index]).map((log) => log.response_status_code);
};

describe('--status', () => {
  it.each([
    [['401'], [401]],
    [['4xx'], [400, 401, 404, 422, 499]],
    [['5XX'], [500, 502, 504, 599]],
    [['500-504'], [500, 502, 504]],
    [['!404'], [400, 401, 422, 499, 500, 502, 504, 599]],
    [['4xx,!404,!422'], [400, 401, 499]],
    [
      ['401', '500-502'],
      [401, 500, 502],
    ],
    [['401, 404'], [401, 404]],
  ])('%j keeps %j', async (flags, expected) => {
    expect(await keptStatuses(...flags)).toEqual(expected);
  });

  it.each(['200', '3xx', '504-500', '40', '4x', '400-', 'abc', '500-600', '401,', '!'])(
    'refuses %j',
    async (status) => {
      await expect(openFilter({ status: [status] })).rejects.toMatchObject({ code: 'bad_flag' });
    },
  );

  it('keeps no entry without a status, but excludes none', async () => {
    expect(await keeps({ status: ['4xx'] }, [{}, null])).toEqual([false, false]);
    expect(await keeps({ status: ['!404'] }, [{}, { response_status_code: '404' }])).toEqual([true, true]);
  });
});

describe('--path', () => {
  const paths = async (glob: string, ...urls: string[]) =>
    keeps(
      { path: [glob] },
      urls.map((url) => ({ request_url: `https://h${url}` })),
    );

  it.each([
    ['/buyers', '/buyers?limit=20', true],
    ['/buyers', '/buyers/gift-cards', false],
    ['/buyers', '/api/buyers', false],
    ['/buyers/*', '/buyers/gift-cards', true],
    ['/buyers/*', '/buyers/a/shipping-details', false],
    ['/buyers/**', '/buyers/a/shipping-details', true],
    ['**shipping-details', '/buyers/a/shipping-details', true],
    ['/buyers/{id}/shipping-details', '/buyers/a5b1/shipping-details', true],
    ['/buyers/{buyer_id}/shipping-details', '/buyers/a5b1/shipping-details', true],
    ['/buyers/{id}', '/buyers/gift-cards', false],
    ['/transactions/{id}', '/transactions/7', true],
    ['/checkout/sessions/{id}', '/checkout/sessions/7', true],
    ['/b?yers', '/buyers', true],
    ['/buyers?', '/buyers/', false],
    ['/a.c', '/abc', false],
    ['!/buyers/**', '/buyers/x', false],
    ['!/buyers/**', '/roles', true],
  ])('%s and %s: %j', async (glob, url, expected) => {
    expect(await paths(glob, url)).toEqual([expected]);
  });

  it('is below the path of the base URL', async () => {
    const filter = await openFilter({ path: ['/buyers'] }, { basePath: '/v1' });
    expect(await filter.select([item({ request_url: 'https://h/v1/buyers' })])).toEqual([true]);
  });

  it('takes time in proportion to its input, whatever the pattern is', async () => {
    const [kept] = await paths(`${'*a'.repeat(40)}*b`, `/${'a'.repeat(5000)}`);
    expect(kept).toBe(false);
  });

  it('agrees with a regular expression', async () => {
    const part = fc.constantFrom('a', 'b', '/', '*', '**', '?', 'ab');
    const text = fc
      .array(fc.constantFrom('a', 'b', '/'), { maxLength: 8 })
      .map((parts) => `/${parts.join('')}`);
    const glob = fc.array(part, { maxLength: 6 }).map((parts) => `/${parts.join('')}`);
    await fc.assert(
      fc.asyncProperty(glob, text, async (pattern, path) => {
        const source = pattern.replace(/\*\*+|\*|\?/g, (token) =>
          token === '?' ? '[^/]' : token === '*' ? '[^/]*' : '.*',
        );
        expect(await paths(pattern, path)).toEqual([new RegExp(`^${source}$`).test(path)]);
      }),
      propertyRuns(500),
    );
  });
});

describe('--message and --pointer', () => {
  const log = {
    response_body: {
      message: 'Generic error',
      details: [
        { pointer: '/phone_number', message: 'must match ^\\+' },
        { pointer: '/cart_items/3/quantity', message: 'Must be an integer' },
      ],
    },
  };
  const invalid = { response_body: { detail: [{ loc: ['query', 'limit'], msg: 'must be an integer' }] } };
  const page = { response_body: '<html>No healthy upstream' };

  it.each([
    ['generic', [true, false, false]],
    ['an integer', [true, true, false]],
    ['/^must be/', [false, true, false]],
    ['/^must be/i', [true, true, false]],
    ['healthy', [false, false, true]],
    ['!integer', [false, false, true]],
    ['/path/with/slashes', [false, false, false]],
  ])('--message %s keeps %j', async (message, expected) => {
    expect(await keeps({ message: [message] }, [log, invalid, page])).toEqual(expected);
  });

  it.each([
    ['/phone_number', [true, false]],
    ['/cart_items/*/quantity', [true, false]],
    ['/cart_items/**', [true, false]],
    ['/limit', [false, true]],
    ['/limi', [false, false]],
  ])('--pointer %s keeps %j', async (pointer, expected) => {
    expect(await keeps({ pointer: [pointer] }, [log, invalid])).toEqual(expected);
  });

  it('refuses a regular expression that does not compile, or has unknown flags', async () => {
    await expect(openFilter({ message: ['/(/'] })).rejects.toMatchObject({ code: 'bad_flag' });
    const deep = `/${'('.repeat(20_000)}a${')'.repeat(20_000)}/`;
    await expect(openFilter({ message: [deep] })).rejects.toMatchObject({
      code: 'bad_flag',
      message: expect.stringMatching(/^--message does not compile: [^(]*\({200}[^(]{1,60}$/),
    });
    await expect(openFilter({ message: ['/a/g'] })).rejects.toMatchObject({ code: 'bad_flag' });
  });

  it('ends a regular expression that takes exponential time', () => {
    const matches = createMessageMatcher(readMessagePattern('/(a+)+$/'), 20);
    const slow = `${'a'.repeat(60)}b`;
    expect(() => matches([[slow]])).toThrow(expect.objectContaining({ code: 'slow_regex' }));
  });
});

describe('--since and --until', () => {
  const logs = ['2026-03-01T08:59:59.999Z', '2026-03-01T09:00:00Z', '2026-03-01T10:00:00Z'].map(at);

  it('count from the clock of the service', async () => {
    const now = Date.parse('2026-03-01T10:00:00Z');
    expect(await keeps({ since: '1h' }, logs, now)).toEqual([false, true, true]);
  });

  it('hold together, both ends included', async () => {
    const values = { since: '2026-03-01T09:00:00Z', until: '2026-03-01T10:00:00Z' };
    expect(await keeps(values, logs)).toEqual([false, true, true]);
  });

  it('leave out an entry without a time', async () => {
    expect(await keeps({ since: '2020-01-01' }, [{}, { response_sent_at: 'soon' }])).toEqual([false, false]);
  });

  it('say which instants they became, once', async () => {
    const filter = await openFilter({ since: '1h' });
    expect(filter.begin(7_200_000)).toEqual({ from: 3_600_000, to: undefined });
    expect(filter.begin(0)).toEqual({ from: 3_600_000, to: undefined });
  });

  it('refuse an end before the beginning', async () => {
    await expect(openFilter({ since: '1h', until: '2h' })).rejects.toMatchObject({ code: 'empty_time_span' });
  });
});

describe('--slower-than, --method and --code', () => {
  it('keep what took longer, and neither what is as long nor what has no times', async () => {
    const took = (ms: number) => ({
      ...at('2026-03-01T10:00:00.000Z'),
      response_sent_at: new Date(Date.parse('2026-03-01T10:00:00Z') + ms).toISOString(),
    });
    expect(await keeps({ 'slower-than': '2s' }, [took(2000), took(2001), {}])).toEqual([false, true, false]);
  });

  it('compare methods in any case of letters, and codes exactly', async () => {
    const logs = [
      { request_method: 'get', response_body: { code: 'not_found' } },
      { request_method: 'POST' },
      {},
    ];
    expect(await keeps({ method: ['GET,post'] }, logs)).toEqual([true, true, false]);
    expect(await keeps({ code: ['not_found'] }, logs)).toEqual([true, false, false]);
    expect(await keeps({ code: ['!not_found'] }, logs)).toEqual([false, true, true]);
  });
});

describe('--where', () => {
  const logs = [{ response_status_code: 400 }, { response_status_code: 500, id: 'x' }, { id: 7 }, null];

  it('keeps the entries for which the expression gives true', async () => {
    expect(await keeps({ where: '.response_status_code >= 500 # a comment' }, logs)).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect(await keeps({ where: '.id' }, logs)).toEqual([false, true, true, false]);
    expect(await keeps({ where: 'empty' }, logs)).toEqual([false, false, false, false]);
  });

  it('leaves out the entries on which it fails, and counts them', async () => {
    const filter = await openFilter({ where: '.id | startswith("x")' });
    expect(await filter.select(logs.map(item))).toEqual([false, true, false, false]);
    expect(filter.failures()).toEqual({ count: 3, first: 'startswith() requires string inputs' });
  });

  it('looks at the entries that the other filters keep', async () => {
    const filter = await openFilter({ status: ['5xx'], where: '.id | startswith("x")' });
    expect(await filter.select(logs.map(item))).toEqual([false, true, false, false]);
    expect(filter.failures().count).toBe(0);
  });

  it('is refused where it does not compile, and where it reads other entries', async () => {
    await expect(openFilter({ where: '.a |' })).rejects.toMatchObject({ code: 'invalid_jq' });
    await expect(keeps({ where: 'input' }, logs)).rejects.toMatchObject({ code: 'jq_failed' });
  });
});

describe('all filters together', () => {
  it('keep what a naive reading of each keeps', async () => {
    const status = fc.constantFrom(400, 401, 404, 500, 503);
    const log = fc.record({
      response_status_code: status,
      request_method: fc.constantFrom('GET', 'POST', 'put'),
      request_url: fc.constantFrom('https://h/buyers', 'https://h/roles?x', '/buyers/gift-cards'),
      response_body: fc.record({ code: fc.constantFrom('a', 'b'), message: fc.constantFrom('One', 'two') }),
    });
    const values = fc.record(
      {
        status: fc.constantFrom(['4xx'], ['!404'], ['401,500-503']),
        method: fc.constantFrom(['get'], ['!GET']),
        code: fc.constantFrom(['a'], ['a,b'], ['!b']),
        path: fc.constantFrom(['/buyers'], ['/buyers/**'], ['!/roles']),
        message: fc.constantFrom(['one'], ['/^t/'], ['!TWO']),
      },
      { requiredKeys: [] },
    );
    const naive: Record<
      string,
      Record<string, (entry: typeof log extends fc.Arbitrary<infer T> ? T : never) => boolean>
    > = {
      status: {
        '4xx': (entry) => entry.response_status_code < 500,
        '!404': (entry) => entry.response_status_code !== 404,
        '401,500-503': (entry) => entry.response_status_code === 401 || entry.response_status_code >= 500,
      },
      method: {
        get: (entry) => entry.request_method === 'GET',
        '!GET': (entry) => entry.request_method !== 'GET',
      },
      code: {
        a: (entry) => entry.response_body.code === 'a',
        'a,b': () => true,
        '!b': (entry) => entry.response_body.code !== 'b',
      },
      path: {
        '/buyers': (entry) => entry.request_url === 'https://h/buyers',
        '/buyers/**': (entry) => entry.request_url === '/buyers/gift-cards',
        '!/roles': (entry) => !entry.request_url.includes('roles'),
      },
      message: {
        one: (entry) => entry.response_body.message === 'One',
        '/^t/': (entry) => entry.response_body.message === 'two',
        '!TWO': (entry) => entry.response_body.message !== 'two',
      },
    };
    await fc.assert(
      fc.asyncProperty(fc.array(log, { maxLength: 10 }), values, async (logs, flags) => {
        const expected = logs.map((entry) =>
          Object.entries(flags).every(([name, [value]]) => naive[name]?.[value ?? '']?.(entry)),
        );
        expect(await keeps(flags, logs)).toEqual(expected);
      }),
      propertyRuns(300),
    );
  });
});
