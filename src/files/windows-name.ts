import { win32 } from 'node:path';

/** What Windows takes for a device, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[1-9\u00b9\u00b2\u00b3])(?= *(?:\.|$))/i;

/**
 * Why Windows has no file or folder with this path, as half a sentence; undefined where it has, and on other systems. What is written
 * there would go to a device, or into a stream of another file that no listing of its folder shows.
 */
export function windowsNameProblem(path: string): string | undefined {
  if (process.platform !== 'win32') return undefined;
  const { root } = win32.parse(path);
  const parts = path.slice(root.length).split(/[\\/]/);
  const device = parts.map((part) => DEVICE.exec(part)?.[0]).find((name) => name !== undefined);
  if (device !== undefined) return `${device.toUpperCase()} is a device of Windows`;
  const [character] = /[<>:"|?*]/.exec(parts.join('')) ?? [];
  if (character !== undefined) return `names on Windows have no ${character}`;
  const isCut = parts.some((part) => /[^.][. ]$/.test(part));
  return isCut ? 'names on Windows do not end with a dot or a blank' : undefined;
}
