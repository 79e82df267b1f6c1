/** The emulator: from the start of the process to its first answer, the seeding of many records, and requests per second. */
import { join } from 'node:path';
import { contest } from './load.ts';
import { leastOf } from './measure.ts';
import { packagePeer, programPeer } from './peers.ts';
import { root } from './programs.ts';
import { report } from './row.ts';
import { askOnce, startEmulator, startPrism, startStripeMock } from './servers.ts';

/** Milliseconds from the start of the process to its base URL, and to its first answer. */
async function start(flags: readonly string[]): Promise<{ ready: number; answered: number }> {
  const server = await startEmulator(flags);
  const asked = performance.now();
  await askOnce(server, '/buyers');
  const answered = server.ready + performance.now() - asked;
  await server.stop();
  return { ready: server.ready, answered };
}

const seeded: number[] = [];
for (const seed of ['1', '2']) seeded.push((await start(['--buyers', '100000', '--seed', seed])).ready);
await start(['--buyers', '250']);
const times: number[] = [];
for (let round = 0; round < 20; round += 1) times.push((await start([])).answered);
report({
  name: 'emulator, start to first answer',
  unit: 'ms',
  values: leastOf(times),
  bar: { atMost: 150 },
});
report({
  name: 'emulator, start with 100,000 buyers to make',
  unit: 'ms',
  values: leastOf(seeded),
  bar: { atMost: 5000 },
});

const path = '/buyers?limit=20';
const emulator = await startEmulator();
const ours = { server: emulator, asks: [['GET', path]] } as const;
const prism = packagePeer('prism');
if (prism) {
  const other = await startPrism(prism, join(root, 'openapi', 'openapi.yaml'), path);
  await contest(`emulator, GET ${path}`, [ours, { server: other, asks: [['GET', path]] }], 10);
  await other.stop();
}
const stripeMock = programPeer('stripe-mock');
if (stripeMock) {
  const other = await startStripeMock(stripeMock);
  const asks = [['GET', '/v1/customers?limit=20']] as const;
  await contest(`emulator, GET ${path}, against its list of customers`, [ours, { server: other, asks }]);
  await other.stop();
}
await emulator.stop();
process.exit();
