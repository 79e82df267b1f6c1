import {
  ApiError,
  ConnectionError,
  CursorLoopError,
  type ErrorDetail,
  ResponseError,
} from '../../client/errors.ts';
import { isSecretName, MASK } from '../../contract/secret-names.ts';
import { AbortedError, ConflictError, PayctlError } from '../../errors.ts';
import { boundText } from '../../output/bound.ts';
import type { ErrorReport, ReportedDetail, ReportedRequest } from '../../output/error-report.ts';
import { countEntries, plural } from '../../text/format.ts';
import type { Session } from '../session.ts';
import { adviceFor, connectionAdvice } from './advice.ts';
import { maskExcerpt } from './excerpt.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { IncompleteListError } from './incomplete-list-error.ts';
import { NotShownError } from './not-shown-error.ts';
import { StoppedFollowingError } from './stopped-following-error.ts';

type Circumstances = {
  readonly session?: Session | undefined;
  /** Personal data in the body of a response are shown; they are not by default. */
  readonly revealPii?: boolean;
  /** Why the running emulator does not know what was asked for. */
  readonly otherDescription?: string | undefined;
};

/** Everything that is known of a failure: what failed, where, what is probably wrong, and what to do next. */
export function describeFailure(error: unknown, circumstances: Circumstances = {}): ErrorReport {
  const report = describeKind(error, circumstances);
  const key = error instanceof PayctlError ? error.idempotencyKey : undefined;
  return key === undefined ? report : { ...report, idempotencyKey: key };
}

function describeKind(error: unknown, circumstances: Circumstances): ErrorReport {
  if (error instanceof IncompleteListError) return describeIncompleteList(error, circumstances);
  if (error instanceof StoppedFollowingError) {
    const report = describeFailure(error.cause, circumstances);
    const message = `${boundText(report.message)}; printed ${countEntries(error.printed)}`;
    return { ...report, message, resumeAfter: error.after };
  }
  if (error instanceof NotShownError) {
    const report = describeFailure(error.cause, circumstances);
    const exitCode = error.cause instanceof AbortedError ? EXIT.interrupted : EXIT.failure;
    return { ...report, outcome: 'done', id: error.id, exitCode };
  }
  if (error instanceof ApiError) return describeApiError(error, circumstances);
  if (error instanceof ConnectionError) return describeConnectionError(error, circumstances);
  if (error instanceof ResponseError) return describeResponseError(error, circumstances);
  if (error instanceof AbortedError || error instanceof ConflictError) {
    return { ...describePlain(error), outcomeUnknown: error.outcomeUnknown };
  }
  if (error instanceof PayctlError) return describePlain(error);
  return describeUnexpected(error);
}

function describeIncompleteList(error: IncompleteListError, circumstances: Circumstances): ErrorReport {
  const { cause, pages, items, unprinted, isTorn } = error;
  const report = describeFailure(cause, circumstances);
  const leadsNowhere =
    cause instanceof CursorLoopError || (cause instanceof ResponseError && cause.code === 'link_refused');
  const { resumeCursor, resumeCommand } = leadsNowhere ? {} : error;
  const came = `${plural(pages, 'page')} (${plural(items, 'item')})`;
  const done = unprinted
    ? `read ${came} before the error, but printed nothing`
    : `printed ${came} before the error${isTorn ? ', and perhaps a part of the next page' : ''}`;
  const details = unprinted ? [{ message: unprinted.message, type: unprinted.code }] : [];
  return {
    ...report,
    message: `${boundText(report.message)}; ${done}`,
    details: [...report.details, ...details],
    resumeCursor,
    resumeCommand,
  };
}

function describeApiError(error: ApiError, circumstances: Circumstances): ErrorReport {
  const { code, message, status, details, resourceId } = error;
  const bodyExcerpt = excerptOf(error, circumstances);
  const { otherDescription } = circumstances;
  const advice = adviceFor(error, circumstances.session);
  const { probably, tryNext, hint } = otherDescription
    ? { probably: [otherDescription], tryNext: ['payctl emulator status'], hint: undefined }
    : advice;
  return {
    code,
    message,
    status,
    details: details.map(describeDetail),
    resourceId,
    bodyExcerpt,
    request: describeRequest(error),
    probably,
    hint,
    tryNext,
    outcomeUnknown: error.outcomeUnknown || undefined,
    exitCode: exitCodeOf(error),
  };
}

/** A value that was rejected is not shown where its member, or one that it is in, has the name of a secret. */
function describeDetail(detail: ErrorDetail): ReportedDetail {
  const { input, pointer = '' } = detail;
  const isHidden = input !== undefined && input !== null && pointer.split('/').some(isSecretName);
  return isHidden ? { ...detail, input: MASK } : detail;
}

function describeConnectionError(error: ConnectionError, { session }: Circumstances): ErrorReport {
  const { code, message, hint, outcomeUnknown } = error;
  return {
    code,
    message,
    details: [],
    hint,
    request: describeRequest(error),
    ...connectionAdvice(error, session),
    outcomeUnknown,
    exitCode: exitCodeOf(error),
  };
}

const ELSEWHERE = 'the base URL points to something other than the service, such as a proxy or a web page';
const WEB_PAGE =
  'a web page responded instead of the service: the base URL is wrong, or the network requires you to sign in; open the page in a browser';

/** A captive portal answers every request with its own page, or sends the client there. */
function isWebPage({ code, bodyExcerpt = '' }: ResponseError): boolean {
  return (
    code === 'redirect_refused' || /^(<!doctype html|<html|<head|<script|<meta)\b/i.test(bodyExcerpt.trim())
  );
}

function describeResponseError(error: ResponseError, circumstances: Circumstances): ErrorReport {
  const { code, message, status, hint } = error;
  const bodyExcerpt = excerptOf(error, circumstances);
  const probably = code === 'link_refused' ? [] : [isWebPage(error) ? WEB_PAGE : ELSEWHERE];
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
    outcomeUnknown: error.outcomeUnknown || undefined,
    exitCode: exitCodeOf(error),
  };
}

function excerptOf(
  { bodyExcerpt }: ApiError | ResponseError,
  circumstances: Circumstances,
): string | undefined {
  return bodyExcerpt === undefined ? undefined : maskExcerpt(bodyExcerpt, circumstances);
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

function describeUnexpected(error: unknown): ErrorReport {
  const system = error instanceof Error && 'code' in error && 'syscall' in error;
  return {
    code: system ? String(error.code) : 'internal_error',
    message: error instanceof Error ? error.message : String(error),
    details: [],
    hint: system
      ? undefined
      : 'This is a bug in payctl. Run again with --verbose for a stack trace, and please report it.',
    exitCode: EXIT.failure,
  };
}
