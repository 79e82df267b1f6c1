import nock from 'nock';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

/**
 * Keeps the tests of a file off the network with nock. A test fails when a request met no interceptor (nock answers
 * such a request with 501, which a client takes for an answer of the service) and when an interceptor met no request.
 */
export function guardNetwork(): void {
  const unmatched: string[] = [];
  const record = ({ method, url }: Request) => unmatched.push(`${method} ${url}`);

  beforeAll(() => {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
    nock.emitter.on('no match', record);
  });

  afterEach(() => {
    const faults = { unmatched: unmatched.splice(0), unused: nock.pendingMocks() };
    nock.cleanAll();
    expect(faults).toEqual({ unmatched: [], unused: [] });
  });

  afterAll(() => {
    nock.emitter.off('no match', record);
    nock.restore();
    nock.enableNetConnect();
  });
}
