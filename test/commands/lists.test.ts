import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND_OPERATIONS } from '../../src/cli/catalog/operations.ts';
import description from '../../src/contract/generated/description.json' with { type: 'json' };
import type { Operation } from '../../src/contract/generated/operations.ts';
import { startServer, type TestServer } from '../harness/http-server.ts';
import { runInProcess } from './run-in-process.ts';

/** Every command that lists, with its operation. */
const LISTS = Object.entries(COMMAND_OPERATIONS).filter(([, { isList }]) => isList);

type Item = Record<string, unknown>;

/** The first item of an operation's example in the API description. */
function exampleItem({ method, path }: Operation): Item {
  const paths: Record<string, Record<string, unknown>> = description.paths;
  const { responses } = JSON.parse(JSON.stringify(paths[path]?.[method.toLowerCase()]));
  const { example, examples } = responses['200'].content['application/json'];
  const { items } = example ?? Object.values<{ value: object }>(examples).map(({ value }) => value)[0];
  return items[0];
}

/** Pages of so many copies of an item, told apart by their ids; cursors are page numbers. */
function pages(item: Item, sizes: readonly number[], paginated: boolean): object[] {
  return sizes.map((size, page) => ({
    items: Array.from({ length: size }, (_, index) => ({ ...item, id: `id-${page}-${index}` })),
    ...(paginated
      ? { limit: 100, next_cursor: page + 1 < sizes.length ? String(page + 1) : null, previous_cursor: null }
      : {}),
  }));
}

let server: TestServer;
let documents: object[] = [];
beforeAll(async () => {
  server = await startServer((request, response) => {
    const cursor = Number(new URL(request.url, 'http://x').searchParams.get('cursor') ?? 0);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(documents[cursor]));
  });
});
afterAll(() => server.close());

const run = (command: string, flags: readonly string[], columns?: number) =>
  runInProcess([...command.split(' '), ...flags], {
    env: { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque', TERM: 'xterm', NO_COLOR: '1' },
    ...(columns === undefined ? {} : { columns }),
  });

describe.each(LISTS)('payctl %s', (command, operation) => {
  const item = exampleItem(operation);
  const { paginated } = operation;

  it('prints an empty list as nothing, an empty document or a header, and says so beside a table', async () => {
    documents = pages(item, [0], paginated);
    const empty = JSON.stringify(documents[0]);
    expect(await run(command, ['-o', 'json'])).toEqual({ stdout: `${empty}\n`, stderr: '', code: 0 });
    expect(await run(command, ['-o', 'ndjson'])).toEqual({ stdout: '', stderr: '', code: 0 });
    const table = await run(command, []);
    expect(table).toEqual({
      stdout: '',
      stderr: expect.stringMatching(/^No [a-zA-Z ]+ found\.\n$/),
      code: 0,
    });
    expect((await run(command, ['-o', 'csv'])).stdout).toMatch(/^[a-z_,.0-9]+\r\n$/);
    expect((await run(command, ['-o', 'yaml'])).stdout).toMatch(/^items: \[\]\n/);
  });

  it.each([[[1]], [[5]]])('prints a page of %j items exactly, in every format', async (sizes) => {
    documents = pages(item, sizes, paginated);
    const count = sizes[0] ?? 0;
    const json = await run(command, ['-o', 'json', '--reveal-secrets']);
    expect(json).toEqual({ stdout: `${JSON.stringify(documents[0])}\n`, stderr: '', code: 0 });
    const lines = (await run(command, ['-o', 'ndjson'])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(
      Array.from({ length: count }, (_, at) => `id-0-${at}`),
    );
    const tsv = (await run(command, ['--columns', 'id'])).stdout;
    expect(tsv).toBe(`ID\n${lines.map((_, at) => `id-0-${at}\n`).join('')}`);
    expect((await run(command, [])).stdout.split('\n').length).toBe(count + 2);
    expect((await run(command, ['-o', 'csv', '--columns', 'id'])).stdout.split('\r\n').length).toBe(
      count + 2,
    );
    expect((await run(command, ['-o', 'yaml'])).stdout.match(/id: id-0-/g)?.length).toBe(count);
    expect((await run(command, ['--jq', '.items | length'])).stdout).toBe(`${count}\n`);
  });

  it('follows several pages with --all, into one document', async () => {
    documents = pages(item, [3, 2, 1], true);
    const ids = ['id-0-0', 'id-0-1', 'id-0-2', 'id-1-0', 'id-1-1', 'id-2-0'];
    const json = JSON.parse((await run(command, ['--all', '-o', 'json'])).stdout);
    expect(json.items.map(({ id }: Item) => id)).toEqual(ids);
    expect(json.next_cursor).toBeNull();
    expect((await run(command, ['--all', '--columns', 'id', '--no-header'])).stdout).toBe(
      `${ids.join('\n')}\n`,
    );
  });

  it.each([80, 120, 200])('fits its table to a terminal of %i columns', async (columns) => {
    documents = pages(item, [2], paginated);
    const { stdout, stderr } = await run(command, [], columns);
    expect(stdout.split('\n').every((line) => line.length <= columns)).toBe(true);
    expect(`${stdout}${stderr}`).toMatchSnapshot();
  });
});
