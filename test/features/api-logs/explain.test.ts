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

describe('the explanation of an entry', () => {
  it('says why, gives the request without its token, and what the code means, and what to do', () => {
    expect(explainEntry(log({}))).toEqual([
      'Why: exists already',
      `Request: curl -X PUT -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' --data @body.json https://h/checkout/sessions/s-1`,
      'Meaning: A record that matches a unique constraint exists already; resource_id may name it.',
      'Likely cause: a record with this value was created before, perhaps by the same request sent twice',
      'Try: payctl checkout-sessions get s-2',
      "Try: payctl api-logs list --status 409 --method PUT --path '/checkout/sessions/{checkout_session_id}'",
    ]);
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
