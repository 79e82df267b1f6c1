import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { quickHomes } from './quick-homes.ts';

const { useHome } = quickHomes();

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

it('is printed as YAML, too', async () => {
  const [json, yaml] = await Promise.all(
    [[], ['-o', 'yaml']].map((format) => home.payctl(['emulator', 'describe', ...format])),
  );
  expect(yaml?.stdout).toMatch(/^openapi: /);
  expect(parse(yaml?.stdout ?? '')).toEqual(JSON.parse(json?.stdout ?? ''));
});

/** Writes the description that `emulator describe` prints, with some of its text changed. */
async function describe(change: (text: string) => string = (text) => text): Promise<string> {
  const described = await home.payctl(['emulator', 'describe']);
  const file = join(home.path, 'payments.json');
  writeFileSync(file, change(described.stdout));
  return file;
}

const SERVED = '17 operations of "Sample payments" 1.0.0 (payments.json)';

it('emulator start --description answers the operations of a file, and says how to call them', async () => {
  const file = await describe();
  const running = home.start(['emulator', 'start', '--description', file]);
  const baseUrl = (await running.sees('stdout', '\n')).trim();
  const response = await fetch(`${baseUrl}/transactions`);
  expect(response.status).toBe(401);
  const unknown = await fetch(`${baseUrl}/nothing`);
  expect(unknown.status).toBe(404);
  const how = `To call them, import the description: payctl api import ${file} --profile emulator\n`;
  await running.sees('stderr', `The emulator also serves ${SERVED}. ${how}`);
  running.kill('SIGINT');
  expect((await running.done).code).toBe(0);
});

it('a running emulator serves a changed file, keeps the last good one, and says what it serves', async () => {
  const file = await describe();
  const running = home.start(['emulator', 'start', '--description', file, '--json', '-v']);
  const served = { title: 'Sample payments', version: '1.0.0', file: 'payments.json', operations: 17 };
  expect(JSON.parse(await running.sees('stdout', '\n'))).toMatchObject({ description: served });
  const status = async () =>
    JSON.parse((await home.payctl(['emulator', 'status', '--jq', '.description'])).stdout) as unknown;
  /** The file is looked at again when something is asked. */
  const sees = async (text: string) => {
    const seen = running.sees('stderr', text).then(() => true);
    const asked = async () => {
      await status();
      return false;
    };
    while (!(await Promise.race([seen, asked()])));
  };
  const becomes = (title: string) =>
    expect.poll(status, { timeout: 20_000, interval: 300 }).toEqual({ ...served, title });
  writeFileSync(file, '{');
  await sees('"code":"description_not_served"');
  await becomes('Sample payments');
  await describe((text) =>
    text
      .replace('Sample payments', 'Others')
      .replaceAll('x-service-merchant-account-id', 'x-acme-merchant-account-id'),
  );
  await becomes('Others');
  await sees('The emulator now serves 17 operations of "Others" 1.0.0 (payments.json).');
  await sees('"code":"header_not_read"');
  running.kill('SIGINT');
  expect((await running.done).code).toBe(0);
}, 60_000);

it('emulator start says how to list the operations that were imported for it', async () => {
  const file = await describe();
  expect(await home.payctl(['api', 'import', file, '--profile', 'emulator'])).toMatchObject({ code: 0 });
  const running = home.start(['emulator', 'start']);
  await running.sees(
    'stderr',
    `The emulator also serves ${SERVED}. List them: payctl api list --profile emulator\n`,
  );
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

it('a 404 names the description that the running emulator serves in place of the imported one', async () => {
  expect(await home.payctl(['api', 'import', await describe(), '--profile', 'emulator'])).toMatchObject({
    code: 0,
  });
  const other = join(home.path, 'other.json');
  const paths = { '/letters': { get: { responses: { 204: { description: 'Done' } } } } };
  writeFileSync(other, JSON.stringify({ openapi: '3.1.0', info: { title: 'Letters', version: '2' }, paths }));
  const running = home.start(['emulator', 'start', '--description', other]);
  await running.sees('stdout', '\n');
  const list = await home.payctl(['transactions', 'list', '--profile', 'emulator']);
  expect({ stdout: list.stdout, code: list.code }).toEqual({ stdout: '', code: 5 });
  expect(list.stderr).toContain(
    '\nLikely cause: the running emulator serves "Letters", and not "Sample payments"\nTry: payctl emulator status\n',
  );
  const buyer = await home.payctl(
    'buyers get fe26475d-ec3e-4884-9553-f7356683f7f9 --profile emulator'.split(' '),
  );
  expect(buyer.code).toBe(5);
  expect(buyer.stderr).not.toContain('the running emulator serves');
  running.kill('SIGINT');
  expect((await running.done).code).toBe(0);
  const again = await home.payctl(['transactions', 'list', '--profile', 'emulator', '-q']);
  expect(again).toMatchObject({ code: 0, stderr: '' });
});
