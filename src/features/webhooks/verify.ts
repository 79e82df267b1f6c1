import { minifyJson } from '../../json/edit.ts';
import { isJson } from '../../json/is-json.ts';
import { formatDuration } from '../../text/format.ts';
import {
  type Checked,
  checkSignature,
  type HeaderNames,
  headerNames,
  type SignatureCheck,
} from '../../webhooks/signature.ts';
import type { Headers } from './header-file.ts';

type Secrets = Pick<SignatureCheck, 'secrets' | 'nowMs' | 'toleranceMs'>;

/** Checks a delivery. Where it is not right, tries the usual mistakes, so that the reason names the one that was made. */
export function verifyDelivery(
  body: Uint8Array,
  headers: Headers,
  { names, ...secrets }: Secrets & { readonly names: HeaderNames },
): Checked {
  const check = { signature: headers[names.signature], timestamp: headers[names.timestamp], ...secrets };
  const checked = checkSignature(body, check);
  switch (checked.verdict) {
    case 'missing': {
      const name = check.signature ? names.timestamp : names.signature;
      return { ...checked, reason: `there is no header ${name}${otherPrefix(headers, names)}` };
    }
    case 'old':
      return {
        ...checked,
        reason: `the signature is correct, but ${checked.reason}, and the tolerance is ${formatDuration(check.toleranceMs)}`,
      };
    case 'wrong': {
      const mistake = body.length === 0 ? 'the body is empty' : findMistake(body, check);
      return mistake === undefined ? checked : { ...checked, reason: mistake };
    }
    default:
      return checked;
  }
}

/** The hint that the headers have another prefix; empty if they do not. */
function otherPrefix(headers: Headers, names: HeaderNames): string {
  const prefix = Object.keys(headers).flatMap((name) => {
    const [, found = ''] = /^(x-(?:[a-z0-9]+-)+)signature$/.exec(name) ?? [];
    return found && headerNames(found).timestamp in headers && name !== names.signature ? [found] : [];
  })[0];
  return prefix === undefined ? '' : `; there is one with another prefix: add --header-prefix ${prefix}`;
}

type Attempt = readonly [reason: string, body: Uint8Array, changes?: Partial<SignatureCheck>];

/** The mistake without which the signature would be that of the secret; undefined where no usual one is found. */
function findMistake(body: Uint8Array, check: SignatureCheck): string | undefined {
  const { signature = '', secrets } = check;
  const text = Buffer.from(body).toString();
  const attempts: readonly Attempt[] = [
    [
      'the signature has upper-case digits, which many receivers refuse',
      body,
      { signature: signature.toLowerCase() },
    ],
    [
      'the signature has a prefix such as sha256=, which many receivers refuse',
      body,
      { signature: signature.replace(/^sha256=/i, '') },
    ],
    ['the body ends with a line break that was not sent', Buffer.from(text.replace(/\r?\n$/, ''))],
    ['the body lacks the line break at its end that was sent', Buffer.from(`${text}\n`)],
    ['the body lacks the line break at its end that was sent', Buffer.from(`${text}\r\n`)],
    ['the line ends of the body were changed', Buffer.from(text.replaceAll('\r\n', '\n'))],
    ['the line ends of the body were changed', Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'))],
    ['the body was reformatted after it was received', Buffer.from(isJson(text) ? minifyJson(text) : text)],
    ['it was signed with the line end after the secret', body, { secrets: secrets.map((one) => `${one}\n`) }],
    ['the secret has blanks at its ends', body, { secrets: secrets.map((one) => one.trim()) }],
  ];
  const found = attempts.find(([, bytes, changes]) => {
    const { verdict } = checkSignature(bytes, { ...check, ...changes });
    return verdict === 'ok' || verdict === 'old';
  });
  return found?.[0];
}
