import { createCodeCache } from './code-cache.ts';
import { codeFolder } from './code-folder.ts';
import { createLoader } from './loader.ts';
import { readAtOnce } from './read-at-once.ts';

/** Set by the build: other code has another name, whatever the time stamps of its files are. */
const BUILD = 'BUILD_OF_PAYCTL';

/**
 * Runs payctl from the folder of this file, with code that earlier runs have compiled. Where there is no safe place for that,
 * or the user has set up Node's own cache or turned it off, Node loads the program as any other.
 */
export async function start(): Promise<void> {
  const folder = codeFolder(BUILD, import.meta.dirname);
  const main = folder === undefined ? requireFile('./main.cjs') : loadMain(folder);
  await (main as typeof import('../main.ts')).main();
}

function loadMain(folder: string): unknown {
  const { sep } = process.getBuiltinModule('node:path');
  const program = import.meta.dirname + sep;
  const cache = createCodeCache({ folder, program, argv: process.argv.slice(2) });
  const { load, scripts } = createLoader({
    inside: program,
    // The build has escaped every character that is not ASCII.
    code: (name) => readAtOnce(program + name).toString('latin1'),
    compiled: cache.compiled,
    require: requireFile,
  });
  const main = load('main.cjs');
  cache.begin(scripts);
  process.on('exit', (code) => {
    if (code === 0) cache.learn(scripts);
  });
  return main;
}

function requireFile(name: string): unknown {
  return process.getBuiltinModule('node:module').createRequire(import.meta.filename)(name);
}
