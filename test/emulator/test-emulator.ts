import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { filesOf } from '../../src/emulator/data-files.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/emulator/server.ts';
import { readSigningKey, type SigningKey } from '../../src/tokens/keys.ts';
import { signToken } from '../../src/tokens/sign.ts';
import { SEED_DAY } from '../harness/seed-day.ts';
import { copyOfData } from './copy-of-data.ts';

type RequestOptions = {
  /** Scopes of a token signed for this request; none sends no token. */
  readonly scopes?: readonly string[];
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
};

type Reply = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> };

/** An emulator in a directory of its own, with signed requests. */
export type TestEmulator = {
  readonly directory: string;
  readonly emulator: Emulator;
  /** Signs a token with the emulator's own key; of now by the emulator's clock, unless the times say otherwise. */
  token(
    scopes: readonly string[],
    times?: { readonly now?: Date; readonly lifetimeSeconds?: number },
  ): Promise<string>;
  /** Sends a request and parses the answer; `scopes` default to `buyers.read`. */
  send(path: string, options?: RequestOptions): Promise<Reply>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The keys of emulators, most of which are copies of one. */
const keys = new Map<string, Promise<SigningKey>>();

function remembered<T>(known: Map<string, T>, name: string, make: () => T): T {
  const value = known.get(name) ?? make();
  known.set(name, value);
  return value;
}

/** Makes an empty directory that is deleted when it goes out of scope. */
export function temporaryDirectory(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'payctl-emulator-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts an emulator that ends when it goes out of scope, with all its data unless they are in `kept`. */
export async function startTestEmulator(
  options: Partial<EmulatorOptions> = {},
  kept?: string,
): Promise<TestEmulator> {
  const directory =
    kept === undefined ? temporaryDirectory() : { path: kept, [Symbol.dispose]: () => undefined };
  const { seed, buyers, until = SEED_DAY } = options;
  if (kept === undefined) {
    await copyOfData(directory.path, `seeded-${seed}-${buyers}-${until}`, async (path) => {
      await (await startEmulator({ directory: path, seed, buyers, until })).close();
    });
  }
  const emulator = await startEmulator({ ...options, directory: directory.path, until });
  const pem = readFileSync(filesOf(directory.path).signingKey, 'utf8');
  const key = await remembered(keys, pem, () => readSigningKey(pem));
  const token: TestEmulator['token'] = (scopes, times = {}) =>
    signToken(key, { scopes, issuer: 'payctl/test', now: options.now?.() ?? new Date(), ...times });
  const signed = new Map<string, Promise<string>>();
  const tokenOf = (scopes: readonly string[]) => remembered(signed, scopes.join(), () => token(scopes));
  return {
    directory: directory.path,
    emulator,
    token,
    async send(path, { scopes = ['buyers.read'], headers, ...init } = {}) {
      const authorization = scopes.length === 0 ? {} : { authorization: `Bearer ${await tokenOf(scopes)}` };
      const response = await fetch(emulator.baseUrl + path, {
        ...init,
        headers: {
          ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...authorization,
          ...headers,
        },
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      };
    },
    async [Symbol.asyncDispose]() {
      await emulator.close();
      directory[Symbol.dispose]();
    },
  };
}

/** An emulator for the tests of a file, or of a `describe`, which has started when the first of them begins. */
export function emulatorForAll(options: Partial<EmulatorOptions> = {}): TestEmulator {
  const test = {} as TestEmulator;
  beforeAll(async () => {
    Object.assign(test, await startTestEmulator(options));
  });
  afterAll(() => test[Symbol.asyncDispose]());
  return test;
}

/** The API logs that an emulator keeps of its own requests, oldest first, without the seeded ones. */
export function apiLogs({ emulator }: TestEmulator): Record<string, unknown>[] {
  const rows = emulator.database.prepare('SELECT document FROM api_logs ORDER BY sequence').all();
  return rows
    .map((row) => JSON.parse(String(row.document)) as Record<string, unknown>)
    .filter((log) => !String(log.request_url).startsWith('https://instance.service.invalid/'));
}
