import { join } from 'node:path';

/** The paths of everything that the emulator keeps in its data directory. */
export type EmulatorFiles = {
  readonly database: string;
  /** PEM of the private key that signs tokens for this emulator. */
  readonly signingKey: string;
  /** Where a running emulator says how it is reached. */
  readonly running: string;
};

/** Names the files of a data directory; touches nothing. */
export function filesOf(directory: string): EmulatorFiles {
  return {
    database: join(directory, 'emulator.sqlite'),
    signingKey: join(directory, 'signing-key.pem'),
    running: join(directory, 'running.json'),
  };
}
