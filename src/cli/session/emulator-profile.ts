import { type Environment, emulatorDirectory } from '../../config/environment.ts';
import type { Profile } from '../../config/profile.ts';
import { filesOf } from '../../emulator/data-files.ts';
import type { ServedDescription } from '../../emulator/served-description.ts';
import { UsageError } from '../../errors.ts';

/** A service to talk to, and what to do when the run is over. */
export type EmulatorAccess = {
  readonly baseUrl: string;
  close(): Promise<void>;
};

type AccessOptions = {
  /** The header in which requests will name a merchant account, if they will. */
  readonly merchantHeader?: string | undefined;
  /** The folder of the imported description that the emulator answers, too. */
  readonly description?: (() => Promise<string | undefined>) | undefined;
  /** Ends the making of the data. */
  readonly signal: AbortSignal;
};

/**
 * The emulator of the built-in profile: the one that runs already, else one inside this process for as long as the
 * command takes.
 * @throws UsageError `emulator_header_unknown` for a running emulator that would ignore that header; AbortedError
 */
export async function accessEmulator(
  environment: Environment,
  { merchantHeader, description, signal }: AccessOptions,
): Promise<EmulatorAccess> {
  const { findRunning, readsMerchantHeader } = await import('../../emulator/running.ts');
  const directory = emulatorDirectory(environment);
  const running = await findRunning(directory);
  if (running) {
    if (merchantHeader !== undefined && !readsMerchantHeader(running, merchantHeader)) {
      throw headerUnknown(merchantHeader);
    }
    return { baseUrl: running.baseUrl, close: async () => {} };
  }
  const { startEmulator } = await import('../../emulator/server.ts');
  const emulator = await startEmulator({
    directory,
    untilIfNew: environment.emulatorUntil,
    merchantHeader,
    description,
    signal,
  });
  return { baseUrl: emulator.baseUrl, close: () => emulator.close() };
}

/** What the running emulator serves in addition to payctl's own contract; undefined where none is running. */
export async function servedByRunning(
  directory: string,
): Promise<{ readonly description: ServedDescription | undefined } | undefined> {
  const { findRunning, findServedDescription } = await import('../../emulator/running.ts');
  if (!(await findRunning(directory))) return undefined;
  return { description: await findServedDescription(directory) };
}

function headerUnknown(header: string): UsageError {
  const message = `The running emulator does not read the merchant account from the header ${header}`;
  return new UsageError('emulator_header_unknown', message, {
    hint: `Start the emulator again with PAYCTL_MERCHANT_HEADER=${header}. Stop it first: payctl emulator stop`,
  });
}

/** Absolute path of the key that the emulator signs with. */
export function emulatorKeyFile(environment: Environment): string {
  return filesOf(emulatorDirectory(environment)).signingKey;
}

/** The profile, which in the case of `emulator` refers to the emulator's key, whether that exists yet or not. */
export function withEmulatorKey(profile: Profile | undefined, environment: Environment): Profile | undefined {
  if (profile?.name !== 'emulator') return profile;
  const path = emulatorKeyFile(environment);
  return { ...profile, credentials: { kind: 'key', storage: 'reference', path } };
}

/**
 * Names the events that a request to the emulator of the profile made, by the ID of the request, which is that of its API log, too: the
 * newest, one line each. Nothing has to be running; there are no lines where the data cannot be read.
 */
export async function eventsOfRequest(environment: Environment, request: string): Promise<readonly string[]> {
  const { listDeliveries } = await import('../../emulator/webhooks/kept-deliveries.ts');
  try {
    const { items } = listDeliveries(emulatorDirectory(environment), { request }, MOST_DELIVERIES);
    // Of the deliveries of an event, those that are sent say more than the others.
    const found = items.toSorted((one, other) => Number(isSent(one)) - Number(isSent(other)));
    const deliveries = [...new Map(found.map((delivery) => [delivery.event_id, delivery])).values()];
    return deliveries
      .slice(0, MOST_EVENTS)
      .map(({ event, id }) => `Event: ${event}: payctl emulator deliveries get ${id}`);
  } catch {
    return [];
  }
}

function isSent({ state }: { readonly state: string }): boolean {
  return state !== 'not_sent';
}

const MOST_DELIVERIES = 100;

const MOST_EVENTS = 3;
