import { commandOf, hasOwnDescription } from '../../cli/failure/advice.ts';
import {
  type Diagnosis,
  diagnose,
  type ErrorEvidence,
  isPage,
  operationOf,
} from '../../cli/failure/diagnosis.ts';
import { COMMAND_OPERATIONS } from '../../cli/routing/catalog/operations.ts';
import { contractTemplate, pathOfBaseUrl, segmentsBelow } from '../../cli/routing/catalog/paths.ts';
import { maskCredentials } from '../../cli/secrets/redact.ts';
import type { Session } from '../../cli/session/session.ts';
import { isObject } from '../../json/is-object.ts';
import { formatCell } from '../../output/columns.ts';
import { isPosixShell, shellQuote } from '../../text/shell.ts';
import { detailsOf, type Entry, pathOf, readEntry, whyOf } from './entry.ts';
import { type Fingerprint, fingerprintOf } from './fingerprint.ts';

/** Notes about an entry, which are not part of its data. */
export type Explanation = Pick<Diagnosis, 'meaning' | 'causes' | 'remedy' | 'commands'> & {
  /** In one line; empty where the entry does not say it. */
  readonly why: string;
};

/** Where the paths of entries are described. */
export type DescribedPaths = {
  /** The path of the base URL, which the paths of the contract are below. */
  readonly basePath?: string;
  /** An imported description may have other paths than the contract. */
  readonly hasOthers?: boolean;
};

/** Explains an entry from what payctl knows about errors. */
export function explanationOf(entry: Entry, paths: DescribedPaths = {}): Explanation {
  const { basePath = '' } = paths;
  const evidence = evidenceOf(entry, paths);
  const { meaning, causes, remedy, commands, source, outcomeUnknown } = diagnose(evidence);
  const correct = source === 'service' ? undefined : correction(entry);
  const operation = operationOf(evidence);
  const described =
    operation && DESCRIBED.has(entry.status)
      ? [`api show ${operation.method} ${shellQuote(operation.path)}`]
      : [];
  return {
    why: whyOf(entry),
    meaning,
    causes: outcomeUnknown ? [...causes, OUTCOME_UNKNOWN] : causes,
    remedy: outcomeUnknown ? LOOK_FIRST : (correct ?? remedy),
    commands: [...new Set([...nextCommands(entry, fingerprintOf(entry, basePath), commands), ...described])],
  };
}

const OUTCOME_UNKNOWN =
  'the service may have processed the request although it failed: its outcome is unknown';
const LOOK_FIRST = 'find out whether the request was processed before you send it again';

/** The statuses after which the description of the operation helps. */
const DESCRIBED = new Set<number | undefined>([400, 405, 415, 422]);

/** The characters of a message or a text body that are searched for a cause. */
const LONGEST_MESSAGE = 1000;

/** The log has the body of the response, but no headers. */
function evidenceOf(
  { body, status, code, method, url }: Entry,
  { basePath = '', hasOthers = false }: DescribedPaths,
): ErrorEvidence {
  const segments = url === undefined ? undefined : segmentsBelow(pathOf(url), basePath);
  const { resource_id: resourceId, detail, details, message } = isObject(body) ? body : {};
  const items = [detail, details].flatMap((list) => (Array.isArray(list) ? list : [])).filter(isObject);
  return {
    status,
    code,
    message: [message, body].find((text) => typeof text === 'string')?.slice(0, LONGEST_MESSAGE),
    details: items.map(({ type, pointer, loc, message: text, msg }) => ({
      type,
      pointer:
        typeof pointer === 'string'
          ? pointer
          : Array.isArray(loc)
            ? loc.map(formatCell).join('/')
            : undefined,
      message: formatCell(text ?? msg),
    })),
    resourceId,
    isPage: isPage(body),
    method,
    segments: segments && hasOthers && !contractTemplate(segments) ? undefined : segments,
  };
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

/** The source of an entry: the service of a session, or files. */
type EntrySource = { readonly session?: Session | undefined; readonly files?: readonly string[] };

/**
 * Explains an entry, one line each: why the request failed, the request as a command line without its token, what the code
 * means in the specification, likely causes, and the commands to run next. The log holds neither body nor headers.
 */
export function explainEntry(value: unknown, { session, files = [] }: EntrySource = {}): readonly string[] {
  const entry = readEntry(value);
  const fromFiles = files.map((path) => ` --file ${shellQuote(path)}`).join('');
  const basePath = pathOfBaseUrl(session?.settings.baseUrl.value);
  const { why, meaning, causes, remedy, commands } = explanationOf(entry, {
    basePath,
    hasOthers: hasOwnDescription(session),
  });
  return [
    ...(why === '' ? [] : [`Why: ${why}`]),
    ...curlOf(entry),
    ...(meaning === undefined ? [] : [`Meaning: ${meaning}`]),
    ...causes.map((cause) => `Likely cause: ${cause}`),
    ...(remedy === undefined ? [] : [`What to do: ${remedy}`]),
    ...commands.map((words) => {
      const source = /^api-logs (?:list|summary) /.test(words) ? fromFiles : '';
      return `Try: ${commandOf(`${words}${source}`, session)}`;
    }),
  ];
}

/** A JWT, wherever it is in an address. */
const TOKEN = /eyJ[\w-]*\.[\w-]+(?:\.[\w-]*)?/g;

function curlOf({ method, url }: Entry): readonly string[] {
  if (url === undefined) return [];
  const verb = method === undefined || method === 'GET' ? [] : ['-X', shellQuote(method)];
  const body = ['POST', 'PUT', 'PATCH'].includes(method ?? '')
    ? ['-H', shellQuote('Content-Type: application/json'), '--data', shellQuote('@body.json')]
    : [];
  const address = shellQuote(maskCredentials(url).replace(TOKEN, 'TOKEN'));
  // curl reads ranges in brackets and braces, and an option in what begins with a hyphen.
  const options = [...(/[[\]{}]/.test(url) ? ['--globoff'] : []), ...(url.startsWith('-') ? ['--url'] : [])];
  // In Windows PowerShell, curl is another command.
  const [curl, token] = isPosixShell() ? ['curl', '$TOKEN'] : ['curl.exe', 'TOKEN'];
  const header = `"Authorization: Bearer ${token}"`;
  return [`Request: ${[curl, ...verb, '-H', header, ...body, ...options, address].join(' ')}`];
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
