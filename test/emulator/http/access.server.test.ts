import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { filesOf } from '../../../src/emulator/data-files.ts';
import { createAuthenticate } from '../../../src/emulator/http/access.ts';
import { registerKey } from '../../../src/emulator/store/meta.ts';
import { generateKey, readSigningKey } from '../../../src/tokens/keys.ts';
import { signToken } from '../../../src/tokens/sign.ts';
import { apiLogs, emulatorForAll } from '../test-emulator.ts';

const start = new Date('2030-05-05T10:00:00.000Z');
const scopes = ['buyers.read'];

describe('the tokens of an emulator', () => {
  const test = emulatorForAll({ buyers: 3, now: () => now });
  let now = start;
  beforeEach(() => {
    now = start;
  });

  const use = async (authorization: string) => {
    const { status, headers, body } = await test.send('/buyers', { scopes: [], headers: { authorization } });
    return { status, headers, body };
  };

  const expectUnauthorized = async (authorization: string, type: string, message: string) => {
    const { status, headers, body } = await use(authorization);
    expect(body).toEqual({
      type: 'error',
      code: 'unauthorized',
      status: 401,
      message: 'No valid API authentication found',
      details: [{ type, pointer: '/authorization', message, location: 'header' }],
    });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(apiLogs(test).at(-1)?.response_body).toEqual(body);
  };

  it.each(['', 'Basic YTpi', 'Bearer', 'Bearer ', 'Bearer a b', 'bearer'])(
    'are missing in the header %j',
    async (authorization) => {
      await expectUnauthorized(authorization, 'token_missing', 'the request has no bearer token');
    },
  );

  it.each(['x', 'a.b.c', '....', '%00', 'e30'])('are invalid as %j', async (token) => {
    const message = 'the token is not a JWT signed by a registered key';
    await expectUnauthorized(`Bearer ${token}`, 'token_invalid', message);
  });

  it('are of an unknown key when they name none', async () => {
    await expectUnauthorized('Bearer e30.e30.', 'key_unknown', 'the token does not name a registered key');
  });

  it('are taken in any case of the word Bearer', async () => {
    const token = await test.token(scopes, { now });
    expect((await use(`bEARER  ${token}`)).status).toBe(200);
  });

  it('hold from nbf on until exp, also when they were taken before', async () => {
    const token = `Bearer ${await test.token(scopes, { now, lifetimeSeconds: 60 })}`;
    expect((await use(token)).status).toBe(200);
    now = new Date(start.getTime() + 59_999);
    expect((await use(token)).status).toBe(200);
    now = new Date(start.getTime() + 60_000);
    await expectUnauthorized(token, 'token_expired', 'the token has expired');
    now = new Date(start.getTime() - 1);
    await expectUnauthorized(token, 'token_not_yet_valid', 'the token is not valid yet');
  });

  it('are refused with a signature of another key, or of another token', async () => {
    const stranger = await readSigningKey((await generateKey()).privateKeyPem);
    const own = await test.token(scopes, { now });
    const [header, , signature] = own.split('.');
    const [, claims] = (await test.token(['*'], { now })).split('.');
    await expectUnauthorized(
      `Bearer ${await signToken(stranger, { scopes, issuer: 'x', now })}`,
      'key_unknown',
      'the token does not name a registered key',
    );
    await expectUnauthorized(
      `Bearer ${header}.${claims}.${signature}`,
      'token_invalid',
      'the token is not a JWT signed by a registered key',
    );
  });

  it.each([
    ['ec', { namedCurve: 'P-256' }],
    ['ed25519', {}],
    ['rsa', { modulusLength: 2048 }],
  ])(
    'are taken from a registered %s key, forbidden everything when it is restricted, and unknown when revoked',
    async (type, options) => {
      const { privateKey } = generateKeyPairSync(type as 'ec', options as { namedCurve: string });
      const key = await readSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
      const token = `Bearer ${await signToken(key, { scopes, issuer: 'x', now })}`;
      const { database } = test.emulator;
      expect((await use(token)).status).toBe(401);
      registerKey(database, key.keyId, { jwk: key.publicJwk, status: 'active' });
      expect((await use(token)).status).toBe(200);
      registerKey(database, key.keyId, { jwk: key.publicJwk, status: 'restricted' });
      const forbidden = await use(token);
      expect([forbidden.status, forbidden.body.message]).toEqual([
        403,
        'The API key that signed the token is restricted',
      ]);
      registerKey(database, key.keyId, { jwk: key.publicJwk, status: 'revoked' });
      await expectUnauthorized(token, 'key_unknown', 'the token does not name a registered key');
    },
  );

  it('are refused without an expiry, and the reason is given', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const key = await readSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    registerKey(test.emulator.database, key.keyId, { jwk: key.publicJwk, status: 'active' });
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const signed = `${encode({ alg: 'EdDSA', kid: key.keyId })}.${encode({ scopes })}`;
    const signature = sign(null, Buffer.from(signed), privateKey).toString('base64url');
    const message = 'the token has no expiry time, the claim exp';
    await expectUnauthorized(`Bearer ${signed}.${signature}`, 'token_without_expiry', message);
  });

  it('of the restricted key are good for one merchant account, and for what belongs to none', async () => {
    const pem = readFileSync(filesOf(test.directory).restrictedKey, 'utf8');
    const key = await readSigningKey(pem);
    const authorization = `Bearer ${await signToken(key, { scopes: ['*'], issuer: 'x', now })}`;
    const outlet = { authorization, 'x-service-merchant-account-id': 'outlet' };
    expect((await test.send('/buyers', { headers: outlet })).status).toBe(200);
    expect((await test.send('/roles', { headers: { authorization } })).status).toBe(200);
    for (const path of ['/buyers', '/audit-logs', '/checkout/sessions/x']) {
      const { status, body } = await test.send(path, { headers: { authorization } });
      expect([status, body.code, body.message]).toEqual([
        403,
        'forbidden',
        'The API key that signed the token is restricted to the merchant account outlet',
      ]);
    }
  });

  it('may be many more than are cached', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const key = await readSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    const { database } = test.emulator;
    registerKey(database, key.keyId, { jwk: key.publicJwk, status: 'active' });
    const authenticate = createAuthenticate(database);
    const tokens = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        signToken(key, { scopes, issuer: 'x', now, lifetimeSeconds: 100 + index }),
      ),
    );
    for (const token of [...tokens, ...tokens.slice(0, 3)]) {
      expect(await authenticate(`Bearer ${token}`, now)).toEqual({
        scopes,
        subject: 'x',
        isRestricted: false,
      });
    }
  });
});
