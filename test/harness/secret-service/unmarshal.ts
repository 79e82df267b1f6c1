import { aligned, typesIn } from './types.ts';

type Input = { readonly bytes: Buffer; at: number };

/** The values that `marshal` wrote, in the shapes that it takes. */
export function unmarshal(signature: string, bytes: Buffer): unknown[] {
  return readAll({ bytes, at: 0 }, signature);
}

function readAll(input: Input, signature: string): unknown[] {
  return typesIn(signature).map((type) => read(input, type));
}

function read(input: Input, type: string): unknown {
  input.at = aligned(input.at, type);
  switch (type.charAt(0)) {
    case 'y':
      return take(input, 1).readUInt8();
    case 'b':
      return readUint32(input) !== 0;
    case 'u':
      return readUint32(input);
    case 's':
    case 'o':
      return readText(input, readUint32(input));
    case 'g':
      return readText(input, take(input, 1).readUInt8());
    case 'v': {
      const signature = String(read(input, 'g'));
      return { signature, value: read(input, signature) };
    }
    case 'a':
      return readArray(input, type.slice(1));
    case '(':
    case '{':
      return readAll(input, type.slice(1, -1));
    default:
      throw new Error(`the type ${type} cannot be read`);
  }
}

function take(input: Input, length: number): Buffer {
  const bytes = input.bytes.subarray(input.at, input.at + length);
  input.at += length;
  return bytes;
}

function readUint32(input: Input): number {
  return take(input, 4).readUInt32LE();
}

/** A byte of zero follows each text. */
function readText(input: Input, length: number): string {
  return take(input, length + 1).toString('utf8', 0, length);
}

function readArray(input: Input, type: string): unknown[] | Buffer {
  const length = readUint32(input);
  input.at = aligned(input.at, type);
  if (type === 'y') return take(input, length);
  const end = input.at + length;
  const elements: unknown[] = [];
  while (input.at < end) elements.push(read(input, type));
  return elements;
}
