import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { exitCodeOfFindings } from '../../../src/features/doctor/finding.ts';
import { checkReceiver, evaluateReceiver } from '../../../src/features/doctor/receiver.ts';
import { openSender } from '../../../src/webhooks/sender.ts';
import { headerNames } from '../../../src/webhooks/signature.ts';
import { type Handler, type RecordedRequest, startServer } from '../../harness/http-server.ts';

const SECRET = 'k9-marked-secret';
const names = headerNames('x-service-');

const statusBy =
  (decide: (request: RecordedRequest) => number, headers = {}): Handler =>
  (request, response) => {
    response.writeHead(decide(request), headers).end();
  };

const isSigned = ({ headers, bytes }: RecordedRequest) => {
  const hmac = createHmac('sha256', SECRET).update(`${headers['x-service-timestamp']}.`).update(bytes);
  return headers['x-service-signature'] === hmac.digest('hex');
};
const isFresh = ({ headers }: RecordedRequest) =>
  Math.abs(Number(headers['x-service-timestamp']) - Date.now() / 1000) < 300;

async function check(handler: Handler, secrets: readonly string[] = [SECRET]) {
  const server = await startServer(handler);
  const sender = openSender();
  const { signal } = new AbortController();
  try {
    const receiver = { url: `${server.origin}/hooks`, names, secrets, toleranceMs: 300_000 };
    const { facts, ...found } = await checkReceiver(receiver, { sender, userAgent: 'test', signal });
    return {
      ...found,
      facts,
      code: exitCodeOfFindings([{ ...found, name: 'webhooks' }]),
      requests: server.requests,
    };
  } finally {
    await sender.close();
    await server.close();
  }
}

describe('checkReceiver', () => {
  it('passes a receiver that checks signature and timestamp', async () => {
    const found = await check(statusBy((request) => (isSigned(request) && isFresh(request) ? 200 : 401)));
    expect(found).toMatchObject({
      state: 'pass',
      message: expect.stringMatching(
        /^the receiver accepts a signed event \(200 in \d+ ms\) and refuses forged and old ones$/,
      ),
      facts: { status: 200, wrong_status: 401, unsigned_status: 401, old_status: 401, repeated_status: 200 },
      code: 0,
    });
    const ids = found.requests.map(({ headers }) => headers['x-service-delivery']);
    expect(ids[4]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(4);
    expect(JSON.parse(found.requests[0]?.body ?? '')).toMatchObject({
      type: 'event',
      event: 'webhook-subscription.tested',
    });
  });

  const refused = 'Check the signature of each delivery, and respond with 401 if it is not correct.';
  it.each<[string, Handler, string, string, string, number]>([
    [
      'accepts all',
      statusBy(() => 204),
      'fail',
      'the receiver accepts events with a wrong signature: anybody can forge events',
      refused,
      6,
    ],
    [
      'accepts what has no signature',
      statusBy((request) => (request.headers['x-service-signature'] && !isSigned(request) ? 401 : 200)),
      'fail',
      'the receiver accepts events with no signature: anybody can forge events',
      refused,
      6,
    ],
    [
      'refuses all',
      statusBy(() => 401),
      'fail',
      'the receiver refuses a correctly signed event (401)',
      'Compare the secret, the names of the headers (x-service-signature, x-service-timestamp), and its clock; it must check the bytes of the body before they are parsed.',
      6,
    ],
    [
      'redirects',
      statusBy(() => 308, { location: 'https://example.com/hooks' }),
      'fail',
      'the receiver redirects to https://example.com/hooks (308), and redirects of deliveries are not followed',
      'Use the URL that it redirects to.',
      6,
    ],
    [
      'is elsewhere',
      statusBy(() => 404),
      'fail',
      'the receiver has nothing at this URL (404)',
      'Check the path, and that it takes POST.',
      6,
    ],
    ['fails', statusBy(() => 503), 'fail', 'the receiver fails (503)', 'Look into its log.', 6],
    [
      'accepts old timestamps',
      statusBy((request) => (isSigned(request) ? 200 : 400)),
      'warn',
      'the receiver accepts a delivery with an old timestamp: who has recorded one can send it again',
      'Refuse timestamps that differ from the clock by more than 5 minutes.',
      0,
    ],
    [
      'fails at a wrong signature',
      statusBy((request) => (isSigned(request) && isFresh(request) ? 200 : 500)),
      'warn',
      'the receiver responds with 500 when the signature is wrong: such a delivery is tried again',
      'Respond with 401.',
      0,
    ],
  ])('says what is wrong with one that %s', async (_, handler, state, message, remedy, code) => {
    expect(await check(handler)).toMatchObject({ state, message, remedy, code });
  });

  it('says that one takes a delivery only once, or is slow', () => {
    const taken = { status: 200, problem: undefined, milliseconds: 6_200 };
    const refusal = { status: 401, problem: undefined, milliseconds: 1 };
    const outcomes = { signed: taken, wrong: refusal, unsigned: refusal, old: refusal, again: taken };
    const conflict = { ...refusal, status: 409 };
    expect(evaluateReceiver({ ...outcomes, again: conflict }, { names })).toMatchObject({
      state: 'warn',
      message: 'the receiver takes a delivery, and responds with 409 when the same one comes again',
    });
    expect(evaluateReceiver(outcomes, { names })).toMatchObject({
      state: 'warn',
      message: 'the receiver takes 6 seconds to respond; after 10 seconds a delivery has failed',
    });
    const silent = { status: undefined, problem: 'no response within 10000 ms', milliseconds: 10_000 };
    const found = evaluateReceiver({ signed: silent }, { names });
    expect(found).toMatchObject({
      state: 'fail',
      message: 'the receiver does not respond: no response within 10000 ms',
      exitCode: 9,
    });
  });

  it('sends one event without a signature where no secret is known', async () => {
    const found = await check(
      statusBy(() => 401),
      [],
    );
    expect(found).toMatchObject({
      state: 'warn',
      message:
        'the receiver refuses an event without a signature (401); whether it accepts correct ones was not checked',
      remedy: 'Give the secret as well: --secret @FILE',
    });
    expect(found.requests.map(({ headers }) => headers['x-service-signature'])).toEqual([undefined]);
    expect(
      await check(
        statusBy(() => 200),
        [],
      ),
    ).toMatchObject({
      state: 'fail',
      message: 'the receiver accepts events with no signature: anybody can forge events',
    });
  });
});
