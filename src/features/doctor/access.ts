import { commandAccess } from '../../cli/catalog/allowed-commands.ts';
import { callProbes, isProbeId, type Outcome, PROBE_IDS, type ProbeId } from '../../cli/catalog/probes.ts';
import type { Client, ClientOptions } from '../../client/client.ts';
import { nameOfSource, type SettingSource, type Settings } from '../../config/settings.ts';
import { type ContractOperation, operations } from '../../contract/generated/operations.ts';
import type { OpenCredentials } from './credentials.ts';
import { type CheckResult, fail, pass, skip, warn } from './finding.ts';
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
 * reason of refusals, once more without it.
 * @throws AbortedError
 */
export async function checkCommands(parts: CommandParts): Promise<CommandResults> {
  const { settings, credentials, options, signal } = parts;
  const { value: id, source } = settings.merchantAccount;
  const ask = (client: Client, ids: readonly ProbeId[]) => callProbes(client, ids, signal);
  const ids = allowedProbes(credentials.claims);
  const withAccount = await withClient({ ...options, merchantAccount: id }, (client) => ask(client, ids));
  const scopesBy = (outcomes: ReadonlyMap<ProbeId, Outcome>): CheckResult =>
    evaluateScopes(evaluateCommands({ outcomes, claims: credentials.claims }), credentials.source.kind);
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

/** What is known of one command. */
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

/** What is known of each command: by the service where it was asked, else by the claims of the token. */
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
export function evaluateScopes(commands: readonly CommandScope[], kind: 'token' | 'key'): CheckResult {
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
    return judge(message, remedyForScopes(refused, kind), facts);
  }
  if (unknown.length > 0) return warn(message, 'Try again later.', facts);
  if (missing.length > 0) return warn(message, 'These commands do not work with this service.', facts);
  return pass(message, facts);
}

function namesOf(commands: readonly CommandScope[]): string {
  return commands.map(({ command }) => command).join(', ');
}

function remedyForScopes(refused: readonly CommandScope[], kind: 'token' | 'key'): string {
  const missing = [...new Set(refused.map(({ scope }) => scope))].sort().join(', ');
  return kind === 'token'
    ? `Get a token that also has these scopes: ${missing}.`
    : `Ask the administrator of the API key for these scopes: ${missing}. If the key is restricted to a merchant account, name it with -m.`;
}

/** The answers to the same calls with the merchant account and, where those were refused, without it. */
export type Comparison = {
  readonly withAccount: ReadonlyMap<ProbeId, Outcome>;
  readonly withoutAccount: ReadonlyMap<ProbeId, Outcome>;
};

/** A merchant account and where it was chosen. */
export type ChosenAccount = { readonly id: string; readonly source: SettingSource };

/** Answers that a merchant account can be the reason of. */
const REFUSALS = new Set([400, 401, 403, 404, 422]);

/** Whether a call has to be made again without the merchant account, to see what its answer is due to. */
export function isRefusal({ status, error }: Outcome): boolean {
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
