import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResponseError } from '../../src/client/errors.ts';
import { describedPaging } from '../../src/client/paging/described-paging.ts';
import { findLink } from '../../src/client/paging/link-header.ts';
import type { RawResponse } from '../../src/client/response.ts';
import type { QueryParameter } from '../../src/contract/operation.ts';
import { answer, get } from '../descriptions/describe.ts';
import { anyText } from '../harness/any-text.ts';
import { clientAt, serve } from './live-client.ts';
import { fetched } from './paging-run.ts';

const next = (value: string) => findLink(value, 'next').target;

describe('the Link header', () => {
  it.each([
    [
      '<https://api.example.com/a?page=2>; rel="next", <https://api.example.com/a?page=9>; rel="last"',
      'https://api.example.com/a?page=2',
    ],
    ['</a?page=1>; rel="prev", </a?page=3>; rel="next"', '/a?page=3'],
    ['<?page=2>;rel=next', '?page=2'],
    ['</a>; REL="Last NEXT"; title="x"', '/a'],
    ['</a>; title="a, <b>; rel=\\"no\\""; rel="next"', '/a'],
    ['</a>; rel="prev"; rel="next", </b>; rel="next"', '/b'],
    ['</a>; rel="next"; anchor="#x", </b>; rel="next"', '/b'],
    [' , , </a> ; ; rel = "next" ; hreflang=en,', '/a'],
    ['</a,b;c>; rel="next"', '/a,b;c'],
    ['</a>; rel*=UTF-8; rel=next', '/a'],
    ['</a>; rel="ne\\xt"', '/a'],
    ['<>; rel="next"', ''],
    ['</a>; rel="next" , </b>; rel="prev"', '/a'],
    [`<${'a'.repeat(19_986)}>; rel="next"`, 'a'.repeat(19_986)],
  ])('%s', (value, target) => {
    expect(next(value)).toBe(target);
  });

  it('with results="false" leads to an empty page', () => {
    expect(
      findLink('</a>; rel="previous"; results="true", </b>; rel="next"; results="false"', 'next'),
    ).toEqual({
      rest: '',
      isEmpty: true,
    });
    expect(next('</b>; rel="next"; results="true"')).toBe('/b');
  });

  it.each([
    '',
    '</a>',
    '</a>; rel="prev"',
    '</a>; rel="nextish"',
    '/a; rel="next"',
    '</a>; rel="next',
    '</a>; rel=',
    '</a> rel="next"',
    '</a>; rel="prev" </b>; rel="next"',
    '</a <b>; rel="next"',
    '</a>; title="rel=next"',
    '</a>; title=; rel=next',
    '</a>; ="x"; rel=next',
    '</a>; rel="next"x',
    `<${'a'.repeat(20_000)}>; rel="next"`,
  ])('without a next page: %s', (value) => {
    expect(next(value)).toBeUndefined();
  });

  const token = fc.stringMatching(/^[a-z*]{1,8}$/).filter((name) => name !== 'rel' && name !== 'anchor');
  const quoted = fc
    .string({ unit: fc.constantFrom('a', ',', ';', '<', '>', '"', '\\', ' ', '=') })
    .map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`);
  const link = fc.record({
    target: fc.string({ unit: fc.constantFrom('a', '/', '?', '=', '&', ',', ';', '"', '%') }),
    rel: fc.constantFrom('next', 'prev', 'last'),
    others: fc.array(fc.tuple(token, fc.oneof(quoted, token))),
    isQuoted: fc.boolean(),
  });

  it('is read whatever else it has', () => {
    fc.assert(
      fc.property(fc.array(link), (links) => {
        const value = links.map(({ target, rel, others, isQuoted }) => {
          const pairs = others.map(([name, text]) => `; ${name}=${text}`).join('');
          return `<${target}>${pairs}; rel=${isQuoted ? `"${rel}"` : rel}`;
        });
        expect(next(value.join(', '))).toBe(links.find(({ rel }) => rel === 'next')?.target);
      }),
    );
  });

  it('is read or not read without a failure, and in little time, whatever it is', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      ';',
      ',',
      '=',
      '"',
      '\\',
      ' ',
      '\t',
      'rel',
      'next',
      '/a',
      '\u2028',
    );
    fc.assert(
      fc.property(fc.string({ unit: pieces, maxLength: 200 }), (value) => {
        expect(['string', 'undefined']).toContain(typeof next(value));
      }),
    );
    expect(next(`<a>${'; a   '.repeat(3000)}"`)).toBeUndefined();
    expect(next(`<a>${' '.repeat(19_000)}x`)).toBeUndefined();
  });
});

const response = (link: string): RawResponse => ({
  text: '[]',
  status: 200,
  requestId: undefined,
  headers: { link },
  attempts: 1,
  request: {
    method: 'GET',
    path: '/v1/things?page=1',
    origin: 'https://api.example.com',
    merchantAccount: undefined,
    needed: { scopes: [], accepted: [] },
  } as RawResponse['request'],
});

/** The paging of a list whose pages are linked; `cursor` is among its parameters or not. */
const linkedPages = (query: Readonly<Record<string, QueryParameter>> = {}) =>
  describedPaging({ query, method: 'GET', listShape: 'array' });
const CURSOR = { cursor: { type: 'string' } } as const;

/** What comes after a page with this link. */
const nextAfter = async (link: string, paging = linkedPages()) =>
  (await fetched(paging, response(link))).next;

describe('the page that a link leads to', () => {
  it.each([
    ['<?page=2>; rel="next"', '/v1/things?page=2'],
    ['<https://user:secret@api.example.com:443/x/../y?a={b}#c>; rel="next"', '/y?a={b}'],
    ['<//api.example.com/z>; rel="next"', '/z'],
  ])('is asked for by path and query: %s', async (link, target) => {
    const paging = linkedPages();
    expect(await nextAfter(link, paging)).toEqual({ cursor: target });
    expect(paging.request({ cursor: target, limit: 5, status: 'x' }, {})).toEqual({ query: {}, target });
  });

  it.each([
    '<https://evil.example/things?page=2>; rel="next"',
    '<//evil.example/things>; rel="next"',
    '<http://api.example.com/things>; rel="next"',
    '<https://api.example.com:8443/things>; rel="next"',
    '<javascript:alert(1)>; rel="next"',
  ])('is asked for at no other origin: %s', async (link) => {
    const { cursor, refused } = await nextAfter(link);
    expect(refused?.message).toMatch(/^The link to the next page leads to another origin, /);
    expect(() => linkedPages().request({ cursor: cursor ?? '' }, {})).toThrow(/is not valid for this list$/);
  });

  it.each(['x', '//evil.example/x', '/..//evil.example/x', '/\\evil.example/x', 'https://api.example.com/x'])(
    'cannot be chosen with %s',
    (cursor) => {
      expect(() => linkedPages().request({ cursor }, {})).toThrow(
        expect.objectContaining({
          code: 'bad_cursor',
          message: expect.stringMatching(/is not valid for this list$/),
          hint: 'Use the path and query of a page, as the command for the next page shows them.',
        }),
      );
    },
  );

  it('never has another host than that of the service', () => {
    fc.assert(
      fc.property(fc.constantFrom('https:', 'http:', 'file:', ''), anyText(10), (protocol, text) => {
        for (const cursor of [
          `${protocol}//${text}`,
          `${protocol}//evil.example/${text}`,
          text,
          `/${text}`,
        ]) {
          try {
            expect(linkedPages().request({ cursor }, {}).target).toMatch(/^\/(?!\/)/);
          } catch (error) {
            expect(error).toMatchObject({ code: 'bad_cursor' });
          }
        }
      }),
    );
  });

  it('has the cursor of its address where the operation takes one', async () => {
    const paging = linkedPages(CURSOR);
    expect(await nextAfter('</v1/things?cursor=%2Fa&page=2>; rel=next', paging)).toEqual({ cursor: '/a' });
    expect(paging.request({ cursor: '/a', limit: 5 }, {})).toEqual({ query: { cursor: '/a', limit: 5 } });
    const blank = await nextAfter('</v1/things?cursor=>; rel=next', paging);
    expect([blank.cursor, blank.refused]).toEqual([undefined, undefined]);
  });

  it.each([
    ['<https://api.example.com//evil.example/x>; rel="next"', {}, 'has a path that begins with //'],
    ['</..//evil.example/x>; rel="next"', {}, 'has a path that begins with //'],
    [
      '<blob:https://api.example.com/x>; rel="next"',
      {},
      'leads to another origin, "https://api.example.com",',
    ],
    ['<http://[x>; rel="next"', {}, 'is not an address'],
    ['</v1/things?page=2>; rel="next', {}, 'cannot be read'],
    ['</a>; rel="prev" </v1/things?page=2>; rel="next"', {}, 'cannot be read'],
    ['/v1/things?page=2; rel=next', {}, 'cannot be read'],
    [`<${'a'.repeat(20_000)}>; rel="next"`, {}, 'cannot be read'],
    ['</v1/things?page=2>; rel="next"', CURSOR, 'has no cursor'],
  ] as const)(
    'is not taken for the end of the list where it cannot be followed: %s',
    async (link, query, reason) => {
      const paging = linkedPages(query);
      const next = await nextAfter(link, paging);
      expect(next).toEqual({ cursor: expect.stringMatching(/./), refused: expect.any(ResponseError) });
      expect(next.refused).toMatchObject({
        code: 'link_refused',
        message: `The link to the next page ${reason} and is not followed`,
      });
      const usable = 'cursor' in query ? '?cursor=a' : '?page=3';
      expect((await nextAfter(`<${usable}>; rel=next`, paging)).refused).toBeUndefined();
    },
  );

  it.each(['', '</a>; rel="prev"', 'x', '</a>; rel="prev" </b>; rel="last"', '</next>; rel="prev", x'])(
    'is none where no link says that it is: %s',
    async (link) => {
      expect(await nextAfter(link)).toEqual({ cursor: undefined, lacksParameter: true, endedEarly: false });
    },
  );
});

describe('the client library', () => {
  it('follows links from page to page, and sends no token elsewhere', async () => {
    const other = await serve((_, reply) => void reply.end('[]'));
    const server = await serve(({ url }, reply) => {
      const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
      const target = page < 3 ? `/api/things?page=${page + 1}` : `${other.origin}/things`;
      reply.setHeader('link', `<${target}>; rel="next"`);
      reply.setHeader('content-type', 'application/json');
      reply.end(`[{"id":${page}}]`);
    });
    const client = clientAt(`${server.origin}/api`);
    const description = get({
      operationId: 'things',
      responses: answer({ type: 'array', items: { type: 'object' } }),
    });
    const { list } = await client.withDescription(description);
    const ids: unknown[] = [];
    const all = async () => {
      for await (const item of list('things').items()) ids.push((item as { id: number }).id);
    };
    await expect(all()).rejects.toMatchObject({
      code: 'link_refused',
      message: `The link to the next page leads to another origin, "${other.origin}", and is not followed`,
    });
    expect(ids).toEqual([1, 2, 3]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/things',
      '/api/things?page=2',
      '/api/things?page=3',
    ]);
    expect(other.requests).toEqual([]);
  });
});
