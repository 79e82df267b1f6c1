import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEntry } from '../../../src/features/api-logs/entry.ts';
import { LookedAt } from '../../../src/features/api-logs/looked-at.ts';
import { MOST_GROUPS, Summarizer } from '../../../src/features/api-logs/summary.ts';

/** The summary of some logs, all of which were kept. */
function summarize(logs: readonly unknown[], by?: 'hour' | 'day') {
  const entries = logs.map(readEntry);
  const summarizer = new Summarizer({ by });
  for (const entry of entries) summarizer.add(entry);
  const looked = new LookedAt();
  looked.add(
    entries.map(({ at }) => at),
    logs.map(() => true),
  );
  return summarizer.summary(looked, 4);
}

const log = (id: string, minute: number, status = 400, pointer = '/cart_items/0/quantity') => ({
  id,
  request_method: 'PUT',
  request_url: `https://h/checkout/sessions/${id}?x`,
  request_received_at: new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString(),
  response_status_code: status,
  response_body: { code: 'bad_request', details: [{ pointer, message: 'm' }] },
});

describe('a summary', () => {
  it('has a group for each status, code, method, path of the contract and pointer, the largest first', () => {
    const { summary, trends } = summarize([
      log('a', 0),
      log('b', 30, 400, '/cart_items/7/quantity'),
      log('c', 59, 500),
    ]);
    expect(summary).toEqual({
      looked_at: 3,
      kept: 3,
      from: '2026-03-01T10:00:00.000Z',
      to: '2026-03-01T10:59:00.000Z',
      groups: [
        {
          count: 2,
          share: 0.6667,
          status: 400,
          code: 'bad_request',
          method: 'PUT',
          path: '/checkout/sessions/{checkout_session_id}',
          pointer: '/cart_items/*/quantity',
          type: null,
          message: 'm',
          first_seen: '2026-03-01T10:00:00.000Z',
          last_seen: '2026-03-01T10:30:00.000Z',
          example_id: 'a',
        },
        expect.objectContaining({ count: 1, status: 500, example_id: 'c' }),
      ],
    });
    expect(trends).toEqual([
      [1, 0, 1, 0],
      [0, 0, 0, 1],
    ]);
  });

  it('has no figures of nothing', () => {
    expect(summarize([]).summary).toEqual({ looked_at: 0, kept: 0, from: null, to: null, groups: [] });
  });

  it('counts by the hour, also hours without entries', () => {
    expect(summarize([log('a', 0), log('b', 150, 503)], 'hour').summary.histogram).toEqual([
      { from: '2026-03-01T10:00:00.000Z', count: 1, '4xx': 1, '5xx': 0 },
      { from: '2026-03-01T11:00:00.000Z', count: 0, '4xx': 0, '5xx': 0 },
      { from: '2026-03-01T12:00:00.000Z', count: 1, '4xx': 0, '5xx': 1 },
    ]);
    const far = [log('a', 0), { request_received_at: '0001-01-01T00:00:00Z' }];
    expect(summarize(far, 'hour').summary.histogram).toHaveLength(2);
  });

  it('has a bounded number of groups, and loses no entry', { tags: 'slow' }, () => {
    const logs = Array.from({ length: MOST_GROUPS + 5 }, (_, index) => ({ request_url: `/x/x${index}` }));
    const { groups } = summarize(logs).summary;
    expect(groups).toHaveLength(MOST_GROUPS + 1);
    expect(groups[0]).toMatchObject({ count: 5, code: '(others)', path: null });
  });

  it('counts every entry once, whatever JSON it is', { tags: 'slow' }, () => {
    const odd = fc.dictionary(
      fc.constantFrom(
        'id',
        'request_url',
        'request_method',
        'request_received_at',
        'response_status_code',
        'response_body',
      ),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(odd, fc.jsonValue())), (logs) => {
        const { groups } = summarize(logs, 'day').summary;
        expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(logs.length);
      }),
    );
  });
});

const refused = (message: string, type?: string, pointer = '') => ({
  ...log('x', 0, 401, pointer),
  request_url: 'https://h/buyers',
  response_body: {
    code: 'unauthorized',
    details: [{ pointer, message, ...(type === undefined ? {} : { type }) }],
  },
});

describe('the groups of a summary', () => {
  const groupsOf = (logs: readonly unknown[]) =>
    summarize(logs).summary.groups.map(({ count, type, message }) => ({ count, type, message }));

  it('tell causes apart that differ in the type of the detail or in its message alone', () => {
    const logs = [
      refused('The API key was deleted', 'key_deleted'),
      refused('The API key was deleted', 'key_deleted'),
      refused('The token has expired', 'expired'),
      refused('The token has expired', 'not_yet'),
      refused('The signature is wrong'),
    ];
    expect(groupsOf(logs)).toEqual([
      { count: 2, type: 'key_deleted', message: 'The API key was deleted' },
      { count: 1, type: 'expired', message: 'The token has expired' },
      { count: 1, type: 'not_yet', message: 'The token has expired' },
      { count: 1, type: null, message: 'The signature is wrong' },
    ]);
  });

  it('have one cause for messages that differ in ids, numbers and quoted values', () => {
    const logs = [
      refused("The key 'a b' of 7f3a-1 expired at 10:00:01, 3 s ago"),
      refused("The key 'c' of 8888 expired at 11:30:59, 45 s ago"),
    ];
    const message = 'The key \u2026 of \u2026 expired at \u2026 s ago';
    expect(groupsOf(logs)).toEqual([{ count: 2, type: null, message }]);
    expect(groupsOf([...logs, ...logs])).toEqual([{ count: 4, type: null, message }]);
  });

  it('take the message of the body where no detail has one, and the beginning of what is no error object', () => {
    const withBody = (body: unknown) => ({ ...refused(''), response_body: body });
    const logs = [
      withBody({ message: 'Generic error', details: [{}] }),
      withBody('<title>Bad Gateway</title>'),
    ];
    expect(groupsOf(logs).map(({ message }) => message)).toEqual(['Generic error', 'Bad Gateway']);
    expect(groupsOf([withBody({ code: 'x' })])[0]?.message).toBeNull();
  });

  it('are one for all further messages after fifty of the same kind, which may name persons', () => {
    const word = (index: number) => [...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const logs = Array.from({ length: 60 }, (_, index) => refused(`Mx ${word(index)} is not known`));
    const groups = groupsOf([...logs, ...logs]);
    expect(groups).toHaveLength(51);
    expect(groups[0]).toEqual({ count: 20, type: null, message: '\u2026' });
    expect(groups[1]).toMatchObject({ count: 2 });
  });
});
