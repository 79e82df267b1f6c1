import { describeFailure } from '../../../cli/failure/describe.ts';
import { failedStatus, makesRecord } from '../../../cli/money/reported-failure.ts';
import { ApiError, ConnectionError, ResponseError } from '../../../client/errors.ts';
import { isRetryable } from '../../../client/retry.ts';
import { AbortedError, CredentialsError, type PayctlError } from '../../../errors.ts';
import type { ErrorReport } from '../../../output/error-report.ts';
import { type JournalLine, OTHER_RECORD } from '../journal.ts';
import { changeOfRow } from '../plan/check-row.ts';
import type { PlanRow } from '../plan-file.ts';
import { differenceOf, type ServiceRecord, sentBy } from '../reconcile/same-values.ts';
import type { Target } from '../target.ts';

/** The result of one attempt to send a row. */
export type AttemptEnd =
  | { readonly end: 'refused' | 'failed' | 'unknown'; readonly mayRepeat: boolean }
  /** The credentials were refused, so the row was not carried out. */
  | { readonly end: 'stopped' };

/** What `endOf` knows about an attempt. */
export type Attempted = {
  readonly method: string;
  /** The service carries a request with its idempotency key out only once. */
  readonly hasKey: boolean;
  /** The request depends on a version (`If-Match`). */
  readonly isConditional: boolean;
  /** An earlier attempt may have been carried out. */
  readonly wasUnknown: boolean;
  /** Whether the credentials lack what the operation needs. */
  readonly isLacking: (error: ApiError) => boolean;
};

/**
 * Whether a response shows that the request was not carried out. A 503 shows it only if it comes from the service: with the error object of
 * the service, or with `Retry-After` (RFC 9110, 15.6.4). Any other 503 may come from a gateway that lost the connection after the service had
 * received the request.
 */
function saysNotCarriedOut({ status, code, retryAfter }: ApiError): boolean {
  const isOfService = retryAfter !== undefined || code !== `http_${status}`;
  return status === 425 || status === 429 || (status === 503 && isOfService);
}

/**
 * The state of a row after an error. A 4xx means `refused`, unless an earlier attempt may have been carried out: the service may have refused
 * this attempt because it carried out the earlier one. Without a response the row is `unknown`, unless there was no connection.
 */
export function endOf(error: PayctlError, attempted: Attempted): AttemptEnd {
  const { wasUnknown } = attempted;
  const end = endAlone(error, attempted);
  if (end.end === 'stopped' || !wasUnknown || end.end === 'unknown') return end;
  return { end: 'unknown', mayRepeat: end.mayRepeat };
}

function endAlone(error: PayctlError, { method, hasKey, isConditional, isLacking }: Attempted): AttemptEnd {
  const headers = isConditional ? { 'if-match': '*' } : {};
  const mayRepeat = isRetryable(method, error, { hasKey, headers });
  if (error instanceof ApiError) {
    if (error.status === 401 || (error.status === 403 && isLacking(error))) return { end: 'stopped' };
    if (saysNotCarriedOut(error)) return { end: 'failed', mayRepeat: true };
    if (error.status < 500 && error.status !== 408) return { end: 'refused', mayRepeat: false };
    return { end: 'unknown', mayRepeat };
  }
  if (error instanceof ConnectionError)
    return { end: error.outcomeUnknown ? 'unknown' : 'failed', mayRepeat };
  if (error instanceof ResponseError || error instanceof AbortedError)
    return { end: error.outcomeUnknown ? 'unknown' : 'failed', mayRepeat: false };
  if (error instanceof CredentialsError) return { end: 'stopped' };
  // Requests that payctl refuses before sending, for example because of a limit of the profile.
  return { end: error.outcomeUnknown ? 'unknown' : 'refused', mayRepeat: false };
}

/** What a record in a response is compared with. */
type Expected = {
  readonly row: PlanRow;
  readonly target: Target;
  /** Whether another row has got a record with the same ID. */
  readonly isTaken: boolean;
};

/**
 * The state of a row after a response that says that it was carried out. If the record says that the change failed, the row is `failed`. A record
 * that the row was to make, but that has another amount, currency or parent than it sent, or the ID of another row's record, leaves
 * open what was carried out: `unknown`.
 */
export function endOfRecord(
  value: ServiceRecord,
  { row, target, isTaken }: Expected,
): Pick<JournalLine, 'state' | 'code' | 'message'> {
  const { operation } = target;
  const failed = failedStatus(changeOfRow(target, row), value);
  if (failed !== undefined) return recordFailed(failed);
  if (!makesRecord(operation)) return { state: 'done' };
  const different = differenceOf(sentBy(row, operation), value);
  if (different === undefined && !isTaken) return { state: 'done' };
  const message = different ?? 'The service gave the ID of the record to another row of the plan, too';
  return { state: 'unknown', code: OTHER_RECORD, message };
}

/** The end of a row whose record has a status of failure. */
export function recordFailed(status: unknown) {
  return { state: 'failed', code: 'record_failed', message: `The record has the status ${status}` } as const;
}

/** The member of a journal line with the status of a record. */
export function statusMember({ status }: ServiceRecord): Pick<JournalLine, 'record_status'> {
  return typeof status === 'string' ? { record_status: status } : {};
}

/** Whether it is safe to send a row again that may have been carried out. */
export function isSafeAgain(method: string, hasKey: boolean): boolean {
  return hasKey || method === 'PUT' || method === 'DELETE';
}

/** Whether the error of a second attempt proves that the first one was carried out. */
export function isDoneBefore(error: PayctlError, method: string): boolean {
  return method === 'DELETE' && error instanceof ApiError && (error.status === 404 || error.status === 410);
}

/** The members of a journal line for an error. `redact` masks credentials, which a service may repeat. */
export function errorMembers(
  error: PayctlError,
  redact: (text: string) => string,
): Pick<JournalLine, 'status' | 'code' | 'message' | 'pointer' | 'request_id'> {
  const isResponse = error instanceof ApiError || error instanceof ResponseError;
  const { status, requestId } = isResponse ? error : { status: undefined, requestId: undefined };
  const report = describeFailure(error);
  const { pointer } = report.details.find((detail) => detail.pointer) ?? {};
  return {
    ...(status !== undefined && { status }),
    code: redact(error.code),
    message: redact(messageOf(report)),
    ...(pointer !== undefined && { pointer }),
    ...(requestId !== undefined && { request_id: requestId }),
  };
}

/** What the service says about each field, then the message of the error, which a narrow table cuts. */
function messageOf({ message: said, details }: ErrorReport): string {
  const texts = details.map(({ pointer, message }) => (pointer ? `${pointer} ${message}` : message));
  return texts.length === 0 ? said : `${texts.join('; ')} (${said})`;
}
