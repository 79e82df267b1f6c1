import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, type NeededScopes } from '../../src/client/client.ts';
import { serve } from './live-client.ts';

/** A client of a service that answers every request with the same document, and the scopes that its tokens were asked for. */
async function clientOf(document: object) {
  const server = await serve((_, response) => void response.end(JSON.stringify(document)));
  const asked: NeededScopes[] = [];
  const token = (needed: NeededScopes) => {
    asked.push(needed);
    return 'secret-token';
  };
  const client = createClient({ baseUrl: server.origin, token });
  onTestFinished(() => client.close());
  const sent = () => server.requests.map(({ method, url, body }) => ({ method, url, body }));
  return { client, asked, sent };
}

describe('a call', () => {
  it('creates a shipping detail of a buyer', async () => {
    const { client, asked, sent } = await clientOf({ id: 'sd-1' });
    expect(await client.buyers.shippingDetails.create('b/1', { first_name: 'Ada' })).toEqual({ id: 'sd-1' });
    expect(sent()).toEqual([
      { method: 'POST', url: '/buyers/b%2F1/shipping-details', body: '{"first_name":"Ada"}' },
    ]);
    expect(asked).toEqual([{ scopes: ['buyers.write'], accepted: ['buyers.write'] }]);
  });

  it('reads a checkout session', async () => {
    const { client, asked, sent } = await clientOf({ id: 's-1' });
    expect(await client.checkoutSessions.get('s-1')).toEqual({ id: 's-1' });
    expect(sent()).toEqual([{ method: 'GET', url: '/checkout/sessions/s-1', body: '' }]);
    expect(asked).toEqual([{ scopes: ['checkout-sessions.read'], accepted: ['checkout-sessions.read'] }]);
  });

  it('updates a checkout session', async () => {
    const { client, sent } = await clientOf({ id: 's-1' });
    expect(await client.checkoutSessions.update('s-1', { metadata: null })).toEqual({ id: 's-1' });
    expect(sent()).toEqual([{ method: 'PUT', url: '/checkout/sessions/s-1', body: '{"metadata":null}' }]);
  });

  it('creates a session with a payment service', async () => {
    const { client, asked, sent } = await clientOf({ status: 'succeeded' });
    const { sessions } = client.paymentServiceDefinitions;
    expect(await sessions.create('acme', { any: 1 })).toEqual({ status: 'succeeded' });
    expect(sent()).toEqual([
      { method: 'POST', url: '/payment-service-definitions/acme/sessions', body: '{"any":1}' },
    ]);
    expect(asked).toEqual([{ scopes: ['transactions.write'], accepted: ['transactions.write'] }]);
  });

  it('asks for the first of several scopes, any of which is accepted', async () => {
    const { client, asked } = await clientOf({ items: [] });
    await client.buyers.giftCards.list();
    expect(asked).toEqual([{ scopes: ['gift-cards.read'], accepted: ['gift-cards.read', 'embed'] }]);
  });
});
