import {
  ApiError,
  ConnectionError,
  CursorLoopError,
  type ErrorDetail,
  ResponseError,
} from '../../client/errors.ts';
import { AbortedError, PayctlError } from '../../errors.ts';
import { parseExactJson, stringifyExactJson } from '../../json/exact.ts';
import type { ErrorReport, ReportedDetail, ReportedRequest } from '../../output/error-report.ts';
import { plural } from '../../text/format.ts';
import { maskSecrets } from '../redact.ts';
import type { Session } from '../session.ts';
import { adviceFor, connectionAdvice } from './advice.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { IncompleteListError } from './incomplete-list-error.ts';
import { NotShownError } from './not-shown-error.ts';

type Circumstances = { readonly session?: Session | undefined };

/** Everything that is known of a failure: what failed, where, what is probably wrong, and what to do next. */
export function describeFailure(error: unknown, circumstances: Circumstances = {}): ErrorReport {
  if (error instanceof IncompleteListError) {
    const report = describeFailure(error.cause, circumstances);
    const printed = `printed ${plural(error.pages, 'page')} (${plural(error.items, 'item')}) before the error`;
    return {
      ...report,
      message: `${report.message}; ${printed}`,
      resumeCursor: error.cause instanceof CursorLoopError ? undefined : error.resumeCursor,
    };
  }
  if (error instanceof NotShownError) {
    const report = describeFailure(error.cause, circumstances);
    const exitCode = error.cause instanceof AbortedError ? EXIT.interrupted : EXIT.failure;
    return { ...report, outcome: 'done', id: error.id, exitCode };
  }
  if (error instanceof ApiError) return describeApiError(error, circumstances);
  if (error instanceof ConnectionError) return describeConnectionError(error, circumstances);
  if (error instanceof ResponseError) return describeResponseError(error);
  if (error instanceof AbortedError) return { ...describePlain(error), outcomeUnknown: error.outcomeUnknown };
  if (error instanceof PayctlError) return describePlain(error);
  return describeUnexpected(error);
}

function describeApiError(error: ApiError, { session }: Circumstances): ErrorReport {
  const { status, resourceId, bodyExcerpt } = error;
  const { probably, tryNext } = adviceFor(error, session);
  return {
    code: shorten(error.code),
    message: shorten(error.message),
    status,
    details: describeDetails(error.details),
    resourceId: resourceId && shorten(resourceId),
    bodyExcerpt,
    request: describeRequest(error),
    probably,
    tryNext,
    exitCode: exitCodeOf(error),
  };
}

/** The longest text of an error response that is repeated, in characters. */
const LONGEST_TEXT = 2000;
const MOST_DETAILS = 100;

function shorten(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT).toWellFormed()}…` : text;
}

function describeDetails(details: readonly ErrorDetail[]): ReportedDetail[] {
  const described = details.slice(0, MOST_DETAILS).map(describeDetail);
  const left = details.length - described.length;
  return left > 0 ? [...described, { message: `${left} more` }] : described;
}

function describeDetail({ location, pointer, message, type, input, ctx }: ErrorDetail): ReportedDetail {
  const member = pointer?.slice(pointer.lastIndexOf('/') + 1) ?? '';
  return {
    location: location === undefined ? undefined : shorten(location),
    pointer: pointer === undefined ? undefined : shorten(pointer),
    message: shorten(message),
    type: type === undefined ? undefined : shorten(type),
    ...(input === undefined ? {} : { input: maskedValue(member, input) }),
    ...(ctx === undefined ? {} : { ctx: maskedValue('ctx', ctx) }),
  };
}

/** The value of a member as a report may show it: without secrets, and neither too long nor too deep to be printed. */
function maskedValue(member: string, value: unknown): unknown {
  try {
    const text = stringifyExactJson({ [member]: value });
    if (text.length > LONGEST_TEXT) return `[${text.length} characters of JSON]`;
    return Object.values(parseExactJson(maskSecrets(text)) as object)[0];
  } catch {
    return '[nested too deeply]';
  }
}

function describeConnectionError(error: ConnectionError, { session }: Circumstances): ErrorReport {
  const { code, message, outcomeUnknown } = error;
  return {
    code,
    message,
    details: [],
    request: describeRequest(error),
    ...connectionAdvice(error, session),
    outcomeUnknown,
    exitCode: exitCodeOf(error),
  };
}

function describeResponseError(error: ResponseError): ErrorReport {
  const { code, message, status, bodyExcerpt, hint, outcomeUnknown } = error;
  const probably = ['the base URL points to something other than the service, such as a proxy or a web page'];
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

function describePlain(error: PayctlError): ErrorReport {
  const { code, message, hint } = error;
  return {
    code,
    message,
    details: [],
    hint,
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
