import { expect, it } from 'vitest';
import { ledgerDescription } from '../descriptions/ledger-description.ts';
import { answers } from '../harness/http-server.ts';
import { serve } from '../harness/serve.ts';
import { entry, homeFor, refusal } from './copied-ledger.ts';
import { runInProcess } from './run-in-process.ts';

const page = (items: readonly unknown[], next: string | null = null) => ({
  body: { items, next_cursor: next },
});

it('asks for changes since the last sync that was whole', async () => {
  const [first, second, third] = [
    entry('a', '2026-01-01T00:00:00Z'),
    entry('b', '2026-02-01T00:00:00Z'),
    entry('c', '2026-01-15T00:00:00Z'),
  ];
  const server = await serve(
    answers([
      // The export, and what changed meanwhile.
      page([first]),
      page([]),
      // A sync that has the newest change when it fails.
      page([second], 'next'),
      refusal(503, 'unavailable', 'Later'),
      page([second], 'next'),
      page([third]),
      page([]),
    ]),
  );
  const { copy, env } = homeFor(server.origin, ledgerDescription());
  const sync = () => runInProcess(['sync', '--to', copy, '-o', 'json'], { env });
  expect(await runInProcess(['export', 'ledger-entries', '--to', copy], { env })).toMatchObject({ code: 0 });
  expect(await sync()).toMatchObject({ code: 8 });
  const { code, stdout } = await sync();
  expect({ code, items: JSON.parse(stdout).items }).toMatchObject({
    code: 0,
    items: [{ new: 1, changed: 0, unchanged: 1 }],
  });
  expect(await sync()).toMatchObject({ code: 0 });
  const asked = server.requests.slice(2).map(({ url }) => new URL(url, server.origin).searchParams);
  expect(asked.map((query) => query.get('updated_at_gte'))).toEqual([
    '2025-12-31T23:50:00.000Z',
    '2025-12-31T23:50:00.000Z',
    '2025-12-31T23:50:00.000Z',
    '2025-12-31T23:50:00.000Z',
    '2026-01-31T23:50:00.000Z',
  ]);
});

it('knows records by an ID in an object', async () => {
  const row = (name: string, n: number) => ({ metadata: { name }, n });
  // What is not sent is asked for again.
  const pages = [[row('a', 1), row('b', 1)], [row('a', 2)], [row('a', 2)]].map((items) => page(items));
  const server = await serve(answers(pages));
  const metadata = { type: 'object', properties: { name: { type: 'string' } } };
  const item = { type: 'object', properties: { metadata, n: { type: 'integer' } } };
  const properties = { items: { type: 'array', items: item }, next_cursor: { type: 'string' } };
  const parameters = [{ name: 'cursor', in: 'query', schema: { type: 'string' } }];
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const responses = { 200: { description: 'OK', content } };
  const paths = { '/pods': { get: { operationId: 'listPods', parameters, responses } } };
  const document = { openapi: '3.1.0', info: { title: 'Pods', version: '1' }, paths };
  const { copy, env } = homeFor(server.origin, document);
  expect(await runInProcess(['export', 'pods', '--to', copy], { env })).toMatchObject({ code: 0 });
  const { stdout } = await runInProcess(['sync', '--to', copy, '-o', 'json'], { env });
  expect(JSON.parse(stdout).items).toMatchObject([{ new: 0, changed: 1, unchanged: 0, gone: 1 }]);
});
