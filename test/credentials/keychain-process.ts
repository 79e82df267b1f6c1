/**
 * A program that uses the keychain as it is told by its one argument, and writes what came of it to stdout as JSON. The
 * binding blocks its thread and reads the environment that the process started with, so no test can use it itself.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

/** A method of the keychain and its arguments. */
export type Use = readonly ['read' | 'remove', string] | readonly ['write', string, string];

/** What the program is told. */
export type KeychainJob = {
  /** The folder of the sources. */
  readonly sources: string;
  readonly uses: readonly Use[];
  /** Pretends to all but the binding that this is another platform. */
  readonly platform?: string;
  /** Aborts so many milliseconds after the first use began. */
  readonly abortAfter?: number;
};

/** What came of a use, or of opening the keychain. `undefined` is the text of that name. */
export type Outcome = { readonly result: unknown } | { readonly error: Failure };

/** An error; `whole` is all that printing it shows. */
export type Failure = {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly whole: string;
};

async function work({ sources, uses, platform, abortAfter }: KeychainJob): Promise<Outcome[]> {
  const { openKeychain } = await import(pathToFileURL(join(sources, 'credentials/keychain.ts')).href);
  if (platform) {
    await import('@napi-rs/keyring');
    Object.defineProperty(process, 'platform', { value: platform });
  }
  const abort = new AbortController();
  const outcomes: Outcome[] = [];
  try {
    const keychain = await openKeychain(abort.signal);
    if (abortAfter !== undefined) setTimeout(() => abort.abort(), abortAfter);
    for (const [method, ...words] of uses) {
      outcomes.push(await outcomeOf(keychain[method](...words)));
    }
  } catch (error) {
    outcomes.push({ error: failureFrom(error) });
  }
  return outcomes;
}

async function outcomeOf(use: Promise<unknown>): Promise<Outcome> {
  try {
    const result = await use;
    return { result: result === undefined ? 'undefined' : result };
  } catch (error) {
    return { error: failureFrom(error) };
  }
}

function failureFrom(error: unknown): Failure {
  const { name, code, message, hint } = error as Failure;
  return {
    name,
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    whole: inspect(error, { depth: 9 }),
  };
}

process.stdout.write(JSON.stringify(await work(JSON.parse(process.argv[2] ?? ''))));
// What waits for a person cannot be stopped otherwise, not even by process.exit().
setTimeout(() => process.kill(process.pid, 'SIGTERM'), 100).unref();
