import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainEntry } from '../../../src/features/api-logs/explain.ts';

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
  'a value is outside the limits in its detail; the limits of an amount depend on the record';
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

  it('names all causes of a 422 whose detail has a type that says nothing', () => {
    const detail = [{ loc: [], msg: 'm', type: 'value_error' }];
    expect(causesOf(log({ response_status_code: 422, response_body: { detail } }))).toHaveLength(5);
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
      'Likely cause: a value does not have the format in its detail',
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

  it('does not speak of details where a 400 has none', () => {
    expect(answered(400, [])).toEqual([
      'Likely cause: the request breaks a rule that the service does not name',
      ALIKE,
      SHOW,
    ]);
  });

  it.each([
    ['token_expired', 'the token had expired', 'sign a new token'],
    ['token_not_yet_valid', 'the token was not valid yet', 'set the clock'],
    ['token_without_expiry', 'the token has no expiry time', 'sign it with the claim exp'],
    ['token_missing', 'the request had no bearer token', 'send the header "Authorization: Bearer TOKEN"'],
    [
      'key_unknown',
      'the service does not know the key of the token',
      'compare its key ID with the keys of this environment: payctl auth inspect FILE',
    ],
    ['signature_mismatch', 'the signature does not fit', 'sign with the private key'],
    ['token_invalid', 'the token is damaged', 'find out what is wrong with it: payctl auth inspect FILE'],
  ])('says of a 401 whose detail has the type %s why the token was rejected, and what to do', (...row) => {
    const [type, cause, remedy] = row;
    const [first, second, third] = answered(401, [{ type, pointer: '/authorization', location: 'header' }]);
    expect(first).toContain(`Likely cause: ${cause}`);
    expect(second).toContain(`What to do: ${remedy}`);
    expect(third).toBe('Try: payctl doctor');
  });

  it('says of a 401 without details only that', () => {
    expect(answered(401, []).slice(0, 2)).toEqual([
      'Likely cause: the service does not accept the token',
      'Try: payctl doctor',
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

  it('has the remedy of an outage', () => {
    expect(answered(502, [])).toContain('What to do: try again later');
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

  it('is as much as there is to say of any JSON', () => {
    expect(explainEntry({})).toEqual([]);
    const odd = fc.dictionary(
      fc.constantFrom('request_url', 'request_method', 'response_status_code', 'response_body'),
      fc.jsonValue(),
    );
    fc.assert(fc.property(fc.oneof(odd, fc.jsonValue()), (value) => void explainEntry(value)));
  });
});
