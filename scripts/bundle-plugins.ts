import { readFileSync } from 'node:fs';
import type { Plugin } from 'rolldown';

/** The modules that Node has loaded before a program starts. Other modules are loaded when they are first used. */
const ALWAYS_LOADED: ReadonlySet<string> = new Set(['node:fs', 'node:path', 'node:url']);

/**
 * Takes Node's own modules by `process.getBuiltinModule`. An ES import of one makes Node build a facade, which touches
 * every export and so loads what is behind the lazy ones: fs its streams and promises, http the whole of fetch. Of what Node
 * has loaded anyway, the imported names are taken alone: a facade of the bundler has a getter for each of the hundred functions of fs.
 */
export const directBuiltins: Plugin = {
  name: 'direct-builtins',
  resolveId: {
    filter: { id: /^node:/ },
    // rolldown's own runtime needs node:module before any other module of the bundle exists.
    handler: (id, importer, { kind }) =>
      importer?.startsWith('\0')
        ? null
        : `\0builtin:${kind === 'import-statement' && ALWAYS_LOADED.has(id) ? 'names:' : ''}${id}`,
  },
  load: {
    filter: { id: /^\0builtin:/ },
    handler(id) {
      const name = id.slice(id.indexOf('node:'));
      const builtin = `process.getBuiltinModule(${JSON.stringify(name)})`;
      if (!id.startsWith('\0builtin:names:')) return `module.exports = ${builtin};`;
      const names = Object.keys(process.getBuiltinModule(name) ?? {}).filter(
        (key) => /^[a-zA-Z]\w*$/.test(key) && key !== 'default',
      );
      return [
        `const builtin = /* @__PURE__ */ ${builtin};`,
        'export default builtin;',
        ...names.map((key) => `const own_${key} = /* @__PURE__ */ (() => builtin.${key})();`),
        `export { ${names.map((key) => `own_${key} as ${key}`).join(', ')} };`,
      ].join('\n');
    },
  },
};

/**
 * Loads a command by `require`. The bundle is CommonJS, for which Node needs a tenth of the time of ES modules to start; an `import()` of
 * a path would bring their loader in again.
 */
export const commandsByRequire: Plugin = {
  name: 'commands-by-require',
  transform: {
    filter: { id: /[\\/]src[\\/]cli[\\/]routing[\\/]load-command\.ts$/ },
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

const LAZY = '\0lazy:';

/**
 * Makes oclif's modules load each other and Node's when they are first used: each `require` of one gets a module that loads
 * it when the first of its exports is read. A command that only parses its flags does without help, globbing and errors.
 */
export const lazyOclif: Plugin = {
  name: 'lazy-oclif',
  resolveId: {
    order: 'pre',
    filter: { id: /^(\.|node:)/ },
    async handler(id, importer = '', { kind }) {
      if (kind !== 'require-call' || !/^[^\0].*[\\/]@oclif[\\/]core[\\/]lib[\\/]/.test(importer)) return null;
      if (id.startsWith('node:')) return LAZY + id;
      const module = await this.resolve(id, importer);
      return module && LAZY + module.id;
    },
  },
  load: {
    filter: { id: /^\0lazy:/ },
    handler(id) {
      const name = id.slice(LAZY.length);
      const isBuiltin = name.startsWith('node:');
      const load = `${isBuiltin ? 'process.getBuiltinModule' : 'require'}(${JSON.stringify(name)})`;
      // Compiled code asks for this mark where it is loaded.
      const get = `(_, key) => key === '__esModule' ? ${!isBuiltin} : (loaded ??= ${load})[key]`;
      return { code: `let loaded; module.exports = new Proxy({}, { get: ${get} });`, moduleType: 'js' };
    },
  },
};

const COMMAND = '\0command-without-stdout';

/** oclif's Command listens to errors of stdout from when it is loaded, and throws them; payctl's own sink has to have them. */
export const commandWithoutStdout: Plugin = {
  name: 'command-without-stdout',
  resolveId: {
    order: 'pre',
    filter: { id: /^@oclif\/core\/command$/ },
    handler: (_id, importer) => (importer === COMMAND ? null : COMMAND),
  },
  load: {
    filter: { id: /^\0command-without-stdout$/ },
    handler: () => ({
      code: `const stdout = Object.getOwnPropertyDescriptor(process, 'stdout');
        Object.defineProperty(process, 'stdout', { configurable: true, value: { on() {} } });
        try {
          module.exports = require('@oclif/core/command');
        } finally {
          Object.defineProperty(process, 'stdout', stdout);
        }`,
      moduleType: 'js',
    }),
  },
};

/**
 * What payctl never calls of its libraries: oclif's configuration, help, spinners and printed errors, which payctl replaces;
 * undici's HTTP/2, and the bodies of fetch; conf's migrations, and its choice of a folder, which asks for the home directory when it is
 * loaded, and some users have none.
 */
const NEVER_CALLED = [
  /[\\/]@oclif[\\/]core[\\/]lib[\\/](config|help)[\\/]/,
  /[\\/]@oclif[\\/]core[\\/]lib[\\/]ux[\\/](index|action[\\/].*)\.js$/,
  /[\\/]@oclif[\\/]core[\\/]lib[\\/]errors[\\/](handle|errors[\\/]pretty-print)\.js$/,
  /[\\/]node_modules[\\/](wrap-ansi|indent-string|clean-stack|env-paths|semver)[\\/]/,
  /[\\/]undici[\\/]lib[\\/]web[\\/]/,
  /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/,
];

/** oclif's debug log, which would print what payctl redacts. */
const DEBUG = /[\\/]node_modules[\\/]debug[\\/]src[\\/]index\.js$/;

/** oclif reads its own version from it and nothing else. */
const MANIFEST = /[\\/]@oclif[\\/]core[\\/]package\.json$/;

/** Leaves out code that is never called, so that start-up does not read it. A call throws. */
export const omitUnused: Plugin = {
  name: 'omit-unused',
  load: {
    filter: { id: [DEBUG, MANIFEST, ...NEVER_CALLED] },
    handler(id) {
      if (MANIFEST.test(id)) {
        const { version }: { version: string } = JSON.parse(readFileSync(id, 'utf8'));
        return { code: JSON.stringify({ version }), moduleType: 'json' };
      }
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

function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`"${from}" is not there exactly once`);
  return text.replace(from, to);
}
