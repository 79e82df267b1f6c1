import { expect, it } from 'vitest';
import { emulatorKeyFile, withEmulatorKey } from '../../src/cli/emulator-profile.ts';
import { emulatorDirectory, readEnvironment } from '../../src/config/environment.ts';
import { filesOf } from '../../src/emulator/data-directory.ts';

const environment = readEnvironment({ PAYCTL_CONFIG_DIR: '/home/ada/payctl' });

it('is the file that the emulator keeps its key in', () => {
  expect(emulatorKeyFile(environment)).toBe(filesOf(emulatorDirectory(environment)).signingKey);
});

it('belongs to the profile emulator alone', () => {
  expect(withEmulatorKey({ name: 'emulator' }, environment)).toEqual({
    name: 'emulator',
    credentials: { kind: 'key', storage: 'reference', path: emulatorKeyFile(environment) },
  });
  expect(withEmulatorKey({ name: 'acme' }, environment)).toEqual({ name: 'acme' });
  expect(withEmulatorKey(undefined, environment)).toBeUndefined();
});
