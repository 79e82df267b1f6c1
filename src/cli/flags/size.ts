import { quote } from '../../text/format.ts';
import { FlagError } from './types.ts';

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };

/** The largest size that a flag takes. */
const LARGEST = '4GB';

/** Bytes of a size such as `64MB`, from `least` to 4 GB. @throws FlagError */
export function readSize(text: string, flag: string, least = '1kB'): number {
  const bytes = bytesOf(text);
  if (bytes >= bytesOf(least) && bytes <= bytesOf(LARGEST)) return bytes;
  throw new FlagError(
    `${flag} must be a size from ${least} to ${LARGEST}, not ${quote(text)}`,
    'Use a size such as 64MB.',
  );
}

function bytesOf(text: string): number {
  const [, digits = '', unit = 'b'] = /^(\d{1,12})\s*([kmg]?b)?$/i.exec(text) ?? [];
  return digits === '' ? Number.NaN : Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
}
