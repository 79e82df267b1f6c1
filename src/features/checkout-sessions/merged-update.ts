import { isDeepStrictEqual } from 'node:util';
import type { SendParts } from '../../cli/body-command.ts';
import type { Body } from '../../cli/read-body.ts';
import { DryRunEnd } from '../../cli/session/hooks.ts';
import type { Display } from '../../cli/show/display.ts';
import type { CheckoutSession } from '../../client/client.ts';
import { hasNoContent, responseOf } from '../../client/response.ts';
import { AbortedError, ConflictError } from '../../errors.ts';
import { shellQuote } from '../../text/shell.ts';
import { mergeChanges, type SessionChanges, type StoredFields } from './changes.ts';
import { findDifference, storedFields } from './stored-fields.ts';

/** An update that is made from the stored session. */
export type MergedUpdate = {
  /** Ends the attempt to send the update if the session is no longer the one that it was made from. */
  readonly beforeWrite: (attempt: number) => Promise<void>;
  /**
   * Reads the session, makes the changes in it and sends the fields that they change, with `body`. Where somebody else changes
   * the same fields before they are sent, it says so and starts again from what is stored by then. Without anything to change
   * it sends nothing, and gives the session as it was read.
   * @throws ConflictError `session_changed`; ResponseError for a session that cannot be changed; and what requests throw
   */
  send(parts: SendParts, changes: SessionChanges): Promise<CheckoutSession>;
};

/** How often an update is repeated because somebody else was faster. */
const MOST_ROUNDS = 5;

/** Makes the update of a session; nothing is sent yet. */
export function createMergedUpdate(id: string): MergedUpdate {
  let check: ((attempt: number) => Promise<void>) | undefined;
  return {
    beforeWrite: async (attempt) => check?.(attempt),
    async send(parts, changes) {
      const { client, options, display, isDryRun } = parts;
      if (isDryRun) display.info('The session is read to make this request. Nothing is changed.');
      const get = () => client.checkoutSessions.get(id, options);
      let read = await get();
      reportMissing(display, mergeChanges(storedFields(read), changes).missing);
      for (let round = 1; round <= MOST_ROUNDS; round += 1) {
        const { body: sent, summary } = mergeChanges(storedFields(read), changes);
        if (summary !== '') display.info(summary);
        check = (attempt) => requireUnchanged({ id, attempt, get, read, sent, changes });
        const outcome = await sendOnce(id, parts, sent).catch(whatStoppedIt);
        if (outcome === undefined) return read;
        if (!(outcome instanceof Outdated)) {
          reportDifference(display, sent, { received: outcome, changes });
          return outcome;
        }
        display.warn(
          'session_changed',
          `Someone else changed ${outcome.message}; the update now includes that change.`,
        );
        read = outcome.session;
      }
      const problem = 'Nothing was sent: someone else keeps changing the session';
      throw new ConflictError('session_changed', problem, { hint: 'Run the command again.' });
    },
  };
}

/** Sends the update; undefined where there is nothing to send. */
async function sendOnce(
  id: string,
  { client, body, options, display, isDryRun }: SendParts,
  sent: Body,
): Promise<CheckoutSession | undefined> {
  const whole = { ...body, ...sent };
  if (Object.keys(whole).length > 0) return await client.checkoutSessions.update(id, whole, options);
  display.warn('unchanged', 'Nothing was sent: the session already has these values.');
  if (isDryRun) throw new DryRunEnd();
  return undefined;
}

function whatStoppedIt(error: unknown): Outdated {
  if (error instanceof Outdated) return error;
  throw error instanceof NotReadAgain ? error.cause : error;
}

function reportMissing(display: Display, keys: readonly string[]): void {
  for (const key of keys) {
    display.warn('metadata_not_found', `The session has no metadata ${JSON.stringify(key)} to remove.`);
  }
}

/** The session is not what an update was made from; the message says what of it. It ends the attempt, and never leaves this file. */
class Outdated extends Error {
  readonly session: CheckoutSession;

  constructor(session: CheckoutSession, what: string) {
    super(what);
    this.session = session;
  }
}

/** Keeps the client from repeating an update because reading failed, which was repeated already. */
class NotReadAgain extends Error {}

type Check = {
  readonly id: string;
  readonly attempt: number;
  readonly get: () => Promise<CheckoutSession>;
  /** What the update was made from. */
  readonly read: CheckoutSession;
  /** The fields of the update that were made from it. */
  readonly sent: Body;
  readonly changes: SessionChanges;
};

/**
 * Reads the session again. An attempt after a failure may follow one that was processed: then what is stored is what was sent,
 * or it cannot be known whose change it is.
 */
async function requireUnchanged({ id, attempt, get, read, sent, changes }: Check): Promise<void> {
  const isFirst = attempt === 1;
  let now: CheckoutSession;
  try {
    now = await get();
  } catch (error) {
    if (isFirst) throw new NotReadAgain('the session cannot be read again', { cause: error });
    if (error instanceof AbortedError) throw error;
    return;
  }
  const [before, after] = [storedFields(read), storedFields(now)];
  const fields = touchedFields(changes).filter((field) => !isDeepStrictEqual(before[field], after[field]));
  if (fields.length === 0) return;
  const what = `${fields.join(' and ')} of the session`;
  if (isFirst) throw new Outdated(now, what);
  if (findDifference(sent, now, changes) === undefined) return;
  const problem = `Someone else changed ${what} while the update was being retried`;
  throw new ConflictError('session_changed', problem, {
    hint: `Check the session before you update it again: payctl checkout-sessions get ${shellQuote(id)}`,
    outcomeUnknown: true,
  });
}

function touchedFields(changes: SessionChanges): (keyof StoredFields)[] {
  const { addItems, setMetadata, removeMetadata } = changes;
  const isMetadata = Object.keys(setMetadata).length + removeMetadata.length > 0;
  return [
    ...(addItems.length > 0 ? (['cart_items'] as const) : []),
    ...(isMetadata ? (['metadata'] as const) : []),
  ];
}

type Merged = { readonly received: CheckoutSession; readonly changes: SessionChanges };

function reportDifference(display: Display, sent: Body, { received, changes }: Merged): void {
  const response = responseOf(received);
  if (response && hasNoContent(response)) return;
  const pointer = findDifference(sent, received, changes);
  if (pointer === undefined) return;
  const message = `The response differs from what was sent at ${pointer}: the service stored another value there, or none.`;
  display.warn('not_stored_as_sent', message);
}
