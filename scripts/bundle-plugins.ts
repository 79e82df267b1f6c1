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

/** oclif's own modules that are shortened, and what becomes of their code. */
const SHORTENED: readonly (readonly [file: RegExp, shorten: (code: string) => string])[] = [
  [/lib[\\/]command\.js$/, withoutStdoutHandler],
  [/lib[\\/]parser[\\/]parse\.js$/, withoutDebugLog],
];

/**
 * Makes oclif's modules load when they are first used instead of all at start-up: each top-level
 * `const name_1 = require("x")` of its compiled CommonJS becomes a function that requires on the first call. Behaviour is
 * the same; a command that only parses its flags no longer pays for help, globbing, spinners, templates and errors.
 */
export const deferOclifRequires: Plugin = {
  name: 'defer-oclif-requires',
  transform: {
    filter: { id: /[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/ },
    handler: (code, id) => {
      const shorten = SHORTENED.find(([file]) => file.test(id))?.[1];
      return { code: deferRequires(shorten?.(code) ?? code), map: null };
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

/** The parser lays out all flags for its debug log, which payctl leaves out. */
function withoutDebugLog(code: string): string {
  return ['this._debugInput();', 'this._debugOutput(argv, args, flags);'].reduce(
    (text, call) => replaceOnce(text, call, ''),
    code,
  );
}

/** Rewrites the top-level requires of a module compiled by TypeScript; exported for its test. */
export function deferRequires(source: string): string {
  const names: string[] = [];
  const deferred = source.replace(
    /^(?:const|var) (\w+_\d+|Errors|Parser) = ((?:__importDefault|__importStar)?\(?require\("[^"]+"\)\)?);$/gm,
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
