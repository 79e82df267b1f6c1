import { MASK } from '../../contract/secret-names.ts';
import type { BodyPart } from '../../descriptions/byte-source.ts';
import { plural } from '../../text/format.ts';
import { isHiddenPair, isSecretPair, namesIn } from '../secrets/form-text.ts';

/** Characters of a text that a line shows. */
const LONGEST = 300;

/** Which texts of parts are masked: `secrets`, or for a log `texts`, which leaves short numbers. */
export type PartMask = 'secrets' | 'texts';

/** The parts of a body, a line each: `reason=fraud`, `file=@evidence.pdf (application/pdf, 120 bytes)`. Never the bytes of a file. */
export function partLines(parts: readonly BodyPart[], mask: PartMask): readonly string[] {
  return parts.map((part) => {
    const { name, fileName, type } = part;
    const start = name === undefined ? '' : `${oneLine(name)}=`;
    const value = shownValue(part, mask);
    if (value !== null) return `${start}${oneLine(value)}${type === 'text/plain' ? '' : ` (${type})`}`;
    const file = fileName === undefined ? '' : `@${oneLine(fileName)} `;
    return `${start}${file}(${type}, ${sizeOf(part)})`;
  });
}

/** The same for a JSON document; each member is always there. */
export function partRecords(parts: readonly BodyPart[]) {
  return parts.map((part) => ({
    name: part.name ?? null,
    value: shownValue(part, 'secrets'),
    file: part.fileName ?? null,
    media_type: part.type,
    size: part.size ?? null,
  }));
}

function shownValue({ name, text }: BodyPart, mask: PartMask): string | null {
  if (text === undefined) return null;
  const isMasked = mask === 'secrets' ? isSecretPair : isHiddenPair;
  return isMasked({ names: namesIn(name ?? ''), text }) ? MASK : text;
}

function oneLine(text: string): string {
  const short =
    text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}... (${text.length} characters)` : text;
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(short) ? JSON.stringify(short) : short;
}

function sizeOf({ size }: BodyPart): string {
  return size === undefined ? 'size unknown' : plural(size, 'byte');
}
