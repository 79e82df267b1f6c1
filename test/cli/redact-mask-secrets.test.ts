import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskSecrets } from '../../src/cli/redact.ts';

describe('maskSecrets', () => {
  it('masks members named for a secret at any depth and changes nothing else', () => {
    const text =
      '{"id":1.0, "secret" : "s\\"1", "authentication":{"kind":"basic","password":"p"},"x":["secret"]}';
    expect(maskSecrets(text)).toBe(
      '{"id":1.0, "secret" : "********", "authentication":{"kind":"basic","password":"********"},"x":["secret"]}',
    );
  });

  it.each([
    'secret',
    'password',
    'passphrase',
    'client_secret',
    'private_key',
    'api_key',
    'access_token',
    'refresh_token',
  ])('masks a member named %s', (name) => {
    expect(maskSecrets(`{"a":[{"${name}": "true value"}]}`)).toBe(`{"a":[{"${name}": "********"}]}`);
    expect(maskSecrets(`{"my_${name}":"v","${name}s":"v"}`)).toBe(`{"my_${name}":"v","${name}s":"v"}`);
  });

  it('leaves text that only speaks of a secret', () => {
    const text = JSON.stringify({ note: '"secret":"not one"', secrets: 'many', secret: null });
    expect(maskSecrets(text)).toBe(text);
  });

  it('leaves no secret in any document', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12 }), fc.json(), (secret, other) => {
        const text = `{"a":${other},"secret":${JSON.stringify(secret)},"b":[{"password":${JSON.stringify(secret)}}]}`;
        const masked = JSON.parse(maskSecrets(text));
        expect([masked.secret, masked.b[0].password]).toEqual(['********', '********']);
        expect(masked.a).toEqual(JSON.parse(maskSecrets(other)));
      }),
    );
  });
});
