import { setTimeout as wait } from 'node:timers/promises';
import { PayctlError } from '../errors.ts';
import { proveStop } from './instance.ts';
import { ask, findProven, isAlive, type RunningEmulator } from './running.ts';
import { findServing } from './serving.ts';

/** A busy machine, or requests that are still being answered. */
const stopTimeoutMs = 10_000;
const pollIntervalMs = 20;

/**
 * Stops the emulator that runs over the data of a directory and waits until its process has ended; its data stay. It is
 * asked over HTTP, with a proof that only its own user can give, so no other process is ever signalled. Undefined if none
 * is running.
 * @throws PayctlError `emulator_not_stopped` if it does not respond, or is still running after 10 seconds
 */
export async function stopEmulator(directory: string): Promise<RunningEmulator | undefined> {
  const found = await findProven(directory);
  if (found === undefined) return refuseStopped(directory);
  const { nonce, ...emulator } = found;
  const end = performance.now() + stopTimeoutMs;
  const stop = { query: `stop=${proveStop(nonce)}`, timeoutMs: stopTimeoutMs, method: 'POST' } as const;
  const { status, isLate = false } = await ask(emulator.port, stop);
  // An emulator that ends before it has answered has stopped, too.
  const accepted = status === undefined ? !isLate : status === 202;
  while (accepted && isAlive(emulator.pid) && performance.now() < end) await wait(pollIntervalMs);
  if (accepted && !isAlive(emulator.pid)) return emulator;
  throw new PayctlError('emulator_not_stopped', `The emulator at ${emulator.baseUrl} did not stop`, {
    hint: `End process ${emulator.pid}.`,
  });
}

/** An emulator that a signal has stopped, or that still makes its data, hears no request. */
function refuseStopped(directory: string): undefined {
  const serving = findServing(directory);
  if (serving === undefined) return undefined;
  throw new PayctlError('emulator_not_stopped', `The emulator in ${directory} does not respond`, {
    hint: serving.pid === undefined ? 'End its process.' : `End process ${serving.pid}.`,
  });
}
