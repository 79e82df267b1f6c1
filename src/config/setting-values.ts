import { UsageError } from '../client/errors.ts';
import { nearest } from './nearest.ts';
import { quoted } from './quoted.ts';

/** The values of `--output`. */
export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const;

/** How data is written to stdout. */
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

const MOST_RETRIES = 10;
const LONGEST_MERCHANT_ACCOUNT = 255;

/** Headers that another part of the request decides, or that a proxy or browser would act upon. */
const TAKEN_HEADERS =
  /^(authorization|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|cookie|user-agent|date|accept(-.*)?|content-.*|proxy-.*|sec-.*)$/;

/** Reads an output format. @throws UsageError `invalid_output`, with the nearest format as a suggestion. */
export function parseOutput(text: string, origin: string): OutputFormat {
  const format = OUTPUT_FORMATS.find((name) => name === text);
  if (format === undefined) {
    const suggestion = nearest(text, OUTPUT_FORMATS);
    throw new UsageError('invalid_output', `${origin} is ${quoted(text)}, which is not an output format`, {
      hint: `${suggestion ? `Did you mean ${suggestion}? ` : ''}Write one of ${OUTPUT_FORMATS.join(', ')}.`,
    });
  }
  return format;
}

/** Reads a number of retries, 0 to 10. @throws UsageError `invalid_max_retries`. */
export function parseMaxRetries(text: string, origin: string): number {
  const retries = /^\d{1,2}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!(retries <= MOST_RETRIES)) {
    throw new UsageError(
      'invalid_max_retries',
      `${origin} is ${quoted(text)}, which is not a number of retries`,
      {
        hint: `Write a whole number from 0 to ${MOST_RETRIES}.`,
      },
    );
  }
  return retries;
}

/** Reads a yes or no as environment variables hold it. @throws UsageError `invalid_switch`. */
export function parseSwitch(text: string, origin: string): boolean {
  const lower = text.trim().toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(lower)) {
    return true;
  }
  if (['0', 'false', 'no', 'off'].includes(lower)) {
    return false;
  }
  throw new UsageError('invalid_switch', `${origin} is ${quoted(text)}, which is neither yes nor no`, {
    hint: 'Write 1 or 0.',
  });
}

/**
 * Checks a merchant account id: 1 to 255 printable ASCII characters, as it travels in a header.
 * @throws UsageError `invalid_merchant_account`.
 */
export function parseMerchantAccount(text: string, origin: string): string {
  if (text.trim() === '') {
    throw invalidMerchantAccount(`${origin} is empty`);
  }
  if (text.length > LONGEST_MERCHANT_ACCOUNT) {
    throw invalidMerchantAccount(`${origin} has ${text.length} characters`);
  }
  if (text.trim() !== text || !/^[\x20-\x7e]+$/.test(text)) {
    throw invalidMerchantAccount(`${origin} is ${quoted(text)}, which no header can carry`);
  }
  return text;
}

/**
 * Checks the name of the merchant account header and gives it in lower case.
 * @throws UsageError `invalid_merchant_header` for what is no header name (RFC 9110) or names a header already in use.
 */
export function parseMerchantHeader(text: string, origin: string): string {
  const name = text.trim().toLowerCase();
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/.test(name)) {
    throw invalidMerchantHeader(`${origin} is ${quoted(text)}, which is not the name of a header`);
  }
  if (TAKEN_HEADERS.test(name)) {
    throw invalidMerchantHeader(`${origin} is ${quoted(text)}, a header that has a meaning of its own`);
  }
  return name;
}

function invalidMerchantAccount(message: string): UsageError {
  return new UsageError('invalid_merchant_account', message, {
    hint: `Write the id of a merchant account: 1 to ${LONGEST_MERCHANT_ACCOUNT} printable ASCII characters.`,
  });
}

function invalidMerchantHeader(message: string): UsageError {
  return new UsageError('invalid_merchant_header', message, {
    hint: 'Write a name such as x-service-merchant-account-id.',
  });
}
