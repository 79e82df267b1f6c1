import { describe, expect, it, test } from 'vitest';
import {
  bindingMissing,
  type KeychainTask,
  keychainFailed,
  keychainName,
  keychainUnavailable,
  notText,
  tooLarge,
  verificationFailed,
} from '../../src/credentials/keychain-errors.ts';

const OTHERWISE =
  'Otherwise, set a variable for the credentials, or store them in a file that only you can read, with --insecure-storage. ' +
  'The variables: payctl help settings';
const TASK: KeychainTask = { account: 'acme', action: 'written to', secret: 'hunter2 line' };
const NAME = keychainName();

test.each([
  ['linux', 'Secret Service'],
  ['freebsd', 'Secret Service'],
  ['darwin', 'Keychain'],
  ['win32', 'Credential Manager'],
] as const)('the keychain of %s is the %s', (platform, name) => {
  expect(keychainName(platform)).toBe(name);
});

/** What bindings report, and the message about it. */
const KNOWN = [
  ['set your DBUS_SESSION_BUS_ADDRESS', 'there is no D-Bus session'],
  ['Failed to connect to socket /x', 'the D-Bus session cannot be reached'],
  ['Failed to open socket', 'the D-Bus session cannot be reached'],
  ['bad server address', 'the D-Bus session cannot be reached'],
  ['The name org.freedesktop.secrets was not provided', 'no program on the D-Bus session provides it'],
  ['Did not receive a reply', 'it does not respond'],
  ['no result found', 'it has no default keyring'],
  ['prompt dismissed', 'it is locked'],
  ['Secret Service: object locked', 'it is locked'],
  ['User canceled the operation.', 'it is locked'],
  ['User interaction is not allowed.', 'it is locked'],
  ['Windows ERROR_NO_SUCH_LOGON_SESSION', 'it is not available in this logon session'],
] as const;

describe('a keychain that cannot be reached', () => {
  test.each(KNOWN)('and reports "%s": %s', (reported, words) => {
    const cause = new Error('outer', { cause: new Error(reported) });
    const error = keychainUnavailable(cause);
    expect(error).toMatchObject({
      code: 'keychain_unavailable',
      message: `The keychain (${NAME}) cannot be used: ${words}`,
      cause,
    });
    expect(error.hint).toMatch(/^\w.+\. Otherwise, /);
    expect(error.hint?.endsWith(OTHERWISE)).toBe(true);
  });

  it.each([
    [new Error('Xfailed to connect to'), 'Xfailed to connect to'],
    ['no error', 'nothing'],
    [new Error('outer', { cause: 'a text' }), 'outer'],
  ])('and reports something unknown is quoted', (cause, quoted) => {
    expect(keychainUnavailable(cause)).toMatchObject({
      message: `The keychain (${NAME}) cannot be used: it reported "${quoted}"`,
      hint: `Try again, or check your password manager. ${OTHERWISE}`,
    });
  });
});

describe('a keychain that fails', () => {
  it('says which secret, what was tried and why, and keeps no cause', () => {
    const error = keychainFailed(new Error('Secret Service: object locked'), TASK);
    expect(error).toMatchObject({
      code: 'keychain_failed',
      message: `The secret of "acme" cannot be written to the ${NAME}: it is locked`,
      hint: `Unlock it and try again. ${OTHERWISE}`,
    });
    expect(error.cause).toBeUndefined();
  });

  it.each(['cannot store hunter2', 'line 5', 'xhunter2x'])('does not repeat the secret: %s', (reported) => {
    const { message } = keychainFailed(new Error(reported), TASK);
    expect(message).toBe(
      `The secret of "acme" cannot be written to the ${NAME}: it reported "(not shown, because it contains the secret)"`,
    );
  });

  it.each([
    TASK,
    { account: 'acme', action: 'written to', secret: '' },
    { account: 'acme', action: 'written to' },
  ] as const)('quotes what does not hold the secret', (task) => {
    expect(keychainFailed(new Error('odd thing'), task).message).toBe(
      `The secret of "acme" cannot be written to the ${NAME}: it reported "odd thing"`,
    );
  });

  it('says of an entry that it is not text, not as expected, or too large', () => {
    const task: KeychainTask = { account: 'acme', action: 'read from' };
    const start = `The secret of "acme" cannot be read from the ${NAME}:`;
    expect(notText(task)).toMatchObject({
      message: `${start} the entry is not text`,
      hint: 'Store it again: payctl auth login',
    });
    expect(verificationFailed(task)).toMatchObject({
      message: `${start} it reported success, but the entry is not as expected`,
      hint: `Check your password manager. ${OTHERWISE}`,
    });
    expect(tooLarge(task, 3_000, 2_560)).toMatchObject({
      message: `${start} it has 3000 bytes, but an entry can hold at most 2560`,
      hint: `Use a shorter key, such as an elliptic curve key. ${OTHERWISE}`,
    });
  });
});

describe('a binding', () => {
  it('that is not installed is told apart from one that cannot be loaded', () => {
    const missing = Object.assign(new Error('m'), { code: 'ERR_MODULE_NOT_FOUND' });
    expect(bindingMissing(missing)).toMatchObject({
      code: 'keychain_unavailable',
      message: `The keychain (${NAME}) cannot be used: the package @napi-rs/keyring is not installed, for example because of --omit=optional`,
      hint: `Install payctl again with its optional dependencies. ${OTHERWISE}`,
      cause: missing,
    });
    const where = `${process.platform}-${process.arch}`;
    for (const error of [Object.assign(new Error('m'), { code: 'ERR_DLOPEN_FAILED' }), new Error('m'), 'x']) {
      expect(bindingMissing(error).message).toBe(
        `The keychain (${NAME}) cannot be used: the package @napi-rs/keyring cannot be loaded on ${where}`,
      );
    }
  });
});
