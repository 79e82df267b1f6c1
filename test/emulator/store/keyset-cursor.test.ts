import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CursorPosition, openCursor, sealCursor } from '../../../src/emulator/store/keyset.ts';
import { anyText } from '../../harness/any-text.ts';

const secret = Buffer.alloc(32, 7);
const position: CursorPosition = { direction: 'next', createdMs: 1_700_000_000_123, id: 'a-b' };

describe('a cursor', () => {
  it('gives back its position to the same secret and listing, in at most 1000 URL-safe characters', () => {
    fc.assert(
      fc.property(
        fc.record({
          direction: fc.constantFrom('next' as const, 'previous' as const),
          createdMs: fc.maxSafeInteger(),
          id: fc.uuid(),
        }),
        fc.string(),
        (place, listing) => {
          const cursor = sealCursor(secret, listing, place);
          expect(cursor).toMatch(/^[\w-]{1,1000}$/);
          expect(openCursor(secret, listing, cursor)).toEqual(place);
        },
      ),
    );
  });

  it('is nothing to another secret or listing', () => {
    const cursor = sealCursor(secret, 'buyers', position);
    expect(openCursor(Buffer.alloc(32, 8), 'buyers', cursor)).toBeUndefined();
    expect(openCursor(secret, 'roles', cursor)).toBeUndefined();
  });

  it('is nothing once any of its characters is another one', () => {
    const cursor = sealCursor(secret, 'buyers', position);
    for (let at = 0; at < cursor.length; at += 1) {
      const altered = `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`;
      expect(openCursor(secret, 'buyers', altered)).toBeUndefined();
    }
  });

  it('is nothing in any other spelling, although the decoder would read it', () => {
    const cursor = sealCursor(secret, 'buyers', position);
    for (const altered of [
      `${cursor}=`,
      ` ${cursor}`,
      `${cursor}\n`,
      `${cursor.slice(0, 9)}.${cursor.slice(9)}`,
    ])
      expect([altered, openCursor(secret, 'buyers', altered)]).toEqual([altered, undefined]);
  });

  it('shows nothing of what it has in common with another', () => {
    const hidden = (listing: string) =>
      Buffer.from(sealCursor(secret, listing, position), 'base64url').subarray(16);
    expect(hidden('buyers').length).toBe(hidden('roles').length);
    expect(hidden('buyers').subarray(0, 8).equals(hidden('roles').subarray(0, 8))).toBe(false);
    expect(hidden('buyers').toString('latin1')).not.toContain(position.id);
  });

  it('is never made up by chance, and no text breaks its reading', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.base64String({ maxLength: 200 })), (text) => {
        expect(openCursor(secret, 'buyers', text)).toBeUndefined();
      }),
    );
  });
});
