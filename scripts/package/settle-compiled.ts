/**
 * Writes the compiled code of all files again, in a process that runs none of them: V8 numbers functions in the order in which it
 * meets them, which in a run depends on what ends first. Argument: the folder of the compiled files.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { scriptOf } from '../../src/start/loader.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const [folder = ''] = process.argv.slice(2);
for (const name of globSync('**/*.cjs', { cwd: folder })
  .map((found) => found.replaceAll(sep, '/'))
  .sort()) {
  const file = join(folder, name);
  const code = readFileSync(join(dist, name), 'latin1');
  const script = scriptOf(code, `${sep}payctl${sep}${name}`, readFileSync(file));
  if (script.cachedDataRejected) throw new Error(`V8 refuses what it has compiled of ${name}`);
  writeFileSync(file, script.createCachedData());
}
