import { ApiError, ConnectionError, type PayctlError, ResponseError } from '../../client/errors.ts';
import { shellWord } from '../../config/shell-word.ts';
import { EXIT } from '../failure/exit-code.ts';
import type { Outcome } from './ask-lists.ts';
import { judgeNoAnswer } from './check-answer.ts';
import { describeCredentials, isOutOfTime, nameOf } from './describe-credentials.ts';
import { fault, ok, type Verdict, warning } from './finding.ts';
import type { OpenCredentials } from './open-credentials.ts';

/** What a verdict on credentials rests on. */
export type Evidence = {
  readonly credentials: OpenCredentials;
  /** What became of a call with them; undefined where the service could not be asked. */
  readonly outcome: Outcome | undefined;
  readonly now: Date;
  /** ` --profile NAME`, where commands need it to act as this run did; else empty. */
  readonly profileFlag: string;
  /** Takes secrets out of what the service said, which may send back what it was sent. */
  readonly withoutSecrets: (text: string) => string;
};

const LONGEST_MESSAGE = 200;

/** Judges credentials that can be read and used: what they say of themselves, and what the service says of them. */
export function judgeCredentials(evidence: Evidence): Verdict {
  const { outcome } = evidence;
  if (outcome === undefined) return withFacts(judgeUnasked(evidence), evidence, null);
  const { status, error } = outcome;
  if (status === 401) return withFacts(judgeRefused(evidence, error), evidence, false);
  if (error && status !== 403) return withFacts(judgeUnclear(evidence, error), evidence, null);
  return withFacts(judgeAccepted(evidence), evidence, true);
}

function judgeAccepted(evidence: Evidence): Verdict {
  const { credentials } = evidence;
  const name = nameOf(credentials.source);
  const found = sentence(`the service accepts ${name}`, evidence);
  if (isOutOfTime(evidence.credentials, evidence.now)) {
    return warning(found, 'By the clock of this machine it should be refused: see whether that is right.');
  }
  const chmod = chmodRemedy(credentials);
  return chmod === undefined ? ok(found) : warning(`${found}; others may read its file`, chmod);
}

function judgeRefused(evidence: Evidence, error: PayctlError | undefined): Verdict {
  const { credentials, profileFlag } = evidence;
  const said = error ? `: ${reasonOf(error, evidence)}` : '';
  const refused = `the service refuses ${nameOf(credentials.source)} (401${said})`;
  const logs = `payctl api-logs list --status 401${profileFlag} shows why`;
  return fault(sentence(refused, evidence), `${logs}; ${renewal(evidence)}`);
}

/** The message of the service and the first of its details, which tells why a token was refused. */
function reasonOf(error: PayctlError, { withoutSecrets }: Evidence): string {
  const [first] = error instanceof ApiError ? error.details : [];
  const said = first?.message ? `${error.message}, ${first.message}` : error.message;
  // Before it is cut: half a secret would no longer be found.
  const text = withoutSecrets(said);
  return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}...` : text;
}

function judgeUnclear(evidence: Evidence, error: PayctlError): Verdict {
  const found = sentence(`${nameOf(evidence.credentials.source)} can be used`, evidence);
  if (error instanceof ConnectionError) {
    const { message, remedy } = judgeNoAnswer(error);
    return { ...fault(`${found}; ${message}`, remedy), exitCode: EXIT.noAnswer };
  }
  const isElsewhere = error instanceof ResponseError || (error instanceof ApiError && error.status === 404);
  const said = `GET /roles gave no roles: ${reasonOf(error, evidence)}${statusOf(error)}`;
  if (!isElsewhere) return warning(`${found}; ${said}`, 'Try again later.');
  const remedy = error.hint ?? 'See whether the base URL is that of the service.';
  return { ...fault(`${found}; ${said}`, remedy), exitCode: EXIT.noAnswer };
}

function statusOf(error: PayctlError): string {
  return error instanceof ApiError ? ` (${error.status})` : '';
}

function judgeUnasked(evidence: Evidence): Verdict {
  const found = sentence(`${nameOf(evidence.credentials.source)} can be used`, evidence);
  if (isOutOfTime(evidence.credentials, evidence.now)) return fault(found, renewal(evidence));
  const chmod = chmodRemedy(evidence.credentials);
  return chmod === undefined ? ok(found) : warning(`${found}; others may read its file`, chmod);
}

function renewal({ credentials: { source, isOfProfile }, profileFlag }: Evidence): string {
  const login = `payctl auth login${profileFlag}`;
  if (isOfProfile) return `${login} stores another ${source.kind}`;
  return `put another ${source.kind} into ${source.origin}, or unset it and run ${login}`;
}

function chmodRemedy({ source, isOfProfile, isExposed }: OpenCredentials): string | undefined {
  // The files of profiles are those of the first check.
  if (!isExposed || isOfProfile || !('path' in source)) return undefined;
  return `chmod 600 ${shellWord(source.path)}`;
}

function sentence(beginning: string, { credentials, now }: Evidence): string {
  return describeCredentials(beginning, credentials, now);
}

function withFacts(verdict: Verdict, { credentials }: Evidence, accepted: boolean | null): Verdict {
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
  return { ...verdict, facts };
}
