import { CAUSES_OF_DATA, CAUSES_OF_TOKEN, KEY_USED, type NamedCause } from './typed-causes.ts';

/** What is known about one kind of error response (specification: Errors). */
export type ErrorKind = {
  readonly status: number;
  /** Undefined for a 422, whose body has none, and for a status that the specification does not list. */
  readonly code?: string;
  /** What the specification says. */
  readonly meaning: string;
  /** Likely causes, one each, as they follow `Likely cause:`. */
  readonly causes: readonly string[];
  /** The causes that its message and details can name. */
  readonly named?: readonly NamedCause[];
  /** What to do about the first cause. */
  readonly remedy?: string;
  /** The commands that say more, without `payctl`. */
  readonly commands: readonly string[];
};

const OUTAGE = {
  meaning: 'The service failed; the request itself may be valid.',
  causes: ['the service is having problems'],
  remedy: 'try again later',
  commands: ['api-logs summary --status 5xx --by hour'],
};

const LIMITED = {
  causes: ['the service is limiting requests'],
  remedy: 'wait a while, then try again',
  commands: ['api-logs summary --status 425,429 --by hour'],
};

export const EXISTS = 'a record with this value already exists; the same request may have been sent twice';

/** Everything that payctl knows about error codes, by status: the errors it prints, `api-logs get` and docs/errors.md. */
export const ERROR_KINDS: readonly ErrorKind[] = [
  {
    status: 400,
    code: 'bad_request',
    meaning: 'The token was accepted, but the request has missing or invalid data.',
    causes: ['a field of the request is missing or invalid; each detail gives its JSON pointer'],
    named: CAUSES_OF_DATA,
    commands: [],
  },
  {
    status: 401,
    code: 'unauthorized',
    meaning: 'The token is invalid and cannot authorize the call.',
    causes: ['the service does not accept the token'],
    named: CAUSES_OF_TOKEN,
    remedy: 'find out what is wrong with it: payctl auth inspect FILE',
    commands: ['doctor', 'api-logs list --status 401'],
  },
  {
    status: 403,
    code: 'forbidden',
    meaning: 'The token is valid, but it lacks permission for this request.',
    causes: ['the token lacks a scope', 'the API key may be restricted, or the resource may be locked'],
    commands: ['doctor'],
  },
  {
    status: 404,
    code: 'not_found',
    meaning: 'The resource does not exist, or the service hides it because the token has no access to it.',
    causes: ['the resource does not exist, or you have no access to it (the service does not say which)'],
    commands: [],
  },
  {
    status: 405,
    code: 'method_not_allowed',
    meaning: 'The path does not support this HTTP method.',
    causes: ['the method, the path or the base URL is wrong'],
    commands: [],
  },
  {
    status: 407,
    meaning: 'This response is not from the service: a proxy requires credentials.',
    causes: ['a proxy in front of the service requires credentials'],
    remedy: 'add them to the address of the proxy (HTTPS_PROXY)',
    commands: ['doctor'],
  },
  {
    status: 408,
    meaning: 'The service stopped waiting for the request.',
    causes: ['the request arrived too slowly, or its connection was lost'],
    remedy: 'send it again',
    commands: [],
  },
  {
    status: 409,
    code: 'duplicate_record',
    meaning: 'A record with the same unique value already exists; resource_id may identify it.',
    causes: [EXISTS, KEY_USED],
    commands: [],
  },
  {
    status: 412,
    meaning: 'The resource has another version than the one that If-Match names.',
    causes: ['the resource was changed after it was read'],
    remedy: 'read it again, and repeat the change with its new ETag',
    commands: [],
  },
  {
    status: 413,
    meaning: 'The body of the request is too large.',
    causes: ['the body is larger than the service or a gateway in front of it allows'],
    remedy: 'send less data in one request',
    commands: [],
  },
  {
    status: 415,
    meaning: 'The service does not support the media type of the body.',
    causes: ['the Content-Type header does not name a media type that the API supports'],
    remedy: 'send the header "Content-Type: application/json"',
    commands: [],
  },
  {
    status: 422,
    meaning: 'The request does not match the API; detail lists what is wrong, and where.',
    causes: ['a value of the request is missing or invalid; each detail says where and why'],
    named: CAUSES_OF_DATA,
    commands: [],
  },
  {
    status: 425,
    code: 'too_early',
    meaning: 'The request was sent too early.',
    ...LIMITED,
    causes: ['the service was not ready for the request yet'],
  },
  { status: 429, code: 'too_many_requests', meaning: 'Too many requests were sent.', ...LIMITED },
  { status: 500, code: 'server_error', ...OUTAGE },
  {
    status: 501,
    code: 'not_implemented',
    meaning: 'The service, or the emulator, does not support this operation.',
    causes: ['the operation is not supported there'],
    commands: [],
  },
  {
    status: 502,
    code: 'bad_gateway',
    ...OUTAGE,
    causes: ['a server behind the gateway of the service failed or could not be reached'],
  },
  {
    status: 503,
    ...OUTAGE,
    meaning: 'The service cannot process requests at present.',
    causes: ['the service is overloaded, or down for maintenance'],
  },
  {
    status: 504,
    code: 'gateway_timeout',
    ...OUTAGE,
    causes: ['a server behind the gateway of the service did not respond in time'],
  },
  {
    status: 511,
    meaning: 'This response is not from the service: the network requires you to sign in.',
    causes: ['the network requires you to sign in'],
    remedy: 'open a browser',
    commands: [],
  },
];

/**
 * What is known about an error response: by its status; of a status of 500 and above that is not listed, what is known about a 500; of
 * another one that is not listed, by its code. Where the data of a request is refused (400, 422), a conflict is known by its code.
 */
export function errorKindOf(status: number | undefined, code?: string): ErrorKind | undefined {
  const byCode = ERROR_KINDS.find((kind) => kind.code !== undefined && kind.code === code);
  const byStatus = ERROR_KINDS.find((kind) => kind.status === status);
  if ((status === 400 || status === 422) && byCode?.status === 409) return byCode;
  if (byStatus) return byStatus;
  return status !== undefined && status >= 500 ? ERROR_KINDS.find((kind) => kind.status === 500) : byCode;
}
