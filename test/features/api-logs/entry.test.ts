import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detailsOf, hostOf, pathOf, readEntry, tookOf, whyOf } from '../../../src/features/api-logs/entry.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

const why = (body: unknown) => whyOf({ body });

describe('why a request failed', () => {
  const detail = {
    type: 't',
    location: 'body',
    pointer: '/cart_items/0/quantity',
    message: 'must be an integer',
  };
  it.each([
    [
      'its first detail',
      { message: 'Generic error', details: [detail] },
      '/cart_items/0/quantity must be an integer',
    ],
    [
      'how many more there are',
      { details: [detail, detail, detail] },
      '/cart_items/0/quantity must be an integer (+2)',
    ],
    [
      'a header without its pointer',
      { details: [{ ...detail, location: 'header', message: 'expired' }] },
      'expired',
    ],
    ['a detail without a message', { details: [{ pointer: '/limit' }], message: 'x' }, '/limit'],
    ['a detail that is not an object', { details: ['no'], message: 'x' }, 'no'],
    [
      'the first item of a 422',
      { detail: [{ loc: ['query', 'limit'], msg: 'is no integer' }] },
      'query/limit is no integer',
    ],
    [
      'a part of loc that is a number',
      { detail: [{ loc: ['body', 'items', 0], msg: 'm' }] },
      'body/items/0 m',
    ],
    ['the message', { message: 'Generic error', details: [] }, 'Generic error'],
    ['the beginning of a text', ' no\n healthy upstream ', 'no healthy upstream'],
    ['the title of a page', '<html><head><title>502 Bad\nGateway</title></head>', '502 Bad Gateway'],
    ['a long text, cut', 'a'.repeat(500), `${'a'.repeat(120)}\u2026`],
    ['that there is none', null, '(no body)'],
    ['other JSON', { error: 'nope' }, '{"error":"nope"}'],
    ['nothing', undefined, ''],
  ])('is %s', (_, body, text) => {
    expect(why(body)).toBe(text);
  });
});

describe('the details of an entry', () => {
  it('are those of the error object, and else those of a 422 with their pointers', () => {
    expect(
      detailsOf({ body: { details: [{ pointer: '/a', message: 'm', type: 't' }], detail: [{}] } }),
    ).toEqual([{ pointer: '/a', place: '/a', location: '', message: 'm', type: 't' }]);
    expect(
      detailsOf({ body: { details: [], detail: [{ loc: ['body', 'a/b', '~c'], msg: 'm', type: 5 }] } }),
    ).toEqual([{ pointer: '/a~1b/~0c', place: 'body/a/b/~c', location: 'body', message: 'm', type: '' }]);
  });
});

describe('an entry', () => {
  it('is read with its times, from the request or else from the answer', () => {
    const entry = readEntry({
      id: 'e1',
      request_method: 'post',
      request_url: 'https://h/buyers',
      request_received_at: '2026-03-01T10:00:00.000+00:00',
      response_sent_at: '2026-03-01T10:00:01.500+00:00',
      response_status_code: 400,
      response_body: { code: 'bad_request' },
    });
    expect(entry).toEqual({
      id: 'e1',
      method: 'POST',
      url: 'https://h/buyers',
      status: 400,
      at: Date.UTC(2026, 2, 1, 10),
      received: '2026-03-01T10:00:00.000+00:00',
      sent: '2026-03-01T10:00:01.500+00:00',
      code: 'bad_request',
      body: { code: 'bad_request' },
    });
    expect(tookOf(entry)).toBe(1500);
    const answered = { response_sent_at: '2026-03-01T10:00:01Z' };
    for (const received of [undefined, null, 5, '', '2026-03-01T25:00:00Z', '10:00']) {
      const { at } = readEntry({ request_received_at: received, ...answered });
      expect(at).toBe(Date.UTC(2026, 2, 1, 10, 0, 1));
    }
  });

  it('may be any JSON', () => {
    const member = fc.constantFrom(
      'id',
      'request_url',
      'request_received_at',
      'response_body',
      'details',
      'detail',
      'loc',
      'msg',
      'pointer',
    );
    const odd = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.jsonValue(),
        fc.dictionary(member, tie('value'), { maxKeys: 4 }),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(odd, (value) => {
        const entry = readEntry(value);
        expect(typeof whyOf(entry)).toBe('string');
        if (entry.url !== undefined) expect(pathOf(entry.url)).not.toContain('?');
      }),
      propertyRuns(2000),
    );
  });
});

describe('an address', () => {
  it.each([
    ['https://instance.example/buyers?limit=1', 'instance.example', '/buyers'],
    ['https://user:secret@h:8443/a/b#c', 'h:8443', '/a/b'],
    ['http://h', 'h', '/'],
    ['http://h?x=/y', 'h', '/'],
    ['/buyers?next=https://other/x', '', '/buyers'],
    ['', '', ''],
  ])('%s has host and path', (url, host, path) => {
    expect([hostOf(url), pathOf(url)]).toEqual([host, path]);
  });
});
