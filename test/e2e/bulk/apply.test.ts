import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BulkService, type RefundRow, startBulk } from '../../features/bulk/bulk-service.ts';
import type { RunningProcess } from '../../harness/follow-process.ts';
import { lines } from '../../harness/lines.ts';
import { quickHomes } from '../quick-homes.ts';
import { Relay } from './relay.ts';

const { freshHome } = quickHomes();

const ROWS = [
  [0, 100],
  [1, 200],
  [2, 300],
] as const satisfies readonly RefundRow[];

/** Starts to apply a plan row by row, and holds the response of the first row until it is let go. */
async function startHeld(service: BulkService, relay: Relay) {
  const arrived = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  relay.onPost = async (post) => {
    await post.forward();
    arrived.resolve();
    await letGo.promise;
    post.answer();
  };
  await service.planRefunds(ROWS);
  const words = ['bulk', 'apply', service.plan, '--yes', '--concurrency', '1'];
  const running: RunningProcess = freshHome().start(words, { env: service.env });
  await arrived.promise;
  return { running, letGo: () => letGo.resolve() };
}

describe('bulk apply', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'waits for the rows under way after %s, sends no more, and ends with %i',
    async (signal, code) => {
      const relay = new Relay();
      await using service = await startBulk({ count: 3, through: (url) => relay.open(url) });
      const { running, letGo } = await startHeld(service, relay);
      running.kill(signal);
      await running.sees('stderr', 'Stopping');
      letGo();
      const run = await running.done;
      expect({ code: run.code, signal: run.signal }).toEqual({ code, signal: null });
      const status = await service.bulk(['status', service.plan, '--json']);
      expect(JSON.parse(status.stdout)).toMatchObject({ done: 1, failed: 0, unknown: 0, pending: 2 });
      expect(await service.refunds()).toEqual([[100], [], []]);
      expect((await service.apply()).code).toBe(0);
      expect(await service.refunds()).toEqual([[100], [200], [300]]);
    },
  );

  it('ends at once at the second signal, and sends what was under way again under its key', async () => {
    const relay = new Relay();
    await using service = await startBulk({ count: 3, through: (url) => relay.open(url) });
    const { running, letGo } = await startHeld(service, relay);
    running.kill('SIGINT');
    await running.sees('stderr', 'Stopping');
    // One that comes at once is taken to be the first.
    const again = setInterval(() => running.kill('SIGINT'), 50);
    const { signal } = await running.done;
    clearInterval(again);
    expect(signal).toBe('SIGINT');
    expect(service.states()).toEqual(['sending']);
    letGo();
    expect((await service.apply()).code).toBe(0);
    expect(await service.refunds()).toEqual([[100], [200], [300]]);
  });

  it('says what it sends in lines that fit the terminal', async () => {
    await using service = await startBulk({ count: 3 });
    await service.planRefunds(ROWS);
    const terminal = { columns: 50, withStderr: true };
    const words = ['bulk', 'apply', service.plan, '--yes', '--jq', '.done'];
    const { stdout } = await freshHome().payctl(words, { env: service.env, terminal });
    expect(stdout).toBe(
      lines(
        'no profile, no merchant account,',
        service.env.PAYCTL_BASE_URL ?? '',
        'payctl transactions refunds create: 3 rows',
        '    | for 3 records, 1.00 EUR, 300 JPY and 2.00',
        '    | USD in total.',
        '3',
      ),
    );
  });

  it('names the emulator once, which is profile and destination', async () => {
    const home = freshHome();
    const flags = ['--profile', 'emulator'];
    const plan = join(home.path, 'p.plan');
    const stdin = 'buyer_id,first_name\nef28fde9-5d24-429e-af7b-494ed25fc77c,Ada\n';
    const words = ['buyers', 'shipping-details', 'create', '--from', '-', '--out', plan];
    await home.payctl(['bulk', 'plan', ...words, ...flags], { stdin });
    const { stderr } = await home.payctl(['bulk', 'apply', plan, '--yes', ...flags]);
    expect(stderr).toMatch(/^emulator, no merchant account\npayctl buyers shipping-details create: 1 row/);
  });

  it('is refused while another process applies the plan, or another one with the same rows', async () => {
    const relay = new Relay();
    await using service = await startBulk({ count: 3, through: (url) => relay.open(url) });
    const { running, letGo } = await startHeld(service, relay);
    const second = await service.apply();
    expect(second.code).toBe(2);
    expect(second.stderr).toContain('plan_in_use');
    const words = ['plan', 'transactions', 'refunds', 'create', '--from', join(service.folder, 'last.csv')];
    writeFileSync(
      join(service.folder, 'last.csv'),
      `transaction_id,amount\n${service.transactions[2]?.id},300\n`,
    );
    const last = join(service.folder, 'last.plan');
    await service.bulk([...words, '--out', last]);
    const { stderr } = await service.bulk(['apply', last, '--yes']);
    expect(stderr).toContain('1 of 1 row is in a plan that another payctl process is using, ');
    letGo();
    expect((await running.done).code).toBe(0);
    expect(await service.refunds()).toEqual([[100], [200], [300]]);
  });

  it('keeps --rate in any second by the log of the service', async () => {
    await using service = await startBulk({ count: 130 });
    await service.planRefunds(service.transactions.map((_, index): RefundRow => [index, 100]));
    const words = ['bulk', 'apply', service.plan, '--yes', '--json', '--rate', '50'];
    const { code } = await freshHome().payctl(words, { env: service.env });
    expect(code).toBe(0);
    const times = service.requests('POST').map(({ receivedAt }) => receivedAt.getTime());
    expect(times).toHaveLength(130);
    const spans = times.slice(50).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...spans)).toBeGreaterThanOrEqual(1000);
  });
});
