/** A place in a listing that is sorted newest first: everything beyond this key, in one direction. */
export type CursorPosition = {
  /** `next` walks towards older records, `previous` towards newer ones. */
  readonly direction: 'next' | 'previous';
  /** Milliseconds since 1970 of the key's record. */
  readonly createdMs: number;
  readonly id: string;
};

const crypto = process.getBuiltinModule('node:crypto');
const macLength = 16;

/**
 * Writes a position as an opaque cursor of at most 1000 characters. It is authenticated together with `listing`, the
 * name and filters of the list, and so is worth nothing in another one.
 */
export function sealCursor(secret: Buffer, listing: string, position: CursorPosition): string {
  const payload = Buffer.from(
    JSON.stringify([position.direction === 'next' ? 0 : 1, position.createdMs, position.id]),
  );
  return Buffer.concat([mac(secret, listing, payload), payload]).toString('base64url');
}

/** Reads a cursor that `sealCursor` wrote with the same secret and listing; undefined for every other text. */
export function openCursor(secret: Buffer, listing: string, cursor: string): CursorPosition | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // The decoder skips foreign characters: only the one canonical spelling is taken.
  if (bytes.length <= macLength || bytes.toString('base64url') !== cursor) return undefined;
  const payload = bytes.subarray(macLength);
  if (!crypto.timingSafeEqual(bytes.subarray(0, macLength), mac(secret, listing, payload))) return undefined;
  const [direction, createdMs, id] = JSON.parse(payload.toString()) as [number, number, string];
  return { direction: direction === 0 ? 'next' : 'previous', createdMs, id };
}

function mac(secret: Buffer, listing: string, payload: Buffer): Buffer {
  const hmac = crypto.createHmac('sha256', secret);
  hmac.update(listing).update('\0').update(payload);
  return hmac.digest().subarray(0, macLength);
}
