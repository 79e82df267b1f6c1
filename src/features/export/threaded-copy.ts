import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { OutputError } from '../../errors.ts';
import { programThread } from '../../program-files.ts';
import { type CopiedPage, noCounts, type Pass } from './copy-list.ts';
import type { ListEntry } from './manifest.ts';
import { type CopyCall, type CopyReply, type Opening, type PackedTexts, Packing } from './thread-calls.ts';

/** Calls for a list that wait for the thread. */
const MOST_WAITING = 8;

/** Bytes of pages that are sent together: to wake a thread takes as long as to read a page. */
const MOST_GATHERED = 150_000;

/** The most memory of the thread for what is needed only for a moment, in MiB. */
const YOUNG_MIB = 4;

/**
 * How much the old objects of a thread may grow before V8 looks for garbage among them, in percent of what is in use. By default it may
 * wait until they are four times as large; until then undici's buffers stay, 64 KiB for each page.
 */
const GROWTH_PERCENT = 80;

type Pending = { resolve(reply: CopyReply): void; reject(error: unknown): void };

/** The thread that writes the parts of a copy. */
export class CopyThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #calls = 0;
  #end: { readonly error: unknown } | undefined;

  constructor(opening: Opening) {
    const file = fileURLToPath(new URL(`./copy-thread${extname(import.meta.url)}`, import.meta.url));
    const { code, options } = programThread(file);
    // For all threads of the process.
    setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MIB };
    this.#worker = new Worker(code, { ...options, resourceLimits, env: {}, execArgv: [] });
    this.#worker.on('message', (reply: CopyReply) => {
      this.#pending.get(reply.id)?.resolve(reply);
      this.#pending.delete(reply.id);
    });
    this.#worker.on('error', (error) => this.#failAll(error));
    this.#worker.on('exit', () => this.#failAll(new Error('The thread that writes the copy has ended')));
    this.#worker.postMessage(opening);
  }

  /** Resolves to what is known about the list after the call. @throws what the thread throws */
  async call(list: number, call: CopyCall['call']): Promise<CopyReply> {
    if (this.#end) throw this.#end.error;
    this.#calls += 1;
    const id = this.#calls;
    const { promise, resolve, reject } = Promise.withResolvers<CopyReply>();
    this.#pending.set(id, { resolve, reject });
    const bytes = 'texts' in call ? [call.texts.bytes.buffer] : [];
    this.#worker.postMessage({ id, list, call }, bytes);
    return await promise;
  }

  async close(): Promise<void> {
    if (this.#end) return;
    const ended = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.postMessage('close');
    await ended;
  }

  #failAll(error: unknown): void {
    this.#end ??= { error };
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

/** The copy of a list that the thread writes. */
export class ThreadedCopy {
  entry: ListEntry;
  counts = noCounts();
  readonly #thread: CopyThread;
  readonly #list: number;
  readonly #gathered = new Packing();
  readonly #spare: Buffer<ArrayBuffer>[] = [];
  #last: Omit<CopiedPage, 'texts'> | undefined;
  #waiting: Promise<void>[] = [];
  #failure: { readonly error: unknown } | undefined;

  /** `list` is the number of the list in the copy. */
  constructor(thread: CopyThread, list: number, entry: ListEntry) {
    this.#thread = thread;
    this.#list = list;
    this.entry = entry;
  }

  /** Begins the pass, or begins it again without what was written before. */
  async begin(pass: Pass, method: 'begin' | 'restart' = 'begin'): Promise<void> {
    await this.#call({ method, pass });
  }

  /** Adds a page, while few pages wait for the thread. */
  async add(texts: readonly string[], { cursor, sentAt }: Omit<CopiedPage, 'texts'>): Promise<void> {
    this.#gathered.add(texts);
    this.#last = { cursor, sentAt: this.#last?.sentAt ?? sentAt };
    if (this.#gathered.length >= MOST_GATHERED) await this.#sendGathered();
  }

  /** Adds a page of what was changed while the list was read. */
  async addChanged(
    texts: readonly string[],
    { sentAt }: { readonly sentAt: number | undefined },
  ): Promise<void> {
    this.#gathered.add(texts);
    await this.#send({ method: 'addChanged', texts: this.#take(), sentAt });
  }

  async endReading(): Promise<void> {
    await this.#sendGathered();
    await this.#call({ method: 'endReading' });
  }

  async finish(readsAll: boolean): Promise<void> {
    await this.#sendGathered();
    await this.#call({ method: 'finish', readsAll });
  }

  /** Keeps what was read before a failure. */
  async fail(): Promise<void> {
    await this.#sendGathered().catch(() => {});
    this.#failure = undefined;
    await this.#call({ method: 'fail' }).catch(() => {});
  }

  async #sendGathered(): Promise<void> {
    if (!this.#last) return;
    const call = { method: 'add', texts: this.#take(), ...this.#last } as const;
    this.#last = undefined;
    await this.#send(call);
  }

  /** What was gathered. */
  #take(): PackedTexts {
    return this.#gathered.take(this.#spare.pop());
  }

  /** Sends a call without waiting for it; its failure ends the next one. */
  async #send(call: CopyCall['call']): Promise<void> {
    const sent = this.#carryOut(call).catch((error: unknown) => {
      this.#failure ??= { error };
    });
    this.#waiting.push(sent);
    if (this.#waiting.length >= MOST_WAITING) await this.#waiting.shift();
    if (this.#failure) throw this.#failure.error;
  }

  async #call(call: CopyCall['call']): Promise<void> {
    await Promise.all(this.#waiting);
    this.#waiting = [];
    if (this.#failure) throw this.#failure.error;
    await this.#carryOut(call);
  }

  async #carryOut(call: CopyCall['call']): Promise<void> {
    const {
      entry = this.entry,
      counts = this.counts,
      bytes,
      error,
    } = await this.#thread.call(this.#list, call);
    this.entry = entry;
    this.counts = counts;
    if (bytes) this.#spare.push(Buffer.from(bytes.buffer));
    if (!error) return;
    if (error.known) throw new OutputError(error.known.code, error.message, { hint: error.known.hint });
    throw Object.assign(new Error(error.message), { stack: error.stack });
  }
}
