import { type Certificate, reasonsAgainst, subjectOf } from '../../client/network/certificate.ts';
import type { Store } from '../../client/network/trust.ts';
import { dayOf, formatDuration } from '../../text/format.ts';
import { type CheckResult, fail, pass, warn } from './finding.ts';

const EARLY_DAYS = 21;
const DAY_MS = 86_400_000;

const STORES: Readonly<Record<Store, string>> = {
  bundled: 'checked against the certificates of Node',
  system: 'checked against the certificates of Node and the operating system',
};

/** Evaluates a certificate at a moment: every reason to refuse it, or how long it is still good. */
export function evaluateCertificate(certificate: Certificate, store: Store, now: Date): CheckResult {
  const [first, ...others] = reasonsAgainst(certificate, now);
  const { host, validTo, issuer } = certificate;
  const facts = { valid_to: validTo?.toISOString() ?? null, issuer, store };
  const subject = subjectOf(certificate);
  if (first) {
    const texts = [first, ...others].map(({ text }) => text);
    return fail(`${subject} ${texts.join('; it ')} (${STORES[store]})`, first.remedy, facts);
  }
  if (!validTo) return pass(`${subject} is valid (${STORES[store]})`, facts);
  const left = validTo.getTime() - now.getTime();
  const until = `${subject} is valid until ${dayOf(validTo)}, for ${formatDuration(left)}`;
  if (left >= EARLY_DAYS * DAY_MS) return pass(`${until} (${STORES[store]})`, facts);
  return warn(`${until} more (${STORES[store]})`, `The operator of ${host} must renew it.`, facts);
}
