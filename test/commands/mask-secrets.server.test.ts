import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUTPUT_FORMATS } from '../../src/output/formats.ts';
import { folderForAll } from '../harness/temporary-folder.ts';
import { serviceForAll } from './service-for-all.ts';

/** Real secrets, as the service would have to send them for the masking to matter. */
const SECRETS = ['whsec_0f3c9a', 'p4ssw0rd-of-hook', 'second-page-5ecret'] as const;

const hook = (id: string, secret: string, password: string) => ({
  id,
  url: `https://tomasz:${password}@hooks.example.com/in?session_token=kept`,
  authentication: { kind: 'basic', username: 'tomasz', password },
  secret,
});
const first = { items: [hook('w-1', SECRETS[0], SECRETS[1])], limit: 20, next_cursor: 'two' };
const second = { items: [hook('w-2', SECRETS[2], SECRETS[1])], limit: 20, next_cursor: null };
const session = { id: 's-1', secret: SECRETS[0], metadata: { password: SECRETS[1] } };

const ADDRESS = 'https://ada:p4ssw0rd-of-hook@api.example.com/buyers/b-1?api_key=whsec_0f3c9a&limit=2';
const MASKED_ADDRESS = 'https://********@api.example.com/buyers/b-1?api_key=********&limit=2';
const entry = {
  ...{ type: 'api-log', id: 'log-00000001', request_method: 'GET', request_url: ADDRESS },
  ...{ request_received_at: '2026-01-01T00:00:00Z', response_status_code: 404 },
  response_body: { type: 'error', code: 'not_found', message: 'No' },
};
const archived = {
  request: { method: 'GET', url: ADDRESS },
  response: { status: 404, content: { text: JSON.stringify(entry.response_body) } },
};

const service = serviceForAll(({ url }) => {
  const page = url.includes('cursor=two') ? second : first;
  if (url.startsWith('/api-logs')) return { body: { items: [entry], limit: 20, next_cursor: null } };
  return { body: url.startsWith('/checkout') ? session : page };
});
const run = (argv: readonly string[], columns?: number) => service.run(argv, { columns });
const secretsIn = (text: string) => SECRETS.filter((secret) => text.includes(secret));

const LIST = ['webhook-subscriptions', 'list'];
const CHOSEN = ['--columns', 'id,url,secret,authentication.password'];
const GET = ['checkout-sessions', 'get', 's-1'];

describe.each(OUTPUT_FORMATS)('secrets in %s', (format) => {
  it.each([
    ['one page', [...LIST, ...CHOSEN]],
    ['the columns of the resource', LIST],
    ['all pages', [...LIST, ...CHOSEN, '--all']],
    ['the result of --jq', [...LIST, '--jq', '.. | strings']],
    ['a document', GET],
    ['a document, some fields', [...GET, '--columns', 'id,?secret,metadata.password']],
  ])('are masked in a pipe and on a terminal: %s', async (_, argv) => {
    for (const columns of [undefined, 200]) {
      const { stdout, code } = await run([...argv, '-o', format], columns);
      expect({ code, secrets: secretsIn(stdout) }).toEqual({ code: 0, secrets: [] });
      if (argv !== LIST) expect(stdout).toContain('********');
    }
  });

  it('are shown with --reveal-secrets', async () => {
    const list = await run([...LIST, ...CHOSEN, '--all', '-o', format, '--reveal-secrets']);
    expect(secretsIn(list.stdout)).toEqual(SECRETS);
    expect((await run([...LIST, '--columns', 'url', '-o', format])).stdout).toMatch(/session\\?_token=kept/);
    const document = await run([...GET, '-o', format, '--reveal-secrets']);
    expect(secretsIn(document.stdout)).toEqual(SECRETS.slice(0, 2));
  });
});

describe.each(OUTPUT_FORMATS)('the address of a request with credentials in %s', (format) => {
  const folder = folderForAll();
  const saved = join(folder, 'saved.ndjson');
  writeFileSync(saved, JSON.stringify(entry).replaceAll('/', '\\/'));
  const har = join(folder, 'saved.har');
  writeFileSync(har, JSON.stringify({ log: { entries: [archived] } }));

  it.each([
    ['of the service', []],
    ['of a file', ['--file', saved]],
    ['of an archive', ['--file', har]],
  ])('is shown without them in a log %s, unless secrets are revealed', async (_, input) => {
    const list = ['api-logs', 'list', ...input, '-o', format, '--columns', 'request_url'];
    const { stdout, code } = await run(list);
    expect({ code, secrets: secretsIn(stdout) }).toEqual({ code: 0, secrets: [] });
    expect(stdout.replaceAll(/\\(\W|_)/g, '$1')).toContain(MASKED_ADDRESS);
    expect(secretsIn((await run([...list, '--reveal-secrets'])).stdout)).toEqual(SECRETS.slice(0, 2));
    const id = /"id":\s*"([^"]+)"/.exec(
      (await run(['api-logs', 'list', ...input, '-o', 'json'])).stdout,
    )?.[1];
    const shown = await run(['api-logs', 'get', id ?? '', ...input, '-o', format], 200);
    expect({ code: shown.code, secrets: secretsIn(shown.stdout + shown.stderr) }).toEqual({
      code: 0,
      secrets: [],
    });
  });
});
