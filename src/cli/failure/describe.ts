import { ApiError, ConnectionError, ResponseError } from '../../client/errors.ts';
import { isSecretName, isSecretValue, MASK } from '../../contract/secret-names.ts';
import { AbortedError, ConflictError, type ErrorDetail, PayctlError } from '../../errors.ts';
import { fileErrorCode, fileErrorReason } from '../../files/file-error.ts';
import { sqliteCode } from '../../files/kernel-lock.ts';
import { boundText } from '../../output/bound.ts';
import type { ErrorReport, ReportedRequest } from '../../output/error-report.ts';
import { countEntries, plural, quote } from '../../text/format.ts';
import type { Change } from '../session/connect.ts';
import type { Session } from '../session/session.ts';
import { adviceFor, connectionAdvice } from './advice.ts';
import { isPage } from './diagnosis.ts';
import { maskExcerpt } from './excerpt.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { IncompleteListError, leadsNowhere } from './incomplete-list-error.ts';
import { NotShownError } from './not-shown-error.ts';
import { StoppedFollowingError } from './stopped-following-error.ts';

type Context = {
  readonly session?: Session | undefined;
  /** Personal data in the body of a response are shown; they are not by default. */
  readonly revealPii?: boolean;
  /** Why the running emulator does not know what was asked for. */
  readonly otherDescription?: string | undefined;
};

/** Everything that is known about a failure: what failed, where, what is probably wrong, and what to do next. */
export function describeFailure(error: unknown, context: Context = {}): ErrorReport {
  const { change } = context.session ?? {};
  const isDone = change?.document !== undefined && !(error instanceof NotShownError);
  const known = isDone ? new NotShownError(error, change.document ?? {}) : error;
  const report = describeKind(known, context);
  const key = error instanceof PayctlError ? error.idempotencyKey : undefined;
  const withKey = key === undefined ? report : { ...report, idempotencyKey: key };
  return change ? withOutcome(withKey, error, change) : withKey;
}

/** Whether the exit code alone says that nothing was changed, as those from wrong usage (2) to rate limits (7) do. */
function saysOutcome(exitCode: number): boolean {
  return exitCode >= EXIT.usage && exitCode <= EXIT.throttled;
}

/** Adds what became of a change, unless the report or its exit code says that already. */
function withOutcome(report: ErrorReport, error: unknown, { isSent }: Change): ErrorReport {
  if (report.outcome || report.outcomeUnknown || saysOutcome(report.exitCode)) return report;
  if (!isSent) return { ...report, outcome: 'not_sent' };
  // An unexpected error does not know whether the service processed the request.
  return error instanceof PayctlError
    ? { ...report, outcome: 'not_processed' }
    : { ...report, outcomeUnknown: true };
}

function describeKind(error: unknown, context: Context): ErrorReport {
  if (error instanceof IncompleteListError) return describeIncompleteList(error, context);
  if (error instanceof StoppedFollowingError) {
    return describeStoppedFollowing(error, context);
  }
  if (error instanceof NotShownError) {
    const report = describeKind(error.cause, context);
    const exitCode = error.cause instanceof AbortedError ? EXIT.interrupted : EXIT.failure;
    // Hints tell the user to run the command again, which must not happen here.
    return { ...report, hint: undefined, outcome: 'done', outcomeUnknown: undefined, id: error.id, exitCode };
  }
  if (error instanceof ApiError) return describeApiError(error, context);
  if (error instanceof ConnectionError) {
    const advice = connectionAdvice(error, context.session);
    const { outcomeUnknown } = error;
    return { ...describePlain(error), request: describeRequest(error), ...advice, outcomeUnknown };
  }
  if (error instanceof ResponseError) return describeResponseError(error, context);
  if (error instanceof AbortedError || error instanceof ConflictError) {
    return { ...describePlain(error), outcomeUnknown: error.outcomeUnknown };
  }
  if (error instanceof PayctlError) return describePlain(error);
  return describeUnexpected(error);
}

/** Ctrl-C is how following ends: no error for people. */
function describeStoppedFollowing({ cause, progress }: StoppedFollowingError, context: Context): ErrorReport {
  const { printed, wholeLines, after, resumeCommand } = progress;
  const report = describeKind(cause, context);
  const came = printed === undefined ? undefined : countEntries(printed);
  const torn = wholeLines === undefined ? {} : { hint: tornHint(wholeLines, after !== undefined) };
  return {
    ...report,
    message: boundText(report.message) + (came === undefined ? '' : `; printed ${came}`),
    ...(cause instanceof AbortedError && {
      ending: report.message + (came === undefined ? '' : `. Printed ${came}`),
    }),
    ...torn,
    resumeAfter: after,
    resumeCommand,
  };
}

function describeIncompleteList({ cause, progress }: IncompleteListError, context: Context): ErrorReport {
  const { pages, items, unprinted, wholeLines, isComplete, isAppended, writtenTo, parts } = progress;
  const report = describeKind(cause, context);
  const { resumeCursor, resumeCommand } = leadsNowhere(cause) ? {} : progress;
  const came =
    parts === undefined
      ? `${plural(pages, 'page')} (${plural(items, 'item')})`
      : `${plural(parts, 'file')} (${plural(items, 'record')})`;
  const what = cause instanceof AbortedError ? 'interruption' : 'error';
  const done = unprinted
    ? `read ${came} before the ${what}, but printed nothing`
    : writtenTo !== undefined
      ? `${quote(writtenTo)} has ${came}`
      : `printed ${isComplete ? 'the whole list, ' : ''}${came}${isComplete ? ',' : ''} before the ${what}`;
  const details = unprinted ? [{ message: unprinted.message, type: unprinted.code }] : [];
  return {
    ...report,
    message: `${boundText(report.message)}; ${done}`,
    details: [...report.details, ...details],
    ...(wholeLines !== undefined
      ? { hint: tornHint(wholeLines, resumeCommand !== undefined) }
      : isAppended && resumeCommand !== undefined && { hint: appendHint(report.hint) }),
    ...(progress.mayBeStuck && { hint: STUCK }),
    isComplete: isComplete || undefined,
    wholeLines,
    resumeCursor,
    resumeCommand,
  };
}

const STUCK =
  'If the service no longer accepts the cursor of the part, begin again: replace --resume with --overwrite.';

/** A hint that ends with a command stays last. */
function appendHint(hint: string | undefined): string {
  const append = 'Append the output of the resume command with >>.';
  return hint === undefined ? append : `${append} ${hint}`;
}

/** What to do with output that ended early, possibly in the middle of a line. */
function tornHint(wholeLines: number, canResume: boolean): string {
  const kept = `Keep only the first ${plural(wholeLines, 'line')} of the output`;
  return canResume ? `${kept}, and append the output of the resume command.` : `${kept}.`;
}

function describeApiError(error: ApiError, context: Context): ErrorReport {
  const { status, resourceId } = error;
  const { otherDescription } = context;
  const { probably, tryNext, hint } = otherDescription
    ? { probably: [otherDescription], tryNext: ['payctl emulator status'], hint: undefined }
    : adviceFor(error, context.session);
  return {
    ...describePlain(error),
    ...{ status, resourceId, probably, hint, tryNext },
    details: error.details.map((detail) => describeDetail(detail, error, context)),
    bodyExcerpt: excerptOf(error, context),
    request: describeRequest(error),
  };
}

/**
 * A detail without secrets: its value where its member, or one that it is in, has the name of one, and its message where it is a part of
 * the excerpt.
 */
function describeDetail(detail: ErrorDetail, { bodyExcerpt }: ApiError, context: Context): ErrorDetail {
  const masked = isSecretValue(detail.message) ? MASK : maskExcerpt(detail.message, context);
  const message = bodyExcerpt === undefined ? detail.message : masked;
  const { input, pointer = '' } = detail;
  const isNamed = input !== undefined && input !== null && pointer.split('/').some(isSecretName);
  const isHidden = isNamed || (typeof input === 'string' && isSecretValue(input));
  return isHidden ? { ...detail, message, input: MASK } : { ...detail, message };
}

const ELSEWHERE = 'the base URL points to something other than the service, such as a proxy or a web page';
const WEB_PAGE =
  'a web page responded instead of the service: the base URL is wrong, or the network requires you to sign in; open the page in a browser';

/** What is probably wrong; nothing where the error says it itself. */
function causesOf({ code, bodyExcerpt }: ResponseError): readonly string[] {
  if (code === 'link_refused' || code === 'redirect_refused' || code === 'paging_unknown') return [];
  return [isPage(bodyExcerpt) ? WEB_PAGE : ELSEWHERE];
}

function describeResponseError(error: ResponseError, context: Context): ErrorReport {
  return {
    ...describePlain(error),
    status: error.status,
    request: describeRequest(error),
    bodyExcerpt: excerptOf(error, context),
    probably: causesOf(error),
  };
}

function excerptOf({ bodyExcerpt }: ApiError | ResponseError, context: Context): string | undefined {
  return bodyExcerpt === undefined ? undefined : maskExcerpt(bodyExcerpt, context);
}

function describeRequest(error: ApiError | ConnectionError | ResponseError): ReportedRequest {
  const requestId = 'requestId' in error ? error.requestId : undefined;
  return { ...error.request, requestId, attempts: error.attempts };
}

function describePlain(error: PayctlError): ErrorReport {
  const { code, message, hint, tryNext } = error;
  return {
    code,
    message,
    details: [],
    hint,
    tryNext,
    outcomeUnknown: error.outcomeUnknown || undefined,
    exitCode: exitCodeOf(error),
  };
}

/** The result codes of SQLite for locks, access, the disk and damaged files. */
const OF_THE_DATABASE = new Set<number | undefined>([3, 5, 8, 10, 11, 13, 14, 23, 26]);

function describeUnexpected(error: unknown): ErrorReport {
  const code = fileErrorCode(error);
  const system = error instanceof Error && code !== undefined && 'syscall' in error;
  const plain = { details: [], exitCode: EXIT.failure };
  // Files and connections raise their own errors, so this write was to stdout.
  if (system && error.syscall === 'write') {
    const message = `Cannot write to standard output: ${fileErrorReason(error)}`;
    return {
      ...plain,
      code,
      message,
      hint: 'The output is incomplete. Correct this, and run the command again.',
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (system) return { ...plain, code, message };
  if (OF_THE_DATABASE.has(sqliteCode(error))) {
    return {
      ...plain,
      code: 'database_unusable',
      message: `A database of payctl cannot be used: ${message}`,
      hint: 'Check that the disk has room, and that no other process is using the database.',
    };
  }
  return {
    ...plain,
    code: 'internal_error',
    message,
    hint: 'This is a bug in payctl. Run again with --verbose for a stack trace, and please report it.',
  };
}
