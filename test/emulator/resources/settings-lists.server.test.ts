import { describe, expect, it } from 'vitest';
import type { DigitalWallet, Role, WebhookSubscription } from '../../../src/contract/generated/types.ts';
import { emulatorForAll } from '../test-emulator.ts';

const test = emulatorForAll({ buyers: 0 });

describe('GET /roles', () => {
  it('shows the roles of the instance, whatever merchant account the request names', async () => {
    const list = (headers = {}) => test.send('/roles', { scopes: ['roles.read'], headers });
    const { status, body } = await list();
    expect(status).toBe(200);
    expect((body.items as Role[]).map(({ slug }) => slug)).toEqual([
      'administrator',
      'developer',
      'support-agent',
      'personal-data-viewer',
      'finance-analyst',
      'auditor',
      'checkout-service',
    ]);
    expect((await list({ 'x-service-merchant-account-id': 'nobody' })).body).toEqual(body);
  });
});

describe('GET /digital-wallets', () => {
  it('shows the wallets of a merchant account, newest first, all at once', async () => {
    const list = async (account: string) => {
      const headers = { 'x-service-merchant-account-id': account };
      const { body } = await test.send('/digital-wallets?limit=x', {
        scopes: ['digital-wallets.read'],
        headers,
      });
      expect(Object.keys(body)).toEqual(['items']);
      return (body.items as DigitalWallet[]).map(({ provider }) => provider);
    };
    expect(await list('default')).toEqual(['click-to-pay', 'google', 'apple']);
    expect(await list('outlet')).toEqual(['apple']);
  });
});

describe('GET /webhook-subscriptions', () => {
  it('shows the most recently created first, with a secret and with its password masked', async () => {
    const { body } = await test.send('/webhook-subscriptions', { scopes: ['webhook-subscriptions.read'] });
    const items = body.items as WebhookSubscription[];
    expect(items.map(({ url }) => new URL(String(url)).hostname)).toEqual([
      'crm.example.com',
      'staging.example.com',
      'ledger.example.org',
      'hooks.example.com',
      'legacy.example.com',
    ]);
    expect(items.map(({ authentication }) => authentication?.password)).toEqual([
      '*****',
      undefined,
      '*****',
      '*****',
      undefined,
    ]);
    for (const { secret } of items) expect(secret).toMatch(/^[0-9A-Za-z]{40}$/);
    expect(items.filter(({ active }) => !active)).toHaveLength(1);
    expect(items.filter(({ rotating }) => rotating)).toHaveLength(1);
  });
});
