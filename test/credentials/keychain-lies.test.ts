import { describe, expect, it, vi } from 'vitest';
import { openKeychain } from '../../src/credentials/keychain.ts';
import { failureOf } from '../client/failure-of.ts';

/** What the keychain holds, whatever it was told to keep or to delete. */
const held = vi.hoisted(() => ({ bytes: undefined as number[] | undefined }));

vi.mock('@napi-rs/keyring', () => ({
  AsyncEntry: class {
    setSecret = async () => {};
    getSecret = async () => held.bytes ?? null;
    deleteCredential = async () => true;
  },
}));

const failure = (deed: string) => ({
  code: 'keychain_failed',
  message: expect.stringMatching(
    new RegExp(`^The secret of "acme" cannot be ${deed} the .*: it says that it did, and did not$`),
  ),
});

describe('a keychain that says that it did what it did not', () => {
  it.each([
    ['keeps nothing', undefined],
    ['keeps something else', [1, 2, 3]],
  ])('is not believed when it %s', async (_, bytes) => {
    held.bytes = bytes;
    const keychain = await openKeychain();
    expect(await failureOf(keychain.write('acme', 'secret'))).toMatchObject(failure('written to'));
  });

  it('is not believed when an entry is still there', async () => {
    held.bytes = [1];
    const keychain = await openKeychain();
    expect(await failureOf(keychain.remove('acme'))).toMatchObject(failure('removed from'));
  });

  it('is believed when it did', async () => {
    held.bytes = [...Buffer.from('secret')];
    const keychain = await openKeychain();
    await keychain.write('acme', 'secret');
    held.bytes = undefined;
    expect(await keychain.remove('acme')).toBe(true);
  });
});
