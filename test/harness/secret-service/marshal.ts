import { aligned, bytesFrom, listFrom, typesIn, variantFrom } from './types.ts';

/**
 * Values as D-Bus writes them, little-endian, one for each complete type of the signature. `ay` is a Buffer, other arrays
 * and structs are arrays, dictionaries arrays of pairs, variants `Variant`. Of the numbers only `y`, `b` and `u` are known.
 */
export function marshal(signature: string, values: readonly unknown[]): Buffer {
  const out: number[] = [];
  writeAll(out, signature, values);
  return Buffer.from(out);
}

function writeAll(out: number[], signature: string, values: Iterable<unknown>): void {
  const rest = Iterator.from(values);
  for (const type of typesIn(signature)) write(out, type, rest.next().value);
}

function write(out: number[], type: string, value: unknown): void {
  pad(out, type);
  switch (type.charAt(0)) {
    case 'y':
      out.push(Number(value));
      break;
    case 'b':
    case 'u':
      out.push(...uint32(Number(value)));
      break;
    case 's':
    case 'o':
      writeText(out, String(value), uint32);
      break;
    case 'g':
      writeText(out, String(value), (length) => [length]);
      break;
    case 'v':
      writeVariant(out, value);
      break;
    case 'a':
      writeArray(out, type.slice(1), value);
      break;
    case '(':
    case '{':
      writeAll(out, type.slice(1, -1), listFrom(value));
      break;
    default:
      throw new Error(`the type ${type} cannot be written`);
  }
}

function pad(out: number[], type: string): void {
  while (out.length < aligned(out.length, type)) out.push(0);
}

function uint32(value: number): number[] {
  return [...new Uint8Array(Uint32Array.of(value).buffer)];
}

function writeText(out: number[], text: string, size: (length: number) => number[]): void {
  const bytes = Buffer.from(text);
  out.push(...size(bytes.length));
  for (const byte of bytes) out.push(byte);
  out.push(0);
}

function writeVariant(out: number[], value: unknown): void {
  const variant = variantFrom(value);
  write(out, 'g', variant.signature);
  write(out, variant.signature, variant.value);
}

/** The length is that of the elements alone, without what aligns the first of them. */
function writeArray(out: number[], type: string, value: unknown): void {
  const lengthAt = out.length;
  out.push(...uint32(0));
  pad(out, type);
  const start = out.length;
  for (const element of type === 'y' ? bytesFrom(value) : listFrom(value)) write(out, type, element);
  out.splice(lengthAt, 4, ...uint32(out.length - start));
}
