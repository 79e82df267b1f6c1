import type { Plugin } from 'rolldown';

/**
 * Takes Node's own modules by `process.getBuiltinModule`. An ES import of one makes Node build a facade, which touches
 * every export and so loads what is behind the lazy ones: fs its streams and promises, http the whole of fetch.
 */
export const directBuiltins: Plugin = {
  name: 'direct-builtins',
  resolveId: {
    filter: { id: /^node:/ },
    // rolldown's own runtime needs node:module before any other module of the bundle exists.
    handler: (id, importer) => (importer?.startsWith('\0') ? null : `\0builtin:${id}`),
  },
  load: {
    filter: { id: /^\0builtin:/ },
    handler: (id) =>
      `module.exports = process.getBuiltinModule(${JSON.stringify(id.slice('\0builtin:'.length))});`,
  },
};

/**
 * Makes oclif's modules load when they are first used instead of all at start-up: each top-level
 * `const name_1 = require("x")` of its compiled CommonJS becomes a function that requires on the first call. Behaviour is
 * the same; a command that only parses its flags no longer pays for help, globbing, spinners and templates.
 */
export const deferOclifRequires: Plugin = {
  name: 'defer-oclif-requires',
  transform: {
    filter: { id: /[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/ },
    handler: (code, id) => {
      const silent = /lib[\\/]command\.js$/.test(id) ? withoutStdoutHandler(code) : code;
      return { code: deferRequires(silent), map: null };
    },
  },
};

/** oclif listens to errors of stdout while it loads and throws them; payctl's own sink has to have them. */
function withoutStdoutHandler(code: string): string {
  const handler = /^process\.stdout\.on\('error',[\s\S]*?^\}\);$/m;
  if (!handler.test(code))
    throw new Error('oclif changed: its command no longer listens to errors of stdout');
  return code.replace(handler, '');
}

/** Rewrites the top-level requires of a module compiled by TypeScript; exported for its test. */
export function deferRequires(source: string): string {
  const names: string[] = [];
  const deferred = source.replace(
    /^const (\w+_\d+) = ((?:__importDefault|__importStar)?\(?require\("[^"]+"\)\)?);$/gm,
    (_, name: string, expression: string) => {
      names.push(name);
      return `let ${name}$value; const ${name}$ = () => (${name}$value ??= ${expression});`;
    },
  );
  return names.reduce(
    (text, name) => text.replace(new RegExp(`(?<![\\w$.])${name}(?![\\w$])`, 'g'), `(${name}$())`),
    deferred,
  );
}

const NO_SCHEMAS = '\0conf-without-schemas';

/**
 * Leaves out the JSON Schema validator that conf loads with every store. payctl gives conf no schema; the validator would
 * compile code at run time, which Node can be told to refuse.
 */
export const confWithoutSchemas: Plugin = {
  name: 'conf-without-schemas',
  resolveId: {
    filter: { id: /^ajv(-formats$|\/)/ },
    handler: (_id, importer) => (/[\\/]node_modules[\\/]conf[\\/]/.test(importer ?? '') ? NO_SCHEMAS : null),
  },
  load: {
    filter: { id: /^\0conf-without-schemas$/ },
    handler: () => `
      export class Ajv2020 {
        constructor() { throw new TypeError('conf was given a schema, and is bundled without a validator'); }
      }
      export default {};`,
  },
};

const UNDICI_PARTS = '\0undici-parts';

/**
 * Takes the parts of undici that the transport uses instead of its index (fetch, web sockets, caches, mocks), and
 * keeps HTTP/2, which the transport switches off, from being loaded.
 */
export function narrowUndici(root: string): Plugin {
  return {
    name: 'narrow-undici',
    resolveId: {
      order: 'pre',
      handler(id, importer) {
        if (importer === UNDICI_PARTS) return this.resolve(id, `${root}/package.json`);
        return id === 'undici' ? UNDICI_PARTS : null;
      },
    },
    load: {
      filter: { id: /^\0undici-parts$/ },
      handler: () => `
        import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
        import Pool from 'undici/lib/dispatcher/pool.js';
        import buildConnector from 'undici/lib/core/connect.js';
        import request from 'undici/lib/api/api-request.js';
        Dispatcher.prototype.request = request;
        export { buildConnector, Pool };`,
    },
    transform: {
      filter: { id: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/ },
      handler: (code) => ({
        code: replaceOnce(
          code,
          "const connectH2 = require('./client-h2.js')",
          "const connectH2 = (...args) => require('./client-h2.js')(...args)",
        ),
        map: null,
      }),
    },
  };
}

function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`undici changed: "${from}" is not there exactly once`);
  return text.replace(from, to);
}
