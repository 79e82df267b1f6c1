import type { ErrorDetail } from '../errors.ts';
import { stringifyExactJson } from '../json/exact.ts';
import { flagWith } from '../text/format.ts';
import { shellQuote } from '../text/shell.ts';
import { escapeJsonText, sanitizeText } from './sanitize.ts';
import { type Colors, plainColors } from './terminal.ts';

/**
 * What became of the change that a run was to make: it was carried out, and only its response could not be shown; it was sent, and not
 * carried out; it was not sent.
 */
export type KnownOutcome = 'done' | 'not_processed' | 'not_sent';

const OUTCOMES: Readonly<Record<KnownOutcome, string>> = {
  done: 'done; the service processed this request. Do not send it again.',
  not_processed: 'not done; the service did not process this request.',
  not_sent: 'not done; the change was not sent.',
};

/** Everything that can be said about a failure, as plain data. Texts may come from the service; none is trusted. */
export type ErrorReport = {
  /** Stable code: the service's own, or payctl's. */
  readonly code: string;
  readonly message: string;
  /** What people read in the place of the error: how a run ended that only an interruption ends. Without its point. */
  readonly ending?: string | undefined;
  /** HTTP status, where there was a response. */
  readonly status?: number | undefined;
  readonly details: readonly ErrorDetail[];
  /** The record that a duplicate conflicts with. */
  readonly resourceId?: string | undefined;
  readonly request?: ReportedRequest | undefined;
  /** The beginning of a response body that is not an error object. */
  readonly bodyExcerpt?: string | undefined;
  readonly cause?: string | undefined;
  /** Likely causes, one sentence each. */
  readonly probably?: readonly string[] | undefined;
  /** What to do next, as a sentence. */
  readonly hint?: string | undefined;
  /** Command lines that help, ready to be run. */
  readonly tryNext?: readonly string[] | undefined;
  /** Cursor of the first page that is missing from a list. */
  readonly resumeCursor?: string | undefined;
  /** The command line that fetches the list from there. */
  readonly resumeCommand?: string | undefined;
  /** ID of the last entry of a log that was looked at: following it can go on after that. */
  readonly resumeAfter?: string | undefined;
  /** Every item of a list was printed, and what failed came after that. */
  readonly isComplete?: true | undefined;
  /** How many lines of an output that could not be written to its end are whole. */
  readonly wholeLines?: number | undefined;
  /** What became of a change, where that is known. */
  readonly outcome?: KnownOutcome | undefined;
  /** ID of what the request created or changed. */
  readonly id?: string | undefined;
  /** The request may or may not have been processed. */
  readonly outcomeUnknown?: boolean | undefined;
  /** The key under which it can be sent again without being carried out twice. */
  readonly idempotencyKey?: string | undefined;
  readonly exitCode: number;
};

/** The request that failed, without its headers. */
export type ReportedRequest = {
  readonly method: string;
  readonly path: string;
  readonly origin?: string | undefined;
  readonly merchantAccount?: string | undefined;
  readonly requestId?: string | undefined;
  /** How often it was sent. */
  readonly attempts?: number | undefined;
};

/**
 * Prints for a person what failed, why, and what to run next: lines for stderr, each with its line end. Nothing is
 * wrapped here, and every text is sanitised on its own.
 */
export function formatErrorReport(report: ErrorReport, colors: Colors = plainColors): string {
  const label = (name: string): string => colors.bold(`${name}:`);
  const lines = [
    report.ending === undefined
      ? `${colors.red(colors.bold('Error:'))} ${sanitizeText(report.message)} (${identity(report)})`
      : `${sanitizeText(report.ending)}.`,
  ];
  lines.push(...report.details.map((detail) => `  ${detailLine(detail)}`));
  if (report.resourceId) lines.push(`${label('Conflicts with')} ${sanitizeText(report.resourceId)}`);
  if (report.bodyExcerpt) lines.push(`${label('Response')} ${sanitizeText(report.bodyExcerpt)}`);
  if (report.cause) lines.push(`${label('Cause')} ${sanitizeText(report.cause)}`);
  if (report.request) lines.push(`${label('Request')} ${requestLine(report.request)}`);
  if (report.outcome) lines.push(`${label('Outcome')} ${OUTCOMES[report.outcome]}`);
  if (report.id) lines.push(`${label('ID')} ${sanitizeText(report.id)}`);
  if (report.outcomeUnknown) lines.push(`${label('Outcome unknown')} ${howToRepeat(report)}`);
  const resume = report.resumeCommand ?? (report.resumeCursor && flagWith('--cursor', report.resumeCursor));
  if (resume) lines.push(`${label('Resume with')} ${sanitizeText(resume)}`);
  else if (report.resumeAfter)
    lines.push(`${label('Resume with')} ${sanitizeText(flagWith('--after', report.resumeAfter))}`);
  for (const cause of report.probably ?? []) lines.push(`${label('Likely cause')} ${sanitizeText(cause)}`);
  if (report.hint) lines.push(sanitizeText(report.hint));
  for (const command of report.tryNext ?? [])
    lines.push(`${label('Try')} ${colors.cyan(sanitizeText(command))}`);
  return lines.map((line) => `${line}\n`).join('');
}

/** The same as one line of JSON: `{"error": {...}}`, names in snake case as the service has them, values exact. */
export function formatErrorJson(report: ErrorReport): string {
  const { request } = report;
  const error = {
    code: report.code,
    status: report.status,
    message: report.message,
    details: report.details,
    resource_id: report.resourceId,
    request: request && {
      method: request.method,
      path: request.path,
      origin: request.origin,
      merchant_account: request.merchantAccount,
      request_id: request.requestId,
      attempts: request.attempts,
    },
    body_excerpt: report.bodyExcerpt,
    cause: report.cause,
    outcome: report.outcome ?? (report.outcomeUnknown ? 'unknown' : undefined),
    id: report.id,
    outcome_unknown: report.outcomeUnknown,
    idempotency_key: report.outcomeUnknown ? report.idempotencyKey : undefined,
    complete: report.isComplete,
    whole_lines: report.wholeLines,
    resume_cursor: report.resumeCursor,
    resume_command: report.resumeCommand,
    resume_after: report.resumeAfter,
    probably: report.probably,
    hint: report.hint,
    try: report.tryNext,
    exit_code: report.exitCode,
  };
  return `${escapeJsonText(stringifyExactJson({ error }))}\n`;
}

function howToRepeat({ idempotencyKey }: ErrorReport): string {
  const processed = 'the service may have processed this request.';
  if (idempotencyKey === undefined) return `${processed} Check before you send it again.`;
  const flag = `--idempotency-key ${shellQuote(idempotencyKey)}`;
  return `${processed} Under its key it is carried out only once. Send it again with: ${sanitizeText(flag)}`;
}

function identity(report: ErrorReport): string {
  const code = sanitizeText(report.code);
  if (report.status === undefined) return code;
  // A response without a code is known by its status alone.
  return report.code === `http_${report.status}` ? `HTTP ${report.status}` : `${report.status} ${code}`;
}

function detailLine(detail: ErrorDetail): string {
  const location = [detail.location, detail.pointer].filter(Boolean).map((part) => sanitizeText(part ?? ''));
  const type = detail.type ? ` (${sanitizeText(detail.type)})` : '';
  const message = `${sanitizeText(detail.message)}${type}${jsonOf('input', detail.input)}${jsonOf('ctx', detail.ctx)}`;
  return location.length > 0 ? `${location.join(' ')}: ${message}` : message;
}

/** `; input: "abc"` as JSON; empty without a value, and for an object without members. */
function jsonOf(name: string, value: unknown): string {
  const text = value === undefined ? '{}' : stringifyExactJson(value);
  return text === '{}' ? '' : `; ${name}: ${sanitizeText(text)}`;
}

function requestLine(request: ReportedRequest): string {
  const parts = [`${request.method} ${request.origin ?? ''}${request.path}`];
  if (request.merchantAccount) parts.push(`merchant account ${request.merchantAccount}`);
  if (request.requestId) parts.push(`request ID ${request.requestId}`);
  if (request.attempts !== undefined && request.attempts > 1) parts.push(`${request.attempts} attempts`);
  return parts.map(sanitizeText).join(', ');
}
