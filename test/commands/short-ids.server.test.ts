import { beforeEach, describe, expect, it } from 'vitest';
import { serviceForAll } from './service-for-all.ts';

const BUYER = 'c127d095-5e35-4c7d-9be1-6425bf77a794';
const OTHER = 'c127d095-0000-4000-8000-000000000000';
const ENTRY = '5041a892-fb00-4846-8360-690c9631e63e';
const page = (items: readonly object[], cursor: string | null = null) => ({ items, next_cursor: cursor });
const audit = (id: string, resource: string) => ({
  id,
  timestamp: '2026-03-01T09:30:00Z',
  action: 'updated',
  resource: { type: 'buyer', id: resource, name: 'Ada' },
});

let documents: Record<string, object> = {};
const service = serviceForAll(({ url }) => {
  const { pathname, searchParams } = new URL(url, 'http://x');
  const document = documents[`${pathname} ${searchParams.get('cursor') ?? ''}`.trim()];
  return { status: document ? 200 : 404, body: document ?? {} };
});
beforeEach(() => {
  documents = {
    '/buyers': page([{ id: 'b-1' }], 'two'),
    '/buyers two': page([{ id: BUYER }]),
    '/payment-methods': page([{ id: 'p-1', buyer: { id: BUYER } }], 'more'),
    '/audit-logs': page([audit(ENTRY, BUYER), audit('a-2', 'r-2')]),
  };
});

async function run(...argv: string[]) {
  const printed = await service.run(argv, { env: { PAYCTL_MAX_RETRIES: '0' } });
  return { ...printed, urls: service.requests().map(({ method, url }) => `${method} ${url}`) };
}

describe('a filter', () => {
  it('takes the short ID of a record, says which one it is, and keeps it in the next command', async () => {
    const { stdout, stderr, code, urls } = await run(
      ...['payment-methods', 'list', '--buyer-id=c127d095', '--columns', 'id', '--no-header'],
    );
    expect({ stdout, code }).toEqual({ stdout: 'p-1\n', code: 0 });
    expect(stderr).toBe(
      `--buyer-id c127d095 is ${BUYER}.\n` +
        'There are more payment methods after this one. For all pages, add --all. Next page: ' +
        `payctl payment-methods list --buyer-id=${BUYER} --columns id --no-header --cursor more\n`,
    );
    expect(urls.at(-1)).toBe(`GET /payment-methods?buyer_id=${BUYER}`);
  });

  it('takes the short ID of what the entries of a log are about', async () => {
    const argv = ['--resource-id', 'c127d095', '--columns', 'id', '--no-header'];
    for (const command of [['list'], ['tail', '--max-items', '1']]) {
      const { stdout, stderr } = await run('audit-logs', ...command, ...argv);
      expect(stdout).toBe(`${ENTRY}\n`);
      expect(stderr).toContain(`--resource-id c127d095 is ${BUYER}.\n`);
    }
  });

  it.each([
    ['payment-methods', '--buyer-id', 'buyers', 'buyer', '/buyers', [{ id: BUYER }, { id: OTHER }]],
    [
      'audit-logs',
      '--resource-id',
      'resources',
      'resource',
      '/audit-logs',
      [audit('a', BUYER), audit('b', OTHER)],
    ],
  ])(
    'of %s is refused where two have it, and where none has it',
    async (list, flag, nouns, noun, path, items) => {
      documents[path] = page(items);
      const several = await run(list, 'list', flag, 'c127d095');
      expect(several).toMatchObject({
        stdout: '',
        stderr:
          `Error: Several ${nouns} have IDs that begin with "c127d095" (several_match)\n` +
          `Type more of the ID: ${BUYER}, ${OTHER}.\n`,
        code: 2,
      });
      const none = await run(list, 'list', flag, 'deadbeef');
      expect(none).toMatchObject({ stdout: '', code: 5 });
      expect(none.stderr).toMatch(
        new RegExp(
          `^Error: No ${noun} has an ID that begins with "deadbeef"; payctl searched 2 \\w+.* \\(not_found\\)\n`,
        ),
      );
      expect([...several.urls, ...none.urls].every((url) => url.startsWith(`GET ${path}`))).toBe(true);
    },
  );

  it('sends what is no short ID as it is', async () => {
    for (const typed of ['c127d09', 'customer-1', `${BUYER}0`, BUYER]) {
      const { urls } = await run('payment-methods', 'list', '--buyer-id', typed);
      expect(urls).toEqual([`GET /payment-methods?buyer_id=${typed}`]);
    }
  });

  it('looks through a long list no further than 100 pages', async () => {
    documents['/buyers'] = page([{ id: 'b' }], '0');
    for (let index = 0; index < 120; index += 1)
      documents[`/buyers ${index}`] = page([{ id: `b-${index}` }], String(index + 1));
    const { stderr, code } = await run('payment-methods', 'list', '--buyer-id', 'c127d095');
    expect(stderr).toContain('payctl searched 100 buyers (not_found)');
    expect(code).toBe(5);
  });
});

it('is what a log is followed after', async () => {
  documents['/audit-logs'] = page([audit('a-3', 'r'), audit(ENTRY, 'r')]);
  const { stdout } = await run(
    ...['audit-logs', 'tail', '--after', '5041a892', '--max-items', '1', '--columns', 'id', '--no-header'],
  );
  expect(stdout).toBe('a-3\n');
});

describe('a change', () => {
  it.each([
    [['buyers', 'shipping-details', 'create', 'c127d095', '--city', 'Leeds'], 'BUYER_ID'],
    [['checkout-sessions', 'update', 'c127d095', '--set-metadata', 'a=b'], 'ID'],
  ])('takes whole IDs alone: %#', async (argv, argument) => {
    expect(await run(...argv)).toEqual({
      stdout: '',
      stderr:
        `Error: ${argument} must be a whole ID, not "c127d095" (bad_argument)\n` +
        'payctl does not look this ID up by its beginning. Lists show whole IDs with -o wide.\n',
      code: 2,
      urls: [],
    });
  });
});
