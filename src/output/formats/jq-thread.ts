import type { Worker } from 'node:worker_threads';
import { AbortedError, OutputError } from '../../errors.ts';
import type { JqReply, JqRequest } from './jq-worker.ts';

/** What jq printed, and its exit code. */
export type JqCall = Exclude<JqReply, { readonly crash: string }>;

/** A thread that runs jq. */
export type JqThread = {
  /**
   * Runs an expression on JSON text; one run at a time.
   * @throws AbortedError, OutputError `jq_out_of_memory`, `jq_failed` for a jq that crashed
   */
  run(request: JqRequest): Promise<JqCall>;
  /** Ends the thread, also in the middle of a run. */
  close(): void;
};

/** The memory of jq itself is limited to 256 MiB; its results are not, and grow with the memory of the process. */
const MOST_GROWTH = 1024 ** 3;
const CHECK_MS = 50;

/** Starts the thread; it gets ready while its first run waits. It does not keep the process alive between runs. */
export function startJqThread(signal: AbortSignal | undefined): JqThread {
  const { Worker: Thread } = process.getBuiltinModule('node:worker_threads');
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  // What jq prints when it crashes stays in the thread: the error says it.
  const options = { stdout: true, stderr: true, env: {}, execArgv: [] };
  const worker = new Thread(new URL(`./jq-worker.${extension}`, import.meta.url), options);
  worker.unref();
  const close = () => void worker.terminate();
  signal?.addEventListener('abort', close, { once: true });
  return {
    async run(request) {
      if (signal?.aborted) throw new AbortedError();
      worker.ref();
      try {
        return callOf(await replyOf(worker, request, signal));
      } finally {
        worker.unref();
      }
    },
    close() {
      signal?.removeEventListener('abort', close);
      close();
    },
  };
}

function callOf(reply: JqReply): JqCall {
  if (!('crash' in reply)) return reply;
  // A WebAssembly program that cannot get more memory ends by this error.
  if (reply.crash === 'RuntimeError') throw outOfMemory();
  throw new OutputError('jq_failed', `--jq failed on the data: jq crashed (${reply.message})`);
}

async function replyOf(
  worker: Worker,
  request: JqRequest,
  signal: AbortSignal | undefined,
): Promise<JqReply> {
  const { promise, resolve, reject } = Promise.withResolvers<JqReply>();
  const atStart = process.memoryUsage.rss();
  let isTooLarge = false;
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() - atStart < MOST_GROWTH) return;
    isTooLarge = true;
    void worker.terminate();
  }, CHECK_MS);
  const onError = (error: NodeJS.ErrnoException) => {
    const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    reject(isFull ? outOfMemory() : new OutputError('jq_failed', `jq cannot run: ${error.message}`));
  };
  const onExit = () => {
    if (signal?.aborted) reject(new AbortedError());
    else reject(isTooLarge ? outOfMemory() : new OutputError('jq_failed', 'jq ended before its result'));
  };
  worker.on('message', resolve).on('error', onError).on('exit', onExit);
  worker.postMessage(request);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
    worker.off('message', resolve).off('error', onError).off('exit', onExit);
  }
}

function outOfMemory(): OutputError {
  return new OutputError('jq_out_of_memory', '--jq ran out of memory', {
    hint: 'Filter fewer items at a time: with -o ndjson the expression runs on each page instead of on the whole list.',
  });
}
