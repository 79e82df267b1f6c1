import { rmSync } from 'node:fs';
import { MERCHANT_HEADER } from '../contract/generated/operations.ts';
import { LIMITS, readRegularFile } from '../files/read-file.ts';
import { isObject } from '../json/is-object.ts';
import { filesOf } from './data-files.ts';
import { createNonce, instancePath, proveInstance, proveQuestion } from './instance.ts';
import { asServed, type ServedDescription } from './served-description.ts';

/** A running emulator, as another process finds it. */
export type RunningEmulator = {
  readonly pid: number;
  readonly port: number;
  readonly baseUrl: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Header that it was started to read the merchant account from, in addition to the default one. */
  readonly merchantHeader: string;
};

/** What `running.json` says about an emulator that takes requests, with the secret of its run. */
export type Advertisement = RunningEmulator & { readonly nonce: string };

/** A busy machine makes a running emulator respond late; what does not listen at all is refused at once. */
const probeTimeoutMs = 2000;

/** A large description takes seconds to import. */
const openTimeoutMs = 10_000;

/**
 * Finds the emulator that advertises itself in a directory. It is believed only when what listens on its port proves
 * within two seconds to know the nonce of the file, so a token never goes to another program that took the port over. A file of
 * a process that is gone is removed.
 */
export async function findRunning(directory: string): Promise<RunningEmulator | undefined> {
  const found = await findProven(directory);
  if (found === undefined) return undefined;
  const { nonce: _nonce, ...emulator } = found;
  return emulator;
}

/** The same with the secret of its run, for what only its own user may ask of it. */
export async function findProven(directory: string): Promise<Advertisement | undefined> {
  const { running } = filesOf(directory);
  const found = readAdvertisement(running);
  if (found === undefined) return undefined;
  if (!isAlive(found.pid)) {
    if (readAdvertisement(running)?.nonce === found.nonce) rmSync(running, { force: true });
    return undefined;
  }
  return (await knowsNonce(found.port, found.nonce)) ? found : undefined;
}

/** Whether a running emulator reads the merchant account from a header of that name, which is in lower case. */
export function readsMerchantHeader(running: RunningEmulator, name: string): boolean {
  return name === running.merchantHeader || name === MERCHANT_HEADER;
}

/** What the file says; undefined where it is missing, damaged, or of an emulator that does not take requests yet. */
export function readAdvertisement(path: string): Advertisement | undefined {
  const found = readJson(path);
  return isAdvertisement(found) ? found : undefined;
}

/** The object in a JSON file; undefined where there is none. */
export function readJson(path: string): Members | undefined {
  return membersIn(() => readRegularFile(path, LIMITS.record));
}

type Members = Readonly<Record<string, unknown>>;

function membersIn(read: () => string): Members | undefined {
  try {
    const found: unknown = JSON.parse(read());
    return isObject(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function isAdvertisement(value: unknown): value is Advertisement {
  if (!isObject(value)) return false;
  const { pid, port, baseUrl, startedAt, merchantHeader, nonce } = value;
  return (
    Number.isInteger(pid) &&
    Number(pid) > 0 &&
    Number.isInteger(port) &&
    Number(port) > 0 &&
    Number(port) < 65_536 &&
    baseUrl === `http://127.0.0.1:${port}` &&
    typeof startedAt === 'string' &&
    typeof merchantHeader === 'string' &&
    typeof nonce === 'string' &&
    nonce !== ''
  );
}

/** Whether a process of this number exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** What a running emulator does besides the contract: each undefined where there is none. */
type Served = {
  readonly description?: ServedDescription | undefined;
  /** As in `trafficText`. */
  readonly traffic?: string | undefined;
};

/**
 * The description that a running emulator serves, and its traffic. The emulator opens the description first if necessary. Empty if it
 * does not respond within ten seconds.
 */
export async function findServed(directory: string): Promise<Served> {
  const found = await findProven(directory);
  if (found === undefined) return {};
  const question = { query: `question=${proveQuestion(found.nonce)}`, timeoutMs: openTimeoutMs };
  const { members } = await ask(found.port, question);
  const { description, traffic } = members ?? {};
  return {
    description: asServed(description),
    traffic: typeof traffic === 'string' ? traffic : undefined,
  };
}

/** The description that a running emulator serves, as `findServed` finds it. */
export async function findServedDescription(directory: string): Promise<ServedDescription | undefined> {
  return (await findServed(directory)).description;
}

async function knowsNonce(port: number, nonce: string): Promise<boolean> {
  const challenge = createNonce();
  const { members } = await ask(port, { query: `challenge=${challenge}`, timeoutMs: probeTimeoutMs });
  return members?.proof === proveInstance(nonce, challenge);
}

type Question = { readonly query: string; readonly timeoutMs: number; readonly method?: 'GET' | 'POST' };

/** What an emulator responds at its own path: no status without a response, and whether it came too late. */
type InstanceAnswer = {
  readonly status?: number | undefined;
  readonly members?: Members | undefined;
  readonly isLate?: boolean;
};

/** Sends a request to the path at which an emulator proves which instance it is. */
export function ask(port: number, { query, timeoutMs, method = 'GET' }: Question): Promise<InstanceAnswer> {
  return new Promise((resolve) => {
    const { request } = process.getBuiltinModule('node:http');
    const signal = AbortSignal.timeout(timeoutMs);
    const fail = () => resolve({ isLate: signal.aborted });
    const path = `${instancePath}?${query}`;
    const sent = request({ host: '127.0.0.1', port, path, method, agent: false, signal }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > 10_000) sent.destroy();
      });
      response.on('error', fail);
      response.on('close', () => resolve({ status: response.statusCode, members: membersIn(() => text) }));
    });
    sent.on('error', fail).end();
  });
}
