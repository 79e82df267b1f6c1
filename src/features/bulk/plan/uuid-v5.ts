import { hash } from 'node:crypto';

/** Makes the UUIDs of names in a namespace, which is a UUID itself (RFC 9562, 5.5): always the same for the same name. */
export function uuidsIn(namespace: string): (name: string) => string {
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  let bytes = space;
  return (name) => {
    // Used again and again: a buffer of its own for each name takes longer than the hash.
    if (bytes.length < space.length + 3 * name.length)
      bytes = Buffer.concat([space], space.length + 6 * name.length);
    const hex = hash('sha1', bytes.subarray(0, space.length + bytes.write(name, space.length)));
    const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 0b11);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
}
