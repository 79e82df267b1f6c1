import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';

/** How undici asks whether it is bundled into Node. */
const EXPERIMENT = "typeof esbuildDetection === 'undefined'";
const UNDICI_PARTS = '\0undici-parts';

/** Replacements for the parts of Node's modules that undici needs, if they take longer to load than to replace. */
const NODE_FOR_UNDICI: Readonly<Record<string, string>> = {
  '\0undici-assert': `module.exports = (holds, message) => {
    if (holds) return;
    if (message instanceof Error) throw message;
    throw Object.assign(new Error(message ?? 'An assertion of undici failed'), { code: 'ERR_ASSERTION' });
  };`,
  // The type of a body that payctl never sends, and Node's own limit of the headers of a response.
  '\0undici-http': 'module.exports = { IncomingMessage: class {}, maxHeaderSize: 16384 };',
};

/** Undici's own modules that are shortened, by the end of their path: what becomes of their code. */
const SHORTENED: Readonly<Record<string, (code: string, file: string) => string>> = {
  // Finds the usual names of headers faster, after a start that is slower by more. What it does not find is converted.
  'core/tree.js': () => 'exports.tree = { lookup: () => undefined };',
  // undici builds a table of lower-case header names at load. It validates and converts names that are not in the table.
  'core/constants.js': (code, file) => {
    if (!code.includes('headerNameLowerCasedRecord = {}'))
      throw new Error('undici changed: it builds no table of header names');
    const { wellknownHeaderNames: _, headerNameLowerCasedRecord, ...rest } = createRequire(file)(file);
    if (!headerNameLowerCasedRecord) throw new Error('undici changed: it exports no table of header names');
    return `module.exports = { ...${JSON.stringify(rest)}, headerNameLowerCasedRecord: { __proto__: null } };`;
  },
  'core/util.js': (code) => {
    if (code.split('tree.').length !== code.split('tree.lookup(value) ?? value.toString(').length)
      throw new Error('undici changed: it needs its tree of header names');
    return code;
  },
  // The tables that are read: the others are computed from each other, each time the module is loaded.
  'llhttp/constants.js': (_, file) => {
    const tables: Record<string, unknown> = createRequire(file)(file);
    const reader = readFileSync(join(dirname(file), '../dispatcher/client-h1.js'), 'utf8');
    const names = new Set([...reader.matchAll(/\bconstants\.(\w+)/g)].map(([, name = '']) => name));
    return `module.exports = ${JSON.stringify(Object.fromEntries([...names].map((name) => [name, tables[name]])))};`;
  },
  // As Node bundles it: without the parser that is an experiment.
  'dispatcher/client-h1.js': (code) => {
    if (code.split(EXPERIMENT).length !== 3)
      throw new Error('undici changed: its parser is chosen in another way');
    return code.replaceAll(EXPERIMENT, 'false');
  },
  'llhttp/llhttp_simd-wasm.js': () => "module.exports = require('./llhttp-wasm.js');",
};

/**
 * Takes the parts of undici that the transport uses instead of its index (fetch, web sockets, caches, mocks); one of its parsers, in
 * the form that every processor runs; and two modules of Node in the little that it uses of them.
 */
export function narrowUndici(root: string): Plugin {
  return {
    name: 'narrow-undici',
    resolveId: {
      order: 'pre',
      handler(id, importer = '') {
        if (importer === UNDICI_PARTS) return this.resolve(id, `${root}/package.json`);
        if (id === 'undici') return UNDICI_PARTS;
        const own = `\0undici-${id.replace('node:', '')}`;
        return /[\\/]undici[\\/]lib[\\/]/.test(importer) && own in NODE_FOR_UNDICI ? own : null;
      },
    },
    load: {
      filter: { id: /^\0undici-/ },
      handler: (id) =>
        NODE_FOR_UNDICI[id] ??
        `import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
        import Pool from 'undici/lib/dispatcher/pool.js';
        import buildConnector from 'undici/lib/core/connect.js';
        import request from 'undici/lib/api/api-request.js';
        Dispatcher.prototype.request = request;
        export { buildConnector, Pool };`,
    },
    transform: {
      filter: { id: /[\\/]undici[\\/]lib[\\/]/ },
      handler(code, id) {
        const shorten = SHORTENED[id.replaceAll('\\', '/').replace(/^.*\/undici\/lib\//, '')];
        return shorten ? { code: shorten(code, id), map: null } : null;
      },
    },
  };
}
