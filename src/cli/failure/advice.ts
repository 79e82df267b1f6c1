import { isNotHttp } from '../../client/connection-error-code.ts';
import {
  type ApiError,
  type ConnectionError,
  type ConnectionErrorCode,
  errorCode,
} from '../../client/errors.ts';
import { nameOfSource } from '../../config/settings.ts';
import { shellQuote } from '../../text/shell.ts';
import type { TokenDescription } from '../../tokens/provider.ts';
import { grants } from '../../tokens/scopes.ts';
import { pathOfBaseUrl, segmentsBelow } from '../routing/catalog/paths.ts';
import type { Session } from '../session/session.ts';
import { type Diagnosis, diagnose, type ErrorEvidence, isPage, operationOf } from './diagnosis.ts';

/** What is probably wrong, and which commands to run next. */
export type Advice = {
  readonly probably?: readonly string[];
  readonly tryNext?: readonly string[];
  /** What to know or to check, as a sentence. */
  readonly hint?: string;
};

/** Advice on an error response of the service: from what the response names, otherwise from its status and the run. */
export function adviceFor(error: ApiError, session: Session | undefined): Advice {
  const diagnosis = diagnosisOf(error, session);
  switch (error.status) {
    case 401:
      return { probably: [rejectedToken(diagnosis, session)], ...rejectedTokenHelp(error, session) };
    case 403:
      if (diagnosis.source === 'service') return generalAdvice(error, diagnosis, session);
      return { probably: missingScope(error, diagnosis, session), tryNext: [commandOf('doctor', session)] };
    case 404:
      if (diagnosis.source !== 'status') return generalAdvice(error, diagnosis, session);
      return otherServer(error, session) ?? { probably: hiddenResource(error, diagnosis, session) };
    default:
      return generalAdvice(error, diagnosis, session);
  }
}

/** The diagnosis of an error response; the run adds only its base URL. */
export function diagnosisOf(error: ApiError, session?: Session): Diagnosis {
  return diagnose(evidenceOf(error, session));
}

/** Whether a run has an API description of its own, which may have paths that the contract does not have. */
export function hasOwnDescription(session: Session | undefined): boolean {
  return session?.settings.hasDescription === true;
}

/** The path counts where the contract describes it: for a run with an API description of its own, only that of an operation. */
function evidenceOf(error: ApiError, session: Session | undefined): ErrorEvidence {
  const { status, code, message, details, resourceId, request, bodyExcerpt } = error;
  const { baseUrl } = session?.settings ?? {};
  const [path = ''] = request.path.split('?');
  const segments = segmentsBelow(path, pathOfBaseUrl(baseUrl?.value));
  const isOfContract = operationOf({ status, details, method: request.method, segments }) !== undefined;
  return {
    status,
    code,
    message: [message, bodyExcerpt].join(' '),
    details,
    resourceId,
    isPage: isPage(bodyExcerpt),
    hasKey: request.idempotency !== undefined,
    method: request.method,
    segments: isOfContract || !hasOwnDescription(session) ? segments : undefined,
  };
}

/** Details that say what is wrong need no further advice, unless a message names another cause. */
function generalAdvice(error: ApiError, diagnosis: Diagnosis, session: Session | undefined): Advice {
  const { status, request, outcomeUnknown, details } = error;
  const { causes, remedy, commands } = diagnosis;
  const isData = status === 400 || status === 422;
  if (isData && details.length > 0 && diagnosis.source !== 'service') return {};
  const [first, ...others] = causes;
  // The outcome already says what to do about a change that may have been processed.
  const probably =
    remedy === undefined || outcomeUnknown || first === undefined
      ? causes
      : [`${first}; ${remedy}`, ...others];
  if (commands.length === 0 || request.path.endsWith('/api-logs') || session?.isTrial) return { probably };
  return { probably, tryNext: commands.map((words) => commandOf(words, session)) };
}

const CONNECTION_ADVICE: Readonly<Record<ConnectionErrorCode, string>> = {
  dns: 'the host name is misspelled, or this machine is offline',
  connection_refused: 'nothing is listening at this address',
  unreachable: 'this machine is offline, or no network leads to this address',
  connection_lost: 'the network or a proxy dropped the connection',
  headers_too_large: 'the service or a proxy sends unusually many headers, such as cookies',
  tls: 'the server and this machine could not agree on a secure connection',
  timeout: 'the service is slow or unreachable; add --timeout 2m to wait longer',
  proxy_unreachable: 'the proxy is not running, or this machine is on a different network',
  proxy_refused: 'the proxy does not allow this host',
  proxy_credentials: 'the proxy requires different credentials',
  proxy_failed: 'the proxy cannot resolve or reach the host',
};

/** The codes of a service that wants a client certificate, or does not accept the one that it got. */
const CLIENT_CERTIFICATE =
  /_ALERT_(CERTIFICATE_(REQUIRED|UNKNOWN|EXPIRED|REVOKED)|(BAD|NO|UNSUPPORTED)_CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE)$/;

/** The system's codes of a server that speaks something other than TLS. */
const NO_TLS = new Set([
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_UNKNOWN_PROTOCOL',
]);

/** Advice on a request without a response; where the address may be wrong, with the source of the address. */
export function connectionAdvice(error: ConnectionError, session: Session | undefined): Advice {
  const { code, cause, hint } = error;
  // Says already what is wrong, and what to do.
  if (hint !== undefined) return { tryNext: [commandOf('doctor', session)] };
  const missing = NO_TLS.has(errorCode(cause)) ? 'TLS' : isNotHttp(cause) && 'HTTP';
  const reason = missing
    ? `the server does not speak ${missing} at this address`
    : reasonOf(code, cause, session);
  const source = session?.settings.baseUrl.source;
  const mayBeWrong = missing || code === 'dns' || code === 'connection_refused';
  const origin =
    mayBeWrong && source && source.kind !== 'default'
      ? [`the base URL comes from ${nameOfSource(source)}`]
      : [];
  return { probably: [[reason, ...origin].join('; ')], tryNext: [commandOf('doctor', session)] };
}

function reasonOf(code: ConnectionErrorCode, cause: unknown, session: Session | undefined): string {
  if (!CLIENT_CERTIFICATE.test(errorCode(cause))) return CONNECTION_ADVICE[code];
  const { name = 'NAME', clientCertificate } = session?.settings.profile.value ?? {};
  return clientCertificate === undefined
    ? `the service requires a client certificate; if you have one: payctl profiles set ${name} --client-certificate FILE --client-key FILE`
    : `the service does not accept the client certificate ${clientCertificate}`;
}

/**
 * A command of payctl for the service of this run, with the flags that chose it. What is only being tried is left out: it is not
 * stored.
 */
export function commandOf(words: string, session: Session | undefined): string {
  const plain = `payctl ${words}`;
  if (!session || session.isTrial) return plain;
  const { profile, baseUrl, instance, merchantAccount } = session.settings;
  const chosen = [
    ['--profile', { ...profile, value: profile.value?.name }],
    ['--base-url', baseUrl],
    ['--instance', instance],
    ['--merchant-account', merchantAccount],
  ] as const;
  const isNamed = / -m /.test(words);
  const flags = chosen.flatMap(([flag, { value, source }]) =>
    value !== undefined && source.kind === 'flag' && !(isNamed && flag === '--merchant-account')
      ? [`${flag} ${shellQuote(value)}`]
      : [],
  );
  return [plain, ...flags].join(' ');
}

/** What helps with a rejected token. The logs come last: reading them takes a token that works. */
function rejectedTokenHelp(error: ApiError, session: Session | undefined): Advice {
  if (session?.isTrial) return { tryNext: [] };
  const name = session?.settings.profile.value?.name;
  const { origin, name: other } = session?.tokenProvider()?.describe() ?? {};
  const isStored = origin?.startsWith('profile ');
  const tryNext = [
    ...(isStored && name !== 'emulator' ? [`payctl auth login --profile ${name}`] : []),
    commandOf('doctor', session),
  ];
  if (other !== undefined || error.request.path.endsWith('/api-logs')) return { tryNext };
  return {
    tryNext: [...tryNext, commandOf('api-logs list --status 401', session)],
    hint: 'The API logs say why the token was rejected; reading them requires a valid token.',
  };
}

function rejectedToken({ causes, source }: Diagnosis, session: Session | undefined): string {
  const [cause = ''] = causes;
  const token = session?.tokenProvider()?.describe();
  if (!token) return cause;
  if (token.name !== undefined) return `the service does not accept the ${token.name} from ${token.origin}`;
  const facts = [
    source === 'status' ? `${cause} from ${token.origin}` : `${cause}; it comes from ${token.origin}`,
    token.keyId ? `its key ID is ${token.keyId}` : '',
    expiryOf(token),
  ];
  return facts.filter(Boolean).join('; ');
}

function expiryOf({ expiresAt }: TokenDescription): string {
  if (!expiresAt) return '';
  return `it ${expiresAt.getTime() <= Date.now() ? 'expired' : 'expires'} at ${expiresAt.toISOString()}`;
}

/** A token without the scope explains a 403 by itself; with it, there must be another cause. */
function missingScope(
  { request }: ApiError,
  { causes, source }: Diagnosis,
  session: Session | undefined,
): readonly string[] {
  const { needed, merchantAccount } = request;
  const token = session?.tokenProvider()?.describe();
  if (token?.name !== undefined)
    return [`the ${token.name} from ${token.origin} does not allow this request`];
  const account =
    merchantAccount === undefined
      ? 'without a merchant account (-m)'
      : `for the merchant account ${merchantAccount}`;
  const otherwise = `the API key may be restricted (this request was ${account}), or the resource may be locked`;
  const others = source === 'scopes' ? [] : [otherwise];
  if (!needed) return [causes[0] ?? '', ...others];
  const { accepted } = needed;
  const names = accepted.length === 0 ? needed.scopes.join(' and ') : accepted.join(' or ');
  if (names === '') return source === 'scopes' ? causes : [otherwise];
  const needs = `this command needs the scope ${names}`;
  if (!token?.scopes) return [needs, ...others];
  const { scopes } = token;
  const isGranted =
    accepted.length === 0
      ? needed.scopes.every((scope) => grants(scopes, scope))
      : accepted.some((scope) => grants(scopes, scope));
  if (isGranted) return [otherwise];
  return [`${needs}; the token from ${token.origin} has ${scopes.join(', ') || 'no scopes'}`];
}

/** A 404 without an error of the service comes from another server, or from another part of its server. */
function otherServer({ code }: ApiError, session: Session | undefined): Advice | undefined {
  const { value, source } = session?.settings.baseUrl ?? {};
  if (code !== 'http_404' || !value || !source || hasOwnDescription(session)) return undefined;
  const place = `the base URL ${value} (${nameOfSource(source)}) and its path`;
  return { hint: `This does not look like an error of the service: check ${place}.` };
}

function hiddenResource(
  { request }: ApiError,
  { causes }: Diagnosis,
  session: Session | undefined,
): readonly string[] {
  if (request.merchantAccount === undefined) return causes;
  const source = session?.settings.merchantAccount.source;
  const origin = source ? ` (${nameOfSource(source)})` : '';
  return [...causes, `the merchant account ${request.merchantAccount}${origin} may be the wrong one`];
}
