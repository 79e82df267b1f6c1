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
    expect(causesOf(log({ response_status_code: 422, response_body: { detail } }))).toHaveLength(4);
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
