/** Members whose values say nothing about a person and open nothing: what a trace may show. */
const PLAIN_MEMBERS = new Set([
  'type',
  'id',
  'status',
  'code',
  'message',
  'location',
  'pointer',
  'next_cursor',
  'previous_cursor',
  'merchant_account_id',
  'created_at',
  'updated_at',
  'timestamp',
  'expires_at',
  'currency',
  'country',
  'method',
  'scheme',
  'mode',
  'action',
]);

/** Query parameters whose values may be shown; the others are what somebody searched for. */
const PLAIN_PARAMETERS = new Set(['cursor', 'limit', 'status', 'action', 'resource_type']);

/** What stands in the place of a value that is not shown. */
export const REDACTED = '[redacted]';

/** A path with its query, in which the values of parameters that may name a person are redacted. */
export function redactPath(path: string): string {
  const start = path.indexOf('?');
  if (start === -1) return path;
  const pairs = path.slice(start + 1).split('&');
  const shown = pairs.map((pair) => {
    const [name = ''] = pair.split('=', 1);
    return PLAIN_PARAMETERS.has(name) ? pair : `${name}=${REDACTED}`;
  });
  return `${path.slice(0, start)}?${shown.join('&')}`;
}

/** A JSON body in which every text is redacted but those of members that are known to be harmless; other bodies whole. */
export function redactBody(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, redactMember));
  } catch {
    return `[${text.length} characters that are not JSON]`;
  }
}

function redactMember(key: string, value: unknown): unknown {
  return typeof value === 'string' && !PLAIN_MEMBERS.has(key) ? REDACTED : value;
}

/** What stands in the place of a secret. */
export const MASK = '********';

const SECRET_MEMBER =
  /("(?:secret|password|passphrase|client_secret|private_key|api_key|access_token|refresh_token)"\s*:\s*)"(?:[^"\\]|\\.)*"/g;

/**
 * JSON text in which the values of members that are named for a secret are masked, at any depth; everything else stays
 * as it is written. Expects text that JSON.parse accepts. A quoted name before a colon can only be a member's, since
 * quotation marks within strings are escaped.
 */
export function maskSecrets(text: string): string {
  return text.replace(SECRET_MEMBER, `$1"${MASK}"`);
}
