import { describe, expect, it, onTestFinished } from 'vitest';
import { BUYER, logOf, reportOf } from './sample-report.ts';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

describe('a report', () => {
  it('says what failed and why, with everything personal masked, also in the request body and the filters', async () => {
    const values = { since: '2h', message: ['must'], path: [`/buyers/${BUYER}/*`] };
    const report = await reportOf([logOf({ request_body: { email_address: 'ada@example.com' } })], {
      values,
    });
    expect(report).toMatchObject({
      created_at: '2026-03-01T10:00:00.000Z',
      source: { profile: 'acme', host: 'api.example.com', merchant_account: null, files: [] },
      filters: { since: ['2h'], message: ['must'], path: ['/buyers/buyer-1/*'] },
      from: '2026-03-01T08:00:00.000Z',
      to: '2026-03-01T10:00:00.000Z',
      looked_at: 1,
      kept: 1,
      client_errors: 1,
      server_errors: 0,
      groups: [{ count: 1, path: '/buyers/{buyer_id}/shipping-details', pointer: '/phone_number' }],
      others: { groups: 0, entries: 0 },
    });
    expect(report.timeline).toMatchObject({ step_seconds: 300, bars: { length: 25 } });
    const example = '5041a892-fb00-4846-8360-690c9631e63e';
    expect(report.examples).toEqual([
      {
        group: 1,
        id: example,
        time: '2026-03-01T09:30:00.000Z',
        took_ms: 56,
        status: 400,
        method: 'POST',
        url: 'api.example.com/buyers/buyer-1/shipping-details',
        request_body: { email_address: 'email-address-1' },
        response_body: {
          type: 'error',
          code: 'bad_request',
          message: 'Generic error',
          details: [{ pointer: '/phone_number', message: 'must match', input: 'phone-number-1' }],
        },
        why: '/phone_number must match',
        meaning: 'The token was accepted, but the request has missing or invalid data.',
        causes: ['a field of the request is missing or invalid; each detail gives its JSON pointer'],
        commands: [
          `payctl api-logs get ${example}`,
          "payctl api-logs list --status 400 --method POST --path '/buyers/{buyer_id}/shipping-details' --pointer /phone_number",
          "payctl api show POST '/buyers/{buyer_id}/shipping-details'",
        ],
      },
    ]);
  });

  it('replaces what one body has of a person in all other texts', async () => {
    const named = logOf({ id: id(1), response_body: { code: 'x', first_name: 'Countess' } });
    const told = logOf({
      id: id(2),
      response_status_code: 409,
      response_body: { message: 'Countess exists' },
    });
    const { examples } = await reportOf([told, named]);
    expect(examples.map(({ why }) => why)).toContain('first-name-1 exists');
    expect(JSON.stringify(examples)).not.toContain('Countess');
  });

  it('masks why an entry failed before it is cut', async () => {
    const body = `${'word '.repeat(21)}for ada.lovelace@example.com, who is not known here`;
    const { examples } = await reportOf([logOf({ response_body: body })]);
    expect(examples[0]?.why).toBe(`${'word '.repeat(21)}for email-1, wh\u2026`);
  });

  it('leaves out commands that name something masked, and get where the entries are in files', async () => {
    const conflict = logOf({
      request_method: 'PUT',
      request_url: `https://h/checkout/sessions/${BUYER}`,
      response_status_code: 409,
      response_body: { code: 'duplicate_record', message: 'exists', resource_id: BUYER },
    });
    const { examples, source } = await reportOf([conflict], { files: ['a.ndjson'] });
    expect(source).toEqual({ profile: null, host: null, merchant_account: null, files: ['a.ndjson'] });
    expect(examples[0]?.commands).toEqual([
      "payctl api-logs list --status 409 --method PUT --path '/checkout/sessions/{checkout_session_id}'",
    ]);
    expect(JSON.stringify(examples)).not.toContain(BUYER);
  });

  it('says which part of its span is before everything that is listed', async () => {
    const oldest = { from: '2026-03-01T08:00:00.000Z', to: '2026-03-01T09:30:00.000Z' };
    expect((await reportOf([logOf()], { values: { since: '2h' } })).missed.before_oldest).toEqual(oldest);
    const older = logOf({ id: id(1), request_received_at: '2026-03-01T07:00:00Z' });
    expect((await reportOf([logOf(), older], { values: { since: '2h' } })).missed.before_oldest).toBeNull();
    expect((await reportOf([logOf()])).missed.before_oldest).toBeNull();
    expect((await reportOf([], { values: { since: '2h' } })).missed.before_oldest).toEqual({
      ...oldest,
      to: '2026-03-01T10:00:00.000Z',
    });
  });

  it('counts entries without a time only where a span of time leaves them out', async () => {
    const timeless = logOf({ request_received_at: null, response_sent_at: null });
    expect((await reportOf([timeless])).missed.timeless).toBe(0);
    const { kept, missed } = await reportOf([timeless], { values: { since: '2h' } });
    expect({ kept, timeless: missed.timeless }).toEqual({ kept: 0, timeless: 1 });
  });

  it.each([
    [{ since: '08:00', until: '09:00' }, '08:00', '09:00'],
    [{ until: '23:00' }, '09:30', '09:30'],
    [{ since: '09:00', until: '23:00' }, '09:00', '10:00'],
  ])('with %j is about the span up to now at most', async (values, from, to) => {
    const zone = process.env.TZ;
    process.env.TZ = 'UTC';
    onTestFinished(() => {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    });
    const report = await reportOf([logOf()], { values });
    expect([report.from, report.to]).toEqual([`2026-03-01T${from}:00.000Z`, `2026-03-01T${to}:00.000Z`]);
  });

  it('shows the 20 largest groups, examples of 10, and how much it leaves out', async () => {
    const logs = Array.from({ length: 25 }, (_, index) =>
      Array.from({ length: index + 1 }, (_unused, copy) =>
        logOf({ id: id(index * 100 + copy), response_body: { code: `code_${index}` } }),
      ),
    ).flat();
    const { groups, examples, others } = await reportOf(logs);
    expect(groups.map(({ count }) => count)).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index));
    expect(examples.map(({ group }) => group)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(others).toEqual({ groups: 5, entries: 15 });
  });

  it('is made of any JSON', async () => {
    const report = await reportOf([null, 1, {}, [], { response_body: [] }, { request_url: 5 }]);
    expect(report).toMatchObject({ kept: 6, from: null, to: null, timeline: { bars: [] } });
  });
});
