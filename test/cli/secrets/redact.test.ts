import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskCredentials, redactBody, redactHeaders, redactPath } from '../../../src/cli/secrets/redact.ts';

describe('redactPath', () => {
  it.each([
    ['/buyers', '/buyers'],
    ['/buyers?limit=5&cursor=abc', '/buyers?limit=5&cursor=abc'],
    ['/buyers?search=Ada&limit=5', '/buyers?search=********&limit=5'],
    ['/buyers?external_identifier=a%3Db', '/buyers?external_identifier=********'],
    ['/buyers?search=a=b', '/buyers?search=********'],
    ['/payment-methods?buyer_id=1&status=failed', '/payment-methods?buyer_id=********&status=failed'],
    [
      '/x?created_at_gte=2026-03-01T10:00:00Z&updated_at=2026-03-01&expires_at_lt=1772359200',
      '/x?created_at_gte=2026-03-01T10:00:00Z&updated_at=2026-03-01&expires_at_lt=1772359200',
    ],
    [
      '/x?created_at_lte=2026-03-01T10%3A00%3A00%2B01%3A00',
      '/x?created_at_lte=2026-03-01T10%3A00%3A00%2B01%3A00',
    ],
    [
      '/x?created_at%5Bgte%5D=2026-03-01&createdAt=2026&createdAt[lt]=2026',
      '/x?created_at%5Bgte%5D=2026-03-01&createdAt=2026&createdAt[lt]=2026',
    ],
    [
      '/x?created_at_gte=ada@example.com&born_at=Leeds&format=2026&birth_date=2026-03-01&%E0_at=%E0',
      '/x?created_at_gte=********&born_at=********&format=********&birth_date=********&%E0_at=********',
    ],
    ['/x?currency=EUR&method=card&code=42&id=7', '/x?currency=EUR&method=card&code=********&id=********'],
    ['/x?page=2&per_page=50&offset=100&page_size=5', '/x?page=2&per_page=50&offset=100&page_size=5'],
    ['/x?page%5Bnumber%5D=2&startIndex=21&$skip=20', '/x?page%5Bnumber%5D=2&startIndex=21&$skip=20'],
    ['/x?start=Ada&count=2a&size=', '/x?start=********&count=********&size=********'],
    ['/x?limits=5&LIMIT=5&=', '/x?limits=********&LIMIT=********&=********'],
  ])('keeps what identifies nobody: %s', (path, shown) => {
    expect(redactPath(path)).toBe(shown);
  });
});

describe('redactHeaders', () => {
  it('masks the queries of addresses as those of requests', () => {
    const link =
      '<https://api.example.com/x?email=ada%40example.com&page=2>; rel="next", </x?search=Ada>; rel="prev"';
    expect(redactHeaders({ link, location: '/x?token=s3cret&limit=5', etag: '"a?b=c"' })).toEqual({
      link: '<https://api.example.com/x?email=********&page=2>; rel="next", </x?search=********>; rel="prev"',
      location: '/x?token=********&limit=5',
      etag: '"a?b=c"',
    });
  });
});

describe('redactBody', () => {
  it('masks numbers in personal data, at any depth', () => {
    const body = `{"amount":5,"billing_details":{"phone_number":4477,"address":{"country":"GB","house":5,"geo":[1.50,12345678901234567890,null,true]}},"last":7}`;
    expect(redactBody(body)).toBe(
      `{"amount":5,"billing_details":{"phone_number":"********","address":{"country":"GB","house":"********","geo":["********","********",null,"********"]}},"last":7}`,
    );
  });

  it('keeps shape, numbers and harmless members', () => {
    const buyer = {
      type: 'buyer',
      id: 'b-1',
      display_name: 'Ada',
      created_at: '2026-03-01',
      billing_details: {
        address: { country: 'GB', city: 'London' },
        tax_id: { value: 'GB1', kind: 'gb.vat' },
      },
      account_number: null,
      amount: 5,
    };
    expect(JSON.parse(redactBody(JSON.stringify({ items: [buyer], limit: 20 })))).toEqual({
      items: [
        {
          type: 'buyer',
          id: 'b-1',
          display_name: '********',
          created_at: '2026-03-01',
          billing_details: {
            address: { country: 'GB', city: '********' },
            tax_id: { value: '********', kind: '********' },
          },
          account_number: null,
          amount: 5,
        },
      ],
      limit: 20,
    });
  });

  it('redacts texts in arrays, also in those of a harmless member, and a text alone', () => {
    expect(redactBody('{"message":["Ada"],"tags":["x"]}')).toBe(
      '{"message":["********"],"tags":["********"]}',
    );
    expect(redactBody('"Ada"')).toBe('"********"');
    expect(redactBody('{"a":[1e400,0.10,-0],"secret":1.0}')).toBe(
      '{"a":[1e400,0.10,-0],"secret":"********"}',
    );
  });

  it('shows nothing of what is not JSON', () => {
    expect(redactBody('card=4111111111111111')).toBe('[21 characters that are not JSON]');
  });

  it('lets no text of an unknown member through', { tags: 'slow' }, () => {
    const secret = 'S3CRET-VALUE';
    const names = fc
      .string()
      .filter((name) => !redactBody(JSON.stringify({ [name]: secret })).includes(secret));
    const documents = fc.dictionary(
      names,
      fc.letrec((tie) => ({
        value: fc.oneof(fc.constant(secret), fc.array(tie('value')), fc.dictionary(names, tie('value'))),
      })).value,
    );
    fc.assert(
      fc.property(documents, (document) => {
        expect(redactBody(JSON.stringify(document))).not.toContain(secret);
      }),
    );
  });
});

describe('redactHeaders', () => {
  it('masks the token, cookies and challenges, and nothing else', () => {
    const headers = {
      authorization: 'Bearer eyJ.e30.c2ln',
      'set-cookie': 'session=1',
      'www-authenticate': 'Bearer realm="x"',
      'proxy-authenticate': 'Basic',
      'content-type': 'application/json',
    };
    expect(redactHeaders(headers)).toEqual({
      authorization: 'Bearer ********',
      'set-cookie': '********',
      'www-authenticate': '********',
      'proxy-authenticate': '********',
      'content-type': 'application/json',
    });
  });
});

describe('maskCredentials', () => {
  it.each([
    [
      'https://u:p@api.example.com/buyers?api_key=S&limit=2',
      'https://********@api.example.com/buyers?api_key=********&limit=2',
    ],
    [
      'https://api.example.com/a?client%5Fsecret=S#access_token=T',
      'https://api.example.com/a?client%5Fsecret=********#access_token=********',
    ],
    ['https://api.example.com/a@b?search=a@b', 'https://api.example.com/a@b?search=a@b'],
    ['/buyers?next_cursor=abc', '/buyers?next_cursor=abc'],
  ])('of %s', (address, shown) => {
    expect(maskCredentials(address)).toBe(shown);
  });
});
