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

/** Loads jq, which can run once more after every run but one that crashed or was stopped. */
export async function loadEngine(): Promise<JqEngine> {
  const jq = await loadJq();
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
