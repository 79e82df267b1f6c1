import { describe, expect, it } from 'vitest';
import { rememberKeychain } from '../../src/credentials/remember-keychain.ts';

const bound = (secret: string) => `payctl secret for https://api.example.com\n${secret}`;
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Expires so many seconds after the epoch. */
const token = (exp: number) => bound(`${part({ alg: 'ES512' })}.${part({ exp })}.c2ln`);

/** Reads the account `live` at these times, in seconds; `stored` is what the keychain holds one read after the other. */
async function readAt(times: readonly number[], stored: readonly (string | undefined)[]) {
  let reads = 0;
  let now = 0;
  const read = rememberKeychain(
    async () => stored[reads++],
    () => now * 1000,
  );
  const found: (string | undefined)[] = [];
  for (const time of times) {
    now = time;
    found.push(await read('live'));
  }
  return { found, reads };
}

describe('an entry of the keychain', () => {
  it.each([
    ['a key', bound('-----BEGIN PRIVATE KEY-----')],
    ['a token that is no JWT', bound('opaque')],
    ['a token that is valid', token(100)],
  ])('is read once if it is %s', async (_what, stored) => {
    expect(await readAt([0, 50, 99], [stored])).toEqual({ found: [stored, stored, stored], reads: 1 });
  });

  it('is read again when its token has expired', async () => {
    const found = [token(100), token(100), token(300), token(300)];
    expect(await readAt([0, 99, 100, 200], [token(100), token(300)])).toEqual({ found, reads: 2 });
  });

  it.each([
    ['there is none', undefined],
    ['it names no origin, which is added to it', 'opaque'],
  ])('is read again if %s', async (_why, stored) => {
    expect(await readAt([0, 1], [stored, bound('other')])).toEqual({
      found: [stored, bound('other')],
      reads: 2,
    });
  });

  it('is not taken for that of another account, and a failure is not remembered', async () => {
    let reads = 0;
    const read = rememberKeychain(async (account) => {
      reads += 1;
      if (reads === 1) throw new Error('locked');
      return bound(account);
    });
    await expect(read('one')).rejects.toThrow('locked');
    expect([await read('one'), await read('other'), await read('one')]).toEqual(
      ['one', 'other', 'one'].map(bound),
    );
    expect(reads).toBe(3);
  });
});
