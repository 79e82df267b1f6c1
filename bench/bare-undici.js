// The floor of a list command on payctl's own library: the same GET by a pool of undici. `start-up.ts` bundles it as the build does.
// Argument: origin.
import { Pool } from 'undici';

async function list() {
  const pool = new Pool(process.argv[2]);
  const headers = { authorization: 'Bearer x' };
  const { body } = await pool.request({ method: 'GET', path: '/buyers?limit=100', headers });
  process.stdout.write(`${JSON.stringify(JSON.parse(await body.text()))}\n`);
  await pool.destroy();
}
void list();
