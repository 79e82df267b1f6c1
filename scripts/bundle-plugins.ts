import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
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
 * Loads a command by `require`. The bundle is CommonJS, for which Node needs a tenth of the time of ES modules to start; an `import()` of
 * a path would bring their loader in again.
 */
export const commandsByRequire: Plugin = {
  name: 'commands-by-require',
  transform: {
    filter: { id: /[\\/]src[\\/]cli[\\/]load-command\.ts$/ },
    handler: (code) => ({
      code: replaceOnce(code, 'await import(pathToFileURL(file).href)', 'require(file)'),
      map: null,
    }),
  },
};

/** Loads the binding of the keychain by `require`, as everything else of the bundle, so that an executable can give its own. */
export const bindingByRequire: Plugin = {
  name: 'binding-by-require',
  transform: {
    filter: { id: /[\\/]src[\\/]credentials[\\/]keychain\.ts$/ },
    handler: (code) => ({
      code: replaceOnce(code, "await import('@napi-rs/keyring')", "require('@napi-rs/keyring')"),
      map: null,
    }),
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

/**
 * What payctl never calls of its libraries: oclif's configuration, help, spinners and printed errors, which payctl replaces;
 * undici's HTTP/2, and the bodies of fetch.
 */
const NEVER_CALLED = [
  /[\\/]@oclif[\\/]core[\\/]lib[\\/](config|help)[\\/]/,
  /[\\/]@oclif[\\/]core[\\/]lib[\\/]ux[\\/](index|action[\\/].*)\.js$/,
  /[\\/]@oclif[\\/]core[\\/]lib[\\/]errors[\\/](handle|errors[\\/]pretty-print)\.js$/,
  /[\\/]node_modules[\\/](wrap-ansi|indent-string|clean-stack)[\\/]/,
  /[\\/]undici[\\/]lib[\\/]web[\\/]/,
  /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/,
];

/** What oclif logs for its own developers; it would print what payctl redacts. */
const DEBUG = /[\\/]node_modules[\\/]debug[\\/]src[\\/]index\.js$/;

/** Leaves out what is never called, so that start-up does not read it. Calling it all the same throws. */
export const omitUnused: Plugin = {
  name: 'omit-unused',
  load: {
    filter: { id: [DEBUG, ...NEVER_CALLED] },
    handler(id) {
      if (DEBUG.test(id)) return { code: 'module.exports = () => () => {};', moduleType: 'js' };
      const name = id.replaceAll('\\', '/').replace(/^.*\/node_modules\//, '');
      const message = JSON.stringify(`payctl is built without ${name}`);
      const code = `const omitted = () => { throw new TypeError(${message}); };
        module.exports = new Proxy(omitted, { get: (_, key) => (key === '__esModule' ? undefined : omitted) });`;
      return { code, moduleType: 'js' };
    },
  },
};

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

/** What undici needs of modules of Node that take longer to load than to replace, by their names. */
const NODE_FOR_UNDICI: Readonly<Record<string, string>> = {
  '\0undici-assert': `module.exports = (holds, message) => {
    if (holds) return;
    if (message instanceof Error) throw message;
    throw Object.assign(new Error(message ?? 'An assertion of undici failed'), { code: 'ERR_ASSERTION' });
  };`,
  // The type of a body that payctl never sends, and Node's own limit of the headers of a response.
  '\0undici-http': 'module.exports = { IncomingMessage: class {}, maxHeaderSize: 16384 };',
};

/** Finds the usual names of headers faster, after a start that is slower by more: what is not found is converted. */
const NO_TREE = 'exports.tree = { lookup: () => undefined };';

/** The tables of llhttp that undici reads. The others are computed from each other, each time the module is loaded. */
function llhttpTables(file: string): string {
  const tables = createRequire(file)(file) as Record<string, unknown>;
  const user = readFileSync(join(dirname(file), '../dispatcher/client-h1.js'), 'utf8');
  const names = new Set([...user.matchAll(/\bconstants\.(\w+)/g)].map(([, name = '']) => name));
  return `module.exports = ${JSON.stringify(Object.fromEntries([...names].map((name) => [name, tables[name]])))};`;
}

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
      filter: {
        id: /[\\/]undici[\\/]lib[\\/](core[\\/]tree|llhttp[\\/](constants|llhttp_simd-wasm)|dispatcher[\\/]client-h1)\.js$/,
      },
      handler(code, id) {
        const name = basename(id);
        if (name === 'tree.js') return { code: NO_TREE, map: null };
        if (name === 'constants.js') return { code: llhttpTables(id), map: null };
        // As Node bundles it: without the parser that is an experiment.
        if (name === 'client-h1.js')
          return { code: code.replaceAll("typeof esbuildDetection === 'undefined'", 'false'), map: null };
        return { code: "module.exports = require('./llhttp-wasm.js');", map: null };
      },
    },
  };
}

function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`"${from}" is not there exactly once`);
  return text.replace(from, to);
}
