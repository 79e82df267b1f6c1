import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packagePeer } from '../../bench/peers.ts';
import { EventStore } from '../../src/features/webhooks/store.ts';
import { runInProcess } from '../commands/run-in-process.ts';
import { freshDirectory } from '../config/config-directory.ts';
import { startTestEmulator } from '../emulator/test-emulator.ts';
import { type RecordedRequest, startServer } from '../harness/http-server.ts';

type Verify = (
  payload: string,
  secret: string,
  signature: string | undefined,
  timestamp: string | undefined,
  toleranceSeconds: number,
) => void;

const SECRET = 'k9-marked-secret';
const sdk = packagePeer('sdk');

function check({ body, headers }: Pick<RecordedRequest, 'body' | 'headers'>, secret = SECRET): void {
  const { verifyWebhook } = createRequire(import.meta.url)(sdk?.file ?? '') as { verifyWebhook: Verify };
  const text = (name: string) => headers[`x-gr4vy-${name}`]?.toString();
  verifyWebhook(body, secret, text('signature'), text('timestamp'), 300);
}

it.skipIf(!sdk)(
  'the official SDK accepts deliveries of the emulator, triggers and replays, and refuses what was tampered with (skipped without it)',
  async () => {
    const directory = freshDirectory();
    const server = await startServer((_, response) => response.writeHead(200).end());
    const url = `${server.origin}/hooks`;
    const secrets = join(directory, 'secrets');
    // While a secret is rotated, both sign.
    writeFileSync(secrets, `another-secret\n${SECRET}\n`, { mode: 0o600 });
    const env = { PAYCTL_CONFIG_DIR: directory, PAYCTL_WEBHOOK_HEADER_PREFIX: 'x-gr4vy-' };
    const payctl = (...args: string[]) =>
      runInProcess(['webhooks', ...args, '--secret', `@${secrets}`], { env });
    try {
      expect(await payctl('trigger', 'buyer.updated', '--to', url)).toMatchObject({ code: 0 });
      const [triggered] = server.requests;
      const store = EventStore.open(join(directory, 'data', 'webhooks'));
      await store.add(
        {
          verdict: 'ok',
          reason: 'the signature is correct',
          receivedMs: Date.now(),
          deliveryId: 'd-1',
          facts: { event: 'buyer.updated' },
          headers: { 'x-gr4vy-delivery': 'd-1', 'x-gr4vy-signature': 'old', 'x-gr4vy-timestamp': '1' },
          body: triggered?.bytes ?? Buffer.alloc(0),
          timestamp: '1',
        },
        [],
      );
      store.close();
      expect(await payctl('replay', 'd-1', '--to', url)).toMatchObject({ code: 0 });
      await using emulator = await startTestEmulator({
        buyers: 20,
        deliveries: { headerPrefix: 'x-gr4vy-', subscribe: [{ url, secret: SECRET }] },
      });
      const { items } = (await emulator.send('/buyers?limit=1')).body as { items: { id: string }[] };
      const path = `/buyers/${items[0]?.id}/shipping-details`;
      const body = JSON.stringify({
        first_name: 'Ada',
        last_name: 'Lovelace',
        email_address: 'ada@example.com',
      });
      await emulator.send(path, { method: 'POST', scopes: ['buyers.write'], body });
      await expect.poll(() => server.requests.length).toBe(3);
      for (const request of server.requests) {
        const { headers, body: sent } = request;
        check(request);
        expect(() => check(request, 'wrong')).toThrow('No matching signature found');
        expect(() => check({ headers, body: `${sent} ` })).toThrow('No matching signature found');
        const older = { ...headers, 'x-gr4vy-timestamp': String(Number(headers['x-gr4vy-timestamp']) - 1) };
        expect(() => check({ headers: older, body: sent })).toThrow('No matching signature found');
        const { 'x-gr4vy-signature': _, ...unsigned } = headers;
        expect(() => check({ headers: unsigned, body: sent })).toThrow('Missing header values');
      }
      expect(new Set(server.requests.map(({ headers }) => headers['x-gr4vy-event'])).size).toBeGreaterThan(1);
    } finally {
      await server.close();
    }
  },
);
