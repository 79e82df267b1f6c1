import { describe, expect, it, vi } from 'vitest';
import { openKeychain } from '../../src/credentials/keychain.ts';
import { failureOf } from '../client/failure-of.ts';

/** What the keychain contains, whatever was written or removed. */
const held = vi.hoisted(() => ({ bytes: undefined as number[] | undefined }));

vi.mock('@napi-rs/keyring', () => ({
  AsyncEntry: class {
    setSecret = async () => {};
    getSecret = async () => held.bytes ?? null;
    deleteCredential = async () => true;
  },
}));

const failure = (action: string) => ({
  code: 'keychain_failed',
  message: expect.stringMatching(
    new RegExp(
      `^The secret of "acme" cannot be ${action} the .*: it reported success, but the entry is not as expected$`,
    ),
  ),
});

describe('a keychain that says that it did what it did not', () => {
  it.each([
    ['keeps nothing', undefined],
    ['keeps something else', [1, 2, 3]],
    ['keeps something else of the same length', [...Buffer.from('secreT')]],
    ['keeps only the beginning', [...Buffer.from('secre')]],
    ['keeps more than it was given', [...Buffer.from('secret\n')]],
    ['keeps an empty entry', []],
  ])('is not believed when it %s', async (_, bytes) => {
    held.bytes = bytes;
    const keychain = await openKeychain();
    expect(await failureOf(keychain.write('acme', 'secret'))).toMatchObject(failure('written to'));
  });

  it.each([[[1]], [[]]])('is not believed when an entry with the bytes %j is still there', async (bytes) => {
    held.bytes = bytes;
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
