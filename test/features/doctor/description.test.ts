import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../../src/config/environment.ts';
import type { DoctorContext } from '../../../src/features/doctor/context.ts';
import type { OpenCredentials } from '../../../src/features/doctor/credentials.ts';
import { checkDescription } from '../../../src/features/doctor/description.ts';
import { document, get, type Json } from '../../descriptions/describe.ts';
import { largeDescription } from '../../descriptions/large-description.ts';
import { folderForAll } from '../../harness/temporary-folder.ts';

const home = folderForAll();
const file = join(home, 'openapi.json');
writeFileSync(file, JSON.stringify(largeDescription()));

const check = (credentials: unknown, description: string | undefined = file) => {
  const environment = readEnvironment({ PAYCTL_CONFIG_DIR: home, PAYCTL_DESCRIPTION: description });
  const context = { settings: { profile: { value: undefined } }, runtime: { environment } };
  return checkDescription(context as unknown as DoctorContext, credentials as OpenCredentials | undefined);
};
const token = (scopes: readonly string[]) => ({ source: { kind: 'token' }, claims: { scopes } });

describe('the check of the imported description', () => {
  it('is not made where there is none', async () => {
    expect(await check(token([]), '')).toBeUndefined();
  });

  it('counts what a token allows, and names what it does not', { tags: 'slow' }, async () => {
    expect(await check(token(['*']))).toMatchObject({
      state: 'pass',
      message: 'the token allows 147 of 150 operations of Example payments; 3 without a scope to compare',
    });
    const found = await check(token(['*.read']));
    expect(found).toMatchObject({ state: 'warn', facts: { operations: 150, unknown: 3 } });
    expect(found?.message).toMatch(/not allowed: payouts create, .* and \d+ more;/);
    expect(found?.remedy).toMatch(/^Get a token that also has these scopes: .*\.write, .*\.$/);
  });

  it('says that a key has no scopes of its own', async () => {
    expect((await check({ source: { kind: 'key' } }))?.message).toBe(
      'Example payments describes 150 operations; the key signs a token with the scopes of 147; for the other 3, add --scope',
    );
  });

  it.each([
    [
      { source: { kind: 'key' } },
      'T describes 1 operation and names no scopes: with a key, add --scope to each call',
    ],
    [token(['*']), 'payctl cannot compare the scopes of 1 operation of T: T names none; the service decides'],
    [
      { source: { kind: 'token' } },
      'payctl cannot compare the scopes of 1 operation of T: the token names no scopes; the service decides',
    ],
  ])('says what it could not compare', async (credentials, message) => {
    const bare = join(home, 'bare.json');
    writeFileSync(bare, JSON.stringify(get({})));
    expect(await check(credentials, bare)).toMatchObject({ state: 'pass', message, facts: { unknown: 1 } });
  });

  it('says that a key signs for all operations where all name scopes', async () => {
    const scoped = join(home, 'scoped.json');
    const components = { securitySchemes: { oauth: { type: 'oauth2', flows: {} } } };
    writeFileSync(scoped, JSON.stringify(get({ security: [{ oauth: ['things.read'] }] }, { components })));
    expect((await check({ source: { kind: 'key' } }, scoped))?.message).toBe(
      'T describes 1 operation; the key signs a token with the scopes of each',
    );
  });

  it('fails where the description cannot be read', async () => {
    expect(await check(token(['*']), join(home, 'none.json'))).toMatchObject({ state: 'fail' });
  });
});

describe('the check of a description that takes other credentials than tokens', () => {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    login: { type: 'http', scheme: 'basic' },
  };
  const paths = {
    '/keys': { get: { security: [{ key: [] }], responses: {} } },
    '/logins': { get: { security: [{ login: [] }], responses: {} } },
    '/eithers': { get: { security: [{ login: [] }, { key: [] }], responses: {} } },
    '/opens': { get: { security: [], responses: {} } },
  };
  const check = async (paths: object, env: Readonly<Record<string, string>>) => {
    const described = join(home, 'others.json');
    writeFileSync(described, JSON.stringify(document(paths as Json, { components: { securitySchemes } })));
    const environment = readEnvironment({
      PAYCTL_CONFIG_DIR: home,
      PAYCTL_DESCRIPTION: described,
      ...env,
    });
    const source = { kind: 'default' };
    const profile = { value: undefined, source };
    const target = { baseUrl: 'https://api.example.com', profile: undefined, isEmulator: false };
    const context = { settings: { profile }, runtime: { environment }, target };
    return checkDescription(context as unknown as DoctorContext, undefined);
  };

  it('passes where there is something for each operation', async () => {
    expect(await check(paths, { PAYCTL_API_KEY: 'k', PAYCTL_BASIC_AUTH: 'a:b' })).toMatchObject({
      state: 'pass',
      message: 'the credentials suffice for 4 operations of T',
    });
  });

  it('warns of what is missing, and fails where nothing can be called', async () => {
    const remedy =
      'Set PAYCTL_BASIC_AUTH or PAYCTL_BASIC_AUTH_FILE, or log in: payctl auth login --with-basic';
    const needs =
      'T needs credentials that are not configured: a user name and password (HTTP Basic), for 1 of';
    expect(await check(paths, { PAYCTL_API_KEY: 'k' })).toMatchObject({
      state: 'warn',
      message: `${needs} 4 operations`,
      remedy,
      facts: { allowed: 3, lacking: [{ needs: 'a user name and password (HTTP Basic)', operations: 1 }] },
    });
    expect(await check({ '/logins': paths['/logins'] }, { PAYCTL_API_KEY: 'k' })).toMatchObject({
      state: 'fail',
      message: `${needs} 1 operation`,
      remedy,
      exitCode: 3,
    });
  });

  it('leaves it to the check of the credentials where there are none', async () => {
    expect(await check(paths, {})).toMatchObject({ state: 'pass', message: 'T describes 4 operations' });
  });
});
