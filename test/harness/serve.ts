import { afterAll, onTestFinished } from 'vitest';
import { type Handler, startServer, type TestServer } from './http-server.ts';

type Credentials = Parameters<typeof startServer>[1];

/** Starts a server for the tests of a file, which is closed after the last of them. */
export async function serveForAll(handler: Handler): Promise<TestServer> {
  const server = await startServer(handler);
  afterAll(() => server.close());
  return server;
}

/** Starts a server for the test that calls it, which is closed when that has ended. */
export async function serve(handler: Handler, credentials?: Credentials): Promise<TestServer> {
  const server = await startServer(handler, credentials);
  onTestFinished(() => server.close());
  return server;
}
