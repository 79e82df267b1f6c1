import { dayOf, formatDuration } from '../../text/format.ts';
import { type CheckResult, fail, pass, warn } from './finding.ts';

/** What a server showed of itself. */
export type Certificate = {
  readonly host: string;
  /** Why it is not trusted, as Node calls it; undefined when it is. */
  readonly code: string | undefined;
  readonly validFrom: Date | undefined;
  readonly validTo: Date | undefined;
  /** Whether it is issued for the host. */
  readonly fitsHost: boolean;
  /** The names that it is made out for. */
  readonly names: string;
  readonly issuer: string;
};

const EARLY_DAYS = 21;
const DAY_MS = 86_400_000;

const SELF_SIGNED = 'DEPTH_ZERO_SELF_SIGNED_CERT';
/** The authority is not known here, or the server leaves out a certificate between it and its own. */
const UNKNOWN_AUTHORITY = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
/** Reasons that mostly show in the certificate itself; else it is one of the certificates above it. */
const VISIBLE = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID']);

type Reason = { readonly text: string; readonly remedy: string };

/** Evaluates a certificate at a moment: every reason to refuse it, or how long it is still good. */
export function evaluateCertificate(certificate: Certificate, now: Date): CheckResult {
  const visible = [...dateReasons(certificate, now), ...nameReasons(certificate)];
  const [first, ...others] = [...trustReasons(certificate, visible.length > 0), ...visible];
  const { host, validTo, issuer } = certificate;
  const facts = { valid_to: validTo?.toISOString() ?? null, issuer };
  if (first) {
    const texts = [first, ...others].map(({ text }) => text);
    return fail(`the certificate of ${host} ${texts.join('; it ')}`, first.remedy, facts);
  }
  if (!validTo) return pass(`the certificate of ${host} is valid`, facts);
  const left = validTo.getTime() - now.getTime();
  const until = `the certificate of ${host} is valid until ${dayOf(validTo)}, for ${formatDuration(left)}`;
  if (left >= EARLY_DAYS * DAY_MS) return pass(until, facts);
  return warn(`${until} more`, `The operator of ${host} must renew it.`, facts);
}

function trustReasons({ code, issuer }: Certificate, isExplained: boolean): Reason[] {
  if (code === undefined || (isExplained && VISIBLE.has(code))) return [];
  const remedy = 'If you trust it, add its authority: export NODE_EXTRA_CA_CERTS=AUTHORITY.pem';
  if (code === SELF_SIGNED) return [{ text: 'is self-signed', remedy }];
  if (!UNKNOWN_AUTHORITY.has(code)) return [{ text: `is not accepted (${code})`, remedy }];
  return [{ text: `is issued by an unknown authority (${issuer || 'without a name'})`, remedy }];
}

function dateReasons({ host, validFrom, validTo }: Certificate, now: Date): Reason[] {
  if (validTo && validTo <= now) {
    const ago = formatDuration(now.getTime() - validTo.getTime());
    const remedy = `The operator of ${host} must renew it, unless the date of this machine is wrong.`;
    return [{ text: `expired on ${dayOf(validTo)}, ${ago} ago`, remedy }];
  }
  if (validFrom && validFrom > now) {
    const remedy = 'Check the date of this machine.';
    return [{ text: `is not valid before ${dayOf(validFrom)}`, remedy }];
  }
  return [];
}

function nameReasons({ host, fitsHost, names }: Certificate): Reason[] {
  if (fitsHost) return [];
  const remedy = `Check that ${host} is the right host.`;
  return [{ text: `is issued for ${names || 'no host'}`, remedy }];
}
