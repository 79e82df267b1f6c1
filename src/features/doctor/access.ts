import { diagnosisOf } from '../../cli/failure/advice.ts';
import { accountOfKey } from '../../cli/failure/typed-causes.ts';
import { commandAccess } from '../../cli/routing/catalog/allowed-commands.ts';
import {
  callProbes,
  isProbeId,
  type Outcome,
  PROBE_IDS,
  type ProbeId,
} from '../../cli/routing/catalog/probes.ts';
import type { Client, ClientOptions } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { BUILT_IN_PROFILES, type CredentialKind } from '../../config/profile.ts';
import { nameOfSource, type SettingSource, type Settings } from '../../config/settings.ts';
import { type ContractOperation, operations } from '../../contract/generated/operations.ts';
import { nameOf, type OpenCredentials } from './credentials.ts';
import { type CheckResult, fail, pass, sentenceOf, skip, warn } from './finding.ts';
import { isMissing, withClient } from './probe.ts';

/** What commands are tried out with. */
export type CommandParts = {
  readonly settings: Settings;
  readonly credentials: OpenCredentials;
  readonly options: ClientOptions;
  readonly signal: AbortSignal;
};

/** The two results that rest on the same calls. */
export type CommandResults = { readonly scopes: CheckResult; readonly merchantAccount: CheckResult };

/**
 * Tries the commands out that change nothing, each with a token for its own scope; where a merchant account may be the
 * reason of refusals, and one without it.
 * @throws AbortedError
 */
export async function checkCommands(parts: CommandParts): Promise<CommandResults> {
  const { settings, credentials, options, signal } = parts;
  const { value: id, source } = settings.merchantAccount;
  const ask = (client: Client, ids: readonly ProbeId[]) => callProbes(client, ids, signal);
  const ids = allowedProbes(credentials.claims);
  const withAccount = await withClient({ ...options, merchantAccount: id }, (client) => ask(client, ids));
  const scopesBy = (outcomes: ReadonlyMap<ProbeId, Outcome>): CheckResult =>
    evaluateScopes(evaluateCommands({ outcomes, claims: credentials.claims }), {
      kind: credentials.source.kind,
      reason: reasonOf(outcomes),
    });
  const only = onlyAccount(withAccount);
  if (only !== undefined && only.account !== id) {
    const withOnly = await withClient({ ...options, merchantAccount: only.account }, (client) =>
      ask(client, only.lists),
    );
    return {
      scopes: scopesBy(new Map([...withAccount, ...withOnly])),
      merchantAccount: evaluateOnlyAccount(only.account, settings, nameOf(credentials.source)),
    };
  }
  if (id === undefined) {
    const merchantAccount = pass('not set; the header is not sent', { merchant_account: null });
    return { scopes: scopesBy(withAccount), merchantAccount };
  }
  const sent = new Map([...withAccount].filter(([list]) => operations[list].merchantAccount));
  const isAccepted = [...sent.values()].some(({ error }) => !error);
  const doubtful = isAccepted
    ? []
    : [...sent].filter(([, outcome]) => isRefusal(outcome)).map(([list]) => list);
  const withoutAccount = await withClient(options, (client) => ask(client, doubtful));
  const merchantAccount = evaluateMerchantAccount({ id, source }, { withAccount: sent, withoutAccount });
  // A merchant account that is refused itself says nothing about scopes.
  const isRefused = merchantAccount.state === 'fail';
  return {
    scopes: scopesBy(isRefused ? new Map([...withAccount, ...withoutAccount]) : withAccount),
    merchantAccount,
  };
}

/** The merchant account that the key is restricted to, if it is, and the lists that were refused for that reason. */
function onlyAccount(
  outcomes: ReadonlyMap<ProbeId, Outcome>,
): { readonly account: string; readonly lists: readonly ProbeId[] } | undefined {
  const named = [...outcomes].flatMap(([list, { error }]) => {
    const account = error instanceof ApiError ? accountOfKey(error.message) : undefined;
    return account === undefined ? [] : [{ list, account }];
  });
  const [first] = named;
  return first && { account: first.account, lists: named.map(({ list }) => list) };
}

/** Evaluates a missing or different merchant account for a key that, says the service, is restricted to one. */
export function evaluateOnlyAccount(
  only: string,
  { merchantAccount: { value: id, source }, profile }: Pick<Settings, 'merchantAccount' | 'profile'>,
  credentials: string,
): CheckResult {
  const asked = id === undefined ? 'requests without one' : `requests for ${id} (${nameOfSource(source)})`;
  const message = `${credentials} is restricted to the merchant account ${only}; the service refuses ${asked}`;
  const facts = {
    merchant_account: id ?? null,
    restricted_to: only,
    ...(id !== undefined && { source: nameOfSource(source) }),
    accepted: false,
  };
  return fail(message, remedyForOnly(only, { source, profile }), facts);
}

function remedyForOnly(only: string, { source, profile }: Where): string {
  if (source.kind === 'environment') return `Set ${source.name} to ${only}.`;
  const { name } = profile.value ?? {};
  if (source.kind === 'flag' || name === undefined || BUILT_IN_PROFILES.has(name)) {
    return `Use this merchant account: -m ${only}`;
  }
  return `Store it in the profile: payctl profiles set ${name} --merchant-account ${only}`;
}

type Where = { readonly source: SettingSource; readonly profile: Settings['profile'] };

/** The reason for refusals, other than scopes, that the service gives, if any. */
function reasonOf(outcomes: ReadonlyMap<ProbeId, Outcome>): RefusalReason | undefined {
  for (const { status, error } of outcomes.values()) {
    if (status !== 403 || !(error instanceof ApiError)) continue;
    const { source, causes, remedy } = diagnosisOf(error);
    const [cause] = causes;
    if (source === 'service' && cause !== undefined) return { cause, remedy };
  }
  return undefined;
}

type RefusalReason = { readonly cause: string; readonly remedy: string | undefined };

/** The lists that may be called: all but those that a token says itself that it cannot. Calling these would be refused. */
export function allowedProbes(claims: OpenCredentials['claims']): readonly ProbeId[] {
  const refused = new Set(
    commandAccess(claims?.scopes)
      .filter(({ access, revealsPii }) => access === 'refused' && !revealsPii)
      .map(({ operation }) => operation.id),
  );
  return PROBE_IDS.filter((id) => !refused.has(id));
}

/**
 * Whether a command may be used; `missing` where the service does not have its operation, `unknown` where it gave no clear
 * answer.
 */
export type CommandState = 'allowed' | 'refused' | 'missing' | 'unknown' | 'not_tried';

/** What is known about one command. */
export type CommandScope = {
  readonly command: string;
  readonly scope: string;
  readonly state: CommandState;
  /** Who says so. */
  readonly by: 'service' | 'claims' | null;
};

/** What commands are evaluated by. */
export type ScopeEvidence = {
  readonly outcomes: ReadonlyMap<ProbeId, Outcome>;
  /** Of a token; undefined for a key. */
  readonly claims: OpenCredentials['claims'];
};

/** What is known about each command: by the service where it was asked, else by the claims of the token. */
export function evaluateCommands(
  { outcomes, claims }: ScopeEvidence,
  commands?: Readonly<Record<string, ContractOperation>>,
): CommandScope[] {
  const all = commandAccess(claims?.scopes, commands).filter(({ revealsPii }) => !revealsPii);
  return all.map(({ command, operation: { id, scopes }, access }) => {
    const [scope] = scopes;
    const outcome = isProbeId(id) ? outcomes.get(id) : undefined;
    if (outcome) return { command, scope, state: stateOf(outcome), by: 'service' };
    if (access === 'unknown') return { command, scope, state: 'not_tried', by: null };
    return { command, scope, state: access, by: 'claims' };
  });
}

function stateOf(outcome: Outcome): CommandState {
  if (!outcome.error) return 'allowed';
  if (outcome.status === 403) return 'refused';
  return isMissing(outcome) ? 'missing' : 'unknown';
}

/** Evaluates what the credentials may do: a refusal of some commands is a warning, of all that are known a failure. */
export function evaluateScopes(
  commands: readonly CommandScope[],
  { kind, reason }: { readonly kind: CredentialKind; readonly reason?: RefusalReason | undefined },
): CheckResult {
  const inState = (state: CommandState) => commands.filter((command) => command.state === state);
  const [allowed, refused, unknown] = [inState('allowed'), inState('refused'), inState('unknown')];
  const missing = inState('missing');
  const untried = inState('not_tried').length;
  const facts = { allowed: allowed.length, refused: refused.length, commands };
  const known = commands.length - untried;
  const parts = [
    `${allowed.length} of ${known} ${untried > 0 ? 'testable ' : ''}commands are allowed`,
    ...(refused.length > 0 ? [`not allowed: ${namesOf(refused)}`] : []),
    ...(missing.length > 0 ? [`not offered by the service: ${namesOf(missing)}`] : []),
    ...(unknown.length > 0 ? [`no clear result: ${namesOf(unknown)}`] : []),
    ...(untried > 0 ? [`${untried} not tested (they change data or need an ID)`] : []),
  ];
  const message = parts.join('; ');
  if (refused.length > 0) {
    const judge = allowed.length === 0 && unknown.length === 0 ? fail : warn;
    if (reason)
      return judge(`${message}; ${reason.cause}`, reason.remedy && sentenceOf(reason.remedy), facts);
    return judge(message, remedyForScopes(refused, kind), facts);
  }
  if (unknown.length > 0) return warn(message, 'Try again later.', facts);
  if (missing.length > 0) return warn(message, 'These commands do not work with this service.', facts);
  return pass(message, facts);
}

function namesOf(commands: readonly CommandScope[]): string {
  return commands.map(({ command }) => command).join(', ');
}

function remedyForScopes(refused: readonly CommandScope[], kind: CredentialKind): string {
  const missing = [...new Set(refused.map(({ scope }) => scope))].sort().join(', ');
  return kind === 'token'
    ? `Get a token that also has these scopes: ${missing}.`
    : `Ask the administrator of the API key for these scopes: ${missing}.`;
}

/** The responses to the same calls with the merchant account and, where those were refused, without it. */
export type Comparison = {
  readonly withAccount: ReadonlyMap<ProbeId, Outcome>;
  readonly withoutAccount: ReadonlyMap<ProbeId, Outcome>;
};

/** A merchant account and where it was chosen. */
export type ChosenAccount = { readonly id: string; readonly source: SettingSource };

/** Responses that a merchant account can be the reason of. */
const REFUSALS = new Set([400, 401, 403, 404, 422]);

/** Whether a call has to be made again without the merchant account, to see what its response is due to. */
function isRefusal({ status, error }: Outcome): boolean {
  return error !== undefined && status !== undefined && REFUSALS.has(status);
}

/** Evaluates a merchant account: it fails where no call succeeds with it, and some call does without it. */
export function evaluateMerchantAccount({ id, source }: ChosenAccount, comparison: Comparison): CheckResult {
  const { withAccount, withoutAccount } = comparison;
  const chosen = `${id} (${nameOfSource(source)})`;
  const facts = { merchant_account: id, source: nameOfSource(source) };
  if ([...withAccount.values()].some(({ error }) => !error)) {
    return pass(`the service accepts ${chosen}`, { ...facts, accepted: true });
  }
  const [refused] = [...withoutAccount].filter(([, { error }]) => !error).map(([list]) => list);
  if (refused === undefined) return skip(`${chosen} could not be checked: requests also fail without it`);
  const status = withAccount.get(refused)?.status;
  return fail(
    `the service rejects ${chosen}: requests fail with it (${status}) and succeed without it`,
    remedyForAccount(source),
    { ...facts, accepted: false },
  );
}

function remedyForAccount(source: SettingSource): string {
  if (source.kind === 'environment') return `Set ${source.name} to another merchant account ID, or unset it.`;
  if (source.kind === 'profile') {
    return `Set another one: payctl profiles set ${source.name} --merchant-account ID`;
  }
  return `Use another merchant account ID with ${nameOfSource(source)}, or remove it.`;
}
