import { describe, expect, it } from 'vitest';
import { parseDocument as parse, toProfile } from '../../src/config/profiles-document.ts';
import { thrownBy } from './config-directory.ts';

const FULL = {
  base_url: 'https://api.{id}.example.com',
  instance: 'acme',
  environment: 'production',
  merchant_account: 'outlet',
  merchant_header: 'x-shop',
  webhook_header_prefix: 'x-shop-',
  output: 'json',
  rsa_algorithm: 'PS256',
  credentials: { kind: 'key', storage: 'reference', path: '/keys/acme.pem' },
};

const parseDocument = (text: string) => parse(text, '/home/profiles.json');

describe('parseDocument', () => {
  it.each(['', ' ', '\n', '\r\n\t '])('takes %j for a file without profiles', (text) => {
    expect(parseDocument(text)).toEqual({ version: 1, profiles: {} });
  });

  it('gives what stands there, unknown members too', () => {
    const document = { version: 1, active: 'a', profiles: { a: { ...FULL, colour: 'red' } }, later: [1] };
    expect(parseDocument(JSON.stringify(document))).toEqual(document);
  });

  const inProfile = (members: unknown) => ({ version: 1, profiles: { acme: members } });
  const withCredentials = (credentials: unknown) => inProfile({ credentials });
  const CREDENTIALS = '/profiles/acme/credentials is not valid';
  const AMOUNTS = '/profiles/acme/max_totals does not hold amounts by currency, such as { "EUR": "500.00" }';
  const APPROVERS = '/profiles/acme/approvers is not a list of public keys';

  it.each([
    ['{', 'it is not JSON'],
    ['{}{}', 'it is not JSON'],
    ['\u0000', 'it is not JSON'],
    ['null', 'it is not a JSON object'],
    ['"SECRET"', 'it is not a JSON object'],
    ['[]', 'it is not a JSON object'],
    [{}, '/version is not 1'],
    [{ version: '1', profiles: {} }, '/version is not 1'],
    [{ version: 0, profiles: {} }, '/version is not 1'],
    [{ version: 1 }, '/profiles is not an object'],
    [{ version: 1, profiles: null }, '/profiles is not an object'],
    [{ version: 1, profiles: ['SECRET'] }, '/profiles is not an object'],
    [{ version: 1, active: 7, profiles: {} }, '/active is not a string'],
    [{ version: 1, active: null, profiles: {} }, '/active is not a string'],
    [inProfile('SECRET'), '/profiles/acme is not an object'],
    [inProfile(null), '/profiles/acme is not an object'],
    [inProfile({ base_url: 1 }), '/profiles/acme/base_url is not a string'],
    [inProfile({ instance: null }), '/profiles/acme/instance is not a string'],
    [inProfile({ merchant_account: ['SECRET'] }), '/profiles/acme/merchant_account is not a string'],
    [inProfile({ environment: 'SECRET' }), '/profiles/acme/environment is not sandbox or production'],
    [inProfile({ rsa_algorithm: 'SECRET' }), '/profiles/acme/rsa_algorithm is not RS256 or PS256'],
    [inProfile({ max_totals: { EUR: 'SECRET' } }), AMOUNTS],
    [inProfile({ approvers: [] }), APPROVERS],
    [inProfile({ approvers: 'SECRET' }), APPROVERS],
    [inProfile({ approvers: [{ kid: 'SECRET' }] }), APPROVERS],
    [inProfile({ approvers: [{ kty: 'OKP', kid: 7 }] }), APPROVERS],
    [withCredentials('SECRET'), CREDENTIALS],
    [withCredentials(null), CREDENTIALS],
    [withCredentials({ kind: 'token', token: 'SECRET' }), CREDENTIALS],
    [withCredentials({ kind: 'SECRET', storage: 'file', path: '/a' }), CREDENTIALS],
    [withCredentials({ kind: 'key', storage: 'SECRET', path: '/a' }), CREDENTIALS],
    [withCredentials({ kind: 'key', storage: 'file', account: 'SECRET' }), CREDENTIALS],
    [withCredentials({ kind: 'key', storage: 'keychain', path: 'SECRET' }), CREDENTIALS],
    [withCredentials({ kind: 'key', storage: 'reference', path: 1 }), CREDENTIALS],
    [{ version: 1, profiles: { '../SECRET': {} } }, '/profiles contains an invalid profile name'],
    [{ version: 1, profiles: { SECRET: 1 } }, '/profiles contains an invalid profile name'],
    ['{"version":1,"profiles":{"__proto__":{}}}', '/profiles contains an invalid profile name'],
  ])('refuses %j and shows nothing of it', (content, reason) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    expect(thrownBy(() => parseDocument(text))).toEqual(new Error(reason));
  });

  it.each([1.5, 2])('refuses the version %d, which a newer payctl has written', (version) => {
    const text = JSON.stringify({ version, profiles: 'SECRET' });
    expect(thrownBy(() => parseDocument(text))).toMatchObject({
      code: 'newer_version',
      message: '"/home/profiles.json" was written by a newer version of payctl',
      hint: 'Upgrade payctl, or move the file away and create the profiles again.',
    });
  });
});

describe('toProfile', () => {
  it('gives every member its field, and leaves out what it does not know', () => {
    expect(toProfile('acme', { ...FULL, colour: 'red' })).toEqual({
      name: 'acme',
      baseUrl: 'https://api.{id}.example.com',
      instance: 'acme',
      environment: 'production',
      merchantAccount: 'outlet',
      merchantHeader: 'x-shop',
      webhookHeaderPrefix: 'x-shop-',
      output: 'json',
      rsaAlgorithm: 'PS256',
      credentials: { kind: 'key', storage: 'reference', path: '/keys/acme.pem' },
    });
  });

  it.each([
    { kind: 'token', storage: 'keychain', account: 'acme (/c)' },
    { kind: 'key', storage: 'keychain', account: 'acme (/c)' },
    { kind: 'token', storage: 'file', path: '/c/secrets/acme.token' },
    { kind: 'key', storage: 'reference', path: '/acme.pem' },
  ])('takes the credentials %j, without members it does not know', (credentials) => {
    expect(toProfile('acme', { credentials: { ...credentials, since: '2026' } })).toEqual({
      name: 'acme',
      credentials,
    });
  });

  it('is only a name where nothing is stored', () => {
    expect(toProfile('acme', {})).toEqual({ name: 'acme' });
  });
});
