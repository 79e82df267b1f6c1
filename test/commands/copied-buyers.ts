import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { answeringBuyers } from '../e2e/paged-service.ts';
import { type Handler, startServer } from '../harness/http-server.ts';
import { folderForTest } from '../harness/temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

/** Buyers of the service. */
export const RECORDS = 250;

/** Responds with an error of the API. */
export function refuse(status: number, code: string, message: string): Handler {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ type: 'error', code, status, message, details: [] }));
  };
}

/** A service of buyers, three pages of them, and runs that export it to `copy`. `instead` responds to some requests otherwise. */
export async function serve() {
  let handler = answeringBuyers(RECORDS);
  const server = await startServer((request, response) => {
    if (request.url.startsWith('/buyers')) return handler(request, response);
    refuse(403, 'forbidden', 'Not allowed')(request, response);
  });
  onTestFinished(() => server.close());
  const folder = folderForTest();
  const copy = join(folder, 'copy');
  const env = {
    PAYCTL_CONFIG_DIR: folder,
    PAYCTL_BASE_URL: server.origin,
    PAYCTL_TOKEN: 'token',
    PAYCTL_MAX_RETRIES: '0',
    NO_COLOR: '1',
  };
  return {
    ...server,
    copy,
    env,
    /** Lets the service respond to the requests from now on in another way, by their number from 1. */
    respond(instead: Readonly<Record<number, Handler>> = {}, count = RECORDS) {
      handler = answeringBuyers(count, instead);
    },
    run: (words: readonly string[], options: Partial<Parameters<typeof runInProcess>[1]> = {}) =>
      runInProcess(words, { ...options, env: { ...env, ...options.env } }),
    /** Paths in messages without the folder of the test. */
    plain: (text: string) => text.replaceAll(folder, '.').replaceAll(server.origin, 'ORIGIN'),
  };
}

type Service = Awaited<ReturnType<typeof serve>>;

/** Runs, and returns what was printed with plain paths. */
export async function run(
  service: Service,
  words: readonly string[],
  options: Partial<Parameters<typeof runInProcess>[1]> = {},
) {
  const { code, stdout, stderr } = await service.run(words, options);
  return { code, stdout: service.plain(stdout), stderr: service.plain(stderr) };
}

/** Exports the buyers. */
export const whole = (service: Service) => run(service, ['export', 'buyers', '--to', service.copy]);
