import { parentPort } from 'node:worker_threads';
import { type JqRequest, loadEngine } from './jq-engine.ts';

// The thread that `jq-runner.ts` starts: it runs what it is sent, to the end.
// How jq crashed is in its reply.
console.error = () => {};
const engine = loadEngine();
parentPort?.on('message', async (request: JqRequest) => {
  const run = await engine;
  parentPort?.postMessage(run(request));
});
