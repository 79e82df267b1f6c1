import { join, resolve } from 'node:path';
import envPaths from 'env-paths';
import type { Environment } from './environment.ts';

type Directories = Pick<Environment, 'configDirectory'>;

/**
 * Absolute path of the directory of the configuration: `PAYCTL_CONFIG_DIR`, else `payctl` where the platform keeps
 * configuration (`XDG_CONFIG_HOME`, `APPDATA`, `~/Library/Preferences`). It need not exist.
 */
export function configDirectory({ configDirectory: given }: Directories): string {
  return resolve(given ?? platformDirectories().config);
}

/**
 * Absolute path of the directory of data that payctl makes itself, such as the emulator's database: `data` below
 * `PAYCTL_CONFIG_DIR`, else `payctl` where the platform keeps data. It need not exist.
 */
export function dataDirectory({ configDirectory: given }: Directories): string {
  return resolve(given === undefined ? platformDirectories().data : join(given, 'data'));
}

/** Absolute path of the directory that the emulator keeps its database and key in. It need not exist. */
export function emulatorDirectory(directories: Directories): string {
  return join(dataDirectory(directories), 'emulator');
}

function platformDirectories() {
  return envPaths('payctl', { suffix: '' });
}
