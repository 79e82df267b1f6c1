import { isPersonalName } from '../../contract/personal-names.ts';
import { isSecretName, MASK } from '../../contract/secret-names.ts';
import { parseKeepingNumbers } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { decodeComponent } from '../../text/decode.ts';

/** Members whose values neither identify a person nor grant access: a trace shows these texts and no others. */
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

/** Query parameters whose values may be shown, as those of times are; the others hold what somebody searched for. */
const PLAIN_PARAMETERS = new Set([
  'cursor',
  'limit',
  'page',
  'per_page',
  'page_size',
  'offset',
  'status',
  'action',
  'resource_type',
  'type',
  'currency',
  'country',
  'method',
  'scheme',
]);

/** Parameters of paging by their names in lower case without separators: whole numbers that payctl sends itself. */
const COUNTS = new Set([
  ...[
    'page',
    'pagenumber',
    'pageno',
    'pagenum',
    'pageindex',
    'pagesize',
    'perpage',
    'size',
    'count',
    'take',
    'top',
  ],
  ...['offset', 'skip', 'start', 'startindex', 'startat', 'firstresult', 'maxresults'],
]);

/** Headers whose values grant access. */
const SECRET_HEADERS = new Set(['www-authenticate', 'proxy-authenticate']);

/** Headers whose values are addresses, with the same query as a request or with more of it. */
const ADDRESS_HEADERS = new Set(['link', 'location', 'content-location']);

/** Names of parameters that hold a time, with or without what they compare by: `created_at_gte`, `createdAt[lt]`. */
const TIME_PARAMETER = /(?:^|_)at(?:_[a-z]+)?$|[a-z]At(?:\[\w+\])?$|_at\[\w+\]$/;
const TIME_VALUE = /^[\d:.+TZ-]{1,40}$/;

/** Whether a query parameter identifies nobody: its name stands for a fixed word, a time or a page position. */
export function isPlainPair(pair: string): boolean {
  const [name = '', value = ''] = pair.split('=', 2).map(decodeComponent);
  if (PLAIN_PARAMETERS.has(name)) return true;
  if (/^\d{1,9}$/.test(value) && COUNTS.has(name.toLowerCase().replaceAll(/[^a-z]/g, ''))) return true;
  return TIME_PARAMETER.test(name) && !isPersonalName(name) && TIME_VALUE.test(value);
}

/** A path with its query, in which the values of parameters that may identify a person are masked. */
export function redactPath(path: string): string {
  const start = path.indexOf('?');
  if (start === -1) return path;
  const pairs = path.slice(start + 1).split('&');
  const shown = pairs.map((pair) => {
    const [name = ''] = pair.split('=', 1);
    return isPlainPair(pair) ? pair : `${name}=${MASK}`;
  });
  return `${path.slice(0, start)}?${shown.join('&')}`;
}

/** An address without its user and password. */
export function maskUser(address: string): string {
  return address.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, `$1${MASK}@`);
}

/** The same, and the values of parameters with the names of secrets are masked. */
export function maskCredentials(address: string): string {
  return maskUser(address).replace(/(?<=[?&#])([^=&#]*)=[^&#]*/g, (pair, name: string) =>
    isSecretName(decodeComponent(name)) ? `${name}=${MASK}` : pair,
  );
}

/** Headers as a trace shows them: `authorization` with its scheme alone, cookies and challenges masked whole, addresses as paths. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (name === 'authorization') return [name, `${/^(?:Basic|Bearer) /i.exec(value)?.[0] ?? ''}${MASK}`];
      // A query ends where `Link` puts the end of an address.
      if (ADDRESS_HEADERS.has(name)) return [name, value.replaceAll(/\?[^<>\s]*/g, redactPath)];
      return [name, SECRET_HEADERS.has(name) || isSecretName(name) ? MASK : value];
    }),
  );
}

/**
 * A JSON body in which every text is masked except those of members that are known to be harmless, every number in personal
 * data, and every secret.
 */
export function redactBody(text: string): string {
  try {
    return JSON.stringify(parseKeepingNumbers(text), createReplacer());
  } catch {
    return `[${text.length} characters that are not JSON]`;
  }
}

/** A replacer for one call of `JSON.stringify`, which calls it for what is outside before what is inside. */
function createReplacer() {
  const personal = new WeakSet<object>();
  return function redactMember(this: object, key: string, value: unknown): unknown {
    if (value === null) return value;
    if (isSecretName(key)) return MASK;
    if (typeof value === 'string') return PLAIN_MEMBERS.has(key) ? value : MASK;
    if (!personal.has(this) && !isPersonalName(key)) return value;
    if (!isObject(value) && !Array.isArray(value)) return MASK;
    personal.add(value);
    return value;
  };
}
