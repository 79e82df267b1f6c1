import { CAUSES_OF_DATA, CAUSES_OF_TOKEN, type TypedCause } from './typed-causes.ts';

/** What is known of one kind of error response (specification: Errors). */
export type ErrorKind = {
  readonly status: number;
  /** Undefined for a 422, whose body has none, and for a status that the specification does not list. */
  readonly code?: string;
  /** What the specification says. */
  readonly meaning: string;
  /** Likely causes, one each, as they stand behind `Likely cause:`. */
  readonly causes: readonly string[];
  /** The causes that the types of its details indicate. */
  readonly byType?: readonly TypedCause[];
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
const UNNAMED = 'the request breaks a rule that the service does not name';
const KEY_USED = 'the idempotency key was already used for another request; each request needs its own key';
/** Everything that payctl knows of error codes, by status: the errors it prints, `api-logs get` and docs/errors.md. */
export const ERROR_KINDS: readonly ErrorKind[] = [
  {
    status: 400,
    code: 'bad_request',
    meaning: 'The token was accepted, but the request has missing or invalid data.',
    causes: ['a field of the request is missing or invalid; each detail gives its JSON pointer'],
    byType: CAUSES_OF_DATA,
    commands: [],
  },
  {
    status: 401,
    code: 'unauthorized',
    meaning: 'The token is invalid and cannot authorize the call.',
    causes: ['the service does not accept the token'],
    byType: CAUSES_OF_TOKEN,
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
    causes: CAUSES_OF_DATA.map(({ cause }) => cause).toReversed(),
    byType: CAUSES_OF_DATA,
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
  /** The scopes that the request needs, in words; undefined if that is unknown. */
  readonly scopes?: string | undefined;
  /** Whether the request had an idempotency key; undefined if that is unknown. */
  readonly hasKey?: boolean | undefined;
};

/** The causes of an error that fit its response; all of them if the response indicates none. */
export function likelyCauses(kind: ErrorKind, evidence: ErrorEvidence): readonly string[] {
  const { causes, status } = kind;
  if (status === 409) {
    const isNamed = typeof evidence.resourceId === 'string' && evidence.resourceId !== '';
    if (isNamed || evidence.hasKey === false) return [EXISTS];
    return evidence.hasKey ? [KEY_USED, EXISTS] : causes;
  }
  if (status === 403 && evidence.scopes !== undefined) {
    return [`the token lacks the scope ${evidence.scopes}, which this request needs`, ...causes.slice(1)];
  }
  if (status === 400 && evidence.types.length === 0) return [UNNAMED];
  const found = typedCauses(kind, evidence).map(({ cause }) => cause);
  return found.length > 0 ? found : causes;
}

/** What to do about the causes that fit the response, where payctl knows it. */
export function remedyFor(kind: ErrorKind, evidence: ErrorEvidence): string | undefined {
  const [first] = typedCauses(kind, evidence);
  return first?.remedy ?? kind.remedy;
}

/** Each cause once, in the order of the details. */
function typedCauses({ byType = [] }: ErrorKind, { types }: ErrorEvidence): readonly TypedCause[] {
  const found = types.flatMap((type) => byType.find((typed) => typed.types.test(String(type))) ?? []);
  return [...new Set(found)];
}
