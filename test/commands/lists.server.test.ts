import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { BaseCommand } from '../../src/cli/base-command.ts';
import { COMMAND_OPERATIONS } from '../../src/cli/routing/catalog/operations.ts';
import description from '../../src/contract/generated/description.json' with { type: 'json' };
import type { Operation } from '../../src/contract/generated/operations.ts';
import type { Column } from '../../src/output/columns.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { serviceForAll } from './service-for-all.ts';

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

type Schema = {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};

/** What a reference stands for, or the alternatives of a schema; the schema itself where it is neither. */
function alternatives(schema: Schema): readonly Schema[] {
  const { $ref, anyOf } = schema;
  if (anyOf) return anyOf.flatMap(alternatives);
  if ($ref === undefined) return [schema];
  const schemas: Readonly<Record<string, object>> = description.components.schemas;
  return alternatives(schemas[$ref.replace('#/components/schemas/', '')] ?? {});
}

/** The parts of a schema that a dotted path leads to; a number leads to the elements of an array. */
function partsAt(schema: Schema, path: string): readonly Schema[] {
  return path.split('.').reduce<readonly Schema[]>(
    (found, name) =>
      found.flatMap(alternatives).flatMap(({ properties, items }) => {
        const part = /^\d+$/.test(name) ? items : properties?.[name];
        return part ? [part] : [];
      }),
    [schema],
  );
}

/** The columns of a command's table, as the command declares them. */
async function columnsOf(command: string): Promise<readonly Column[]> {
  const file = join(import.meta.dirname, '../../src/commands', `${command.replaceAll(' ', '/')}.ts`);
  const { default: found }: { default: typeof BaseCommand } = await import(pathToFileURL(file).href);
  return found.columns;
}

/** Pages of so many copies of an item, distinguished by their ids; cursors are page numbers. */
function pages(item: Item, sizes: readonly number[], paginated: boolean): object[] {
  return sizes.map((size, page) => ({
    items: Array.from({ length: size }, (_, index) => ({ ...item, id: `id-${page}-${index}` })),
    ...(paginated
      ? { limit: 100, next_cursor: page + 1 < sizes.length ? String(page + 1) : null, previous_cursor: null }
      : {}),
  }));
}

let documents: object[] = [];
const service = serviceForAll(({ url }) => {
  return { body: documents[Number(new URL(url, 'http://x').searchParams.get('cursor') ?? 0)] ?? {} };
});

const run = (command: string, flags: readonly string[], columns?: number) =>
  service.print([...command.split(' '), ...flags], { columns });

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
    const reveal = ['--reveal-secrets', ...(operation.personalData ? ['--reveal-pii'] : [])];
    const json = await run(command, ['-o', 'json', ...reveal]);
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

  it('has columns for fields that the description has', async () => {
    const page = { $ref: `#/components/schemas/${operation.responseSchema}` };
    const paths = (await columnsOf(command)).flatMap(({ path, parts = [] }) => [path, ...parts]);
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => partsAt(page, `items.0.${path}`).length === 0)).toEqual([]);
  });

  it.each([60, 80, 120, 200])('fits its table to a terminal of %i columns', async (columns) => {
    stopClock('2026-06-01T00:00:00Z');
    const ids = ['e9714093-a6f6-4226-ae1e-cde40acccf87', '7f3d6f35-e884-4887-a43c-ba82400517c9'];
    documents = [{ items: ids.map((id) => ({ ...item, id })), next_cursor: null }];
    const { stdout, stderr } = await run(command, [], columns);
    expect(stdout.split('\n').every((line) => line.length <= columns)).toBe(true);
    // The next command needs it.
    expect(stdout).toMatch(/^.* ID\n/);
    expect(`${stdout}${stderr}`).toMatchSnapshot();
  });
});
