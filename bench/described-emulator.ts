/** The emulator of an imported description of 2 MB: start to first answer, and requests per second compared with Prism. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { largeDescription } from '../test/descriptions/large-description.ts';
import { contest } from './load.ts';
import { leastOf } from './measure.ts';
import { packagePeer } from './peers.ts';
import { folder } from './programs.ts';
import { report } from './row.ts';
import { askOnce, startEmulator, startPrism } from './servers.ts';

const file = join(folder, 'description.json');
const made = JSON.stringify({ amount: 1200, currency: 'EUR', display_name: 'Bench' });
const READS = [
  ['GET', '/invoices?limit=20'],
  ['GET', '/transactions?status=active'],
  ['GET', '/plans'],
] as const;
const WRITES = [['POST', '/invoices', made]] as const;

/** The description of the tests, with as much text as makes it 2 MB. */
function writeDescription(): void {
  const text = JSON.stringify(largeDescription(), (name, value: unknown) =>
    name === 'summary' ? `${String(value)} ${'What this does and when it is of use. '.repeat(330)}` : value,
  );
  if (text.length < 2_000_000) throw new Error(`the description has ${text.length} characters only`);
  writeFileSync(file, text);
}

/** Milliseconds from the start of the process to the first answer of an operation of the description. */
async function timeStart(): Promise<number> {
  const started = performance.now();
  const server = await startEmulator(['--description', file]);
  await askOnce(server, '/invoices');
  const milliseconds = performance.now() - started;
  await server.stop();
  return milliseconds;
}

writeDescription();
// The first start imports the description.
await timeStart();
const times: number[] = [];
for (let round = 0; round < 20; round += 1) times.push(await timeStart());
const name = 'emulator of a description of 2 MB, start to first answer';
report({ name, unit: 'ms', values: leastOf(times), bar: { atMost: 400 } });

const prism = packagePeer('prism');
if (prism) {
  const server = await startEmulator(['--description', file]);
  const other = await startPrism(prism, file, '/invoices');
  await contest(
    'the same, reads',
    [
      { server, asks: READS },
      { server: other, asks: READS },
    ],
    10,
  );
  // Prism keeps nothing: what it writes is made up again.
  await contest(
    'the same, writes',
    [
      { server, asks: WRITES },
      { server: other, asks: WRITES },
    ],
    5,
  );
  await other.stop();
  await server.stop();
}
process.exit();
