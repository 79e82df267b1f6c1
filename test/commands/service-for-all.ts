import { afterAll, beforeAll } from 'vitest';
import {
  type Answer,
  type RecordedRequest,
  sendAnswer,
  startServer,
  type TestServer,
} from '../harness/http-server.ts';
import { type RunOptions, runInProcess } from './run-in-process.ts';

type Options = Partial<RunOptions> & {
  /** What the requests of this run get, one after the other; the last answer stays. */
  readonly answers?: readonly Answer[];
};

/** A service for all tests of a file, and runs of payctl that ask it with a token. `answer` is what a request gets. */
export function serviceForAll(answer: (request: RecordedRequest) => Answer = () => ({ status: 418 })) {
  let server: TestServer;
  let script: readonly Answer[] | undefined;
  let before = 0;
  beforeAll(async () => {
    server = await startServer((request, response) => {
      const index = server.requests.length - before - 1;
      sendAnswer(script ? (script[index] ?? script.at(-1) ?? {}) : answer(request), response);
    });
  });
  afterAll(() => server.close());
  const requests = () => server.requests.slice(before);
  return {
    get origin() {
      return server.origin;
    },
    /** Those of the last run. */
    requests,
    async run(argv: readonly string[], { env = {}, answers, ...options }: Options = {}) {
      script = answers;
      before = server.requests.length;
      const usual = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque', TERM: 'xterm', NO_COLOR: '1' };
      const printed = await runInProcess(argv, { ...options, env: { ...usual, ...env } });
      return { ...printed, urls: requests().map(({ url }) => url) };
    },
  };
}
