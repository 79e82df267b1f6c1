import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRawAsset } from 'node:sea';
import { dataDirectory, readEnvironment } from '../config/environment.ts';
import { makeDirectory } from '../files/make-directory.ts';

/**
 * Loads the native binding of a package from the assets of this executable. An operating system loads it from a file only, so it
 * is written to a folder that nobody else can enter, and deleted as soon as it is loaded. Windows keeps a loaded file: there it
 * stays in the data directory, and is used again only if it has the same bytes.
 * @throws Error if the executable was built without it, or if no folder lets it be loaded
 */
export function loadBinding(name: string): unknown {
  const bytes = Buffer.from(getRawAsset(`bindings/${name}.node`) as ArrayBuffer);
  if (process.platform === 'win32') return open(keep(bytes));
  try {
    return openOnce(bytes, tmpdir());
  } catch {
    // Programs may be forbidden there, or it may be full.
    const folder = dataDirectory(readEnvironment());
    makeDirectory(folder);
    return openOnce(bytes, folder);
  }
}

function openOnce(bytes: Buffer, parent: string): unknown {
  const folder = mkdtempSync(join(parent, 'payctl-binding-'));
  try {
    const file = join(folder, 'binding.node');
    writeFileSync(file, bytes, { mode: 0o600 });
    return open(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function keep(bytes: Buffer): string {
  const folder = dataDirectory(readEnvironment());
  const file = join(folder, `binding-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.node`);
  if (existsSync(file) && readFileSync(file).equals(bytes)) return file;
  makeDirectory(folder);
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, bytes);
  renameSync(draft, file);
  return file;
}

function open(file: string): unknown {
  const module = { exports: {} };
  process.dlopen(module, file);
  return module.exports;
}
