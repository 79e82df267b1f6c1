import { startEmulator } from '../../src/emulator/server.ts';
import { claimServing } from '../../src/emulator/serving.ts';

/**
 * A process of its own for tests of locks: serves the emulator of a directory until it is ended. Prints `running` once it
 * takes requests, or the code of the error that kept it from that; `seeding` comes before where it has to make the data.
 */
const [directory = '', options = '{}'] = process.argv.slice(2);
const interrupt = new AbortController();
process.once('SIGTERM', () => interrupt.abort());
try {
  const serving = claimServing(directory);
  process.stdout.write('claimed\n');
  const emulator = await startEmulator({ directory, signal: interrupt.signal, ...JSON.parse(options) });
  serving.advertise(emulator, new Date());
  process.stdout.write('running\n');
} catch (error) {
  process.stdout.write(`${(error as { code?: string }).code} ${(error as Error).message}\n`);
  process.exitCode = 1;
}
