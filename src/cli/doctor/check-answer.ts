import { AbortedError, type PayctlError } from '../../client/errors.ts';
import { explainFault } from '../../client/explain-fault.ts';
import { createTransport } from '../../client/transport.ts';
import { startTimeLimit } from '../../client/waiting.ts';
import { describeFailure } from '../failure/describe-failure.ts';
import { fault, ok, type Verdict } from './finding.ts';
import type { Exchange } from './judge-clock.ts';
import type { Limits } from './limits.ts';

/** An answer of the service, whatever it says. */
export type Answer = Exchange & { readonly status: number };

/**
 * Asks the base URL itself, without a token, whether anything speaks HTTP there.
 * @throws ConnectionError or ResponseError without an answer, AbortedError
 */
export async function probe(url: URL, userAgent: string, limits: Limits): Promise<Answer> {
  const { origin, pathname: path } = url;
  const transport = createTransport(origin, limits.milliseconds);
  const limit = startTimeLimit(limits.milliseconds, limits.signal);
  const sentAt = Date.now();
  const started = performance.now();
  try {
    const headers = { accept: 'application/json', 'user-agent': userAgent };
    const reply = await transport.send({ method: 'GET', path, headers, signal: limit.signal });
    return { ...reply, sentAt, milliseconds: performance.now() - started };
  } catch (error) {
    if (limits.signal.aborted) throw new AbortedError();
    throw explainFault(error, {
      summary: { method: 'GET', path, origin },
      attempt: 1,
      timedOutAfter: limit.expired() ? limits.milliseconds : undefined,
    });
  } finally {
    limit.clear();
    await transport.close();
  }
}

/** Judges an answer: any is good but one that says that the service is down. */
export function judgeAnswer({ status, milliseconds }: Answer): Verdict {
  const facts = { status, milliseconds: Math.round(milliseconds) };
  const speed = `in ${facts.milliseconds} ms`;
  if (status < 500) return ok(`the service answers ${speed}`, facts);
  return fault(
    `the service answers ${speed} that it is failing (${status})`,
    'Try again later, or ask whoever runs the service.',
    facts,
  );
}

/** Judges a call that got no usable answer. */
export function judgeNoAnswer(error: PayctlError): Verdict {
  const { message, hint, probably } = describeFailure(error);
  const [reason] = probably ?? [];
  return fault(message, hint ?? (reason && `Probably ${reason}.`));
}
