import { randomBytes, randomUUID } from 'node:crypto';
import { EXIT } from '../../cli/failure/exit-code.ts';
import { stringifyExactJson } from '../../json/exact.ts';
import { formatDuration } from '../../text/format.ts';
import { inShell } from '../../text/shell.ts';
import { createEvent } from '../../webhooks/event.ts';
import { isDelivered, type Outcome, type Sender } from '../../webhooks/sender.ts';
import { deliveryHeaders, type Scheme } from '../../webhooks/signature.ts';
import { type CheckResult, fail, pass, warn } from './finding.ts';

/** A receiver of webhooks, and how deliveries to it are signed. */
export type CheckedReceiver = Scheme & { readonly url: string };

/** What the receiver is sent with; the sender ends an attempt without a response. */
export type ReceiverParts = {
  readonly sender: Pick<Sender, 'post'>;
  readonly userAgent: string;
  readonly signal: AbortSignal;
};

/** How the receiver took the test event: signed, and in ways that it has to refuse; undefined for what was not sent. */
export type ReceiverOutcomes = {
  readonly signed?: Outcome | undefined;
  readonly wrong?: Outcome | undefined;
  readonly unsigned?: Outcome | undefined;
  readonly old?: Outcome | undefined;
  /** The signed delivery, sent again. */
  readonly again?: Outcome | undefined;
};

/** A timestamp that is so much older than the tolerance is refused by any clock. */
const OLDER_MS = 3_600_000;

/**
 * Sends a test event to a receiver: signed, then with a wrong signature, with none, with an old timestamp, and the signed one again. Says what the receiver
 * does wrong.
 * @throws AbortedError
 */
export async function checkReceiver(receiver: CheckedReceiver, parts: ReceiverParts): Promise<CheckResult> {
  const { url, names, secrets, toleranceMs } = receiver;
  const { sender, userAgent, signal } = parts;
  const target = { type: 'webhook-subscription', id: randomUUID() };
  const event = 'webhook-subscription.tested';
  const made = createEvent({ event, target, merchantAccount: 'default', now: new Date() });
  const body = Buffer.from(stringifyExactJson(made));
  const post = async (by: readonly string[], { deliveryId = randomUUID(), ageMs = 0 } = {}) => {
    const signing = { names, secrets: by, deliveryId, event, nowMs: Date.now() - ageMs };
    const headers = { 'user-agent': userAgent, ...deliveryHeaders(body, signing) };
    return await sender.post({ url, headers, body }, signal);
  };
  if (secrets.length === 0) return evaluateReceiver({ unsigned: await post([]) }, receiver);
  const deliveryId = randomUUID();
  const signed = await post(secrets, { deliveryId });
  if (!isDelivered(signed)) return evaluateReceiver({ signed }, receiver);
  const outcomes = {
    signed,
    wrong: await post([randomBytes(32).toString('hex')]),
    unsigned: await post([]),
    old: await post(secrets, { ageMs: toleranceMs + OLDER_MS }),
    again: await post(secrets, { deliveryId }),
  };
  return evaluateReceiver(outcomes, receiver);
}

/** The service gives up after twice the time. */
const SLOW_MS = 5_000;

/** Evaluates how a receiver took the test event. */
export function evaluateReceiver(
  outcomes: ReceiverOutcomes,
  receiver: Pick<CheckedReceiver, 'names'>,
): CheckResult {
  return { ...evaluate(outcomes, receiver), facts: factsOf(outcomes) };
}

function evaluate(
  { signed, wrong, unsigned, old, again }: ReceiverOutcomes,
  { names }: Pick<CheckedReceiver, 'names'>,
): CheckResult {
  const first = signed ?? unsigned;
  const failed = first && evaluateFirst(first, { isSigned: signed !== undefined, names });
  if (failed) return failed;
  const takesWrong = wrong && isDelivered(wrong);
  if (takesWrong || (unsigned && isDelivered(unsigned)))
    return fail(
      `the receiver accepts events with ${takesWrong ? 'a wrong signature' : 'no signature'}: anybody can forge events`,
      'Check the signature of each delivery, and respond with 401 if it is not correct.',
    );
  if (!signed)
    return warn(
      `the receiver refuses an event without a signature (${unsigned?.status}); whether it accepts correct ones was not checked`,
      inShell('Give the secret as well: --secret @FILE'),
    );
  const unclear = [wrong, unsigned].find((one) => one && !isRefused(one));
  if (unclear)
    return warn(
      `the receiver ${saidOf(unclear)} when the signature is wrong: such a delivery is tried again`,
      'Respond with 401.',
    );
  if (old && isDelivered(old))
    return warn(
      'the receiver accepts a delivery with an old timestamp: who has recorded one can send it again',
      'Refuse timestamps that differ from the clock by more than 5 minutes.',
    );
  if (again && !isDelivered(again))
    return warn(
      `the receiver takes a delivery, and ${saidOf(again)} when the same one comes again`,
      'A delivery may come twice: respond with the same status to an ID that was processed before.',
    );
  if (signed.milliseconds > SLOW_MS)
    return warn(
      `the receiver takes ${formatDuration(signed.milliseconds)} to respond; after 10 seconds a delivery has failed`,
      'Store the event, respond, and process it afterwards.',
    );
  return pass(
    `the receiver accepts a signed event (${signed.status} in ${signed.milliseconds} ms) and refuses forged and old ones`,
  );
}

/** What is wrong with the response to the first request; undefined if it tells nothing yet. */
function evaluateFirst(
  outcome: Outcome,
  { isSigned, names }: Pick<Scheme, 'names'> & { readonly isSigned: boolean },
): CheckResult | undefined {
  const { status, problem, location } = outcome;
  if (status === undefined) {
    const message = `the receiver does not respond: ${problem}`;
    return { ...fail(message, 'Check that it runs, and that the URL is right.'), exitCode: EXIT.noResponse };
  }
  if (status >= 300 && status < 400) {
    const where = location === undefined ? '' : ` to ${location}`;
    const message = `the receiver redirects${where} (${status}), and redirects of deliveries are not followed`;
    return fail(message, 'Use the URL that it redirects to.');
  }
  if (status === 404 || status === 405 || status === 410) {
    return fail(
      `the receiver has nothing at this URL (${status})`,
      'Check the path, and that it takes POST.',
    );
  }
  if (status >= 500) {
    return fail(`the receiver fails (${status})`, 'Look into its log.');
  }
  if (!isSigned || status < 300) return undefined;
  return fail(
    `the receiver refuses a correctly signed event (${status})`,
    `Compare the secret, the names of the headers (${names.signature}, ${names.timestamp}), and its clock; it must check the bytes of the body before they are parsed.`,
  );
}

function isRefused({ status = 0 }: Outcome): boolean {
  return status >= 400 && status < 500;
}

function saidOf({ status, problem }: Outcome): string {
  return status === undefined ? `does not respond (${problem})` : `responds with ${status}`;
}

function factsOf({ signed, wrong, unsigned, old, again }: ReceiverOutcomes) {
  return {
    status: signed?.status ?? null,
    milliseconds: signed?.milliseconds ?? null,
    wrong_status: wrong?.status ?? null,
    unsigned_status: unsigned?.status ?? null,
    old_status: old?.status ?? null,
    repeated_status: again?.status ?? null,
  };
}
