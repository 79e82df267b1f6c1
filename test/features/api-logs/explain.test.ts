import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEntry } from '../../../src/features/api-logs/entry.ts';
import { explainEntry, explanationOf } from '../../../src/features/api-logs/explain.ts';

const log = (more: object) => ({
  request_method: 'PUT',
  request_url: 'https://h/checkout/sessions/s-1',
  response_status_code: 409,
  response_body: { code: 'duplicate_record', message: 'exists already', details: [], resource_id: 's-2' },
  ...more,
});

const EXISTS = 'a record with this value already exists; the same request may have been sent twice';
const KEY_USED = 'the idempotency key was already used for another request; each request needs its own key';
const WRONG_TYPE = 'a value has the wrong type, such as a string instead of a number';
const OUT_OF_LIMITS =
  'a value is outside the limits that its detail gives; the limits of an amount depend on the record';
const NOT_ALLOWED = 'the API does not allow a value, or does not know a field';
const causesOf = (entry: unknown) =>
  explainEntry(entry).flatMap((line) => /^Likely cause: (.*)$/.exec(line)?.[1] ?? []);

describe('the explanation of an entry', () => {
  it('says why, gives the request without its token, and what the code means, and what to do', () => {
    expect(explainEntry(log({}))).toEqual([
      'Why: exists already',
      `Request: curl -X PUT -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' --data @body.json https://h/checkout/sessions/s-1`,
      'Meaning: A record with the same unique value already exists; resource_id may identify it.',
      `Likely cause: ${EXISTS}`,
      'Try: payctl checkout-sessions get s-2',
      "Try: payctl api-logs list --status 409 --method PUT --path '/checkout/sessions/{checkout_session_id}'",
    ]);
  });

  it.each([
    [{ code: 'duplicate_record', resource_id: null }, [EXISTS, KEY_USED]],
    [{ code: 'duplicate_record', resource_id: 's-2' }, [EXISTS]],
  ])('names the causes of a conflict that fit %j', (body, causes) => {
    expect(causesOf(log({ response_body: body }))).toEqual(causes);
  });

  it.each([
    ['less_than_equal', [OUT_OF_LIMITS]],
    ['string_too_long', [OUT_OF_LIMITS]],
    ['int_parsing', [WRONG_TYPE]],
    ['string_type', [WRONG_TYPE]],
    ['type_error.integer', [WRONG_TYPE]],
    ['value_error.jsondecode', [WRONG_TYPE]],
    ['value_error.enum', [NOT_ALLOWED]],
    ['value_error.maximum', [OUT_OF_LIMITS]],
    ['value_error.number.not_le', [OUT_OF_LIMITS]],
    ['missing', ['a required field is missing']],
    ['enum', [NOT_ALLOWED]],
  ])('names the cause of a 422 whose detail has the type %s', (type, causes) => {
    const detail = [{ loc: ['body', 'amount'], msg: 'm', type, input: 5 }];
    expect(causesOf(log({ response_status_code: 422, response_body: { detail } }))).toEqual(causes);
  });

  it('names no particular cause of a 422 whose detail has a type that says nothing', () => {
    const detail = [{ loc: [], msg: 'm', type: 'value_error' }];
    expect(causesOf(log({ response_status_code: 422, response_body: { detail } }))).toEqual([
      'a value of the request is missing or invalid; each detail says where and why',
    ]);
  });

  const answered = (status: number, details: readonly object[], more: object = {}) =>
    explainEntry({
      request_method: 'POST',
      request_url: 'https://h/buyers/b-1/shipping-details',
      response_status_code: status,
      response_body: { message: 'Generic error', details },
      ...more,
    }).filter((line) => /^(Likely cause|What to do|Try): /.test(line));
  const ALIKE =
    "Try: payctl api-logs list --status 400 --method POST --path '/buyers/{buyer_id}/shipping-details'";
  const SHOW = "Try: payctl api show POST '/buyers/{buyer_id}/shipping-details'";

  it('names what the details of a 400 say, and the places to correct', () => {
    const details = [
      { type: 'value_error.str.regex', pointer: '/phone_number', location: 'body' },
      { type: 'value_error.missing', pointer: '/address/city', location: 'body' },
      { type: 'value_error.missing', pointer: '/limit' },
      { type: 'value_error.missing', pointer: '/limit' },
    ];
    expect(answered(400, details)).toEqual([
      'Likely cause: a value does not have the format that its detail gives',
      'Likely cause: a required field is missing',
      'What to do: correct /phone_number (body), /address/city (body), /limit, then send the request again',
      `${ALIKE} --pointer /phone_number`,
      SHOW,
    ]);
    const many = Array.from({ length: 8 }, (_, index) => ({ type: 'odd', pointer: `/p${index}` }));
    expect(answered(400, many).slice(0, 2)).toEqual([
      'Likely cause: a field of the request is missing or invalid; each detail gives its JSON pointer',
      'What to do: correct /p0, /p1, /p2, /p3, /p4 and 3 more, then send the request again',
    ]);
  });

  it('names the scope that a refused request needs, where it knows the operation', () => {
    const cards = { request_method: 'GET', request_url: 'https://h/buyers/gift-cards' };
    expect(answered(403, [])[0]).toBe(
      'Likely cause: the token lacks the scope buyers.write, which this request needs',
    );
    expect(answered(403, [], cards)[0]).toContain('the scope gift-cards.read or embed, which');
    expect(answered(403, [], { request_url: 'https://h/odd' })[0]).toBe(
      'Likely cause: the token lacks a scope',
    );
  });

  it('does not judge a path that an imported description may have', () => {
    const entry = readEntry(log({ request_url: 'https://h/payouts', response_status_code: 404 }));
    const missing = 'the API description that is part of payctl has no such path';
    expect(explanationOf(entry).causes).toContain(missing);
    expect(explanationOf(entry, { hasOthers: true }).causes).not.toContain(missing);
    const known = readEntry(
      log({ request_url: 'https://h/roles', request_method: 'POST', response_status_code: 405 }),
    );
    expect(explanationOf(known, { hasOthers: true }).causes).toEqual(['the path supports only GET']);
  });

  it.each([
    ['https://h/x?created_at[gte]=1', "--globoff 'https://h/x?created_at[gte]=1'"],
    ['https://h/{a}', "--globoff 'https://h/{a}'"],
    ['-K/tmp/x', '--url -K/tmp/x'],
    ['https://h/x', 'https://h/x'],
  ])('has a request that curl sends to the address as it was logged: %s', (request_url, address) => {
    expect(explainEntry(log({ request_url, request_method: 'GET' }))).toContain(
      `Request: curl -H "Authorization: Bearer $TOKEN" ${address}`,
    );
  });

  it('has the commands that say more of an error, and every word for a shell', () => {
    const lines = explainEntry({
      request_method: 'GET',
      request_url: "https://h/x?a=b&token=eyJh.eyJi.c&q='",
      response_status_code: 401,
      response_body: { details: [{ pointer: '/a b', message: 'm' }] },
    });
    expect(lines[1]).toBe(
      `Request: curl -H "Authorization: Bearer $TOKEN" 'https://h/x?a=b&token=TOKEN&q='\\'''`,
    );
    expect(lines.filter((line) => line.startsWith('Try: '))).toEqual([
      'Try: payctl doctor',
      'Try: payctl api-logs list --status 401',
      "Try: payctl api-logs list --status 401 --method GET --path /x --pointer '/a b'",
    ]);
  });

  it('has the files that the entry is of in the commands that read the log, and in no others', () => {
    const entry = log({ request_method: 'POST', response_status_code: 504, response_body: null });
    const tries = explainEntry(entry, { files: ['a b.har', '-'] }).filter((line) => line.startsWith('Try: '));
    expect(tries).toEqual([
      "Try: payctl api-logs summary --status 5xx --by hour --file 'a b.har' --file -",
      "Try: payctl api-logs list --status 504 --method POST --path '/checkout/sessions/{checkout_session_id}' --file 'a b.har' --file -",
    ]);
    expect(explainEntry(log({}), { files: ['x'] })).toContain('Try: payctl checkout-sessions get s-2');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', undefined])(
    'has a body in the request where the method takes one: %s',
    (method) => {
      const [, request = ''] = explainEntry(log({ request_method: method }));
      expect(request.includes('--data @body.json')).toBe(['POST', 'PUT', 'PATCH'].includes(method ?? ''));
      expect(request.includes('-X')).toBe(method !== undefined);
    },
  );

  it.each([
    ['', []],
    [5, []],
    ['s-2', ['Try: payctl checkout-sessions get s-2']],
  ])(
    'shows the record in conflict where the response names it and payctl has a command: %j',
    (id, commands) => {
      const shown = (url: string) =>
        explainEntry(log({ request_url: url, response_body: { resource_id: id } })).filter((line) =>
          line.includes(' get '),
        );
      expect(shown('https://h/checkout/sessions/s-1')).toEqual(commands);
      expect(shown('https://h/buyers')).toEqual([]);
      expect(shown('https://h/buyers/b-1/shipping-details')).toEqual([]);
    },
  );

  it('names up to five places, and none of details without one', () => {
    const detail = (pointer: string) => ({ pointer, message: 'm' });
    const five = ['/a', '/b', '/c', '/d', '/e'].map(detail);
    expect(answered(400, [{ message: 'no place', location: 'body' }, ...five])).toContain(
      'What to do: correct /a, /b, /c, /d, /e, then send the request again',
    );
  });

  it('takes the cause from a pointer, a loc, a text, and from odd details nothing', () => {
    const CURSOR = ['the cursor is not from this list, or it is no longer valid'];
    const causes = (body: unknown, status = 400) =>
      causesOf(log({ response_status_code: status, response_body: body }));
    expect(causes({ details: [{ pointer: '/cursor', message: 'odd' }] })).toEqual(CURSOR);
    expect(causes({ detail: [{ loc: ['query', 'cursor'], msg: 'odd' }] }, 422)).toEqual(CURSOR);
    expect(causes({ detail: [{ loc: 'cursor', msg: 'odd' }] }, 422)).not.toEqual(CURSOR);
    expect(causes({ message: 5, details: [null, 'x', 7] })).toEqual([
      'the request breaks a rule that the service does not name',
    ]);
    expect(causes(`${' '.repeat(999)} bad cursor`)).not.toEqual(CURSOR);
    expect(causes('bad cursor')).toEqual(CURSOR);
    expect(causesOf({ response_status_code: 404 })).toEqual([
      'the resource does not exist, or you have no access to it (the service does not say which)',
    ]);
  });

  it('is as much as there is to say of any JSON', () => {
    expect(explainEntry({})).toEqual([]);
    const odd = fc.dictionary(
      fc.constantFrom('request_url', 'request_method', 'response_status_code', 'response_body'),
      fc.jsonValue(),
    );
    fc.assert(fc.property(fc.oneof(odd, fc.jsonValue()), (value) => void explainEntry(value)));
  });
});

it.each([10_000, 200_000])('an entry whose details are %d levels deep is explained', (depth) => {
  const deep = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  for (const body of [{ details: [{ message: deep }] }, { detail: [{ loc: ['body', deep], msg: deep }] }]) {
    const entry = { request_url: 'https://h/buyers', response_status_code: 422, response_body: body };
    expect(explainEntry(entry)).toContainEqual(expect.stringContaining('Request: curl'));
  }
});
