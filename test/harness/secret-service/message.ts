import { marshal } from './marshal.ts';
import { listFrom, variantFrom } from './types.ts';
import { unmarshal } from './unmarshal.ts';

const KINDS = ['invalid', 'call', 'reply', 'error', 'signal'] as const;

/** The header fields, by their number, with the signature of each. */
const FIELDS = [
  ['', ''],
  ['path', 'o'],
  ['interface', 's'],
  ['member', 's'],
  ['errorName', 's'],
  ['replySerial', 'u'],
  ['destination', 's'],
  ['sender', 's'],
  ['signature', 'g'],
] as const;

type FieldName = Exclude<(typeof FIELDS)[number][0], ''>;

/** A message of D-Bus. `body` holds one value for each type of `signature`. */
export type Message = {
  readonly kind: (typeof KINDS)[number];
  readonly serial: number;
  readonly body: readonly unknown[];
} & { readonly [Name in FieldName]?: string | number };

const HEADER = 'yyyyuua(yv)';
const LITTLE_ENDIAN = 'l'.charCodeAt(0);

/** A message as it is sent. */
export function encodeMessage(message: Message): Buffer {
  const body = marshal(String(message.signature ?? ''), message.body);
  const fields = FIELDS.flatMap(([name, signature], number) => {
    const value = name === '' ? undefined : message[name];
    return value === undefined ? [] : [[number, { signature, value }]];
  });
  const kind = KINDS.indexOf(message.kind);
  const header = marshal(HEADER, [LITTLE_ENDIAN, kind, 0, 1, body.length, message.serial, fields]);
  return Buffer.concat([header, Buffer.alloc(-header.length & 7), body]);
}

/** The first message of what has arrived, and the bytes that follow it; undefined while it is not complete. */
export function takeMessage(bytes: Buffer): { message: Message; rest: Buffer } | undefined {
  if (bytes.length < 16) return undefined;
  const headerLength = 16 + bytes.readUInt32LE(12);
  const bodyAt = headerLength + (-headerLength & 7);
  const end = bodyAt + bytes.readUInt32LE(4);
  if (bytes.length < end) return undefined;
  const [, kind, , , , serial, fields] = unmarshal(HEADER, bytes);
  const named = fieldsFrom(fields);
  const body = unmarshal(String(named.signature ?? ''), bytes.subarray(bodyAt, end));
  const message = { kind: KINDS[Number(kind)] ?? 'invalid', serial: Number(serial), body, ...named };
  return { message, rest: bytes.subarray(end) };
}

function fieldsFrom(list: unknown): { [Name in FieldName]?: string | number } {
  const named: { [Name in FieldName]?: string | number } = {};
  for (const field of listFrom(list)) {
    const [number, variant] = listFrom(field);
    const [name] = FIELDS[Number(number)] ?? FIELDS[0];
    const { value } = variantFrom(variant);
    if (name) named[name] = typeof value === 'number' ? value : String(value);
  }
  return named;
}
