import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context, Script } from 'node:vm';
import type { Worker } from 'node:worker_threads';
import { AbortedError, OutputError } from '../../errors.ts';
import { programThread } from '../../program-files.ts';
import { type JqEngine, type JqReply, type JqRequest, loadEngine } from './jq-engine.ts';

/** What jq printed, and its exit code. */
export type JqCall = Exclude<JqReply, { readonly crash: string }>;

/** Runs jq so that it can be stopped. */
export type JqRunner = {
  /**
   * Runs an expression on JSON text; one run at a time.
   * @throws AbortedError, OutputError `jq_out_of_memory`, `jq_failed` for a jq that crashed
   */
  run(request: JqRequest): Promise<JqCall>;
  /** Ends what is still running. */
  close(): void;
};

/** How long a run may hold up this thread, and with that the answer to Ctrl-C. */
const SHORT_MS = 250;
/** Longer texts are not tried here, in characters. */
const SHORT_JSON = 2 ** 20;

/** The jq of this thread, which takes longer to load than most runs take; undefined after a run that it cannot run again after. */
let engine: JqEngine | undefined;

/**
 * Runs jq in this thread, which is the fastest way, but only for a moment: what takes longer, or ends never, starts over in
 * a thread that the signal ends.
 */
export async function createJqRunner(signal: AbortSignal | undefined): Promise<JqRunner> {
  engine ??= await loadEngine();
  let thread: JqRunner | undefined;
  return {
    async run(request) {
      if (signal?.aborted) throw new AbortedError();
      const isShort = request.json.length <= SHORT_JSON;
      const reply = engine && isShort ? runBriefly(engine, request) : undefined;
      if (isShort && (!reply || 'crash' in reply)) engine = undefined;
      if (reply) return callOf(reply);
      thread ??= startThread(signal);
      return await thread.run(request);
    },
    close: () => thread?.close(),
  };
}

type Limited = { readonly context: Context; readonly script: Script };

/** Made once: it takes as long to make as jq takes for a page. */
let limited: Limited | undefined;

/** The reply of a run that finishes within `SHORT_MS`; undefined if it does not, after which the engine cannot be used again. */
function runBriefly(engine: JqEngine, request: JqRequest): JqReply | undefined {
  const { error: printError } = console;
  // How jq crashed is in its reply.
  console.error = () => {};
  try {
    limited ??= limitedScript();
    limited.context.run = () => engine(request);
    return limited.script.runInContext(limited.context, { timeout: SHORT_MS }) as JqReply;
  } catch (error) {
    if (errorCodeOf(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    console.error = printError;
  }
}

/** Calls `run` of its context. Node can stop code after a time only where it runs a script. */
function limitedScript(): Limited {
  const vm = process.getBuiltinModule('node:vm');
  return { context: vm.createContext({}), script: new vm.Script('run()') };
}

/** The error comes from another context, where `Error` is another class. */
function errorCodeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** The memory of jq itself is limited to 256 MiB; its results are not, and grow with the memory of the process. */
const MOST_GROWTH = 1024 ** 3;
const CHECK_MS = 50;

/** Starts the thread; its first run waits until it is ready. It does not keep the process alive between runs. */
function startThread(signal: AbortSignal | undefined): JqRunner {
  const { Worker: Thread } = process.getBuiltinModule('node:worker_threads');
  const extension = extname(import.meta.url);
  const file = fileURLToPath(new URL(`./jq-worker${extension}`, import.meta.url));
  const { code, options } = programThread(file);
  const worker = new Thread(code, { ...options, stdout: true, stderr: true, env: {}, execArgv: [] });
  worker.unref();
  const close = () => void worker.terminate();
  signal?.addEventListener('abort', close, { once: true });
  return {
    async run(request) {
      worker.ref();
      try {
        return callOf(await replyOf(worker, request, signal));
      } catch (error) {
        // A jq that crashed runs nothing more, and what it printed keeps the process alive.
        close();
        throw error;
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
