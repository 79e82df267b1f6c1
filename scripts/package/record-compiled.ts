/**
 * Runs payctl once from dist/ as an executable would, and writes what V8 has compiled of each file: that of earlier runs and of
 * this one. Arguments: `record`, or `check` to write nothing; the folder of the compiled files; the words of a command. Fails where
 * V8 refuses what is in the folder.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { createLoader } from '../../src/start/loader.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const [mode, folder = '', ...words] = process.argv.slice(2);
process.argv.splice(2, Number.POSITIVE_INFINITY, ...words);

// Compiled code contains the path of its file. That of this machine is nobody's business, so the files are where those of an
// executable called payctl are, and are its assets.
process.execPath = `${sep}payctl`;
const builtins = process.getBuiltinModule;
const assets = {
  getAsset: (name: string) => readFileSync(join(dist, name), 'utf8'),
  getRawAsset: (name: string) => new Uint8Array(readFileSync(join(dist, name))).buffer,
  getAssetKeys: () => globSync('**/*.*', { cwd: dist }).map((name) => name.replaceAll(sep, '/')),
};
process.getBuiltinModule = ((name: string) =>
  name === 'node:sea' ? assets : builtins(name)) as typeof builtins;

// On a busy machine a run lasts longer. It still does what it does elsewhere: no timer of a longer time ends, and jq may take any.
const later = globalThis.setTimeout;
const soon = (call: () => void, ms = 0, ...values: []) => later(ms < 200 ? call : () => {}, ms, ...values);
globalThis.setTimeout = Object.assign(soon, later) as typeof later;
const vm = builtins('node:vm');
const { runInContext } = vm;
vm.runInContext = (code, context) => runInContext(code, context);

const { load, scripts } = createLoader({
  inside: process.execPath + sep,
  code: (name) => readFileSync(join(dist, name), 'latin1'),
  compiled(name) {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file) : undefined;
  },
  require(name) {
    throw new Error(`${name} is not needed to record`);
  },
});
process.on('exit', () => {
  for (const [name, script] of scripts) {
    if (script.cachedDataRejected) {
      process.stderr.write(`V8 refuses what it has compiled of ${name}\n`);
      process.exitCode = 1;
    }
    if (mode === 'check') continue;
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, script.createCachedData());
  }
});

if (words.includes('--help')) await (load('help.cjs') as typeof import('../../src/help.ts')).printHelp(words);
else if (words[0] === '__complete')
  await (load('complete.cjs') as typeof import('../../src/complete.ts')).printCompletion(words);
else if (words.join(' ') === 'profiles show --jq .name')
  await (load('profile-name.cjs') as typeof import('../../src/profile-name.ts')).printProfileName();
else await (load('main.cjs') as typeof import('../../src/main.ts')).main();
