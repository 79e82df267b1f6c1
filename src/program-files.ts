import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';

/**
 * The files of the program that are not loaded as its code: help, what shells complete, the commands as a table. They are
 * next to the program, or inside it where it is one executable. No other file knows which of the two it is.
 *
 * The path of a file inside the executable begins with that of the executable, where nothing can be on a disk.
 */
const INSIDE = process.execPath + sep;

/** Whether there is such a file or folder of the program. */
export function programFileExists(path: string): boolean {
  const name = nameInside(path);
  if (name === undefined) return existsSync(path);
  return namesInside().some((known) => known === name || known.startsWith(`${name}/`));
}

/**
 * Reads a text of the program.
 * @throws Error if there is no such file
 */
export function readProgramFile(path: string): string {
  const name = nameInside(path);
  return name === undefined ? readFileSync(path, 'utf8') : executable().getAsset(name, 'utf8');
}

/**
 * Reads a file that the build has packed with Zstandard; `path` is without its `.zst`. For what is large and seldom needed.
 * @throws Error if there is no such file
 */
export function readPackedFile(path: string): Buffer {
  const name = nameInside(path);
  const packed =
    name === undefined ? readFileSync(`${path}.zst`) : Buffer.from(executable().getRawAsset(`${name}.zst`));
  return process.getBuiltinModule('node:zlib').zstdDecompressSync(packed);
}

/** The files below a folder of the program, as paths from there with slashes. */
export function listProgramFiles(folder: string): readonly string[] {
  const name = nameInside(folder);
  if (name === undefined) {
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return sep === '/' ? paths : paths.map((path) => path.replaceAll(sep, '/'));
  }
  const prefix = `${name}/`;
  return namesInside().flatMap((known) => (known.startsWith(prefix) ? [known.slice(prefix.length)] : []));
}

/** What `new Worker` needs to run a file of the program in a thread. */
export function programThread(path: string): {
  readonly code: string;
  readonly options: { readonly eval?: true; readonly workerData?: string };
} {
  const name = nameInside(path);
  if (name === undefined) return { code: path, options: {} };
  const code = executable().getAsset(THREAD, 'utf8');
  return { code, options: { eval: true, workerData: name } };
}

/** The asset that loads another one in a thread; `src/executable/thread.ts`. */
const THREAD = 'thread.cjs';

function nameInside(path: string): string | undefined {
  return path.startsWith(INSIDE) ? path.slice(INSIDE.length).replaceAll(sep, '/') : undefined;
}

function namesInside(): readonly string[] {
  return executable().getAssetKeys();
}

function executable(): typeof import('node:sea') {
  return process.getBuiltinModule('node:sea');
}
