import { diagnosisOf } from '../../cli/failure/advice.ts';
import { describeFailure } from '../../cli/failure/describe.ts';
import { EXIT } from '../../cli/failure/exit-code.ts';
import type { Outcome } from '../../cli/routing/catalog/probes.ts';
import { type RequestCredentialParts, requestCredentials } from '../../cli/session/request-credentials.ts';
import { ApiError, ConnectionError, ResponseError } from '../../client/errors.ts';
import { CREDENTIAL_NAMES, givesTokens } from '../../config/profile.ts';
import { operations } from '../../contract/generated/operations.ts';
import { readCredentials } from '../../credentials/read.ts';
import {
  type CredentialInputs,
  type CredentialSource,
  listCredentialSources,
} from '../../credentials/sources.ts';
import type { PayctlError } from '../../errors.ts';
import { formatDuration, momentOf } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import { readClaimsIfAny, type TokenContent } from '../../tokens/claims.ts';
import { type CredentialProvider, createTokenProvider, isTokenSource } from '../../tokens/provider.ts';
import { secretTextsOf } from '../../tokens/shared-secrets.ts';
import { type CheckResult, fail, pass, sentenceOf, skip, warn } from './finding.ts';
import { CHECK_BASE_URL, evaluateNoResponse, isMissing } from './probe.ts';

/** Credentials that can be read and used, and what they contain. */
export type OpenCredentials = {
  readonly source: CredentialSource;
  /** Whether the profile names it, and no variable. */
  readonly isOfProfile: boolean;
  /** The sources that are set but overridden. */
  readonly others: readonly string[];
  readonly provider: CredentialProvider;
  readonly keyId: string | undefined;
  /** Undefined for a key, and for a token that is not a JWT. */
  readonly claims: TokenContent | undefined;
  /** Whether others than its owner may read the file that they are in. */
  readonly isExposed: boolean;
};

/** What is needed to open credentials. */
type OpeningParts = Pick<RequestCredentialParts, 'settings' | 'display'> & {
  readonly issuer: string;
  readonly signal?: AbortSignal;
};

/**
 * Reads the credentials that win; undefined without any. A key is tried out: it signs a token.
 * @throws CredentialsError for what cannot be read or used
 */
export async function openCredentials(
  inputs: CredentialInputs,
  { issuer, settings, display, signal }: OpeningParts,
): Promise<OpenCredentials | undefined> {
  const sources = listCredentialSources(inputs);
  const [source, ...others] = sources;
  if (!source) return undefined;
  let isExposed = false;
  const warn = () => {
    isExposed = true;
  };
  const deps = { warn, signal };
  const credentials = await readCredentials(source, inputs.profile, deps);
  const isOfProfile = source.profile !== undefined;
  const origins = others.map(({ origin }) => origin);
  const tokens = { issuer, warn: () => {} };
  if (!isTokenSource(credentials)) {
    // Throws for a text that no request can carry.
    secretTextsOf(credentials);
    const provider = requestCredentials({
      sources,
      inputs,
      settings,
      display,
      deps,
      tokens,
      isEmulator: false,
    });
    return { source, isOfProfile, others: origins, provider, keyId: undefined, claims: undefined, isExposed };
  }
  const provider = createTokenProvider(credentials, tokens);
  const { scopes } = operations.listRoles;
  const token = await provider({ scopes, accepted: scopes });
  const claims = credentials.kind === 'token' ? readClaimsIfAny(token) : undefined;
  const { keyId } = provider.describe();
  return { source, isOfProfile, others: origins, provider, keyId, claims, isExposed };
}

/** Credentials as results name them: `the key of profile acme (keychain)`. */
export function nameOf({ kind, origin }: CredentialSource): string {
  return `the ${CREDENTIAL_NAMES[kind]} from ${origin}`;
}

/** Everything that credentials say about themselves after a beginning, without anything secret. */
function sentence(
  beginning: string,
  { credentials: { keyId, claims, others }, now }: Pick<Evidence, 'credentials' | 'now'>,
): string {
  const parts = [beginning];
  if (keyId !== undefined) parts.push(`key ID ${keyId}`);
  if (claims) parts.push(...timesOf(claims, now), scopesOf(claims));
  if (others.length > 0) parts.push(`not used: ${others.join(', ')}`);
  return parts.join('; ');
}

type Claims = NonNullable<OpenCredentials['claims']>;

function timesOf({ notBefore, expiresAt }: Claims, now: Date): string[] {
  const between = (moment: Date) => formatDuration(moment.getTime() - now.getTime());
  const times: string[] = [];
  if (notBefore && notBefore > now) {
    times.push(`not valid before ${momentOf(notBefore)}, in ${between(notBefore)}`);
  }
  if (expiresAt) {
    const at = momentOf(expiresAt);
    const isOver = expiresAt <= now;
    times.push(
      isOver ? `expired at ${at}, ${between(expiresAt)} ago` : `expires at ${at}, in ${between(expiresAt)}`,
    );
  }
  return times;
}

function scopesOf({ scopes }: Claims): string {
  if (scopes === undefined) return 'no scope claim';
  return scopes.length === 0 ? 'no scopes' : `scopes ${scopes.join(', ')}`;
}

/** Whether a token is expired or not valid yet, by its claims. */
function isOutOfTime({ claims }: OpenCredentials, now: Date): boolean {
  const { notBefore, expiresAt } = claims ?? {};
  return Boolean((expiresAt && expiresAt <= now) || (notBefore && notBefore > now));
}

/** What the result of the credentials check is based on. */
export type Evidence = {
  readonly credentials: OpenCredentials;
  /** The result of a request with them; undefined if the service could not be reached. */
  readonly outcome: Outcome | undefined;
  readonly now: Date;
  /** The result of the clock check, where it was made. */
  readonly clock?: CheckResult | undefined;
  /** ` --profile NAME` if commands need it to use the same profile; otherwise empty. */
  readonly profileFlag: string;
  /** Removes secrets from the service's message, which may repeat parts of the request. */
  readonly withoutSecrets: (text: string) => string;
};

const LONGEST_MESSAGE = 200;

/** Evaluates credentials that can be read and used, by their content and by the service's response. */
export function evaluateCredentials(evidence: Evidence): CheckResult {
  const { outcome } = evidence;
  if (outcome === undefined) return withFacts(evaluateUnasked(evidence), evidence, null);
  const { status, error } = outcome;
  if (status === 401) return withFacts(evaluateRefused(evidence, error), evidence, false);
  if (error && status !== 403) return withFacts(evaluateUnclear(evidence, error), evidence, null);
  return withFacts(evaluateAccepted(evidence), evidence, true);
}

function evaluateAccepted(evidence: Evidence): CheckResult {
  const { credentials } = evidence;
  const name = nameOf(credentials.source);
  const found = sentence(`the service accepts ${name}`, evidence);
  // If the clock could be compared, its own check reports the problem.
  if (isOutOfTime(credentials, evidence.now) && evidence.clock?.facts === undefined) {
    return warn(found, 'According to the clock of this machine, it is not valid: check the clock.');
  }
  return unlessExposed(found, credentials);
}

function evaluateRefused(evidence: Evidence, error: PayctlError | undefined): CheckResult {
  const { credentials, clock } = evidence;
  const said = error ? `: ${reasonOf(error, evidence)}` : '';
  const refused = sentence(`the service rejects ${nameOf(credentials.source)} (401${said})`, evidence);
  const { source = 'status', isAboutTime = false } = error instanceof ApiError ? diagnosisOf(error) : {};
  if (credentials.source.kind === 'key' && (isAboutTime || source === 'status')) {
    // A token that was signed with a wrong clock proves nothing about the key.
    if (clock?.state === 'fail') return skip(`not checked: the clock is wrong; ${refused}`);
    if (clock?.state === 'warn' && isAboutTime) return fail(refused, clock.remedy);
  }
  if (source !== 'status' || !givesTokens(credentials.source.kind)) return fail(refused, renewal(evidence));
  return fail(refused, `The API logs say why; reading them requires a valid token. ${renewal(evidence)}`);
}

/** The message of the service and the first of its details, which says why a token was rejected. */
function reasonOf(error: PayctlError, { withoutSecrets }: Evidence): string {
  const { message, details } = describeFailure(error);
  const [first] = details;
  const said = first?.message ? `${message}, ${first.message}` : message;
  // Redacted before it is truncated: part of a secret would not be recognised.
  const text = withoutSecrets(said);
  return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}...` : text;
}

function evaluateUnclear(evidence: Evidence, error: PayctlError): CheckResult {
  const found = sentence(`${nameOf(evidence.credentials.source)} can be used`, evidence);
  if (error instanceof ConnectionError) {
    const { message, remedy } = evaluateNoResponse(error);
    return { ...fail(`${found}; ${message}`, remedy), exitCode: EXIT.noResponse };
  }
  const said = `${requestOf(error)} failed: ${reasonOf(error, evidence)}${statusOf(error)}`;
  const status = error instanceof ApiError ? error.status : 0;
  if (error instanceof ResponseError || isMissing({ status })) {
    return { ...fail(`${found}; ${said}`, CHECK_BASE_URL), exitCode: EXIT.noResponse };
  }
  const { remedy } = error instanceof ApiError && !isPassing(error) ? diagnosisOf(error) : {};
  return warn(`${found}; ${said}`, remedy === undefined ? 'Try again later.' : sentenceOf(remedy));
}

/** Whether the same request may well succeed later. */
function isPassing({ status }: ApiError): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429;
}

function requestOf(error: PayctlError): string {
  if (!(error instanceof ApiError || error instanceof ResponseError)) return 'a request';
  const { method, path } = error.request;
  return `${method} ${path.replace(/\?.*/s, '')}`;
}

function statusOf(error: PayctlError): string {
  return error instanceof ApiError ? ` (${error.status})` : '';
}

function evaluateUnasked(evidence: Evidence): CheckResult {
  const found = sentence(`${nameOf(evidence.credentials.source)} can be used`, evidence);
  if (isOutOfTime(evidence.credentials, evidence.now)) return fail(found, renewal(evidence));
  return unlessExposed(found, evidence.credentials);
}

function renewal({ credentials: { source, isOfProfile }, profileFlag }: Evidence): string {
  const login = `payctl auth login${profileFlag}`;
  if (isOfProfile) return `Store another ${CREDENTIAL_NAMES[source.kind]}: ${login}`;
  return `Replace the ${CREDENTIAL_NAMES[source.kind]} in ${source.origin}, or unset it and log in: ${login}`;
}

/** A warning where others can read the file that the credentials are in. */
function unlessExposed(found: string, { source, isOfProfile, isExposed }: OpenCredentials): CheckResult {
  // The configuration check covers the files of profiles.
  if (!isExposed || isOfProfile || !('path' in source)) return pass(found);
  return warn(`${found}; other users can read its file`, `chmod 600 ${shellQuote(source.path)}`);
}

function withFacts(result: CheckResult, { credentials }: Evidence, accepted: boolean | null): CheckResult {
  const { source, others, keyId, claims } = credentials;
  const facts = {
    source: source.origin,
    kind: source.kind,
    others,
    key_id: keyId ?? null,
    expires_at: claims?.expiresAt?.toISOString() ?? null,
    scopes: claims?.scopes ?? null,
    accepted,
  };
  return { ...result, facts };
}
