import { parentPort } from 'node:worker_threads';
import { raw } from 'jq-wasm/inline';

/** One run of jq: its arguments are the expression and the JSON texts. */
export type JqRequest = { readonly expression: string; readonly json: string };

/** How it ended. `crash`: jq itself failed, of which the name of the error says how. */
export type JqReply =
  | { readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  | { readonly crash: string; readonly message: string };

// Runs in a thread of its own, because an expression may never end and only a thread can be stopped from outside.
parentPort?.on('message', async ({ expression, json }: JqRequest) => {
  parentPort?.postMessage(await runJq(expression, json));
});

async function runJq(expression: string, json: string): Promise<JqReply> {
  try {
    // Without `--`, jq would take an expression like `-.limit` for a flag.
    return await raw(json, expression, ['-c', '--']);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { crash: name, message };
  }
}
