import { join } from 'node:path';

/** The paths of everything that the emulator keeps in its data directory. */
export type EmulatorFiles = {
  readonly database: string;
  /** The next database while it is being filled. */
  readonly draft: string;
  /** Locked for as long as the data is used, and alone while it is replaced or deleted. */
  readonly dataLock: string;
  /** Locked by the one emulator that serves other processes. */
  readonly servingLock: string;
  /** PEM of the private key that signs tokens for this emulator. */
  readonly signingKey: string;
  /** PEM of a private key whose tokens may use one merchant account only. */
  readonly restrictedKey: string;
  /** Where an emulator that serves other processes says which process it is, and how it is reached. */
  readonly running: string;
};

/** Names the files of a data directory; touches nothing. */
export function filesOf(directory: string): EmulatorFiles {
  return {
    database: join(directory, 'emulator.sqlite'),
    draft: join(directory, 'emulator.sqlite.new'),
    dataLock: join(directory, 'data.lock'),
    servingLock: join(directory, 'serving.lock'),
    signingKey: join(directory, 'signing-key.pem'),
    restrictedKey: join(directory, 'restricted-key.pem'),
    running: join(directory, 'running.json'),
  };
}
