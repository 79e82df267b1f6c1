import type { Script } from 'node:vm';

/** Where the loader takes the files of the program from. */
export type ProgramSource = {
  /** The prefix of the path of each file, with its separator. Stack traces show it, and files are recognised by it. */
  readonly inside: string;
  /** The code of a file, by its path in dist/ with slashes. */
  code(name: string): string;
  /** The code that V8 compiled in earlier runs. */
  compiled(name: string): Buffer | undefined;
  /** A package that is not part of the code. */
  require(name: string): unknown;
};

type Module = { exports: unknown };
type Require = (specifier: string) => unknown;
type Wrapper = (exports: unknown, require: Require, module: Module, filename: string) => void;

/** How a wrapped file begins. The rest differs in those that others bundle (`scripts/library.ts`). */
const MARK = '(run=>';
/**
 * Returns the function of a file when run as a script, and calls it when Node's loader, or a bundler, has wrapped the file. A thread of
 * an executable has a global `module`.
 */
const BEFORE = `${MARK}typeof module>"u"||module===globalThis.module?run:run(exports,require,module,__filename))(function(exports,require,module,__filename){`;

/**
 * Wraps the code of a CommonJS file in a form that both this loader and Node's can run. The build writes wrapped chunks, because
 * wrapping them at run time would copy each of them.
 */
export function wrapped(code: string): string {
  return `${BEFORE}${code}\n})`;
}

/** The script of a file, which returns its function. */
export function scriptOf(code: string, filename: string, cachedData: Buffer | undefined): Script {
  const { Script } = process.getBuiltinModule('node:vm');
  const isWrapped = code.startsWith(MARK);
  // Stack traces show the column in the file.
  const columnOffset = isWrapped ? 0 : -BEFORE.length;
  return new Script(isWrapped ? code : wrapped(code), { filename, columnOffset, cachedData });
}

/**
 * Loads CommonJS files of the program with their compiled code, each when it is first required: faster than Node does it, and
 * inside an executable, where Node can only run a single file. `scripts` has what was loaded, by name.
 */
export function createLoader(source: ProgramSource) {
  const modules = new Map<string, Module>();
  const scripts = new Map<string, Script>();

  function load(name: string): unknown {
    const loaded = modules.get(name);
    if (loaded) return loaded.exports;
    // Without a prototype, V8 takes many properties in less time.
    const module: Module = { exports: Object.create(null) };
    modules.set(name, module);
    const filename = source.inside + name;
    const script = scriptOf(source.code(name), filename, source.compiled(name));
    scripts.set(name, script);
    const run: Wrapper = script.runInThisContext();
    run.call(module.exports, module.exports, (specifier) => requireFrom(name, specifier), module, filename);
    return module.exports;
  }

  function requireFrom(name: string, specifier: string): unknown {
    if (specifier.startsWith('.')) return load(pathFrom(name, specifier));
    if (specifier.startsWith(source.inside)) {
      return load(specifier.slice(source.inside.length).replaceAll('\\', '/'));
    }
    return process.getBuiltinModule(specifier) ?? source.require(specifier);
  }

  return { load, scripts };
}

/** The path of a file that another one names, such as `../chunks/start.cjs`. Node's own functions read a path letter by letter. */
function pathFrom(name: string, specifier: string): string {
  let folder = folderOf(name);
  let rest = specifier;
  while (rest.startsWith('./') || rest.startsWith('../')) {
    if (rest.startsWith('../')) folder = folderOf(folder.slice(0, -1));
    rest = rest.slice(rest.indexOf('/') + 1);
  }
  return folder + rest;
}

/** What is before the last part of a path, with its slash. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
