import { loadJq } from 'jq-wasm/inline';

/** One run of jq: an expression and JSON texts. */
export type JqRequest = { readonly expression: string; readonly json: string };

/** How a run ended. `crash`: jq itself broke down, in the way that the name of the error says. */
export type JqReply =
  | { readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  | { readonly crash: string; readonly message: string };

/**
 * Runs jq to its end, however long that takes. It has 256 MiB of memory. Where it crashes, it also calls `console.error`.
 */
export type JqEngine = (request: JqRequest) => JqReply;

/** Loads jq, which can run again after every run except one that crashed or was stopped. */
export async function loadEngine(): Promise<JqEngine> {
  const jq = await loadJq();
  // A run may be stopped anywhere (jq-runner.ts), and a module of Node that is stopped while it loads stays broken: later, no token
  // could be signed. jq asks for random bytes, so what that needs is loaded before the first run.
  crypto.getRandomValues(new Uint8Array(1));
  // Without `--`, jq would take an expression like `-.limit` for a flag.
  return ({ expression, json }) => replyOf(() => jq.raw(json, expression, ['-c', '--']));
}

function replyOf(run: () => JqReply): JqReply {
  try {
    return run();
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { crash: name, message };
  }
}
