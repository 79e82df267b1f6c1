import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BaseCommand } from '../../src/cli/base-command.ts';
import { COMMAND_OPERATIONS } from '../../src/cli/routing/catalog/operations.ts';
import { listCommands } from '../../src/cli/routing/route.ts';
import { serviceForAll } from './service-for-all.ts';

const folder = join(import.meta.dirname, '../../src/commands');

/** Every command that looks for one item in a list, with the operation of the list. */
const GETS = (
  await Promise.all(
    listCommands(folder)
      .filter((name) => name.endsWith(' get'))
      .map(async (name) => {
        const file = pathToFileURL(join(folder, `${name.replaceAll(' ', '/')}.ts`)).href;
        const { default: command }: { default: typeof BaseCommand } = await import(file);
        return [name, command.operation] as const;
      }),
  )
).flatMap(([name, operation]) => (operation?.isList ? [[name, operation] as const] : []));

let documents: Record<string, string> = {};
const service = serviceForAll(({ url }) => {
  const { searchParams } = new URL(url, 'http://x');
  const key = searchParams.get('external_identifier') ?? searchParams.get('cursor') ?? 'first';
  const text = documents[key];
  return { status: text === undefined ? 500 : 200, headers: JSON_TYPE, body: text ?? '{}' };
});
const JSON_TYPE = { 'content-type': 'application/json' };

const EMPTY = '{"items":[],"next_cursor":null}';
const ITEM = '{ "id":"x-3","odd":12345678901234567890,"n":1.0, "z":{"b":null,"a":[]}}';
/** Two pages, the third item of which is the one above. */
const PAGES = {
  first: '{"items":[{"id":"x-1"},{"id":"x-2"}],"next_cursor":"two"}',
  two: `{"items":[${ITEM},{"id":"x-4"}],"next_cursor":"three"}`,
  three: '{"items":[null,{"id":5},{"id":"x-6"}],"next_cursor":null}',
};

const run = (args: readonly string[], columns?: number) =>
  service.run(args, { columns, env: { PAYCTL_MAX_RETRIES: '0' } });

it('there is such a command for every list', () => {
  const lists = Object.keys(COMMAND_OPERATIONS).filter((name) => name.endsWith(' list'));
  expect(GETS.map(([name]) => name)).toEqual(lists.map((name) => name.replace(/list$/, 'get')).sort());
});

describe.each(GETS)('payctl %s', (name, operation) => {
  const words = name.split(' ');
  beforeEach(() => {
    documents = { ...PAGES, 'x-1': EMPTY, 'x-3': EMPTY, 'x-9': EMPTY };
  });

  it('prints the item exactly as it was sent', async () => {
    expect(await run([...words, 'x-3', '-o', 'json'])).toMatchObject({
      stdout: `${ITEM}\n`,
      stderr: '',
      code: 0,
    });
  });

  it('asks for the largest pages, and for none after the next one', async () => {
    const { urls } = await run([...words, 'x-1']);
    const walk = urls.filter((url) => !url.includes('external_identifier='));
    expect(walk[0]).toBe(operation.paginated ? `${operation.path}?limit=100` : operation.path);
    expect(walk.length).toBeLessThanOrEqual(2);
  });

  it('says at how many items it looked if asked for more', async () => {
    const { stdout, stderr } = await run([...words, 'x-3']);
    const verbose = await run([...words, 'x-3', '-v']);
    expect(stdout).toBe('id\tx-3\nodd\t12345678901234567890\nn\t1.0\nz.b\t\nz.a\t[]\n');
    expect(stderr).toBe('');
    expect(verbose.stderr).toMatch(
      /^The API cannot look up a single [a-zA-Z ]+; payctl searched 3 [a-zA-Z ]+\.$/m,
    );
  });

  it('shows it in two columns on a terminal, and reduced to --columns', async () => {
    expect((await run([...words, 'x-3'], 60)).stdout).toMatch(
      /^id +x-3\nodd +12345678901234567890\nn +1\.0\nz\n/,
    );
    expect((await run([...words, 'x-3', '-o', 'csv', '--columns', 'id,?n'])).stdout).toBe(
      'id,n\r\nx-3,1.0\r\n',
    );
    expect((await run([...words, 'x-3', '--jq', '.id'])).stdout).toBe('x-3\n');
  });

  it('ends with 5 after the last page, and says at how many items it looked', async () => {
    const { stdout, stderr, code } = await run([...words, 'x-9', '-o', 'json']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 5 });
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/^No .+ has the ID.* "x-9"; payctl searched 7 .+s$/),
    });
    expect('hint' in error).toBe(operation.merchantAccount);
  });

  it('takes the beginning of an ID, as tables shorten it, where one item alone has it', async () => {
    const [first, second] = ['50a1a892-fb00-4846-8360-690c9631e63e', '50a1a892-0000-4000-8000-000000000000'];
    const itemOf = (id: string) => `{"id":"${id}"}`;
    const page = (ids: readonly string[], cursor: string | null) =>
      JSON.stringify({ items: ids.map((id) => ({ id })), next_cursor: cursor });
    const none = { '50A1A892': EMPTY, '50a1a892': EMPTY, '50a': EMPTY };
    // A list that moves between two pages sends an item twice.
    documents = { first: page([first], 'two'), two: page([first, 'other'], null), ...none };
    const found = await run([...words, '50A1A892', '-o', 'json']);
    expect(found).toMatchObject({ stdout: `${itemOf(first)}\n`, stderr: '', code: 0 });
    expect(await run([...words, '50a', '-o', 'json'])).toMatchObject({ stdout: '', code: 5 });
    documents = { first: page([first], 'two'), two: page([second], null), ...none };
    const { stdout, stderr, code } = await run([...words, '50a1a892']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(
      /^Error: Several .+ have IDs that begin with "50a1a892" \(several_match\)\nType more of the ID: /,
    );
    expect(stderr).toContain(`Type more of the ID: ${first}, ${second}.`);
  });

  it('prefers a whole ID on a later page to a longer one that begins with it', async () => {
    documents = {
      first: '{"items":[{"id":"log_12"},{"id":"log_13"}],"next_cursor":"two"}',
      two: '{"items":[{"id":"log_1"}],"next_cursor":null}',
      log_1: EMPTY,
    };
    expect(await run([...words, 'log_1', '-o', 'json'])).toMatchObject({
      stdout: '{"id":"log_1"}\n',
      code: 0,
    });
  });

  it('reports what fails on the way', async () => {
    documents = { first: PAGES.first, 'x-9': EMPTY };
    expect(await run([...words, 'x-9'])).toMatchObject({ stdout: '', code: 8 });
  });

  it('sends nothing without an ID, nor with a column that there is not', async () => {
    for (const args of [[], [''], ['x-3', '--columns', 'nope_'], ['x-3', '--jq', '][']]) {
      expect(await run([...words, ...args])).toMatchObject({ stdout: '', code: 2, urls: [] });
    }
  });
});

describe.each(GETS.filter(([, { query }]) => 'external_identifier' in query))(
  'payctl %s',
  (name, operation) => {
    const words = name.split(' ');

    it('finds it by external identifier in one request', async () => {
      documents = { mine: `{"items":[${ITEM}],"next_cursor":null}` };
      const { stdout, stderr, urls } = await run([...words, 'mine', '-o', 'json']);
      expect({ stdout, stderr }).toEqual({ stdout: `${ITEM}\n`, stderr: '' });
      expect(urls).toEqual([`${operation.path}?external_identifier=mine&limit=2`]);
    });

    it('shows none of several with the same external identifier', async () => {
      documents = { mine: '{"items":[{"id":"a"},{"id":"b"}],"next_cursor":null}' };
      const { stdout, stderr, code } = await run([...words, 'mine']);
      expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
      expect(stderr).toMatch(/^Error: Several .+s have the external identifier "mine" \(several_match\)\n/);
    });

    it('takes what looks like an ID for one before it tries it as an identifier', async () => {
      const id = 'e9714093-a6f6-4226-ae1e-cde40acccf87';
      documents = {
        first: `{"items":[{"id":"${id}","by":"id"}],"next_cursor":null}`,
        [id]: '{"items":[{"id":"other"}]}',
      };
      expect((await run([...words, id, '--jq', '.by'])).stdout).toBe('id\n');
      documents = { first: EMPTY, [id]: '{"items":[{"id":"other"}]}' };
      expect((await run([...words, id, '--jq', '.id'])).stdout).toBe('other\n');
    });
  },
);

it('reads ten more pages after an ID that begins so, and names at most five of several', async () => {
  const id = '50a1a892-fb00-4846-8360-690c9631e63e';
  const other = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  documents = {
    first: `{"items":[{"id":"${id}"}],"next_cursor":"p1"}`,
    ...Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `p${index + 1}`,
        `{"items":[{"id":"${other(index)}"}],"next_cursor":"p${index + 2}"}`,
      ]),
    ),
  };
  const { stdout, stderr, urls } = await run(['audit-logs', 'get', '50a1a892', '--jq', '.id', '-v']);
  expect(stdout).toBe(`${id}\n`);
  // The next page is asked for while one is read.
  expect(urls.length).toBeLessThanOrEqual(12);
  expect(stderr).toContain('payctl searched 11 audit log entries.');
  const many = Array.from({ length: 9 }, (_, index) => `${id.slice(0, -1)}${index}`);
  documents = { first: JSON.stringify({ items: many.map((own) => ({ id: own })), next_cursor: 'gone' }) };
  const { error } = JSON.parse(
    (await run(['audit-logs', 'get', '50a1a892', '-o', 'json'])).stderr.trim().split('\n').at(-1) ?? '',
  );
  expect(error.hint).toBe(`Type more of the ID: ${many.slice(0, 5).join(', ')} and more.`);
});

it('reads on after an ID that begins with fewer characters, which another far behind it may have, too', async () => {
  const page = (id: string, next: string | null) => JSON.stringify({ items: [{ id }], next_cursor: next });
  const [id, second] = ['50a1a892-fb00-4846-8360-690c9631e63e', '50a1ffff-fb00-4846-8360-690c9631e63e'];
  const others = Array.from({ length: 30 }, (_, index) => [
    `p${index + 1}`,
    page(`${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`, `p${index + 2}`),
  ]);
  documents = { first: page(id, 'p1'), ...Object.fromEntries(others), p31: page(second, 'p32'), p32: EMPTY };
  const several = await run(['audit-logs', 'get', '50a1', '-o', 'json']);
  expect(JSON.parse(several.stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({
    code: 'several_match',
    hint: `Type more of the ID: ${id}, ${second}.`,
  });
  documents.p31 = EMPTY;
  const { stdout, stderr } = await run(['audit-logs', 'get', '50a1a89', '--jq', '.id', '-v']);
  expect(stdout).toBe(`${id}\n`);
  expect(stderr).toContain('payctl searched 31 audit log entries.');
});

describe('what only some of them have', () => {
  it('a role is found by its slug', async () => {
    documents = { first: '{"items":[{"id":"r-1","slug":"admin"}]}' };
    expect((await run(['roles', 'get', 'admin', '--jq', '.id'])).stdout).toBe('r-1\n');
  });

  it('gift cards and payment methods are looked for among those of a buyer', async () => {
    documents = { first: '{"items":[{"id":"g-1"}]}', 'g-1': EMPTY };
    const { urls } = await run(['buyers', 'gift-cards', 'get', 'g-1', '--buyer-id', 'b/1']);
    expect(urls).toEqual(['/buyers/gift-cards?buyer_id=b%2F1']);
    const methods = await run(['payment-methods', 'get', 'g-1', '--buyer-external-identifier', 'me']);
    expect(methods.urls).toEqual([
      '/payment-methods?buyer_external_identifier=me&external_identifier=g-1&limit=2',
      '/payment-methods?buyer_external_identifier=me&limit=100',
    ]);
  });

  it('secrets and personal data are masked', async () => {
    documents = { first: '{"items":[{"id":"w-1","secret":"s3cret"}]}' };
    expect((await run(['webhook-subscriptions', 'get', 'w-1', '-o', 'json'])).stdout).toBe(
      '{"id":"w-1","secret":"********"}\n',
    );
    const address = '"billing_details":{"address":{"city":"Rome"}}';
    documents = {
      first: `{"items":[{"id":"b-0",${address}},{"id":"b-1"}]}`,
      'b-0': EMPTY,
      'b-1': EMPTY,
    };
    const masked = await run(['buyers', 'get', 'b-0', '-o', 'json']);
    expect(masked.stdout).toBe('{"id":"b-0","billing_details":{"address":{"city":"********"}}}\n');
    expect(masked.stderr).toContain('"code":"personal_data_masked"');
    expect((await run(['buyers', 'get', 'b-0', '-o', 'json', '--reveal-pii'])).stdout).toContain('Rome');
    // What is masked in another item of the page is not this one's.
    expect((await run(['buyers', 'get', 'b-1', '-o', 'json'])).stderr).toBe('');
  });
});

it('shows chosen amounts as a list does: in their currency to people, as they were sent to programs', async () => {
  const item = '{"id":"g-1","balance":13470,"currency":"GBP"}';
  documents = { first: `{"items":[${item}],"next_cursor":null}` };
  const shown = async (args: readonly string[], columns?: number) =>
    (await run(['buyers', 'gift-cards', 'get', 'g-1', '--columns', 'balance,id', '-q', ...args], columns))
      .stdout;
  expect([await shown([], 80), await shown(['-o', 'detail'])]).toEqual([
    'balance  13470 (134.70 GBP)\nid       g-1\n',
    'balance  13470 (134.70 GBP)\nid       g-1\n',
  ]);
  expect([await shown([]), await shown(['-o', 'json']), await shown(['-o', 'csv'])]).toEqual([
    'balance\t13470\nid\tg-1\n',
    '{"balance":13470,"id":"g-1"}\n',
    'balance,id\r\n13470,g-1\r\n',
  ]);
});
