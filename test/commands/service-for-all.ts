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

/** A service for all tests of a file, and runs of payctl that ask it, with a token where no key is given. `answer` is what a request gets. */
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
  const print = async (argv: readonly string[], { env = {}, answers, ...options }: Options = {}) => {
    script = answers;
    before = server.requests.length;
    const token = env.PAYCTL_PRIVATE_KEY === undefined && { PAYCTL_TOKEN: 'opaque' };
    const usual = { PAYCTL_BASE_URL: server.origin, ...token, TERM: 'xterm', NO_COLOR: '1' };
    return await runInProcess(argv, { ...options, env: { ...usual, ...env } });
  };
  return {
    get origin() {
      return server.origin;
    },
    /** Those of the last run. */
    requests,
    /** Runs payctl; gives the addresses that it asked, too. */
    async run(argv: readonly string[], options: Options = {}) {
      return { ...(await print(argv, options)), urls: requests().map(({ url }) => url) };
    },
    print,
  };
}
