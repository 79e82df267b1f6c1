import { spawn } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keychainName } from '../../src/credentials/keychain-errors.ts';
import { compiledSources } from '../harness/compiled-sources.ts';
import { followProcess, type Run } from '../harness/follow-process.ts';
import { freshSecretService, useSecretService } from '../harness/secret-service.ts';
import { folderForTest } from '../harness/temporary-folder.ts';
import type { Failure, KeychainJob, Outcome, Use } from './keychain-process.ts';

const PROGRAM = join(import.meta.dirname, 'keychain-process.ts');
const SOURCES = join(import.meta.dirname, '../../src');
const OTHERWISE =
  'Otherwise, set a variable for the credentials, or store them in a file that only you can read, with --insecure-storage. ' +
  'The variables: payctl help settings';

type Circumstances = Partial<Omit<KeychainJob, 'uses'>> & { readonly env?: Readonly<Record<string, string>> };

/** Uses the keychain in a process of its own, in an environment that holds nothing else than `env`. */
async function use(uses: readonly Use[], circumstances: Circumstances = {}): Promise<Outcome[]> {
  const { stdout, stderr } = await start(uses, circumstances);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

function start(uses: readonly Use[], { env = {}, ...job }: Circumstances): Promise<Run> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify({ sources: SOURCES, ...job, uses })], {
    env: { PATH: process.env.PATH ?? '', ...compiledSources(), ...env },
  });
  return followProcess(child).done;
}

/** The errors among the outcomes, without what printing them shows. */
function errorsIn(outcomes: readonly Outcome[]): Omit<Failure, 'whole'>[] {
  return outcomes.flatMap((outcome) => {
    if (!('error' in outcome)) return [];
    const { whole, ...error } = outcome.error;
    return [error];
  });
}

function failed(message: string, hint: string): Omit<Failure, 'whole'> {
  return { name: 'CredentialsError', code: 'keychain_failed', message, hint: `${hint} ${OTHERWISE}` };
}

function unavailable(words: string, hint: string): Omit<Failure, 'whole'> {
  const message = `The keychain (${keychainName()}) cannot be used: ${words}`;
  return { name: 'CredentialsError', code: 'keychain_unavailable', message, hint: `${hint} ${OTHERWISE}` };
}

test.each([
  ['linux', 'Secret Service'],
  ['freebsd', 'Secret Service'],
  ['darwin', 'Keychain'],
  ['win32', 'Credential Manager'],
] as const)('keychainName calls that of %s the %s', (platform, name) => {
  expect(keychainName(platform)).toBe(name);
});

describe('without the binding', () => {
  test('the error says that the package is not installed', async () => {
    const folder = folderForTest();
    for (const part of ['credentials', 'text'])
      cpSync(join(SOURCES, part), join(folder, part), { recursive: true });
    for (const file of ['errors.ts', 'signals.ts']) cpSync(join(SOURCES, file), join(folder, file));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    expect(errorsIn(await use([], { sources: folder }))).toEqual([
      unavailable(
        'the package @napi-rs/keyring is not installed, for example because of --omit=optional',
        'Install payctl again with its optional dependencies.',
      ),
    ]);
  });

  test('the error says that the package has nothing for this machine', async () => {
    const env = { NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere/keyring.node' };
    expect(errorsIn(await use([], { env }))).toEqual([
      unavailable(
        `the package @napi-rs/keyring cannot be loaded on ${process.platform}-${process.arch}`,
        'Install payctl again with its optional dependencies.',
      ),
    ]);
  });
});

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  const service = useSecretService();
  const { env } = service;

  test('a secret is read by the process that wrote it and by every other one', async () => {
    const first = await use(
      [
        ['write', 'shared', 'top secret'],
        ['read', 'shared'],
      ],
      { env },
    );
    expect(first).toEqual([{ result: 'undefined' }, { result: 'top secret' }]);
    expect(await use([['read', 'shared']], { env })).toEqual([{ result: 'top secret' }]);
  });

  test('an entry is found by service and account, and a second secret takes the place of the first', async () => {
    const account = 'acme (/home/ann/.config/payctl)';
    await use([['write', account, 'one']], { env });
    await use([['write', account, 'two']], { env });
    expect(service.items().filter(({ attributes }) => attributes.username === account)).toEqual([
      {
        label: `keyring:${account}@payctl`,
        attributes: { service: 'payctl', username: account },
        secret: 'two',
      },
    ]);
  });

  test('an entry that was removed is gone, and others are not', async () => {
    const outcomes = await use(
      [
        ['write', 'kept', 'one'],
        ['write', 'removed', 'two'],
        ['remove', 'removed'],
        ['remove', 'removed'],
        ['read', 'removed'],
        ['read', 'kept'],
      ],
      { env },
    );
    expect(outcomes.slice(2)).toEqual([
      { result: true },
      { result: false },
      { result: 'undefined' },
      { result: 'one' },
    ]);
  });

  test.each([
    ['nothing', ''],
    ['8 KiB', 'k'.repeat(8192)],
    ['letters beyond ASCII', 'Schlüssel \u{1F511} \u0000 \uFEFF'],
    ['a byte order mark', '\uFEFFkey'],
    ['several lines', '-----BEGIN PRIVATE KEY-----\nAAAA\r\n-----END PRIVATE KEY-----\n'],
  ])('a secret of %s comes back as it was', async (_, secret) => {
    const outcomes = await use(
      [
        ['write', 'exact', secret],
        ['read', 'exact'],
      ],
      { env },
    );
    expect(outcomes).toEqual([{ result: 'undefined' }, { result: secret }]);
  });

  test('a keyring that is open is asked for what is needed and nothing else', async () => {
    service.takeCalls();
    await use([['read', 'shared']], { env });
    expect(service.takeCalls()).toEqual(['OpenSession', 'OpenSession', 'SearchItems', 'GetSecret']);
  });

  test('a secret of 2560 bytes is the largest that Windows is given', async () => {
    const outcomes = await use(
      [
        ['write', 'windows', 'ö'.repeat(1280)],
        ['write', 'windows', `${'ö'.repeat(1280)}.`],
        ['read', 'windows'],
      ],
      { env, platform: 'win32' },
    );
    expect(errorsIn(outcomes)).toEqual([
      failed(
        'The secret of "windows" cannot be written to the Credential Manager: it has 2561 bytes, but an entry can hold at most 2560',
        'Use a shorter key, such as an elliptic curve key.',
      ),
    ]);
    expect(outcomes[2]).toEqual({ result: 'ö'.repeat(1280) });
  });

  test('a secret that is not text is refused', async () => {
    const { env, spoil } = await freshSecretService();
    await use([['write', 'acme', 'text']], { env });
    spoil(Buffer.from([0x61, 0xff]));
    expect(errorsIn(await use([['read', 'acme']], { env }))).toEqual([
      {
        name: 'CredentialsError',
        code: 'keychain_failed',
        message: 'The secret of "acme" cannot be read from the Secret Service: the entry is not text',
        hint: 'Store it again: payctl auth login',
      },
    ]);
  });
});

describe.skipIf(process.platform !== 'linux')('with a locked keyring', () => {
  test('reading waits for the person who unlocks it', async () => {
    const { env, lock, takeCalls } = await freshSecretService();
    await use([['write', 'acme', 'secret']], { env });
    lock('unlocks');
    takeCalls();
    expect(await use([['read', 'acme']], { env })).toEqual([{ result: 'secret' }]);
    expect(takeCalls().slice(-4)).toEqual(['SearchItems', 'Unlock', 'Prompt', 'GetSecret']);
  });

  test('every method says so when the person dismisses the question', async () => {
    const { env, lock, items } = await freshSecretService();
    await use([['write', 'acme', 'secret']], { env });
    lock('dismisses');
    const outcomes = await use(
      [
        ['read', 'acme'],
        ['write', 'acme', 'changed'],
        ['write', 'other', 'new'],
        ['remove', 'acme'],
      ],
      { env },
    );
    const hint = 'Unlock it and try again.';
    expect(errorsIn(outcomes)).toEqual([
      failed('The secret of "acme" cannot be read from the Secret Service: it is locked', hint),
      failed('The secret of "acme" cannot be written to the Secret Service: it is locked', hint),
      failed('The secret of "other" cannot be written to the Secret Service: it is locked', hint),
      failed('The secret of "acme" cannot be removed from the Secret Service: it is locked', hint),
    ]);
    expect(items().map(({ secret }) => secret)).toEqual(['secret']);
  });

  test('an abort ends the waiting, and what comes after does not wait either', async () => {
    const { env, lock } = await freshSecretService();
    await use([['write', 'acme', 'secret']], { env });
    lock('is away');
    const { stdout, signal } = await start(
      [
        ['read', 'acme'],
        ['remove', 'acme'],
      ],
      { env, abortAfter: 50 },
    );
    const aborted = { name: 'AbortedError', code: 'aborted', message: 'Interrupted' };
    expect(errorsIn(JSON.parse(stdout))).toEqual([aborted, aborted]);
    expect(signal).toBe('SIGTERM');
  });
});

describe.skipIf(process.platform !== 'linux')('a Secret Service', () => {
  test('that does not exist for want of a D-Bus session is unavailable', async () => {
    expect(errorsIn(await use([]))).toEqual([
      unavailable(
        'there is no D-Bus session',
        'Desktop sessions have one; SSH sessions, containers and scheduled jobs usually do not.',
      ),
    ]);
  });

  test.each(['unix:path=/nowhere/bus', 'disabled:'])(
    'whose D-Bus session is at %s is unavailable',
    async (address) => {
      const env = { DBUS_SESSION_BUS_ADDRESS: address };
      expect(errorsIn(await use([], { env }))).toEqual([
        unavailable(
          'the D-Bus session cannot be reached',
          'DBUS_SESSION_BUS_ADDRESS may point to a session that has ended.',
        ),
      ]);
    },
  );

  test('that no program provides is unavailable', async () => {
    const { env, leaveBus } = await freshSecretService();
    leaveBus();
    expect(errorsIn(await use([], { env }))).toEqual([
      unavailable(
        'no program on the D-Bus session provides it',
        'Start a password manager that does, such as GNOME Keyring, KWallet or KeePassXC.',
      ),
    ]);
  });

  test('that refuses every session is unavailable, with its own words', async () => {
    const { env, refuse } = await freshSecretService();
    refuse('OpenSession', 'not\ttoday');
    expect(errorsIn(await use([], { env }))).toEqual([
      unavailable('it reported "not\\ttoday"', 'Try again, or check your password manager.'),
    ]);
  });

  test('without a default keyring takes no secret', async () => {
    const { env, removeDefaultCollection } = await freshSecretService();
    removeDefaultCollection();
    expect(errorsIn(await use([['write', 'acme', 'secret']], { env }))).toEqual([
      failed(
        'The secret of "acme" cannot be written to the Secret Service: it has no default keyring',
        'Create one in your password manager and make it the default.',
      ),
    ]);
  });

  test.each([
    ['Secret Service: object locked', 'it is locked', 'Unlock it and try again.'],
    ['User interaction is not allowed.', 'it is locked', 'Unlock it and try again.'],
    ['User canceled the operation.', 'it is locked', 'Unlock it and try again.'],
    [
      'Did not receive a reply. Possible causes include: the remote application did not send a reply',
      'it does not respond',
      'Try again when your password manager is running.',
    ],
    [
      'Process org.freedesktop.secrets exited with status 1',
      'no program on the D-Bus session provides it',
      'Start a password manager that does, such as GNOME Keyring, KWallet or KeePassXC.',
    ],
    [
      'Windows ERROR_NO_SUCH_LOGON_SESSION',
      'it is not available in this logon session',
      'SSH sessions have no keychain; log in to the desktop.',
    ],
  ])('that says %j is said in plain words', async (text, words, hint) => {
    const { env, refuse } = await freshSecretService();
    refuse('SearchItems', text);
    expect(errorsIn(await use([['read', 'acme']], { env }))).toEqual([
      failed(`The secret of "acme" cannot be read from the Secret Service: ${words}`, hint),
    ]);
  });

  test('that stops in the middle of a question ends it', async () => {
    const service = await freshSecretService();
    await use([['write', 'acme', 'secret']], { env: service.env });
    service.lock('is away');
    service.takeCalls();
    const reading = use([['read', 'acme']], { env: service.env });
    await expect.poll(() => service.takeCalls().at(-1)).toBe('Prompt');
    await service.close();
    expect(errorsIn(await reading)).toEqual([
      failed(
        'The secret of "acme" cannot be read from the Secret Service: it reported "Connection is closed"',
        'Try again, or check your password manager.',
      ),
    ]);
  });

  test.each(['hunter2', 'first-line\nsecond-line'])(
    'that repeats the secret %j in its errors does not make payctl repeat it',
    async (secret) => {
      const { env, refuse } = await freshSecretService();
      const parts = secret.split('\n');
      for (const method of ['CreateItem', 'SearchItems']) {
        refuse(method, `cannot store ${parts.join('\\n')}`);
        const [outcome] = await use([['write', 'acme', secret]], { env });
        const shown = JSON.stringify(outcome);
        expect(shown).toContain(
          'cannot be written to the Secret Service: it reported \\"(not shown, because it contains the secret)\\"',
        );
        for (const part of parts) expect(shown).not.toContain(part);
      }
    },
  );
});
