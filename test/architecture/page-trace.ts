// Runs payctl in this process against a service of its own, which answers every request with the page that is the first argument. Writes to file
// descriptor 3 which files of src run between the first response and the first text on stdout.
import { writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { type Profiler, Session } from 'node:inspector';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [page = '', ...argv] = process.argv.slice(2);
const sources = pathToFileURL(join(import.meta.dirname, '../../src')).href;
const session = new Session();
let hasResponded = false;

/** The files that have run since it was called last. */
function takeFiles(): readonly string[] {
  let scripts: readonly Profiler.ScriptCoverage[] = [];
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    scripts = result;
  });
  const run = scripts.filter(({ functions }) => functions.some(({ ranges }) => ranges[0]?.count));
  return run.flatMap(({ url }) => (url.startsWith(`${sources}/`) ? [url.slice(sources.length + 1)] : []));
}

const server = createServer((_, response) => {
  if (!hasResponded) takeFiles();
  hasResponded = true;
  response.setHeader('content-type', 'application/json');
  response.end(page);
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo;
  server.unref();
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  let isTaken = false;
  stdout.write = ((data: string, ...rest: []) => {
    if (data.length > 0 && !isTaken) writeSync(3, JSON.stringify(takeFiles()));
    isTaken ||= data.length > 0;
    return write(data, ...rest);
  }) as typeof stdout.write;
  // What is done each second is not on the way of a page, and happens on a busy machine only.
  const every = globalThis.setInterval;
  globalThis.setInterval = ((work: () => void, ms: number) => every(work, ms * 1000)) as typeof setInterval;
  process.argv = [...process.argv.slice(0, 2), ...argv, '--base-url', `http://127.0.0.1:${port}`];
  const { main } = await import('../../src/main.ts');
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await main();
});
