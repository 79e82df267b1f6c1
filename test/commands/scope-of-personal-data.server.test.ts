import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { serviceForAll } from './service-for-all.ts';

const UUID = 'e9714093-a6f6-4226-ae1e-cde40acccf87';
const BUYER = { id: UUID, display_name: 'Ada L', external_identifier: 'ada-1' };
const METHOD = { id: 'p-1', buyer: { ...BUYER }, external_identifier: 'card-1' };
const page = (items: readonly object[], cursor: string | null = null) => ({ items, next_cursor: cursor });

/** What the service answers to each path with its query, else to the path. */
const ANSWERS: Record<string, object> = {
  '/buyers?external_identifier=ada-1&limit=2': page([BUYER]),
  '/buyers?external_identifier=ada-1&limit=20': page([BUYER]),
  '/payment-methods?external_identifier=card-1&limit=2': page([METHOD]),
  '/payment-methods?limit=100': page([METHOD]),
  '/buyers?cursor=two&limit=100': page([BUYER]),
  '/buyers?limit=100': page([], 'two'),
  '/buyers?cursor=two&limit=20': page([BUYER]),
};

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const PERSONAL = 'buyers.billing-details.read';

const service = serviceForAll(({ url }) => ({ body: ANSWERS[url] ?? page([]) }));

/** The path of each request, and whether its token has the scope of personal data. */
async function asked(argv: readonly string[]) {
  const env = { PAYCTL_PRIVATE_KEY: KEY, PAYCTL_MAX_RETRIES: '0' };
  await service.run([...argv, '-o', 'json'], { env });
  return service.requests().map(({ url, headers }) => {
    const claims = Buffer.from(String(headers.authorization).split('.')[1] ?? '', 'base64url').toString();
    const { scopes } = JSON.parse(claims) as { scopes: string[] };
    return [url.replace(/\?.*/, ''), scopes.includes(PERSONAL)] as const;
  });
}

describe('the scope of personal data', () => {
  it.each([
    [['buyers', 'list'], ['/buyers']],
    [
      ['buyers', 'list', '--all'],
      ['/buyers', '/buyers'],
    ],
    [
      ['buyers', 'get', UUID],
      ['/buyers', '/buyers'],
    ],
    [['buyers', 'get', 'ada-1'], ['/buyers']],
    [['payment-methods', 'list'], ['/payment-methods']],
    [
      ['payment-methods', 'get', 'p-1'],
      ['/payment-methods', '/payment-methods'],
    ],
    [['payment-methods', 'get', 'card-1'], ['/payment-methods']],
    [
      ['buyers', 'find', 'ada-1'],
      ['/buyers', '/buyers', '/payment-methods'],
    ],
    // The first payment method only shows by what else the buyer is found.
    [
      ['buyers', 'find', UUID],
      ['/buyers', '/buyers', '/buyers', '/buyers', '/payment-methods'],
    ],
    [['api', 'get', '/buyers'], ['/buyers']],
    [
      ['api', 'get', '/buyers', '--all'],
      ['/buyers', '/buyers'],
    ],
    [['api', 'get', '/buyers', '--scope', 'buyers.read'], ['/buyers']],
  ])(
    'is asked for by each request of %j whose data is shown, with --reveal-pii alone',
    async (argv, paths) => {
      const revealed = await asked([...argv, '--reveal-pii']);
      expect(
        revealed
          .filter(([, isAsked]) => isAsked)
          .map(([path]) => path)
          .sort(),
      ).toEqual(paths);
      const masked = await asked(argv);
      expect(masked.filter(([, isAsked]) => isAsked)).toEqual([]);
      expect(masked.length).toBeGreaterThanOrEqual(paths.length);
    },
  );
});
