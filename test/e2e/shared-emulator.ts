import { afterAll, beforeAll } from 'vitest';
import { emulatorDirectory } from '../../src/config/environment.ts';
import { type Emulator, startEmulator } from '../../src/emulator/server.ts';
import { claimServing } from '../../src/emulator/serving.ts';
import type { Home } from '../harness/run-payctl.ts';
import { SEED_DAY } from '../harness/seed-day.ts';

/** Runs an emulator for the tests of a file, where the profile `emulator` of a home finds it. */
export function useEmulator(home: Home, options: { readonly buyers?: number } = {}): () => Emulator {
  let emulator: Emulator | undefined;
  beforeAll(async () => {
    const directory = emulatorDirectory(home);
    emulator = await startEmulator({ directory, until: SEED_DAY, ...options });
    claimServing(directory).advertise(emulator, new Date());
  });
  afterAll(() => emulator?.close());
  return () => {
    if (emulator === undefined) throw new Error('the emulator runs during tests only');
    return emulator;
  };
}
