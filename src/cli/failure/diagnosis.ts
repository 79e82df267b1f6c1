import type { Operation } from '../../contract/operation.ts';
import { shellQuote } from '../../text/shell.ts';
import { contractTemplate, nearestPath, operationsAt } from '../routing/catalog/paths.ts';
import { type ErrorKind, EXISTS, errorKindOf } from './error-codes.ts';
import { accountOfKey, CAUSES_OF_MESSAGES, KEY_USED, type NamedCause } from './typed-causes.ts';

/** Everything that an error response and its request say about the cause. */
export type ErrorEvidence = {
  readonly status: number | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly details: readonly {
    readonly type?: unknown;
    readonly pointer?: string | undefined;
    readonly message?: unknown;
  }[];
  /** The ID of the record that the request conflicts with. */
  readonly resourceId?: unknown;
  /** Whether the body is a web page. */
  readonly isPage?: boolean;
  /** Whether the request had an idempotency key; undefined if that is unknown. */
  readonly hasKey?: boolean | undefined;
  readonly method?: string | undefined;
  /** The segments of its path below the base URL; undefined for the path of another API. */
  readonly segments?: readonly string[] | undefined;
};

/** The diagnosis of a failure, from its most certain source: its message, its path, its details or its status. */
export type Diagnosis = {
  /** What the code means in the specification. */
  readonly meaning: string | undefined;
  /** Likely causes, one each; none of them holds a text of the service. */
  readonly causes: readonly string[];
  /** What to do about the first cause. */
  readonly remedy: string | undefined;
  /** The commands to run next, without `payctl`. */
  readonly commands: readonly string[];
  /** Whether a wrong clock may be the reason for the first cause. */
  readonly isAboutTime: boolean;
  /** The source of the causes. */
  readonly source: Source | 'status';
  /** Whether the request changes data, and may have been carried out although it failed. */
  readonly outcomeUnknown: boolean;
};

type Source = 'service' | 'scopes' | 'path' | 'details';

type Found = Pick<Diagnosis, 'source'> & {
  readonly causes: readonly string[];
  readonly remedy?: string | undefined;
  readonly commands?: readonly string[] | undefined;
  readonly isAboutTime?: boolean | undefined;
};

/** Finds the causes of an error that fit its response and its request, and what to do about them. */
export function diagnose(evidence: ErrorEvidence): Diagnosis {
  const kind = errorKindOf(evidence.status, evidence.code);
  const {
    causes,
    remedy,
    commands,
    source,
    isAboutTime = false,
  } = fromPage(evidence) ??
  fromMessage(evidence) ??
  fromScopes(evidence) ??
  fromPath(evidence) ??
  fromConflict(evidence) ??
  fromDetails(evidence, kind) ??
  fromStatus(evidence, kind);
  return {
    meaning: kind?.meaning,
    causes,
    remedy,
    commands: commands ?? kind?.commands ?? [],
    source,
    isAboutTime,
    outcomeUnknown: mayBeDone(evidence),
  };
}

function mayBeDone({ method, status = 0 }: ErrorEvidence): boolean {
  return method !== undefined && method !== 'GET' && (status === 408 || (status >= 500 && status !== 511));
}

/** The operation of the contract that the request calls, if there is one. */
export function operationOf({ method, segments }: ErrorEvidence): Operation | undefined {
  const template = segments && contractTemplate(segments);
  return template && operationsAt(`/${template.join('/')}`).find((operation) => operation.method === method);
}

/** Whether a body is the beginning of a web page. */
export function isPage(body: unknown): boolean {
  return typeof body === 'string' && /^\s*<(?:!doctype html|html|head|script|meta)\b/i.test(body);
}

function fromPage({ isPage, status = 0 }: ErrorEvidence): Found | undefined {
  if (!isPage || status >= 500) return undefined;
  return {
    source: 'service',
    causes: ['a proxy, a firewall or another server responded with a web page instead of the service'],
    remedy: 'read the page, and check the base URL and the proxy',
    commands: ['doctor'],
  };
}

function fromMessage({ status = 0, message = '', details }: ErrorEvidence): Found | undefined {
  const texts = [...details.map((detail) => `${detail.pointer ?? ''} ${detail.message ?? ''}`), message];
  for (const known of CAUSES_OF_MESSAGES) {
    const text = known.statuses.includes(status) ? texts.find((one) => known.messages.test(one)) : undefined;
    if (text === undefined) continue;
    const account = accountOfKey(text) ?? '';
    const commands = known.commands?.map((words) => words.replace('ACCOUNT', account));
    return { source: 'service', causes: [known.cause], remedy: known.remedy, commands };
  }
  return undefined;
}

/** A 403 whose message mentions scopes; any other 403 may have several causes. */
function fromScopes(evidence: ErrorEvidence): Found | undefined {
  if (evidence.status !== 403 || !/\bscopes?\b/i.test(evidence.message ?? '')) return undefined;
  const cause = lacking(scopesOf(evidence)) ?? 'the token lacks the scope that the message names';
  return { source: 'scopes', causes: [cause] };
}

function scopesOf(evidence: ErrorEvidence): string {
  const { scopes = [], needsAllScopes } = operationOf(evidence) ?? {};
  return scopes.join(needsAllScopes ? ' and ' : ' or ');
}

function lacking(scopes: string): string | undefined {
  return scopes === '' ? undefined : `the token lacks the scope ${scopes}, which this request needs`;
}

/** A path or a method that the contract does not have. */
function fromPath({ status, method = 'GET', segments }: ErrorEvidence): Found | undefined {
  if (!segments || (status !== 404 && status !== 405)) return undefined;
  const template = contractTemplate(segments);
  if (!template) return fromUnknownPath(method, segments);
  const path = `/${template.join('/')}`;
  const methods: readonly string[] = operationsAt(path).map((operation) => operation.method);
  const [first] = methods;
  if (status === 404 || first === undefined || methods.includes(method)) return undefined;
  return {
    source: 'path',
    causes: [`the path supports only ${methods.join(' and ')}`],
    remedy: `use ${methods.join(' or ')}`,
    commands: [showOperation(first, path)],
  };
}

function fromUnknownPath(method: string, segments: readonly string[]): Found | undefined {
  const nearest = nearestPath(segments);
  if (nearest === undefined) return undefined;
  const methods: readonly string[] = operationsAt(nearest).map((operation) => operation.method);
  const shown = methods.includes(method) ? method : (methods[0] ?? method);
  return {
    source: 'path',
    causes: [`the API has no such path; the nearest one is ${nearest}`],
    remedy: WRONG_PATH,
    commands: [showOperation(shown, nearest)],
  };
}

function showOperation(method: string, path: string): string {
  return `api show ${method} ${shellQuote(path)}`;
}

function fromConflict({ status, resourceId, message = '', hasKey }: ErrorEvidence): Found | undefined {
  if (status !== 409) return undefined;
  const isNamed = typeof resourceId === 'string' && resourceId !== '';
  if (isNamed || hasKey === false || /\balready exists\b|\bduplicate\b|\bunique\b/i.test(message)) {
    return { source: 'details', causes: [EXISTS] };
  }
  return hasKey ? { source: 'details', causes: [KEY_USED, EXISTS] } : undefined;
}

/** Each cause once, in the order of the details; the message of the response counts where there are none. */
function fromDetails({ details, message }: ErrorEvidence, kind: ErrorKind | undefined): Found | undefined {
  const named = kind?.named;
  if (!named) return undefined;
  const all = details.length > 0 ? details : [{ message }];
  const found = new Set(all.flatMap((detail) => causeOf(detail, named) ?? []));
  const [first] = found;
  return (
    first && {
      source: 'details',
      causes: [...found].map(({ cause }) => cause),
      remedy: first.remedy,
      isAboutTime: first.isAboutTime,
    }
  );
}

function causeOf(
  { type = '', message = '' }: ErrorEvidence['details'][number],
  named: readonly NamedCause[],
): NamedCause | undefined {
  const byType = named.find(({ types }) => types?.test(String(type)));
  if (byType && !byType.isVague) return byType;
  return named.find(({ messages }) => messages?.test(String(message))) ?? byType;
}

/** A gateway error of this operation most likely comes from the payment service behind it. */
const PASSED_ON = '/payment-service-definitions/{payment_service_definition_id}/sessions';

function fromStatus(evidence: ErrorEvidence, kind: ErrorKind | undefined): Found {
  const { status = 0, details } = evidence;
  const source = 'status';
  if (!kind) return status < 400 ? { source, causes: [] } : UNLISTED;
  if ((kind.status === 400 || kind.status === 422) && details.length === 0) return UNNAMED;
  const { causes, remedy } = kind;
  const { path } = operationOf(evidence) ?? {};
  if ((status === 404 || status === 405) && evidence.segments && !contractTemplate(evidence.segments)) {
    const others = status === 404 ? causes : [];
    return { source: 'path', causes: [UNKNOWN_PATH, ...others], remedy: WRONG_PATH, commands: ['api list'] };
  }
  const [first = '', ...others] = causes;
  if (status === 403) return { source, causes: [lacking(scopesOf(evidence)) ?? first, ...others] };
  if (status === 404 && path?.startsWith('/checkout/sessions/'))
    return { source, causes: [EXPIRED, ...causes] };
  const isPassedOn = path === PASSED_ON && (status === 502 || status === 504);
  return { source, causes: isPassedOn ? [PASSED_ON_CAUSE] : causes, remedy };
}

const UNKNOWN_PATH = 'the API description that is part of payctl has no such path';
const WRONG_PATH = 'correct the path or the base URL of the request';
const PASSED_ON_CAUSE = 'the payment service that the session is for failed or did not respond in time';
const EXPIRED = 'the session may have expired; by default, a checkout session lives for 1 hour';
const UNNAMED: Found = {
  source: 'status',
  causes: ['the request breaks a rule that the service does not name'],
  remedy: 'compare the request with the description of the operation',
};
const UNLISTED: Found = {
  source: 'status',
  causes: [
    'a server in front of the service may have sent this status, which the specification does not list',
  ],
  remedy: 'look at the body of the response',
};
