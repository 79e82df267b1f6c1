import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { largeDescription } from '../descriptions/large-description.ts';
import { startServer, type TestServer } from '../harness/http-server.ts';
import { freshHome, useHome } from '../harness/run-payctl.ts';

const page = join(import.meta.dirname, '../../docs/any-description.md');
const home = useHome();
let server: TestServer;

const payouts = [
  {
    type: 'payout',
    id: '0d3e8c54-5a0e-4a1b-9a35-9f4a8f1f7a01',
    status: 'active',
    amount: 129900,
    currency: 'GBP',
    created_at: '2026-03-01T10:00:00Z',
  },
  {
    type: 'payout',
    id: '0d3e8c54-5a0e-4a1b-9a35-9f4a8f1f7a02',
    status: 'active',
    amount: 4250,
    currency: 'EUR',
    created_at: '2026-02-28T16:30:00Z',
  },
];

/** An operation that takes a file. */
const evidence = {
  post: {
    operationId: 'add_evidence',
    'x-payctl-name': 'disputes evidence create',
    security: [{ bearer: ['disputes.write'] }],
    parameters: [{ name: 'dispute_id', in: 'path', required: true, schema: { type: 'string' } }],
    requestBody: {
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['file'],
            properties: {
              file: { type: 'string', format: 'binary' },
              reason: { type: 'string', enum: ['fraud', 'unrecognized'] },
            },
          },
        },
      },
    },
    responses: { 204: { description: 'It was added.' } },
  },
};

beforeAll(async () => {
  const description = largeDescription();
  const paths = { ...(description.paths as object), '/disputes/{dispute_id}/evidence': evidence };
  writeFileSync(join(home.path, 'openapi.json'), JSON.stringify({ ...description, paths }));
  writeFileSync(join(home.path, 'evidence.pdf'), Buffer.alloc(48_213));
  server = await startServer(({ url }, response) => {
    const limit = Number(new URL(url, 'http://localhost').searchParams.get('limit') ?? 20);
    const items = payouts.slice(0, limit);
    const next = items.length < payouts.length ? 'eyJvIjoxfQ' : null;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ items, limit, next_cursor: next, previous_cursor: null }));
  });
});
afterAll(() => server.close());

/** A block of the page: a command and what it prints, first on stdout, then on stderr. */
const BLOCK = /```console\n\$ payctl (.*)\n([\s\S]*?)```/g;

/** What a command of the page prints now. */
async function printed(command: string): Promise<string> {
  const env = {
    PAYCTL_BASE_URL: server.origin,
    PAYCTL_TOKEN: 'opaque',
    PAYCTL_CONFIG_DIR: home.configDirectory,
  };
  const line = `$PAYCTL ${command}`;
  const { stdout, stderr } = await home.shell(line, { env, cwd: home.path });
  return `${stdout}${stderr}`
    .replaceAll(server.origin, 'https://api.example.com')
    .replace(/^user-agent: .*$/m, 'user-agent: payctl/VERSION')
    .replaceAll('\t', '  ');
}

describe('the page about descriptions', () => {
  it('shows what payctl prints, from the import to the first list and beyond', async () => {
    const text = readFileSync(page, 'utf8');
    let now = text;
    for (const [block, command = ''] of text.matchAll(BLOCK)) {
      now = now.replace(block, () => `\`\`\`console\n$ payctl ${command}\n`.concat('OUTPUT```'));
      const output = await printed(command);
      now = now.replace('OUTPUT```', () => `${output}\`\`\``);
    }
    if (process.env.UPDATE_PAGES) writeFileSync(page, now);
    expect(now).toBe(text);
  }, 60_000);
});

it('two imports at the same time leave two descriptions that can be used', async () => {
  const { path, payctl } = freshHome();
  const [first, second] = ['first', 'second'].map((title) => {
    const file = join(path, `${title}.json`);
    writeFileSync(file, JSON.stringify({ ...largeDescription(), info: { title, version: '1' } }));
    return file;
  });
  await payctl(['profiles', 'set', 'other', '--base-url', server.origin]);
  const imports = Array.from({ length: 6 }, (_, number) =>
    number % 2 === 0
      ? payctl(['api', 'import', String(first), '-q'])
      : payctl(['api', 'import', String(second), '-q', '--profile', 'other']),
  );
  for (const done of await Promise.all(imports)) expect(done).toMatchObject({ stderr: '', code: 0 });
  const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque' };
  for (const flags of [[], ['--profile', 'other']]) {
    const list = await payctl(['payouts', 'list', '-o', 'ndjson', '-q', ...flags], { env });
    expect(list).toMatchObject({ stderr: '', code: 0 });
    expect(list.stdout.trim().split('\n')).toHaveLength(2);
  }
});

describe.each(['PAYCTL_DESCRIPTION', 'payctl api import'])('completion with %s', (way) => {
  it('offers the flags that the description adds to a command of payctl itself', async () => {
    const { path, payctl } = freshHome();
    const file = join(path, 'openapi.json');
    writeFileSync(file, JSON.stringify(largeDescription()));
    const isImported = way === 'payctl api import';
    if (isImported) await payctl(['api', 'import', file]);
    const env = isImported ? {} : { PAYCTL_DESCRIPTION: file };
    const complete = async (...words: string[]) => {
      const { stdout } = await payctl(['__complete', '--', ...words], { env });
      return stdout;
    };
    expect(await complete('buyers', 'list', '--seg')).toBe('--segment\tOnly buyers of this segment.\n:\n');
    expect(await complete('buyers', 'list', '--li')).toBe(
      '--limit\tItems per page, 1 to 100. The service defaults to 20.\n:\n',
    );
    expect(await complete('roles', 'list', '--seg')).toBe(':\n');
  });
});
