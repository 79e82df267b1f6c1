import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/contract/generated/operations.ts';
import { readClaims } from '../../../src/tokens/claims.ts';
import { generateKey } from '../../../src/tokens/keys.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { serve } from '../paged-service.ts';
import { EVERY_COMMAND } from './every-command.ts';

const home = useHome();
const { privateKeyPem } = await generateKey();

/** The commands that can ask for personal data in full. */
const REVEALING = new Set(['buyers list', 'payment-methods list']);

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
    const reached = EVERY_COMMAND.map(({ method, scopes }) => `${method} ${scopes[0]}`).sort();
    expect(reached).toEqual(
      Object.values(operations)
        .map(({ method, scopes }) => `${method} ${scopes[0]}`)
        .sort(),
    );
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

  it.each(EVERY_COMMAND.filter(({ args }) => REVEALING.has(args.slice(0, 2).join(' '))))(
    '$method $url: one more scope with --reveal-pii',
    async (row) => {
      const { run, requests } = await send([...row.args, '--reveal-pii'], row.answer);
      expect(run).toMatchObject({ code: 0, stderr: '' });
      const token = requests[0]?.headers.authorization?.slice('Bearer '.length) ?? '';
      expect(readClaims(token).claims.scopes).toEqual(['buyers.billing-details.read', ...row.scopes]);
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

const EXIT_CODES: Readonly<Record<number, number>> = {
  401: 3,
  403: 4,
  404: 5,
  425: 7,
  429: 7,
  500: 8,
  502: 8,
  504: 8,
};

describe('every command maps the errors of its row', () => {
  it.each(EVERY_COMMAND)('$method $url', async (row) => {
    const operation = Object.values(operations).find(
      ({ method, scopes }) => method === row.method && scopes[0] === row.scopes[0],
    );
    for (const status of operation?.errors ?? []) {
      const error = { type: 'error', code: `code_${status}`, status, message: `No ${status}`, details: [] };
      const { run } = await send(row.args, error, status);
      expect({ code: run.code, stdout: run.stdout }).toEqual({ code: EXIT_CODES[status] ?? 6, stdout: '' });
      expect(JSON.parse(run.stderr).error).toMatchObject({
        code: `code_${status}`,
        status,
        message: `No ${status}`,
      });
    }
  });
});
