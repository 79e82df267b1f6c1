import { expect, it, vi } from 'vitest';
import { startTestEmulator } from '../test-emulator.ts';

it('commits what a change wrote into a transaction that others share, before it answers', async () => {
  await using test = await startTestEmulator({ buyers: 5 });
  const { database } = test.emulator;
  const commit = vi.spyOn(database, 'commit');
  const id = String(
    database.prepare("SELECT id FROM buyers WHERE merchant_account_id = 'default'").get()?.id,
  );
  const scopes = ['buyers.write', 'buyers.read'];
  expect((await test.send('/buyers', { scopes })).status).toBe(200);
  expect(commit).not.toHaveBeenCalled();
  const path = `/buyers/${id}/shipping-details`;
  expect((await test.send(path, { scopes, method: 'POST', body: '{}' })).status).toBe(201);
  expect(commit).toHaveBeenCalledOnce();
});
