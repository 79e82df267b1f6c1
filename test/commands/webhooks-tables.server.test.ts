import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EventStore } from '../../src/features/webhooks/store.ts';
import { freshDirectory } from '../config/config-directory.ts';
import { startTestEmulator } from '../emulator/test-emulator.ts';
import { serve } from '../harness/serve.ts';
import { runInProcess } from './run-in-process.ts';

const RECORD = '3f1c5a52-6f0e-4d55-9a3b-2b7a0c1d4e5f';

it('the received events have their time, event, record, forward and ID in 80 columns', async () => {
  const directory = freshDirectory();
  const store = EventStore.open(join(directory, 'data', 'webhooks'));
  const add = (verdict: 'ok' | 'wrong', number: number, urls: readonly string[] = []) =>
    store.add(
      {
        ...{
          verdict,
          reason: '',
          receivedMs: Date.parse('2026-03-01T10:00:05Z'),
          timestamp: '1',
          headers: {},
        },
        deliveryId: `0d1f3a5${number}-6f0e-4d55-9a3b-2b7a0c1d4e5f`,
        facts: { event: 'checkout-session.updated', targetType: 'checkout-session', targetId: RECORD },
        body: Buffer.from(`{"n":${number}}`),
      },
      urls,
    );
  await add('ok', 1, ['http://127.0.0.1:3000/']);
  await add('wrong', 2);
  store.database.execute("UPDATE webhook_sends SET state = 'delivered', next_ms = NULL");
  store.database.execute('INSERT INTO webhook_attempts VALUES (1, 1, 200, NULL, 3)');
  store.close();
  const list = (...args: string[]) =>
    runInProcess(['webhooks', 'list', '--utc', '--no-color', ...args], {
      env: { PAYCTL_CONFIG_DIR: directory },
      columns: 80,
    });
  expect((await list()).stdout).toBe(
    [
      'TIME (UTC)         EVENT                     RECORD    FORWARDED      ID',
      '2026-03-01 10:00Z  checkout-session.updated  3f1c5a52  refused 401    0d1f3a52',
      '2026-03-01 10:00Z  checkout-session.updated  3f1c5a52  delivered 200  0d1f3a51',
      '',
    ].join('\n'),
  );
  // What the table shows of an ID finds its events.
  const found = await list('--record', RECORD.slice(0, 8), '--verdict', 'ok', '--columns', 'record,verdict');
  expect(found.stdout).toContain(`${RECORD}  ok`);
  expect((await list('--record', '3f1c5a53')).stdout).toBe('');
  const other = join(directory, 'other events');
  expect((await list('--directory', other)).stderr).toBe(
    `No events were received. To receive some: payctl webhooks listen --directory '${other}'\n`,
  );
  const replay = async (columns: number) =>
    await runInProcess(
      ['webhooks', 'replay', '--event', '*', '--as-received', '--dry-run', '--utc', '--no-color'],
      { env: { PAYCTL_CONFIG_DIR: directory }, columns },
    );
  expect(await replay(80)).toMatchObject({
    stdout: [
      'EVENT                   RECORD    OUTCOME                 TO',
      'checkout-session.upda…  3f1c5a52  not sent                http://127.0.0.1:3000/',
      '',
    ].join('\n'),
    stderr: expect.stringContaining('\n+2 columns (TIME, ID): -o wide\nNothing was sent.\n'),
  });
  expect((await replay(60)).stdout).toMatch(/^EVENT +OUTCOME +TO\n/);
});

it('the deliveries of the emulator have their time, event, record, state and ID in 80 columns', async () => {
  const server = await serve((_, response) => response.writeHead(204).end());
  const subscribe = [{ url: `${server.origin}/hooks`, secret: 'k9' }];
  await using emulator = await startTestEmulator({ buyers: 5, deliveries: { subscribe } });
  const { items } = (await emulator.send('/buyers?limit=1')).body as { items: { id: string }[] };
  const id = String(items[0]?.id);
  const body = JSON.stringify({ first_name: 'Ada', last_name: 'L', email_address: 'ada@example.com' });
  await emulator.send(`/buyers/${id}/shipping-details`, { method: 'POST', scopes: ['buyers.write'], body });
  const list = () =>
    runInProcess(
      ['emulator', 'deliveries', 'list', '--directory', emulator.directory, '--utc', '--no-color'],
      { env: { PAYCTL_CONFIG_DIR: freshDirectory() }, columns: 80 },
    );
  await expect.poll(async () => (await list()).stdout).toContain('delivered');
  const [header, row] = (await list()).stdout.split('\n');
  expect(header).toMatch(/^TIME \(UTC\) +EVENT +RECORD +STATE +ID$/);
  expect(row).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}shipping-details\.created {2}[\da-f-]{8} {2}delivered {2}[\da-f-]{8}$/,
  );
});
