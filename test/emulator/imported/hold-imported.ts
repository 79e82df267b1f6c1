import { startEmulator } from '../../../src/emulator/server.ts';

/** A process of its own: serves the description in a folder with the data of a directory until it is ended, and prints its URL. */
const [directory = '', folder = ''] = process.argv.slice(2);
const { baseUrl } = await startEmulator({
  directory,
  buyers: 5,
  until: '2025-12-01',
  description: async () => folder,
});
process.stdout.write(`${baseUrl}\n`);
