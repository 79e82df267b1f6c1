import { describe, expect, it } from 'vitest';
import { type Operation, operations } from '../../../src/contract/generated/operations.ts';
import { readClaims } from '../../../src/tokens/claims.ts';
import { generateKey } from '../../../src/tokens/keys.ts';
import { serve } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';
import { BUYERS_LIST, EVERY_COMMAND, type Row } from './every-command.ts';

const { useHome } = quickHomes();

const home = useHome();
const { privateKeyPem } = await generateKey();

/** The operation that a row reaches, by its method and path. */
function operationOf({ method, url }: Row): Operation | undefined {
  return Object.values<Operation>(operations).find((operation) => {
    const pattern = operation.path.replaceAll(/\{\w+\}/g, '[^/]+');
    return operation.method === method && new RegExp(`^${pattern}(\\?|$)`).test(url);
  });
}

/** Runs a command against a service that gives one answer, with a key and a merchant account set. */
async function send(args: readonly string[], answer: object, status = 200) {
  const server = await serve((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const run = await home.payctl([...args, '-o', 'json'], {
    env: {
      PAYCTL_BASE_URL: server.origin,
      PAYCTL_PRIVATE_KEY: privateKeyPem,
      PAYCTL_MERCHANT_ACCOUNT: 'outlet',
      PAYCTL_MAX_RETRIES: '0',
    },
  });
  return { run, requests: server.requests };
}

describe('every command sends what the specification says', () => {
  it('and there is one for every endpoint', () => {
    const reached = EVERY_COMMAND.map((row) => operationOf(row)?.id);
    expect(reached.sort()).toEqual(Object.keys(operations).sort());
  });

  it('and the list of buyers is what is written down', () => {
    expect(EVERY_COMMAND.filter(({ scopes }) => scopes[0] === 'buyers.read')).toEqual([BUYERS_LIST]);
  });

  it.each(EVERY_COMMAND)('$method $url', async (row) => {
    const { run, requests } = await send(row.args, row.answer);
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: `${JSON.stringify(row.answer)}\n` });
    expect(requests.map(({ method, url, body }) => ({ method, url, body }))).toEqual([
      { method: row.method, url: row.url, body: row.body },
    ]);
    const { authorization = '', host, connection, ...headers } = requests[0]?.headers ?? {};
    expect(headers).toEqual({
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': headers['user-agent'],
      ...(row.merchantAccount ? { 'x-service-merchant-account-id': 'outlet' } : {}),
      ...(row.body === ''
        ? {}
        : { 'content-type': 'application/json', 'content-length': headers['content-length'] }),
    });
    const { claims, expiresAt, issuedAt } = readClaims(authorization.slice('Bearer '.length));
    expect(claims.scopes).toEqual(row.scopes);
    expect(Number(expiresAt) - Number(issuedAt)).toBe(300_000);
  });

  it.each(EVERY_COMMAND.filter((row) => operationOf(row)?.piiScope !== undefined))(
    '$method $url: one more scope with --reveal-pii',
    async (row) => {
      const { run, requests } = await send([...row.args, '--reveal-pii'], row.answer);
      expect(run).toMatchObject({ code: 0, stderr: '' });
      const token = requests[0]?.headers.authorization?.slice('Bearer '.length) ?? '';
      expect(readClaims(token).claims.scopes).toEqual([operationOf(row)?.piiScope, ...row.scopes].sort());
    },
  );

  it.each(EVERY_COMMAND.filter(({ body }) => body !== ''))(
    '$method $url: nothing with --dry-run',
    async (row) => {
      const { run, requests } = await send([...row.args, '--dry-run'], row.answer);
      expect(requests).toEqual([]);
      expect(run).toMatchObject({ code: 0, stderr: '' });
      const shown = JSON.parse(run.stdout);
      expect(shown).toMatchObject({ method: row.method, headers: { authorization: 'Bearer ********' } });
      expect(shown.url.endsWith(row.url)).toBe(true);
      expect(run.stdout).toContain(`"body":${row.body}`);
    },
  );
});
