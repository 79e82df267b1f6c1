import type { Operation } from '../../../contract/operation.ts';
import { describeSecurity } from '../../../descriptions/security-words.ts';
import { own } from '../../../json/is-object.ts';
import { argumentName } from '../../../text/format.ts';
import type { BaseCommand } from '../../base-command.ts';
import { EXIT, exitCodeOfStatus } from '../../failure/exit-code.ts';
import { SETTINGS } from './reference.ts';

/** One command. */
export type CommandHelp = {
  /** Its words: `buyers list`. */
  readonly command: string;
  readonly summary: string;
  readonly description: string | null;
  readonly usage: string;
  readonly arguments: readonly ArgumentHelp[];
  readonly flags: readonly FlagHelp[];
  /** The request that it sends; null if it sends none of the API, or several. */
  readonly request: RequestHelp | null;
  /** What it requests in addition, if the credentials allow it. */
  readonly further_requests: readonly RequestHelp[];
  /** What it changes: nothing, data of the service, or profiles, credentials and processes of this machine. */
  readonly changes: 'nothing' | 'service' | 'local';
  readonly exit_codes: readonly number[];
  readonly examples: readonly { readonly description: string; readonly command: string }[];
};

/** An argument. */
export type ArgumentHelp = {
  readonly name: string;
  readonly summary: string;
  readonly required: boolean;
  readonly values: readonly string[] | null;
};

/** A flag. */
export type FlagHelp = {
  /** `--limit`. */
  readonly name: string;
  /** `-m`; null if it has none. */
  readonly short: string | null;
  readonly type: FlagType;
  /** What help shows for its value: `N`; null for a switch. */
  readonly placeholder: string | null;
  readonly summary: string;
  /** The values of an enumeration. */
  readonly values: readonly string[] | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly max_length: number | null;
  readonly default: string | null;
  readonly environment: string | null;
  readonly repeatable: boolean;
  readonly required: boolean;
  /** Whether many commands have it, so that `payctl help flags` describes it. */
  readonly shared: boolean;
  /** The flags of a group belong together: `PAGING`; null for those that only this command has. */
  readonly group: string | null;
};

/** What the value of a flag is. */
export type FlagType =
  | 'boolean'
  | 'enumeration'
  | 'integer'
  | 'duration'
  | 'list'
  | 'pair'
  | 'json'
  | 'file'
  | 'string';

/** The request of a command. */
export type RequestHelp = {
  readonly method: string;
  readonly path: string;
  /** Any of these allows it, and payctl asks for the first, unless all of them are needed. */
  readonly scopes: readonly string[];
  readonly needs_all_scopes?: true;
  /** The credentials that it needs instead of a token with these scopes, in words. */
  readonly credentials?: string;
  /** The scope that --reveal-pii needs in addition. */
  readonly pii_scope: string | null;
  /** Whether it is for a merchant account, so that --merchant-account does something. */
  readonly merchant_account: boolean;
};

/** What oclif keeps of a flag, with the limits of payctl's own types. */
export type OclifFlag = {
  readonly type: 'boolean' | 'option';
  readonly char?: string;
  readonly summary?: string;
  readonly helpValue?: string;
  readonly helpGroup?: string;
  readonly hidden?: boolean;
  readonly options?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
  readonly multiple?: boolean;
  readonly required?: boolean;
  /** As `required`, where payctl itself says what is missing. */
  readonly isDemanded?: boolean;
};
type OclifArgument = {
  readonly description?: string;
  readonly required?: boolean;
  readonly options?: readonly string[];
};
type Example = { readonly description: string; readonly command: string };

/** Groups of flags that `payctl help flags` describes; the help of a command only names them. */
const SHARED_GROUPS = new Set(['GLOBAL', 'OUTPUT']);

/** The parts of the help of a command, from its class and the operation that it calls. */
export function describeCommand(
  name: string,
  command: typeof BaseCommand,
  operation: Operation | undefined,
): CommandHelp {
  const args = Object.entries(command.args as Readonly<Record<string, OclifArgument>>).map(readArgument);
  // What only this command has comes first.
  const flags = { ...command.flags, ...command.baseFlags, ...command.flags } as Readonly<
    Record<string, OclifFlag>
  >;
  return {
    command: name,
    summary: command.summary ?? '',
    description: command.description ?? null,
    usage: usageOf(name, args, command),
    arguments: args,
    flags: Object.entries(flags)
      .filter(([flag, { hidden }]) => !hidden && hasEffect(flag, name, operation))
      .map(([flag, definition]) => readFlag(flag, definition, operation)),
    request: operation ? readRequest(operation) : null,
    further_requests: Object.values(command.members ?? {})
      .filter((member) => member !== operation)
      .map(readRequest),
    changes: changesOf(name, operation),
    exit_codes: exitCodesOf(name, operation),
    examples: (command.examples ?? []) as readonly Example[],
  };
}

function usageOf(name: string, args: readonly ArgumentHelp[], { strict }: typeof BaseCommand): string {
  // A command that takes several words has one optional argument, which may be repeated, or the words of a command.
  const several = strict ? '' : '...';
  const names = args.map((argument) => (argument.required ? argument.name : `[${argument.name}${several}]`));
  return ['payctl', name, ...names, '[FLAGS]'].join(' ');
}

function readArgument([name, { description, required, options }]: [string, OclifArgument]): ArgumentHelp {
  return {
    name: argumentName(name),
    summary: description ?? '',
    required: required === true,
    values: options ?? null,
  };
}

function readFlag(name: string, flag: OclifFlag, operation: Operation | undefined): FlagHelp {
  const { char, summary = '', options, min, max, maxLength, multiple, required, helpGroup } = flag;
  const shared = SHARED_GROUPS.has(helpGroup ?? '');
  const setting = shared || name === 'profile' ? own(SETTINGS, name) : undefined;
  const parameter = flag.isDemanded ? undefined : own(operation?.query, name.replaceAll('-', '_'));
  const [, stated] = /Default: (.+?)\.(?= |$)/.exec(summary) ?? [];
  return {
    name: `--${name}`,
    short: char ? `-${char}` : null,
    type: typeOf(flag),
    placeholder: flag.type === 'boolean' ? null : placeholderOf(name, flag),
    summary,
    values: options ?? null,
    minimum: min ?? null,
    maximum: max ?? null,
    max_length: maxLength ?? null,
    default: stated ?? parameter?.default?.toString() ?? setting?.default ?? null,
    environment: setting?.variable ?? null,
    repeatable: multiple === true,
    required: required === true || flag.isDemanded === true,
    shared,
    group: helpGroup ?? null,
  };
}

function placeholderOf(name: string, { helpValue }: OclifFlag): string {
  return helpValue ?? name.split('-').at(-1)?.toUpperCase() ?? '';
}

/** The placeholder of a value says what it is. */
const TYPES: Readonly<Record<string, FlagType>> = {
  N: 'integer',
  DURATION: 'duration',
  FILE: 'file',
  'a,b.c': 'list',
  'KEY=VALUE': 'pair',
  'JSON|@FILE|-': 'json',
};

function typeOf({ type, options, min, helpValue = '' }: OclifFlag): FlagType {
  if (type === 'boolean') return 'boolean';
  if (options) return 'enumeration';
  return min === undefined ? (own(TYPES, helpValue) ?? 'string') : 'integer';
}

function readRequest(operation: Operation): RequestHelp {
  const { method, path, scopes, piiScope, merchantAccount, needsAllScopes, security } = operation;
  return {
    method,
    path,
    scopes,
    ...(needsAllScopes ? { needs_all_scopes: true } : {}),
    ...(security ? { credentials: describeSecurity(security) } : {}),
    pii_scope: piiScope ?? null,
    merchant_account: merchantAccount,
  };
}

/**
 * Whether a flag does anything in a command. Shared flags are accepted everywhere, for the sake of aliases, and have no
 * effect where there is no request, or none for a merchant account.
 */
function hasEffect(flag: string, name: string, operation: Operation | undefined): boolean {
  if (flag === 'merchant-account') return operation?.merchantAccount !== false;
  if (flag !== 'timeout' && flag !== 'max-retries') return true;
  return operation !== undefined || own(OWN_REQUESTS, name)?.codes.includes(EXIT.noResponse) === true;
}

/** Verbs of commands that change something on this machine. Test: every verb is here or known to change nothing. */
export const CHANGING_VERBS = new Set([
  'login',
  'logout',
  'set',
  'use',
  'delete',
  'start',
  'stop',
  'reset',
  'retry',
  'import',
  'remove',
  'approve',
  'plan',
  'export',
  'sync',
  'listen',
  'replay',
]);

/** Whether a command sends a request of its user's choice. */
export function sendsAnyRequest(name: string): boolean {
  return own(OWN_REQUESTS, name)?.changes !== undefined;
}

function changesOf(name: string, operation: Operation | undefined): CommandHelp['changes'] {
  const { changes } = own(OWN_REQUESTS, name) ?? {};
  if (changes) return changes;
  if (operation) return operation.method === 'GET' ? 'nothing' : 'service';
  return CHANGING_VERBS.has(name.split(' ').at(-1) ?? '') ? 'local' : 'nothing';
}

const LOCAL_CODES = [EXIT.done, EXIT.failure, EXIT.usage, 129, EXIT.interrupted, 143];
const REQUEST_CODES = [EXIT.credentials, EXIT.throttled, EXIT.serverError, EXIT.noResponse];
type OwnRequests = {
  /** Exit codes in addition to those that every command has. */
  readonly codes: readonly number[];
  /** What a request of the user's choice changes. */
  readonly changes?: CommandHelp['changes'];
};
const ANY: OwnRequests = { codes: [...REQUEST_CODES, EXIT.forbidden, EXIT.notFound, EXIT.refused] };
const RAW: OwnRequests = { ...ANY, changes: 'service' };
const KEY: OwnRequests = { codes: [EXIT.credentials] };
const DOWNLOAD: OwnRequests = { codes: [EXIT.noResponse] };
/** Commands that need credentials or send requests, but not those of one operation. */
const OWN_REQUESTS: Readonly<Record<string, OwnRequests>> = {
  'api call': RAW,
  'api delete': RAW,
  'api diff': DOWNLOAD,
  'api get': { ...ANY, changes: 'nothing' },
  'api import': DOWNLOAD,
  'api patch': RAW,
  'api post': RAW,
  'api put': RAW,
  'auth login': ANY,
  'auth status': KEY,
  'auth token': KEY,
  'bulk apply': RAW,
  'bulk approve': KEY,
  'bulk plan': ANY,
  'bulk reconcile': ANY,
  'bulk run': RAW,
  doctor: { codes: [EXIT.credentials, EXIT.forbidden, EXIT.refused, EXIT.noResponse] },
  export: ANY,
  sync: ANY,
};

function exitCodesOf(name: string, operation: Operation | undefined): readonly number[] {
  const ofRequest = operation ? [...REQUEST_CODES, ...operation.errors.map(exitCodeOfStatus)] : [];
  // What looks for something in a list may not find it.
  if (operation?.isList && !name.endsWith(' list')) ofRequest.push(EXIT.notFound);
  const codes = [...LOCAL_CODES, ...(own(OWN_REQUESTS, name)?.codes ?? []), ...ofRequest];
  return [...new Set<number>(codes)].sort((first, second) => first - second);
}
