import { COMMAND_OPERATIONS } from '../../cli/catalog/operations.ts';
import { commandOf } from '../../cli/failure/advice.ts';
import { errorKindOf, likelyCauses, remedyFor } from '../../cli/failure/error-codes.ts';
import type { Session } from '../../cli/session.ts';
import { operations } from '../../contract/generated/operations.ts';
import type { Operation } from '../../contract/operation.ts';
import { isObject } from '../../json/is-object.ts';
import { shellQuote } from '../../text/format.ts';
import { detailsOf, type Entry, readEntry, whyOf } from './entry.ts';
import { type Fingerprint, fingerprintOf } from './summary.ts';
import { pathOfBaseUrl } from './template.ts';

/** What there is to say of an entry beside its data. */
export type Explanation = {
  /** In one line; empty where the entry does not say it. */
  readonly why: string;
  /** What the code means in the specification. */
  readonly meaning: string | undefined;
  readonly causes: readonly string[];
  /** What to do about them; undefined where nobody but the sender can know. */
  readonly remedy: string | undefined;
  /** The commands to run next, without `payctl`. */
  readonly commands: readonly string[];
};

/** Explains an entry from what payctl knows of errors. */
export function explanationOf(entry: Entry, basePath = ''): Explanation {
  const kind = errorKindOf(entry.status, entry.code);
  const fingerprint = fingerprintOf(entry, basePath);
  const operation = Object.values<Operation>(operations).find(
    ({ method, path }) => method === fingerprint.method && path === fingerprint.path,
  );
  const evidence = evidenceOf(entry, operation);
  return {
    why: whyOf(entry),
    meaning: kind?.meaning,
    causes: kind ? likelyCauses(kind, evidence) : [],
    remedy: correction(entry) ?? (kind && remedyFor(kind, evidence)),
    commands: [
      ...nextCommands(entry, fingerprint, kind?.commands ?? []),
      ...(operation && DESCRIBED.has(entry.status)
        ? [`api show ${operation.method} ${shellQuote(operation.path)}`]
        : []),
    ],
  };
}

/** The statuses after which one looks up what the operation takes. */
const DESCRIBED = new Set<number | undefined>([400, 405, 422]);

/** The log has the body of the response, but no headers. */
function evidenceOf({ body }: Entry, operation: Operation | undefined) {
  const { resource_id: resourceId, detail, details } = isObject(body) ? body : {};
  const items = [detail, details].flatMap((list) => (Array.isArray(list) ? list : []));
  const scopes = operation?.scopes.join(operation.needsAllScopes ? ' and ' : ' or ') || undefined;
  return { resourceId, types: items.map((item) => (isObject(item) ? item.type : undefined)), scopes };
}

/** The places of a request that `correction` names. */
const MOST_PLACES = 5;

/** What to correct in the data of a request: the places that the details name. */
function correction(entry: Entry): string | undefined {
  if (entry.status !== 400 && entry.status !== 422) return undefined;
  const details = detailsOf(entry).filter(({ pointer }) => pointer !== '');
  const places = [
    ...new Set(
      details.map(({ pointer, location }) =>
        [pointer, location && `(${location})`].filter(Boolean).join(' '),
      ),
    ),
  ];
  if (places.length === 0) return undefined;
  const more = places.length > MOST_PLACES ? ` and ${places.length - MOST_PLACES} more` : '';
  return `correct ${places.slice(0, MOST_PLACES).join(', ')}${more}, then send the request again`;
}

/**
 * Explains an entry, one line each: why the request failed, the request as a command line without its token, what the code
 * means in the specification, likely causes, and the commands to run next. The log holds neither body nor headers.
 */
export function explainEntry(value: unknown, session?: Session): readonly string[] {
  const entry = readEntry(value);
  const basePath = pathOfBaseUrl(session?.settings.baseUrl.value);
  const { why, meaning, causes, remedy, commands } = explanationOf(entry, basePath);
  return [
    ...(why === '' ? [] : [`Why: ${why}`]),
    ...curlOf(entry),
    ...(meaning === undefined ? [] : [`Meaning: ${meaning}`]),
    ...causes.map((cause) => `Likely cause: ${cause}`),
    ...(remedy === undefined ? [] : [`What to do: ${remedy}`]),
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
  // curl reads ranges in brackets and braces, and an option in what begins with a hyphen.
  const options = [...(/[[\]{}]/.test(url) ? ['--globoff'] : []), ...(url.startsWith('-') ? ['--url'] : [])];
  return [
    `Request: ${['curl', ...verb, '-H', '"Authorization: Bearer $TOKEN"', ...body, ...options, address].join(' ')}`,
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
