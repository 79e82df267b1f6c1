/** A service to talk to, and what to do when the run is over. */
export type EmulatorAccess = {
  readonly baseUrl: string;
  /** PEM file of a key that the emulator knows. */
  readonly signingKey: string;
  close(): Promise<void>;
};

/**
 * The emulator behind the built-in profile: the one that runs already, else one inside this process for as long as
 * the command takes.
 */
export async function accessEmulator(directory: string): Promise<EmulatorAccess> {
  const [{ findRunning }, { filesOf }] = await Promise.all([
    import('../emulator/running.ts'),
    import('../emulator/directory.ts'),
  ]);
  const { signingKey } = filesOf(directory);
  const running = await findRunning(directory);
  if (running) return { baseUrl: running.baseUrl, signingKey, close: async () => {} };
  const { startEmulator } = await import('../emulator/server.ts');
  const emulator = await startEmulator({ directory });
  return { baseUrl: emulator.baseUrl, signingKey, close: () => emulator.close() };
}
