import { describe, expect, it } from 'vitest';
import { resolveBaseUrl } from '../../src/config/base-url.ts';
import { leavesAddress, productionAt, profileOrigin } from '../../src/config/origin.ts';
import type { Settings } from '../../src/config/settings.ts';

/** The profile that makes a request to a base URL one to production, when one with this address is marked so. */
function guardOf(address: { baseUrl: string; instance?: string }, target: string) {
  const settings = {
    environment: {},
    productionProfiles: [{ name: 'live', environment: 'production', ...address }],
    profile: {},
  } as unknown as Settings;
  const production = productionAt(settings, new URL(resolveBaseUrl(target)).origin);
  return production?.by === 'profile' ? production.name : undefined;
}

describe('a profile marked production without an instance', () => {
  it.each([
    ['https://api.{id}.example.invalid', 'https://api.acme.example.invalid'],
    ['https://münchen-{id}.example.invalid', 'https://münchen-acme.example.invalid'],
    ['https://MÜNCHEN-{id}.example.invalid', 'https://xn--mnchen-acme-thb.example.invalid'],
    ['https://{id}-zürich.example.invalid/v1', 'https://a-1-zürich.example.invalid/v2'],
    ['https://{id}.münchen.invalid', 'https://a.münchen.invalid'],
    ['https://{id}.{id}.example.invalid', 'https://a.a.example.invalid'],
    ['https://example.invalid:{id}', 'https://example.invalid:8443'],
    ['https://10.0.0.{id}', 'https://10.0.0.7'],
    ['https://api.{id}.example.invalid', 'https://api.xn--mnchen-3ya.example.invalid'],
    ['https://api.{id}.example.invalid', 'https://api.münchen.example.invalid'],
    ['https://ü{id}ü.example.invalid', 'https://üacmeü.example.invalid'],
    ['https://api.{id}.example.invalid', 'https://api.acme.example.invalid.'],
  ])('%s guards %s', (baseUrl, target) => {
    expect(guardOf({ baseUrl }, target)).toBe('live');
  });

  it.each([
    ['https://api.{id}.example.invalid', 'https://api.example.invalid'],
    ['https://api.{id}.example.invalid', 'https://api.a.b.example.invalid'],
    ['https://münchen-{id}.example.invalid', 'https://munchen-acme.example.invalid'],
    ['https://{id}.{id}.example.invalid', 'https://a.b.example.invalid'],
    ['https://api.{id}.example.invalid', 'https://api.acme.example.invalid:8443'],
  ])('%s does not guard %s', (baseUrl, target) => {
    expect(guardOf({ baseUrl }, target)).toBeUndefined();
  });
});

describe('the dot that may end a host', () => {
  it.each([
    ['https://api.example.invalid', 'https://api.example.invalid.'],
    ['https://api.example.invalid.', 'https://api.example.invalid'],
    ['https://api.example.invalid.:8443', 'https://api.example.invalid:8443'],
    ['https://api.example.invalid:8443/v1', 'https://api.example.invalid.:8443'],
  ])('makes no difference: %s guards %s', (baseUrl, target) => {
    expect(guardOf({ baseUrl }, target)).toBe('live');
  });

  it.each([
    ['http://localhost:4010', 'http://127.0.0.1:4010'],
    ['http://127.0.0.1:4010', 'http://[::1]:4010'],
    ['http://[::1]', 'http://127.1.2.3'],
    ['https://127.0.0.1', 'https://localhost.'],
  ])('and the name of this machine make no difference: %s guards %s', (baseUrl, target) => {
    expect(guardOf({ baseUrl }, target)).toBe('live');
  });

  it('does not make another port the same', () => {
    expect(guardOf({ baseUrl: 'http://localhost:4010' }, 'http://127.0.0.1:4011')).toBeUndefined();
  });

  it('is the only one that is left out', () => {
    expect(guardOf({ baseUrl: 'https://api.example.invalid' }, 'https://apiexample.invalid')).toBeUndefined();
  });
});

describe('the origin of a profile', () => {
  it.each([
    [{ baseUrl: 'https://api.example.invalid/v1' }, 'https://api.example.invalid'],
    [{ baseUrl: 'https://api.example.invalid/{id}' }, 'https://api.example.invalid'],
    [{ baseUrl: 'https://api.{id}.example.invalid', instance: 'acme' }, 'https://api.acme.example.invalid'],
    [{ baseUrl: 'https://{id}.example.invalid' }, undefined],
    [{ baseUrl: ' HTTPS://api.{id}.example.invalid' }, undefined],
    [{ baseUrl: 'https://example.invalid:{id}' }, undefined],
    [{ baseUrl: 'not a URL' }, undefined],
    [{ instance: 'acme' }, undefined],
    [{}, undefined],
  ])('%j is %s', (address, origin) => {
    expect(profileOrigin(address)).toBe(origin);
  });
});

describe('a profile that changes', () => {
  const [one, other] = ['https://one.invalid', 'https://other.invalid'];

  it.each([
    [{ baseUrl: one }, { baseUrl: other }, true],
    [{ baseUrl: one }, {}, true],
    [{ baseUrl: 'https://{id}.one.invalid' }, { baseUrl: 'https://{id}.other.invalid' }, true],
    [
      { baseUrl: 'https://{id}.one.invalid' },
      { baseUrl: 'https://{id}.one.invalid', instance: 'acme' },
      true,
    ],
    [
      { baseUrl: 'https://{id}.one.invalid', instance: 'acme' },
      { baseUrl: 'https://acme.one.invalid' },
      false,
    ],
    [{ baseUrl: one }, { baseUrl: `${one}/v2` }, false],
    [{ baseUrl: 'https://{id}.one.invalid' }, { baseUrl: 'https://{id}.one.invalid' }, false],
    [{}, { baseUrl: one }, false],
    [{ instance: 'acme' }, { baseUrl: one }, false],
  ])('from %j to %j leaves its address: %j', (before, after, expected) => {
    expect(leavesAddress(before, after)).toBe(expected);
  });
});

describe('a request to production', () => {
  type Marked = { readonly name: string; readonly baseUrl?: string };
  const at = (origin: string, marked: readonly Marked[], inUse?: Marked, environment?: string) => {
    const settings = {
      environment: { value: environment },
      productionProfiles: marked,
      profile: { value: inUse },
    } as unknown as Settings;
    return productionAt(settings, origin)?.reason;
  };
  const ORIGIN = 'https://api.example.invalid';
  const live = { name: 'live', baseUrl: ORIGIN };

  it('is one that a variable makes so, whatever the profiles say', () => {
    expect(at(ORIGIN, [live], live, 'production')).toBe('PAYCTL_ENVIRONMENT is production');
    expect(at(ORIGIN, [], undefined, 'test')).toBeUndefined();
  });

  it('is one to where a marked profile leads, whichever profile is in use', () => {
    const reason = 'the profile live is marked production';
    expect(at(ORIGIN, [live])).toBe(reason);
    expect(at(ORIGIN, [live], { name: 'dev' })).toBe(reason);
    expect(at('https://other.invalid', [live], { name: 'dev' })).toBeUndefined();
    expect(at('https://other.invalid', [live], live)).toBeUndefined();
  });

  it('is any with a marked profile that does not say where it leads', () => {
    const open = { name: 'open' };
    const broken = { name: 'broken', baseUrl: 'not a URL' };
    expect(at(ORIGIN, [open], open)).toBe('the profile open is marked production');
    expect(at(ORIGIN, [broken], broken)).toBe('the profile broken is marked production');
    expect(at(ORIGIN, [open], { name: 'dev' })).toBeUndefined();
  });

  it('is known by the profile in use, if that is one of several', () => {
    const second = { name: 'second', baseUrl: ORIGIN };
    expect(at(ORIGIN, [live, second], second)).toBe('the profile second is marked production');
    expect(at(ORIGIN, [live, second], { name: 'dev' })).toBe('the profile live is marked production');
  });
});
