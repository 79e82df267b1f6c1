import { describe, expect, it } from 'vitest';
import { BUYER, logOf, reportOf } from './sample-report.ts';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

describe('the masking of a report', () => {
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
    // The span of the axis is that of the entries, not the two hours that were asked for.
    expect(report.timeline).toMatchObject({ step_seconds: 60, bars: { length: 1 } });
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
        causes: ['a value does not have the format that its detail gives'],
        remedy: 'correct /phone_number, then send the request again',
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

  it.each(['/buyers/Ada%20Lovelace', '/v1/AdaLovelace/'])(
    'masks %s in commands and filters as in addresses',
    async (path) => {
      const logs = [logOf({ request_url: `https://h${path}` })];
      const report = await reportOf(logs, { values: { path: [path, '/buyers/**', '/v1/{id}'] } });
      expect(report.examples[0]?.url).toContain('reference-1');
      expect(report.filters.path?.slice(1)).toEqual(['/buyers/**', '/v1/{id}']);
      expect(JSON.stringify(report)).not.toContain('Lovelace');
    },
  );

  it('has no free text without messages: only codes, types, places and numbers', async () => {
    const body = {
      code: 'bad_request',
      message: 'Ada of Main Street',
      details: [{ pointer: '/first_name', type: 'value_error', message: 'Ada is taken', limit: 3 }, 'Ada'],
      'Main Street': 1,
    };
    const logs = [
      logOf({ response_body: body, request_body: { note: 'Main Street', amount: 1299 } }),
      logOf({ id: id(2), response_status_code: 502, response_body: 'Main Street' }),
    ];
    const values = { message: ['!Nobody in Main Street'], where: 'true', status: ['400-502'] };
    const report = await reportOf(logs, { values, hasMessages: false });
    expect(JSON.stringify(report)).not.toMatch(/Ada|Main|Nobody/);
    expect(report).toMatchObject({
      has_messages: false,
      filters: { message: ['(left out)'], where: ['(left out)'], status: ['400-502'] },
    });
    expect(report.groups.map(({ message, type }) => ({ message, type }))).toEqual([
      { message: null, type: 'value_error' },
      { message: null, type: null },
    ]);
    expect(
      report.examples.map(({ why, request_body, response_body }) => [why, request_body, response_body]),
    ).toEqual([
      [
        '/first_name',
        { amount: 1299 },
        { code: 'bad_request', details: [{ pointer: '/first_name', type: 'value_error', limit: 3 }] },
      ],
      ['', null, null],
    ]);
  });

  it('says what to do about the first cause, with what is personal in it masked', async () => {
    const known = logOf({ response_status_code: 415, response_body: { code: 'x', message: 'x' } });
    const unknown = logOf({
      id: id(2),
      response_body: { details: [{ pointer: '/notes/ada@example.com', message: 'odd' }] },
    });
    const { examples } = await reportOf([known, unknown]);
    expect(examples.map(({ remedy }) => remedy)).toEqual([
      'send the header "Content-Type: application/json"',
      'correct /notes/email-1, then send the request again',
    ]);
  });

  it('for a merchant names neither profile nor host, and no commands', async () => {
    const { source, view, examples } = await reportOf([logOf()], { view: 'merchant' });
    expect({ view, source }).toEqual({
      view: 'merchant',
      source: { profile: null, host: null, merchant_account: null, files: [] },
    });
    expect(examples[0]).toMatchObject({ url: '/buyers/buyer-1/shipping-details', commands: [] });
  });

  it('masks the paths that the contract does not have, also where they are escaped', async () => {
    const { groups } = await reportOf([
      logOf({ request_url: 'https://h/users/ada%2540example.com/ORD-2024-17' }),
    ]);
    expect(groups[0]?.path).toBe('/users/email-1/reference-1');
  });

  it('covers ids of entries that are no UUIDs, and leaves out what an entry does not have', async () => {
    const { groups, examples } = await reportOf([
      logOf({ id: 'ada@example.com' }),
      { response_body: { code: 'x' } },
    ]);
    expect(groups.map(({ example_id, path }) => [example_id, path])).toEqual([
      ['email-1', '/buyers/{buyer_id}/shipping-details'],
      [null, null],
    ]);
    expect(examples.map((example) => [example.id, example.time, example.url])).toEqual([
      ['email-1', '2026-03-01T09:30:00.000Z', 'api.example.com/buyers/buyer-1/shipping-details'],
      [null, null, null],
    ]);
  });
});
