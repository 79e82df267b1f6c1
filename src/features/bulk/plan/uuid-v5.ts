import { hash } from 'node:crypto';

/** The UUID of a name in a namespace, which is a UUID itself (RFC 9562, 5.5): always the same for the same name. */
export function uuidV5(namespace: string, name: string): string {
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  const hex = hash('sha1', Buffer.concat([space, Buffer.from(name)]));
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0b11) | 0b1000).toString(16);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ];
  return parts.join('-');
}
