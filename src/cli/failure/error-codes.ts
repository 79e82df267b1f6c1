/** What is known of one kind of error response (specification: Errors). */
export type ErrorKind = {
  readonly status: number;
  /** Undefined for a 422, whose body has none, and for a status that the specification does not list. */
  readonly code?: string;
  /** What the specification says. */
  readonly meaning: string;
  /** Likely causes, one each, as they stand behind `Likely cause:`. */
  readonly causes: readonly string[];
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

const EXISTS = 'a record with this value already exists; the same request may have been sent twice';
const KEY_USED = 'the idempotency key was already used for another request; each request needs its own key';
const WRONG_TYPE = 'a value has the wrong type, such as a string instead of a number';
const OUT_OF_LIMITS =
  'a value is outside the limits in its detail; the limits of an amount depend on the record';
const MISSING = 'a required field is missing';
const NOT_ALLOWED = 'the API does not allow a value, or does not know a field';

/** The cause that the `type` of a detail indicates; the first pattern that matches decides. */
const CAUSES_OF_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^missing|_missing$|required/, MISSING],
  [/enum|literal|extra_forbidden|union_tag/, NOT_ALLOWED],
  [
    /(?:greater|less)_than|too_(?:long|short|small|large)|(?:^|[._])(?:min|max)|not_[gl][te]|multiple|length/,
    OUT_OF_LIMITS,
  ],
  [/_type$|_parsing|type_error|_from_|json/, WRONG_TYPE],
];

/** Everything that payctl knows of error codes, by status: the errors it prints, `api-logs get` and docs/errors.md. */
export const ERROR_KINDS: readonly ErrorKind[] = [
  {
    status: 400,
    code: 'bad_request',
    meaning: 'The token was accepted, but the request has missing or invalid data.',
    causes: ['a field of the request is missing or invalid; each detail gives its JSON pointer'],
    commands: [],
  },
  {
    status: 401,
    code: 'unauthorized',
    meaning: 'The token is invalid and cannot authorize the call.',
    causes: ['the service does not accept the token'],
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
    status: 422,
    meaning: 'The request does not match the API; detail lists what is wrong, and where.',
    causes: [WRONG_TYPE, OUT_OF_LIMITS, MISSING, NOT_ALLOWED],
    commands: [],
  },
  { status: 425, code: 'too_early', meaning: 'The request was sent too early.', ...LIMITED },
  { status: 429, code: 'too_many_requests', meaning: 'Too many requests were sent.', ...LIMITED },
  { status: 500, code: 'server_error', ...OUTAGE },
  { status: 502, code: 'bad_gateway', ...OUTAGE },
  { status: 504, code: 'gateway_timeout', ...OUTAGE },
  {
    status: 511,
    meaning: 'This response is not from the service: the network requires you to sign in.',
    causes: ['the network requires you to sign in'],
    remedy: 'open a browser',
    commands: [],
  },
];

/**
 * What is known of an error response: by its code, else by its status; of a status of 500 and above that is not listed, what is
 * known of a 500.
 */
export function errorKindOf(status: number | undefined, code?: string): ErrorKind | undefined {
  const byCode = ERROR_KINDS.find((kind) => kind.code !== undefined && kind.code === code);
  const byStatus = ERROR_KINDS.find((kind) => kind.status === status);
  return (
    byCode ??
    byStatus ??
    (status !== undefined && status >= 500 ? ERROR_KINDS.find((kind) => kind.status === 500) : undefined)
  );
}

/** What a response says about its cause, apart from its status. */
export type ErrorEvidence = {
  /** The ID of the record that the request conflicts with. */
  readonly resourceId?: unknown;
  /** The `type` of each detail. */
  readonly types: readonly unknown[];
  /** Whether the request had an idempotency key; undefined if that is unknown. */
  readonly hasKey?: boolean | undefined;
};

/** The causes of an error that fit its response; all of them if the response indicates none. */
export function likelyCauses({ causes, status }: ErrorKind, evidence: ErrorEvidence): readonly string[] {
  if (status === 409) {
    const isNamed = typeof evidence.resourceId === 'string' && evidence.resourceId !== '';
    if (isNamed || evidence.hasKey === false) return [EXISTS];
    return evidence.hasKey ? [KEY_USED, EXISTS] : causes;
  }
  if (status !== 422) return causes;
  const found = evidence.types.flatMap((type) => {
    const [, cause] = CAUSES_OF_TYPES.find(([pattern]) => pattern.test(String(type))) ?? [];
    return cause === undefined ? [] : [cause];
  });
  return found.length > 0 ? [...new Set(found)] : causes;
}
