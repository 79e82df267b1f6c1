import type { ClientHooks, QueryValue, RequestEvent } from '../../client/call.ts';
import type { Client, ClientOptions } from '../../client/client.ts';
import { createClient } from '../../client/client.ts';
import { type NetworkOptions, nameOfProxy } from '../../client/network/options.ts';
import type { CloseOptions } from '../../client/transport.ts';
import { limitedAt, productionAt } from '../../config/origin.ts';
import { givesTokens } from '../../config/profile.ts';
import { nameOfSource, type SettingSource, type Settings } from '../../config/settings.ts';
import type { NeededScopes, Operation, RequestCredentials } from '../../contract/operation.ts';
import { findCredentials, readCredentials } from '../../credentials/read.ts';
import {
  type CredentialInputs,
  type CredentialSource,
  listCredentialSources,
} from '../../credentials/sources.ts';
import { AbortedError, UsageError } from '../../errors.ts';
import {
  type CredentialProvider,
  type Credentials,
  createTokenProvider,
  isTokenSource,
} from '../../tokens/provider.ts';
import { checkAccess } from '../../tokens/scopes.ts';
import type { ConcernedRecord, KeptRecords, ReadRecord } from '../money/record.ts';
import { pathOfBaseUrl } from '../routing/catalog/paths.ts';
import { issuerOf, type Runtime, userAgentOf } from '../runtime.ts';
import type { Display, RunParts } from '../show/display.ts';
import type { confirmWrite } from './confirm-write.ts';
import { credentialInputs, noCredentials, sourceOf, warnOfEmptyVariables } from './credential-inputs.ts';
import { dryRunHooks, traceHooks, warningHooks } from './hooks.ts';
import { markProduction } from './mark-production.ts';
import { allowsChanges, refuseChange, refuseWriteScopes } from './read-only.ts';
import { openTarget, type Target } from './target.ts';

/** What `connect` makes: a client and what belongs to it. */
export type Connection = {
  readonly client: Client;
  readonly tokenProvider: CredentialProvider | undefined;
  readonly record: ReadRecord;
  close(options?: CloseOptions): Promise<void>;
};

/** The progress of the change that a run makes; a run makes at most one. */
export type Change = {
  /** The request was handed to the connection at least once. */
  isSent: boolean;
  /** The response of the service, once it has carried the change out. */
  document: object | undefined;
};

/** How a change is made from what the service holds. */
export type ReadsFirst = {
  /** Runs after the confirmation, right before each attempt (counted from 1) to send the change; what it throws ends the call. */
  readonly beforeWrite: (attempt: number) => Promise<void>;
  /** Hides what must not be shown of a body that holds data of the service. */
  readonly mask: (body: string) => string;
};

/** Parameters that are sent with one operation. */
export type FurtherQuery = {
  readonly operation: Operation;
  readonly query: Readonly<Record<string, QueryValue>>;
};

/** What a session is opened with. */
export type SessionParts = RunParts & {
  /** Show the request and send nothing. */
  readonly dryRun: boolean;
  /** Change things in production without asking. */
  readonly confirmed: boolean;
  /** Receives the progress of the run's change. */
  readonly change?: Change | undefined;
  /** What a change is made from is read from the service first, also where the request is only shown. */
  readonly readsFirst?: ReadsFirst | undefined;
  /** In the place of those that the settings name. */
  readonly credentials?: Credentials | undefined;
  /** Parameters to send in addition to those of the command, for parameters that only an imported description knows. */
  readonly furtherQuery?: FurtherQuery | undefined;
  /** Whether the run calls an imported operation that takes credentials other than a token, or none. */
  readonly takesOtherCredentials?: boolean | undefined;
  /** Headers that hold secrets, by their names in lower case. They are sent with every request, and never shown. */
  readonly secretHeaders?: Readonly<Record<string, string>> | undefined;
  /** Why no scope is known to sign a token for; the emulator, too, is then asked only with one that is named. */
  readonly scopeNeeded?: UsageError | undefined;
  /** Requests are repeated forever: each is sent once, with a token of its own, and the caller decides on what follows. */
  readonly isPolling?: boolean | undefined;
  /** The changes of the run are many, which the caller has confirmed together. */
  readonly isBatch?: boolean | undefined;
};

/**
 * Makes the client that the settings describe; for the profile `emulator` also the emulator, where none is running.
 * @throws CredentialsError `not_configured` without a base URL, `no_credentials` without a token or key
 */
export async function connect(parts: SessionParts): Promise<Connection> {
  const { settings, display } = parts;
  const target = await openTarget(parts);
  try {
    const { baseUrl } = target;
    const isOffline = parts.dryRun && !parts.readsFirst;
    const tokenProvider = isOffline ? undefined : await openTokenProvider(parts, target);
    if (display.verbose) {
      printSources(settings, display, {
        baseUrl,
        network: target.network,
        token: tokenProvider?.describe().origin ?? 'none',
      });
    }
    const options = commonOptions(parts, target, tokenProvider);
    const records = openRecords(parts, target, tokenProvider);
    const client = createClient({
      ...options,
      // No token that could change something is signed for a request that is only shown.
      token: async (needed) => {
        if (isOffline) return await shownCredentials(needed, parts, target);
        return parts.dryRun && needed.scopes.some(allowsChanges) ? '' : await options.token(needed);
      },
      merchantAccount: settings.merchantAccount.value,
      timeoutMilliseconds: settings.timeoutMilliseconds.value,
      maxRetries: parts.isPolling ? 0 : settings.maxRetries.value,
      hooks: hooksFor(parts, { target, tokenProvider, record: records.read, known: records.known }),
    });
    const close = async (closing?: CloseOptions) => {
      await client.close(closing);
      await records.close(closing);
      await target.close();
    };
    return { client, tokenProvider, record: records.read, close };
  } catch (error) {
    await target.close();
    throw error;
  }
}

/** A question must not wait longer for the record that it shows. */
const RECORD_MILLISECONDS = 5000;

/** Reads the records that changes concern, by a client of its own: hooks of changes do not run, and nothing is sent twice. */
function openRecords(parts: SessionParts, target: Target, opened: CredentialProvider | undefined) {
  const { settings, runtime, display } = parts;
  let provider = opened;
  let client: Client | undefined;
  const open = async () => {
    provider ??= await openTokenProvider(parts, target);
    client ??= createClient({
      ...commonOptions(parts, target, provider),
      merchantAccount: settings.merchantAccount.value,
      timeoutMilliseconds: Math.min(settings.timeoutMilliseconds.value, RECORD_MILLISECONDS),
      maxRetries: 0,
      hooks: display.verbose ? traceHooks(display.info) : {},
    });
    return client;
  };
  const isRefused = ({ scopes, needsAllScopes }: Operation) => {
    if (!provider || provider.signs?.({ scopes, accepted: [] })) return false;
    const groups = needsAllScopes ? scopes.map((scope) => [scope]) : [scopes];
    return checkAccess(provider.describe().scopes, groups).access === 'refused';
  };
  let records: Promise<KeptRecords> | undefined;
  const openReader = async () => {
    const { readOnce, recordReader } = await import('../money/record.ts');
    const description = { environment: runtime.environment, profile: settings.profile.value?.name };
    return readOnce(recordReader({ description, signal: display.signal, client: open, isRefused }));
  };
  const read: ReadRecord = async (change) => {
    records ??= openReader();
    return await (await records).read(change);
  };
  const known = async (change: Parameters<ReadRecord>[0]) => await (await records)?.known(change);
  return { read, known, close: async (closing?: CloseOptions) => client?.close(closing) };
}

/**
 * The options of every client of a service: where it sends requests, and as whom. A token is hidden from everything that is
 * printed as soon as it is used; without a provider it is empty.
 */
export function commonOptions(
  parts: Pick<SessionParts, 'settings' | 'display' | 'runtime' | 'scopeNeeded'>,
  target: Pick<Target, 'baseUrl' | 'network' | 'isEmulator'>,
  tokenProvider: CredentialProvider | undefined,
) {
  const { settings, display, runtime } = parts;
  const { baseUrl, network } = target;
  return {
    baseUrl,
    async token(needed: NeededScopes): Promise<string | RequestCredentials> {
      if (!tokenProvider) return '';
      const refusal = tokenProvider.signs?.(needed) ? lackingScope(needed, parts, target) : undefined;
      if (refusal) throw refusal;
      refuseWriteScopes(settings, needed.scopes);
      const credentials = await tokenProvider(needed);
      for (const secret of secretsIn(credentials)) display.addSecret(secret);
      return credentials;
    },
    merchantHeader: settings.merchantHeader.value,
    userAgent: userAgentOf(runtime),
    network,
  } satisfies ClientOptions;
}

/** Why a key has nothing to sign a token for; undefined where it has. */
function lackingScope(
  { scopes }: NeededScopes,
  { scopeNeeded }: Pick<SessionParts, 'scopeNeeded'>,
  { isEmulator }: Pick<Target, 'isEmulator'>,
): UsageError | undefined {
  if (scopes.length > 0) return undefined;
  return scopeNeeded ?? (isEmulator ? undefined : noScope());
}

/** The secrets of a request, without `Basic` or `Bearer` before them. */
function secretsIn(credentials: string | RequestCredentials): readonly string[] {
  if (typeof credentials === 'string') return [credentials];
  const { headers, query = {} } = credentials;
  return [...Object.values(headers), ...Object.values(query)].map((value) =>
    value.replace(/^(?:Basic|Bearer) /, ''),
  );
}

/**
 * The credentials of a request that is only shown, with empty secrets.
 * @throws UsageError `scope_needed` if a key would sign a token, but no scope is known
 */
async function shownCredentials(
  needed: NeededScopes,
  parts: SessionParts,
  target: Target,
): Promise<string | RequestCredentials> {
  const { settings, runtime, takesOtherCredentials, secretHeaders: headers } = parts;
  const inputs = credentialInputs({ settings, runtime, target });
  const sources = listCredentialSources(inputs);
  if (!takesOtherCredentials && !headers) {
    await refuseWithoutScope(sources[0]);
    return '';
  }
  const { placeholdersFor } = await import('./request-credentials.ts');
  const { credentials, signer } = placeholdersFor(needed, {
    sources,
    headers,
    isEmulator: target.isEmulator,
  });
  await refuseWithoutScope(signer);
  return credentials;

  async function refuseWithoutScope(source: CredentialSource | undefined): Promise<void> {
    const refusal = source?.kind === 'key' ? lackingScope(needed, parts, target) : undefined;
    if (source && refusal && (await isReadable(source, inputs, runtime))) throw refusal;
  }
}

/** Credentials that cannot be read do not stop a request that is only shown. @throws AbortedError */
async function isReadable(
  source: CredentialSource,
  { profile }: CredentialInputs,
  deps: Pick<Runtime, 'readKeychain' | 'signal'>,
): Promise<boolean> {
  try {
    const { readKeychain, signal } = deps;
    await readCredentials(source, profile, { warn: () => {}, readKeychain, signal });
    return true;
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    return false;
  }
}

function noScope(): UsageError {
  return new UsageError(
    'scope_needed',
    'The description names no scope for this request, so payctl cannot sign a token for it',
    {
      hint: 'Add --scope NAME, or use a token instead of a key.',
    },
  );
}

/**
 * The provider of the token that the settings name.
 * @throws CredentialsError `no_credentials`, and what reading them throws
 */
export async function openTokenProvider(parts: SessionParts, target: Target): Promise<CredentialProvider> {
  const { display, runtime } = parts;
  const warn = (message: string) => display.warn('secret_file_open', message);
  const inputs = credentialInputs({ ...parts, target });
  if (!parts.credentials) warnOfEmptyVariables(inputs, parts);
  const { readKeychain, signal } = runtime;
  const deps = { warn, readKeychain, signal };
  const tokens = { issuer: issuerOf(runtime), isFresh: parts.isPolling, warn: display.warn };
  const { credentials: given, takesOtherCredentials, secretHeaders: headers } = parts;
  const sources = given ? [sourceOf(given)] : listCredentialSources(inputs);
  const [first] = sources;
  const isOther = first !== undefined && !givesTokens(first.kind);
  if (!takesOtherCredentials && !headers && !isOther) {
    const credentials = given ?? (await findCredentials(inputs, deps));
    if (!credentials) throw noCredentials(inputs, parts.settings);
    if (isTokenSource(credentials)) return createTokenProvider(credentials, tokens);
  }
  const { requestCredentials } = await import('./request-credentials.ts');
  const { isEmulator } = target;
  return requestCredentials({ ...parts, sources, inputs, headers, isEmulator, deps, tokens });
}

type HookParts = Pick<Connection, 'tokenProvider' | 'record'> & {
  readonly target: Target;
  /** The record of a change, where the run has read it. */
  readonly known: (change: Parameters<ReadRecord>[0]) => Promise<ConcernedRecord | undefined>;
};

function hooksFor(parts: SessionParts, { target, tokenProvider, record, known }: HookParts): ClientHooks {
  const { settings, display } = parts;
  const trace: ClientHooks = display.verbose ? traceHooks(display.info) : {};
  const warnings = warningHooks({ ...parts, isTrial: parts.credentials !== undefined });
  const { furtherQuery, change } = parts;
  const prefix = pathOfBaseUrl(target.baseUrl);
  const amounts = async ({ request: { method, path }, call }: RequestEvent) => {
    const { givenAmounts } = await import('../money/change-in-words.ts');
    const change = { method, path: path.slice(prefix.length), call };
    const read = await known(change);
    const isUnknown = givenAmounts(change, read).some(({ money }) => !money);
    // A person gets to know what a number means, which may need the record.
    const mayRead = display.stdoutTerminal.isTerminal && display.format.isForPeople && !parts.readsFirst;
    return givenAmounts(change, read ?? (isUnknown && mayRead ? await record(change) : undefined));
  };
  const dryRun = parts.dryRun ? dryRunHooks(display, { mask: parts.readsFirst?.mask, amounts }) : undefined;
  let confirm: ReturnType<typeof confirmWrite> | undefined;
  const check = async (event: RequestEvent) => {
    const { request, call, attempt } = event;
    const below = request.path.slice(prefix.length);
    const limited = attempt > 1 ? [] : limitedAt(settings, request.origin, ['maxAmounts']);
    if (limited.length > 0) {
      const { requireWithinLimits } = await import('../money/limits.ts');
      await requireWithinLimits({ method: request.method, path: below, call }, limited, record);
    }
    if (dryRun) await dryRun.onRequest?.(event);
    refuseChange(settings);
    if (!parts.isBatch) {
      const { confirmWrite } = await import('./confirm-write.ts');
      confirm ??= confirmWrite({ ...parts, record: parts.readsFirst ? undefined : record });
      await confirm({ ...event, below });
    }
    await parts.readsFirst?.beforeWrite(attempt);
    // Errors describe the last token: that of the change, and not the one that a record was read with.
    if (request.needed) await tokenProvider?.(request.needed);
  };
  // A change says itself that it goes to production, and a login only tries a profile.
  const mark = change || parts.dryRun || parts.credentials ? undefined : markProduction(settings, display);
  return {
    ...trace,
    ...warnings,
    query: (operation) => (operation.id === furtherQuery?.operation.id ? furtherQuery.query : undefined),
    async onRequest(event) {
      const isChange = event.request.method !== 'GET';
      if (isChange) await check(event);
      else {
        if (dryRun && !parts.readsFirst) await dryRun.onRequest?.(event);
        await mark?.(event.request.origin);
      }
      await warnings.onRequest?.(event);
      await trace.onRequest?.(event);
      if (isChange && change) change.isSent = true;
    },
    onChanged({ document }) {
      if (change) change.document = document;
    },
  };
}

/** Says which source won for each setting. */
function printSources(
  settings: Settings,
  display: Display,
  { baseUrl, network, token }: { baseUrl: string; network: NetworkOptions; token: string },
): void {
  const { profile, merchantAccount, timeoutMilliseconds, maxRetries, readOnly } = settings;
  const production = productionAt(settings, new URL(baseUrl).origin);
  const rows: Row[] = [
    ['profile', profile.value?.name ?? 'none', profile.source],
    ['base URL', baseUrl, settings.baseUrl.source],
    ...(settings.proxy.value === undefined ? [] : [proxyRow(network)]),
    ['credentials', token, undefined],
    ['merchant account', merchantAccount.value ?? 'none', merchantAccount.source],
    ['time limit', `${timeoutMilliseconds.value} ms`, timeoutMilliseconds.source],
    ['retries', maxRetries.value, maxRetries.source],
  ];
  if (readOnly.value) rows.push(['access', 'read-only', readOnly.source]);
  if (production) rows.push(['environment', `production, because ${production.reason}`, undefined]);
  for (const [name, value, source] of rows) {
    display.info(`* ${name}: ${value}${source ? ` (${nameOfSource(source)})` : ''}`);
  }
}

type Row = [name: string, value: string | number, source: SettingSource | undefined];

function proxyRow({ proxy, withoutProxy }: NetworkOptions): Row {
  return [
    'proxy',
    proxy ? nameOfProxy(proxy) : (withoutProxy ?? 'none, because the service is on this machine'),
    undefined,
  ];
}
