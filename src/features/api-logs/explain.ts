import { COMMAND_OPERATIONS } from '../../cli/catalog/operations.ts';
import { commandOf } from '../../cli/failure/advice.ts';
import { errorKindOf, likelyCauses } from '../../cli/failure/error-codes.ts';
import type { Session } from '../../cli/session.ts';
import { isObject } from '../../json/is-object.ts';
import { shellQuote } from '../../text/format.ts';
import { type Entry, readEntry, whyOf } from './entry.ts';
import { type Fingerprint, fingerprintOf } from './summary.ts';
import { pathOfBaseUrl } from './template.ts';

/** What there is to say of an entry beside its data. */
export type Explanation = {
  /** In one line; empty where the entry does not say it. */
  readonly why: string;
  /** What the code means in the specification. */
  readonly meaning: string | undefined;
  readonly causes: readonly string[];
  /** The commands to run next, without `payctl`. */
  readonly commands: readonly string[];
};

/** Explains an entry from what payctl knows of errors. */
export function explanationOf(entry: Entry, basePath = ''): Explanation {
  const kind = errorKindOf(entry.status, entry.code);
  return {
    why: whyOf(entry),
    meaning: kind?.meaning,
    causes: kind ? likelyCauses(kind, evidenceOf(entry)) : [],
    commands: nextCommands(entry, fingerprintOf(entry, basePath), kind?.commands ?? []),
  };
}

/** The log has the body of the response, but no headers. */
function evidenceOf({ body }: Entry) {
  const { resource_id: resourceId, detail, details } = isObject(body) ? body : {};
  const items = [detail, details].flatMap((list) => (Array.isArray(list) ? list : []));
  return { resourceId, types: items.map((item) => (isObject(item) ? item.type : undefined)) };
}

/**
 * Explains an entry, one line each: why the request failed, the request as a command line without its token, what the code
 * means in the specification, likely causes, and the commands to run next. The log holds neither body nor headers.
 */
export function explainEntry(value: unknown, session?: Session): readonly string[] {
  const entry = readEntry(value);
  const basePath = pathOfBaseUrl(session?.settings.baseUrl.value);
  const { why, meaning, causes, commands } = explanationOf(entry, basePath);
  return [
    ...(why === '' ? [] : [`Why: ${why}`]),
    ...curlOf(entry),
    ...(meaning === undefined ? [] : [`Meaning: ${meaning}`]),
    ...causes.map((cause) => `Likely cause: ${cause}`),
    ...commands.map((words) => `Try: ${commandOf(words, session)}`),
  ];
}

/** A JWT, wherever it is in an address. */
const TOKEN = /eyJ[\w-]*\.[\w-]+(?:\.[\w-]*)?/g;

function curlOf({ method, url }: Entry): readonly string[] {
  if (url === undefined) return [];
  const verb = method === undefined || method === 'GET' ? [] : ['-X', shellQuote(method)];
  const body = ['POST', 'PUT', 'PATCH'].includes(method ?? '')
    ? ['-H', shellQuote('Content-Type: application/json'), '--data', '@body.json']
    : [];
  const address = shellQuote(url.replace(TOKEN, 'TOKEN'));
  return [
    `Request: ${['curl', ...verb, '-H', '"Authorization: Bearer $TOKEN"', ...body, address].join(' ')}`,
  ];
}

function nextCommands(
  entry: Entry,
  { status, method, path, pointer }: Fingerprint,
  commands: readonly string[],
): readonly string[] {
  const filters = [
    ...(status === null ? [] : [`--status ${status}`]),
    ...(method === null ? [] : [`--method ${shellQuote(method)}`]),
    ...(path === null ? [] : [`--path ${shellQuote(path)}`]),
    ...(pointer === null ? [] : [`--pointer ${shellQuote(pointer)}`]),
  ];
  const alike = filters.length === 0 ? [] : [`api-logs list ${filters.join(' ')}`];
  return [...conflictingRecord(entry, path), ...commands, ...alike];
}

/** The command that shows the record which a duplicate conflicts with, where payctl has one. */
function conflictingRecord({ body }: Entry, path: string | null): readonly string[] {
  const id = isObject(body) ? body.resource_id : undefined;
  if (typeof id !== 'string' || id === '') return [];
  const found = Object.entries(COMMAND_OPERATIONS).find(
    ([, operation]) => operation.method === 'GET' && operation.path === path && !operation.isList,
  );
  return found ? [`${found[0]} ${shellQuote(id)}`] : [];
}
