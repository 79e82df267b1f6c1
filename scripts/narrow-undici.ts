import type { Plugin } from 'rolldown';

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

/** Undici's own modules that are replaced, by the end of their path. */
const REPLACED: Readonly<Record<string, string>> = {
  // Finds the usual names of headers faster, after a start that is slower by more. Undici converts what it does not find.
  'core/tree.js': `class TernarySearchTree {
      insert() {}
      lookup() { return null; }
    }
    module.exports = { TernarySearchTree, tree: new TernarySearchTree() };`,
  // With NODE_DEBUG it prints the address of each request, whose query may hold an API key.
  'core/diagnostics.js': `const channel = { hasSubscribers: false, publish() {} };
    module.exports = { channels: new Proxy({}, { get: () => channel }) };`,
  // One parser, in the form that every processor runs.
  'llhttp/llhttp_simd-wasm.js': "module.exports = require('./llhttp-wasm.js');",
};

/**
 * Takes the parts of undici that the transport uses instead of its index (fetch, web sockets, caches, mocks), and replaces a
 * few modules behind the same exports. `esbuildDetection` is undici's own switch for a build without its experimental parser.
 */
export function narrowUndici(root: string): Plugin {
  return {
    name: 'narrow-undici',
    options: ({ transform, ...options }) => ({
      ...options,
      transform: { ...transform, define: { ...transform?.define, esbuildDetection: '1' } },
    }),
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
      filter: { id: [/^\0undici-/, /[\\/]undici[\\/]lib[\\/]/] },
      handler(id) {
        if (id === UNDICI_PARTS)
          return `import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
            import Pool from 'undici/lib/dispatcher/pool.js';
            import buildConnector from 'undici/lib/core/connect.js';
            import request from 'undici/lib/api/api-request.js';
            Dispatcher.prototype.request = request;
            export { buildConnector, Pool };`;
        const name = id.replaceAll('\\', '/').replace(/^.*\/undici\/lib\//, '');
        return NODE_FOR_UNDICI[id] ?? REPLACED[name] ?? null;
      },
    },
  };
}
