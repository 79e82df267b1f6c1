/** A value together with its type, as D-Bus carries what is not known in advance. */
export type Variant = { readonly signature: string; readonly value: unknown };

const ALIGNMENT: Readonly<Record<string, number>> = { y: 1, g: 1, v: 1, '(': 8, '{': 8 };

/** The first place at or after `offset` where a value of this type may begin. */
export function aligned(offset: number, type: string): number {
  const step = ALIGNMENT[type.charAt(0)] ?? 4;
  return Math.ceil(offset / step) * step;
}

/** The complete types of a signature, one after the other: `sa{sv}` is `s` and `a{sv}`. */
export function typesIn(signature: string): string[] {
  const types: string[] = [];
  for (let rest = signature; rest !== ''; ) {
    const type = rest.slice(0, lengthOfType(rest));
    types.push(type);
    rest = rest.slice(type.length);
  }
  return types;
}

function lengthOfType(signature: string): number {
  const [first = ''] = signature;
  if (first === 'a') return 1 + lengthOfType(signature.slice(1));
  if (!'({'.includes(first)) return 1;
  let depth = 0;
  for (const [index, letter] of [...signature].entries()) {
    if ('({'.includes(letter)) depth += 1;
    if (')}'.includes(letter)) depth -= 1;
    if (depth === 0) return index + 1;
  }
  throw new Error(`the signature ${signature} does not end`);
}

/** @throws Error when the value is no array, struct or dictionary. */
export function listFrom(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error('a list is missing');
}

/** @throws Error when the value is no array of bytes. */
export function bytesFrom(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value;
  throw new Error('bytes are missing');
}

/** @throws Error when the value is no variant. */
export function variantFrom(value: unknown): Variant {
  if (typeof value === 'object' && value !== null && 'signature' in value && 'value' in value) {
    return { signature: String(value.signature), value: value.value };
  }
  throw new Error('a variant is missing');
}
