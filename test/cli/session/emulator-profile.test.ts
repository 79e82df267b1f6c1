import { expect, it } from 'vitest';
import { emulatorKeyFile, withEmulatorKey } from '../../../src/cli/session/emulator-profile.ts';
import { emulatorDirectory, readEnvironment } from '../../../src/config/environment.ts';
import { filesOf } from '../../../src/emulator/data-files.ts';

const environment = readEnvironment({ PAYCTL_CONFIG_DIR: '/home/ada/payctl' });

it('is the file that the emulator keeps its key in', () => {
  const path = '/home/ada/payctl/data/emulator/signing-key.pem';
  expect(emulatorKeyFile(environment)).toBe(path);
  expect(filesOf(emulatorDirectory(environment)).signingKey).toBe(path);
});

it('belongs to the profile emulator alone', () => {
  expect(withEmulatorKey({ name: 'emulator' }, environment)).toEqual({
    name: 'emulator',
    credentials: { kind: 'key', storage: 'reference', path: emulatorKeyFile(environment) },
  });
  expect(withEmulatorKey({ name: 'acme' }, environment)).toEqual({ name: 'acme' });
  expect(withEmulatorKey(undefined, environment)).toBeUndefined();
});
