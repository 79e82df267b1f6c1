import type { ApiError, ConnectionError, ConnectionErrorCode } from '../../client/errors.ts';
import { nameOfSource } from '../../config/settings.ts';
import type { TokenDescription } from '../../tokens/provider.ts';
import { grants } from '../../tokens/scopes.ts';
import type { Session } from '../session.ts';

/** What is probably wrong, and what to type next. */
export type Advice = { readonly probably?: readonly string[]; readonly tryNext?: readonly string[] };

/** Advice on an answer of the service, from its status and what is known of the run. */
export function adviceFor(error: ApiError, session: Session | undefined): Advice {
  switch (error.status) {
    case 401:
      return { probably: [tokenSentence(session)], tryNext: refusedTokenHelp(error, session) };
    case 403:
      return { probably: refusedScope(error, session), tryNext: [command('doctor', session)] };
    case 404:
      return { probably: hiddenResource(error, session) };
    case 425:
    case 429:
      return { probably: [`the service limits how often it may be called; ${attempts(error)} did not help`] };
    default:
      return error.status >= 500
        ? { probably: [`the service has a fault; ${attempts(error)} did not help`] }
        : {};
  }
}

const CONNECTION_ADVICE: Readonly<Record<ConnectionErrorCode, string>> = {
  dns: 'the host name is misspelt, or this machine has no network',
  connection_refused: 'nothing listens at this address',
  connection_lost: 'the network or a proxy on the way broke the connection',
  tls: 'the certificate is not trusted here; NODE_EXTRA_CA_CERTS names a file with further authorities',
  timeout: 'the service is slow or out of reach; --timeout 2m waits longer',
};

/** Codes of a server that answers something else than TLS. */
const NO_TLS =
  /\((EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL))\)$/;

/** Advice on a request that got no answer; where the address may be wrong, with where it came from. */
export function connectionAdvice({ code, message }: ConnectionError, session: Session | undefined): Advice {
  const noTls = code === 'tls' && NO_TLS.test(message);
  const reason = noTls ? 'the server does not speak TLS at this address' : CONNECTION_ADVICE[code];
  const source = session?.settings.baseUrl.source;
  const mayBeWrong = noTls || code === 'dns' || code === 'connection_refused';
  const origin =
    mayBeWrong && source && source.kind !== 'default'
      ? [`the base URL is that of ${nameOfSource(source)}`]
      : [];
  return { probably: [[reason, ...origin].join('; ')], tryNext: [command('doctor', session)] };
}

/** A command of payctl that acts as this run did. A profile that is only being tried cannot be named: it is not stored. */
function command(words: string, session: Session | undefined): string {
  const profile = session?.settings.profile;
  const isNamed = profile?.source.kind === 'flag' && !session?.isTrial;
  return `payctl ${words}${isNamed ? ` --profile ${profile.value?.name}` : ''}`;
}

/** The commands that help with a refused token. The logs come last: looking at them takes another one. */
function refusedTokenHelp(error: ApiError, session: Session | undefined): readonly string[] {
  if (session?.isTrial) return [];
  const { profile } = session?.settings ?? {};
  const isStored = session?.tokenProvider()?.describe().origin.startsWith('profile ') ?? false;
  const renew = isStored && profile?.value?.name !== 'emulator';
  return [
    ...(renew ? [`payctl auth login --profile ${profile?.value?.name}`] : []),
    command('doctor', session),
    ...(error.request.path.endsWith('/api-logs') ? [] : [command('api-logs list --status 401', session)]),
  ];
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

/** A token that lacks the scope explains a 403 by itself; one that has it leaves other reasons. */
function refusedScope({ request: { needed } }: ApiError, session: Session | undefined): readonly string[] {
  const token = session?.tokenProvider()?.describe();
  const otherwise = 'the API key may be restricted, or the resource locked';
  if (!needed) return ['the token lacks a scope', otherwise];
  const needs = `the command needs the scope ${needed.accepted.join(' or ')}`;
  if (!token?.scopes) return [needs, otherwise];
  const { scopes } = token;
  const holds = `the token of ${token.origin} has ${scopes.join(', ') || 'none'}`;
  const lacks = !needed.accepted.some((scope) => grants(scopes, scope));
  return [`${needs}; ${holds}`, ...(lacks ? [] : [otherwise])];
}

function hiddenResource({ request }: ApiError, session: Session | undefined): readonly string[] {
  const hidden = 'it does not exist, or the service hides it because the caller may not see it';
  if (request.merchantAccount === undefined) return [hidden];
  const source = session?.settings.merchantAccount.source;
  const origin = source ? ` (${nameOfSource(source)})` : '';
  return [hidden, `the merchant account ${request.merchantAccount}${origin} may be another one than meant`];
}
