/**
 * Code in which everything beyond ASCII is escaped as `\uXXXX`, which means the same in strings, templates and regular
 * expressions. A single other character makes V8 keep a whole file with two bytes for each of its characters, and takes
 * the slow way of decoding it.
 */
export function asciiCode(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
