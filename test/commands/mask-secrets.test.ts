import { describe, expect, it } from 'vitest';
import { OUTPUT_FORMATS } from '../../src/output/formats.ts';
import { serviceForAll } from './service-for-all.ts';

/** Real secrets, as the service would have to send them for the masking to matter. */
const SECRETS = ['whsec_0f3c9a', 'p4ssw0rd-of-hook', 'second-page-5ecret'] as const;

const hook = (id: string, secret: string, password: string) => ({
  id,
  url: 'https://hooks.example.com',
  authentication: { kind: 'basic', username: 'tomasz', password },
  secret,
});
const first = { items: [hook('w-1', SECRETS[0], SECRETS[1])], limit: 20, next_cursor: 'two' };
const second = { items: [hook('w-2', SECRETS[2], SECRETS[1])], limit: 20, next_cursor: null };
const session = { id: 's-1', secret: SECRETS[0], metadata: { password: SECRETS[1] } };

const service = serviceForAll(({ url }) => {
  const page = url.includes('cursor=two') ? second : first;
  return { body: url.startsWith('/checkout') ? session : page };
});
const run = (argv: readonly string[], columns?: number) => service.run(argv, { columns });
const secretsIn = (text: string) => SECRETS.filter((secret) => text.includes(secret));

const LIST = ['webhook-subscriptions', 'list'];
const CHOSEN = ['--columns', 'id,secret,authentication.password'];
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
    const document = await run([...GET, '-o', format, '--reveal-secrets']);
    expect(secretsIn(document.stdout)).toEqual(SECRETS.slice(0, 2));
  });
});
