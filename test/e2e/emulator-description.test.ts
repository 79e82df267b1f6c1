import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useHome } from '../harness/run-payctl.ts';

const home = useHome();

it('a day of payments with the emulator alone: import, list, capture, refund, report', async () => {
  const described = await home.payctl(['emulator', 'describe']);
  const file = join(home.path, 'payments.json');
  writeFileSync(file, described.stdout);
  const payctl = (...args: readonly string[]) => home.payctl([...args, '--profile', 'emulator', '-q']);
  expect(await payctl('api', 'import', file)).toMatchObject({ code: 0 });
  const list = await payctl('transactions', 'list', '--status', 'authorized', '--limit', '1', '-o', 'json');
  const [authorized] = JSON.parse(list.stdout).items as { id: string; amount: number }[];
  const id = String(authorized?.id);
  const captured = await payctl('transactions', 'capture', id, '-o', 'json');
  expect(JSON.parse(captured.stdout)).toMatchObject({
    id,
    status: 'captured',
    captured_amount: authorized?.amount,
  });
  const refunded = await payctl('transactions', 'refunds', 'create', id, '-F', 'amount=100', '-o', 'json');
  expect(JSON.parse(refunded.stdout)).toMatchObject({ transaction_id: id, amount: 100 });
  const again = await payctl('transactions', 'void', id);
  expect(again.stderr).toContain(
    'Error: The record cannot be voided, because it was captured (400 bad_request)',
  );
  expect(again.code).toBe(6);
  const report = await payctl('reports', 'create', '-F', 'name=Refunds', '-o', 'json');
  expect(JSON.parse(report.stdout)).toMatchObject({ name: 'Refunds', status: 'pending', schedule: 'once' });
});

it('emulator start --description answers the operations of a file', async () => {
  const described = await home.payctl(['emulator', 'describe']);
  const file = join(home.path, 'payments.json');
  writeFileSync(file, described.stdout);
  const running = home.start(['emulator', 'start', '--description', file]);
  const baseUrl = (await running.sees('stdout', '\n')).trim();
  const response = await fetch(`${baseUrl}/transactions`);
  expect(response.status).toBe(401);
  const unknown = await fetch(`${baseUrl}/nothing`);
  expect(unknown.status).toBe(404);
  running.kill('SIGINT');
  expect((await running.done).code).toBe(0);
});

it('emulator start --description refuses what is no description, before anything starts', async () => {
  const file = join(home.path, 'other.json');
  writeFileSync(file, '{}');
  const run = await home.payctl(['emulator', 'start', '--description', file]);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain('(not_a_description)');
});
