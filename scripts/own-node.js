import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const isWindows = process.platform === 'win32';

/** Where npm puts the Node of this platform for a folder whose manifest names the packages of all platforms. */
export function ownNode(folder) {
  const name = `node-${process.platform}-${process.arch}`;
  return join(folder, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
}

/**
 * Makes the own Node the `node` of npm's scripts. npm 11 has done so already. npm 10 makes the link and takes it away again
 * with those of the other platforms' packages, which it tries to install and drops.
 */
export function linkOwnNode(folder) {
  const node = ownNode(folder);
  const bin = join(folder, 'node_modules', '.bin');
  const link = join(bin, isWindows ? 'node.cmd' : 'node');
  if (!existsSync(node) || existsSync(link)) return;
  mkdirSync(bin, { recursive: true });
  rmSync(link, { force: true });
  if (isWindows) writeFileSync(link, `@"%~dp0${relative(bin, node)}" %*\r\n`);
  else symlinkSync(relative(bin, node), link);
}
