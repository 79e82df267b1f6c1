import type { TokenDescription } from '../../auth/token-source.ts';
import {
  AbortedError,
  ApiError,
  ConnectionError,
  type ConnectionFault,
  CursorLoopError,
  PayctlError,
  ResponseError,
} from '../../client/errors.ts';
import type { ErrorReport, ReportedRequest } from '../../output/error-report.ts';
import { OutputError } from '../../output/output-error.ts';
import type { Session } from '../session.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { IncompleteListError } from './incomplete-list-error.ts';

type Circumstances = { readonly session?: Session | undefined };

/** Everything that can be said of a failure: what failed, where, what is probably wrong, and what to do next. */
export function describeFailure(error: unknown, circumstances: Circumstances = {}): ErrorReport {
  if (error instanceof IncompleteListError) {
    const report = describeFailure(error.cause, circumstances);
    const pages = `${error.pages} ${error.pages === 1 ? 'page' : 'pages'}`;
    const printed = `${pages} (${error.items} ${error.items === 1 ? 'item' : 'items'}) had been printed`;
    return {
      ...report,
      message: `${report.message}; ${printed}`,
      resumeCursor: error.cause instanceof CursorLoopError ? undefined : error.resumeCursor,
    };
  }
  if (error instanceof ApiError) return describeApiError(error, circumstances);
  if (error instanceof ConnectionError) return describeConnectionError(error);
  if (error instanceof ResponseError) return describeResponseError(error);
  if (error instanceof AbortedError) return { ...describePlain(error), outcomeUnknown: error.outcomeUnknown };
  if (error instanceof PayctlError || error instanceof OutputError) return describePlain(error);
  return describeFault(error);
}

function describeApiError(error: ApiError, { session }: Circumstances): ErrorReport {
  const { code, message, status, details, resourceId, bodyExcerpt } = error;
  const { probably, tryNext } = adviceFor(error, session);
  const request = describeRequest(error);
  const exitCode = exitCodeOf(error);
  return { code, message, status, details, resourceId, bodyExcerpt, request, probably, tryNext, exitCode };
}

type Advice = { readonly probably?: readonly string[]; readonly tryNext?: readonly string[] };

function adviceFor(error: ApiError, session: Session | undefined): Advice {
  switch (error.status) {
    case 401:
      return { probably: [tokenSentence(session)], tryNext: refusedTokenHelp(error, session) };
    case 403:
      return { probably: [scopeSentence(session), 'the API key may be restricted, or the resource locked'] };
    case 404:
      return { probably: ['it does not exist, or the service hides it because the caller may not see it'] };
    case 425:
    case 429:
      return { probably: [`the service limits how often it may be called; ${attempts(error)} did not help`] };
    default:
      return error.status >= 500
        ? { probably: [`the service has a fault; ${attempts(error)} did not help`] }
        : {};
  }
}

/** The commands that show why a token was refused; not the one that was. */
function refusedTokenHelp(error: ApiError, session: Session | undefined): readonly string[] {
  const profile = session?.settings.profile;
  const flag = profile?.source.kind === 'flag' ? ` --profile ${profile.value?.name}` : '';
  const logs = error.request.path.endsWith('/api-logs') ? [] : [`payctl api-logs list --status 401${flag}`];
  return [...logs, `payctl doctor${flag}`];
}

function attempts({ attempts: count }: ApiError): string {
  return count === 1 ? 'one attempt' : `${count} attempts`;
}

function tokenSentence(session: Session | undefined): string {
  const token = session?.tokenProvider()?.describe();
  if (!token) return 'the token is not valid for this service';
  const facts = [
    `the token of ${token.origin} is not valid for this service`,
    token.keyId ? `its key id is ${token.keyId}` : '',
    expirySentence(token),
  ];
  return facts.filter(Boolean).join('; ');
}

function expirySentence({ expiresAt }: TokenDescription): string {
  if (!expiresAt) return '';
  return `it ${expiresAt.getTime() < Date.now() ? 'expired' : 'expires'} at ${expiresAt.toISOString()}`;
}

function scopeSentence(session: Session | undefined): string {
  const needed = session?.neededScopes();
  const held = session?.tokenProvider()?.describe().scopes;
  if (!needed) return 'the token lacks a scope';
  const holds = held
    ? `the token of ${session?.tokenProvider()?.describe().origin} has ${held.join(', ') || 'none'}`
    : '';
  return [`the command needs the scope ${needed.accepted.join(' or ')}`, holds].filter(Boolean).join('; ');
}

const CONNECTION_ADVICE: Readonly<Record<ConnectionFault, readonly string[]>> = {
  dns: ['the host name is misspelt, or this machine has no network'],
  connection_refused: ['nothing listens at this address: check the base URL'],
  connection_lost: ['the network or a proxy on the way broke the connection'],
  tls: ['the certificate is not trusted here; NODE_EXTRA_CA_CERTS names a file with further authorities'],
  timeout: ['the service is slow or out of reach; --timeout 2m waits longer'],
};

function describeConnectionError(error: ConnectionError): ErrorReport {
  const { code, message, outcomeUnknown } = error;
  return {
    code,
    message,
    details: [],
    request: describeRequest(error),
    probably: CONNECTION_ADVICE[error.code],
    outcomeUnknown,
    exitCode: exitCodeOf(error),
  };
}

function describeResponseError(error: ResponseError): ErrorReport {
  const { code, message, status, bodyExcerpt, hint, outcomeUnknown } = error;
  const probably = ['the base URL leads to something else than the service, such as a proxy or a web page'];
  const request = describeRequest(error);
  return {
    code,
    message,
    status,
    details: [],
    request,
    bodyExcerpt,
    hint,
    probably,
    outcomeUnknown,
    exitCode: exitCodeOf(error),
  };
}

function describeRequest(error: ApiError | ConnectionError | ResponseError): ReportedRequest {
  const requestId = 'requestId' in error ? error.requestId : undefined;
  return { ...error.request, requestId, attempts: error.attempts };
}

function describePlain(error: PayctlError | OutputError): ErrorReport {
  const { code, message, hint } = error;
  return {
    code,
    message,
    details: [],
    hint,
    exitCode: error instanceof OutputError ? EXIT.usage : exitCodeOf(error),
  };
}

function describeFault(error: unknown): ErrorReport {
  const system = error instanceof Error && 'code' in error && 'syscall' in error;
  return {
    code: system ? String(error.code) : 'internal_error',
    message: error instanceof Error ? error.message : String(error),
    details: [],
    hint: system
      ? undefined
      : 'This is a fault of payctl. --verbose shows where it happened; please report it.',
    exitCode: EXIT.fault,
  };
}
