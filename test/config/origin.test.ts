import { describe, expect, it } from 'vitest';
import { resolveBaseUrl } from '../../src/config/base-url.ts';
import { productionAt } from '../../src/config/origin.ts';
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

  it('is the only one that is left out', () => {
    expect(guardOf({ baseUrl: 'https://api.example.invalid' }, 'https://apiexample.invalid')).toBeUndefined();
  });
});
