import { readFileSync } from 'node:fs';
import { filesOf } from '../../src/emulator/data-files.ts';
import { startEmulator } from '../../src/emulator/server.ts';

/** A process of its own for tests of races: starts an emulator, prints what it found as JSON, and ends. */
const [directory = '', options = '{}'] = process.argv.slice(2);
const emulator = await startEmulator({ directory, ...JSON.parse(options) });
const rows = (sql: string) => emulator.database.prepare(sql).all();
process.stdout.write(
  JSON.stringify({
    key: readFileSync(filesOf(directory).signingKey, 'utf8'),
    keys: rows('SELECT kid, status FROM api_keys'),
    meta: rows("SELECT value FROM meta WHERE name IN ('cursor_secret', 'seed', 'buyers') ORDER BY name"),
    buyers: rows('SELECT count(*) AS total, min(id) AS first FROM buyers'),
  }),
);
await emulator.close();
