import { expect, it } from 'vitest';
import { readTrafficPlan } from '../../../src/emulator/traffic/plan.ts';
import { startTestEmulator } from '../test-emulator.ts';

it('is listed by an emulator that runs with it, newest first, and ends with the emulator', async () => {
  const traffic = readTrafficPlan({ rate: 500, burst_every: 0.1, late: 0 });
  await using test = await startTestEmulator({ buyers: 3, traffic });
  const list = async () => {
    const { body } = await test.send('/api-logs', { scopes: ['api-logs.read'] });
    return body as { items: Record<string, unknown>[]; next_cursor?: string };
  };
  const first = await list();
  let latest = first;
  while (latest.items.some(({ id }) => first.items.some((item) => item.id === id))) latest = await list();
  const times = latest.items.map(({ response_sent_at: sent }) => Date.parse(String(sent)));
  expect(times.toSorted((a, b) => b - a)).toEqual(times);
  expect(latest.items).toHaveLength(100);
  expect(latest.next_cursor).toEqual(expect.any(String));
  const urls = latest.items.map(({ request_url: url }) => String(url));
  expect(urls.every((url) => url.startsWith(`${test.emulator.baseUrl}/`))).toBe(true);
});
