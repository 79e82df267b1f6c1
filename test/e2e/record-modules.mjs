// Preloaded with --import: writes what a run loads, one name a line, into the file that LOADED_MODULES names.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const { LOADED_MODULES } = process.env;
const builtin = new Set(process.moduleLoadList);

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(LOADED_MODULES, `${url}\n`);
    return nextLoad(url, context);
  },
});

process.on('exit', () => {
  const later = process.moduleLoadList.filter((name) => !builtin.has(name));
  for (const name of later) appendFileSync(LOADED_MODULES, `${name}\n`);
});
