import { describe, expect, it } from 'vitest';
import { clientAt, serve } from '../../client/live-client.ts';
import { answer, codes, get, imported, only } from '../../descriptions/describe.ts';
import { answers } from '../../harness/http-server.ts';
import { importedHome, runImported } from './run-imported.ts';

const thing = { type: 'object', properties: { id: { type: 'integer' } } };
const text = { type: 'string' };
const object = (properties: object) => ({ type: 'object', properties });

/** A list of things with these members next to it. */
function listOf(members: object, list = 'results', parameter = 'state') {
  const properties = { [list]: { type: 'array', items: thing }, ...members };
  return get({
    operationId: 'things',
    parameters: [...new Set(['state', parameter])].map((name) => ({ name, in: 'query', schema: text })),
    responses: answer(object(properties)),
  });
}

const SECOND = '/things?state=open&page=2';
const ALL = ['things', 'list', '--state', 'open', '--all', '-o', 'csv'];

const SHAPES: readonly (readonly [string, object, (next: string | null) => object])[] = [
  ['next', { count: { type: 'integer' }, next: { ...text, format: 'uri' } }, (next) => ({ count: 3, next })],
  ['next without a format', { next: text }, (next) => ({ next })],
  ['next_url', { next_url: { type: ['string', 'null'] } }, (next) => ({ next_url: next })],
  ['nextLink', { '@odata.nextLink': text }, (next) => (next ? { '@odata.nextLink': next } : {})],
  ['links.next', { links: object({ next: text }) }, (next) => ({ links: { next } })],
  [
    'links.next.href',
    { links: object({ next: object({ href: text }) }) },
    (next) => ({ links: { next: next && { href: next } } }),
  ],
  [
    '_links.next.href',
    { _links: object({ next: object({ href: text }) }) },
    (next) => ({ _links: next ? { next: { href: next } } : {} }),
  ],
  ['paging.next', { paging: object({ next: text }) }, (next) => ({ paging: next ? { next } : {} })],
  [
    'meta.pagination.links.next',
    { meta: object({ pagination: object({ links: object({ next: text }) }) }) },
    (next) => ({ meta: { pagination: { links: next ? { next } : [] } } }),
  ],
  [
    'links with relations',
    { links: { type: 'array', items: object({ rel: text, href: text }) } },
    (next) => ({ links: [{ rel: 'self', href: '/x' }, ...(next ? [{ rel: 'next', href: next }] : [])] }),
  ],
];

describe('a list whose pages hold the address of the next one', () => {
  it.each(SHAPES)('is followed to its end: %s', async (_, members, told) => {
    const description = listOf(members);
    const known = await imported(description);
    expect(codes(known)).toEqual([]);
    expect(known.index.operations[0]?.paginated).toBe(true);
    const script = [
      { body: { results: [{ id: 1 }, { id: 2 }], ...told(SECOND) } },
      { body: { results: [{ id: 3 }], ...told(null) } },
    ];
    const shown = await runImported(ALL, importedHome(description), { script });
    expect(shown).toEqual({
      stdout: 'id\r\n1\r\n2\r\n3\r\n',
      stderr: '',
      code: 0,
      sent: [
        ['GET', '/things?state=open'],
        ['GET', SECOND],
      ],
    });
    const flags = ['things', 'list', '--state', 'open', '-o', 'csv'];
    const one = await runImported(flags, importedHome(description), { script });
    expect(one.stderr).toBe(
      `There are more things after these 2. For all pages, add --all. Next page: payctl ${flags.join(' ')} --cursor '${SECOND}'\n`,
    );
    const last = await runImported([...flags, '--cursor', SECOND], importedHome(description), {
      script: script.slice(1),
    });
    expect(last).toMatchObject({ stdout: 'id\r\n3\r\n', stderr: '', code: 0, sent: [['GET', SECOND]] });
  });

  it.each(SHAPES)('sends no token to another origin: %s', async (_, members, told) => {
    const other = await serve((_request, reply) => void reply.end('{}'));
    const script = [{ body: { results: [{ id: 1 }], ...told(`${other.origin}/things?page=2`) } }];
    const shown = await runImported(ALL, importedHome(listOf(members)), { script });
    expect(shown).toMatchObject({ stdout: 'id\r\n1\r\n', code: 9 });
    expect(shown.stderr).toContain(
      `The link to the next page leads to another origin, "${other.origin}", and is not followed; printed 1 page (1 item) before the error (200 link_refused)`,
    );
    expect(other.requests).toEqual([]);
  });

  it('is not taken for complete where the address is none', async () => {
    const script = [{ body: { results: [{ id: 1 }], next: 'eyJvIjoyfQ' } }];
    const shown = await runImported(ALL, importedHome(listOf({ next: text })), { script });
    expect(shown).toMatchObject({ stdout: 'id\r\n1\r\n', code: 9 });
    expect(shown.stderr).toContain('The link to the next page is not an address and is not followed');
    const number = await runImported(ALL, importedHome(listOf({ next: {} })), {
      script: [{ body: { results: [{ id: 1 }], next: 2 } }],
    });
    expect(number).toMatchObject({ stdout: 'id\r\n1\r\n', code: 9 });
    expect(number.stderr).toContain('The service says that there are more things, but it sends none');
  });

  it.each(['after', 'cursor', 'page_token', 'starting_after'])(
    'gives any other text to the parameter that takes a cursor, %s',
    async (parameter) => {
      const description = listOf({ next: { type: ['string', 'null'] } }, 'results', parameter);
      const linked = `/things?${parameter}=c5`;
      const nexts = ['/c2==', '3', linked, null];
      const script = nexts.map((next, index) => ({ body: { results: [{ id: index + 1 }], next } }));
      const shown = await runImported(ALL, importedHome(description), { script });
      expect(shown).toMatchObject({ stdout: 'id\r\n1\r\n2\r\n3\r\n4\r\n', stderr: '', code: 0 });
      const asked = shown.sent.map(([, path = '']) =>
        new URL(path, 'http://host').searchParams.get(parameter),
      );
      expect(asked).toEqual([null, '/c2==', '3', 'c5']);
      const resumed = await runImported([...ALL, '--cursor', '/c2=='], importedHome(description), {
        script: script.slice(3),
      });
      expect(resumed.sent).toEqual([['GET', `/things?state=open&${parameter}=%2Fc2%3D%3D`]]);
    },
  );

  it('gives no text from an object of links to a parameter', async () => {
    const known = await imported(listOf({ links: object({ next: text }) }, 'results', 'page[cursor]'));
    const { envelope, paging } = only(known);
    expect([envelope, paging?.members]).toEqual([{ items: 'results' }, { next: [['links', 'next']] }]);
  });

  it('is followed as one JSON document, and by the client library', async () => {
    const script = [
      { body: '{"results":[{"id":1}],"links":{"next":"?page=2"}}' },
      { body: '{"results":[{"id":2}],"links":{"next":null}}' },
    ];
    const description = listOf({ links: object({ next: text }) });
    const json = [...ALL.slice(0, -1), 'json'];
    expect(await runImported(json, importedHome(description), { script })).toMatchObject({
      stdout: '{"results":[{"id":1},{"id":2}],"links":{"next":null}}\n',
      stderr: '',
      code: 0,
    });
    const server = await serve(answers(script));
    const { list } = await clientAt(server.origin).withDescription(description);
    expect(await Array.fromAsync(list('things').items())).toEqual([{ id: 1 }, { id: 2 }]);
    expect(server.requests.map(({ url }) => url)).toEqual(['/things', '/things?page=2']);
  });

  it.each([
    [{ next: { type: 'integer' } }],
    [{ links: { type: 'array', items: text } }],
    [{ links: object({ self: text }) }],
    [{ next: object({ id: text }) }],
  ])('is none where no member can be an address: %j', async (members) => {
    const known = await imported(listOf(members));
    expect([only(known).paging, known.index.operations[0]?.paginated]).toEqual([undefined, undefined]);
  });
});
