import { UsageError } from '../../errors.ts';
import { firstInvalidByte } from '../../files/read-file.ts';

/**
 * Refuses arguments that Node could not decode: it replaces bytes that are not UTF-8 by U+FFFD, and a service would store
 * that. Where `raw` has the bytes, U+FFFD that was typed is accepted; elsewhere it is refused, too.
 * @throws UsageError `not_utf8`, which names the flag and shows nothing of its value but one byte
 */
export function requireUtf8Arguments(argv: readonly string[], raw: readonly Buffer[] | undefined): void {
  // Other arguments than those of this process were not decoded by Node.
  if (raw?.some((bytes, index) => bytes.toString() !== argv[index])) return;
  for (const [index, text] of argv.entries()) {
    const bytes = raw?.[index];
    const invalid = bytes && firstInvalidByte(bytes);
    if (!text.includes('\uFFFD') || (bytes && invalid === bytes.length)) continue;
    const found =
      bytes === undefined || invalid === undefined
        ? 'it contains U+FFFD, which stands for bytes that could not be decoded'
        : `byte ${invalid + 1} is 0x${bytes[invalid]?.toString(16)}`;
    throw new UsageError('not_utf8', `${nameOf(argv, index)} is not valid UTF-8: ${found}`, {
      hint: 'Use a terminal and files in UTF-8. A file is converted with: iconv -f latin1 -t utf-8',
    });
  }
}

function nameOf(argv: readonly string[], index: number): string {
  const [, own] = /^(--?[\w-]+)=/.exec(argv[index] ?? '') ?? [];
  const [before] = /^--?[\w-]+$/.exec(argv[index - 1] ?? '') ?? [];
  if (own) return `The value of ${own}`;
  return before ? `The argument after ${before}` : `Argument ${index + 1}`;
}

/** The last arguments of this process as bytes; undefined where the system does not show them. */
export function rawArguments(count: number): Buffer[] | undefined {
  if (process.platform !== 'linux') return undefined;
  const line = process.getBuiltinModule('node:fs').readFileSync('/proc/self/cmdline');
  const found: Buffer[] = [];
  for (let from = 0; from < line.length; ) {
    const end = line.indexOf(0, from);
    found.push(line.subarray(from, end));
    from = end + 1;
  }
  return found.slice(-count);
}
