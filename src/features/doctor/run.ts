import type { ProbeId } from '../../cli/routing/catalog/probes.ts';
import { issuerOf, userAgentOf } from '../../cli/runtime.ts';
import {
  credentialInputs,
  noCredentials,
  warnOfEmptyVariables,
} from '../../cli/session/credential-inputs.ts';
import { givesTokens } from '../../config/profile.ts';
import { operations } from '../../contract/generated/operations.ts';
import { findWithheld } from '../../credentials/sources.ts';
import { AbortedError, PayctlError } from '../../errors.ts';
import { withoutEndSlashes } from '../../text/format.ts';
import { allowedProbes, checkCommands } from './access.ts';
import { clientOptions, type DoctorContext, type DoctorInput, limitsOf, profileFlagOf } from './context.ts';
import { evaluateCredentials, type OpenCredentials, openCredentials } from './credentials.ts';
import { checkDescription, neededFirst } from './description.ts';
import { type CheckResult, type Finding, fail, skip, skipAfter } from './finding.ts';
import { checkHost, checkProxy, checkTls, withExtraCertificates } from './network.ts';
import {
  callFirst,
  clockSkew,
  evaluateClock,
  evaluateNoResponse,
  evaluateResponse,
  type FirstContact,
  probe,
} from './probe.ts';
import { checkSettings } from './settings.ts';

/**
 * Runs all checks in order and yields each result as soon as it is available; skipped checks are included.
 * @throws AbortedError
 */
export async function* runChecks(input: DoctorInput): AsyncGenerator<Finding, void, undefined> {
  const { configuration, resolved, display, runtime } = input;
  yield { name: 'configuration', ...configuration.result };
  const { result, target } = await checkSettings(resolved, configuration.profiles, { display, runtime });
  yield { name: 'settings', ...result };
  const { settings } = resolved;
  if (!target || !settings) {
    // Without settings nobody knows whether there is a proxy to check.
    yield* skipAfter('proxy', 'merchant-account', 'no usable settings');
    return;
  }
  try {
    const context = { ...input, settings, target };
    warnOfEmptyVariables(credentialInputs(context), context);
    const credentials = await attempt(() =>
      openCredentials(credentialInputs(context), { ...context, issuer: issuerOf(context.runtime) }),
    );
    const contact = yield* checkConnection(context, credentials);
    yield* checkAccess(context, credentials, contact);
    const usable = credentials instanceof PayctlError ? undefined : credentials;
    // Without the profiles nobody knows which description is in use; the configuration has failed already.
    const isKnown = context.configuration.profiles || context.runtime.environment.description !== undefined;
    const description = isKnown ? await checkDescription(context, usable) : undefined;
    if (description) yield { name: 'description', ...description };
  } finally {
    await target.close();
  }
}

/** Those that are used, none, or why they cannot be used. */
type MaybeCredentials = OpenCredentials | PayctlError | undefined;

/** The first response of the service, and the difference between its clock and this machine's. */
type ServiceContact = FirstContact & { readonly clock: CheckResult; readonly skew: number | undefined };

/** Checks everything from the host name to the clock; returns the response of the service, if there is one. */
async function* checkConnection(
  context: DoctorContext,
  credentials: MaybeCredentials,
): AsyncGenerator<Finding, ServiceContact | undefined, undefined> {
  const url = new URL(context.target.baseUrl);
  const limits = limitsOf(context);
  const { network } = context.target;
  const proxy = await checkProxy(url, network, limits);
  if (proxy) yield { name: 'proxy', ...proxy };
  if (proxy?.state === 'fail') {
    yield* skipAfter('proxy', 'clock', 'the proxy cannot be used');
    return undefined;
  }
  const host = await checkHost(url, limits, network);
  yield { name: 'host', ...host };
  if (host.state === 'fail') {
    yield* skipAfter('host', 'clock', 'the host name could not be resolved');
    return undefined;
  }
  const { extraCertificates } = context.runtime.environment;
  const tls = withExtraCertificates(await checkTls(url, network, limits), extraCertificates);
  yield { name: 'tls', ...tls };
  if (tls.state === 'fail') {
    yield* skipAfter('tls', 'clock', 'there is no secure connection');
    return undefined;
  }
  const contact = await attempt(() => contactService(context, credentials));
  if (contact instanceof PayctlError) {
    yield { name: 'answer', ...evaluateNoResponse(contact) };
    yield* skipAfter('answer', 'clock', 'no response');
    return undefined;
  }
  const { response } = contact;
  const { from, ...responded } = evaluateResponse(contact, url);
  yield { name: 'answer', ...responded };
  if (from === 'elsewhere') {
    yield* skipAfter('answer', 'clock', 'the service did not respond');
    return undefined;
  }
  const skew = clockSkew(response);
  const clock = skew === undefined ? skip('the response has no usable Date header') : evaluateClock(skew);
  yield { name: 'clock', ...clock };
  return from === 'service' ? { ...contact, clock, skew } : undefined;
}

/** How many lists are tried until the service has one. */
const MOST_TRIES = 3;

/** Asks the service for one item of a list; without credentials it only says that it needs some. */
async function contactService(context: DoctorContext, credentials: MaybeCredentials): Promise<FirstContact> {
  const { display, runtime, signal, target } = context;
  const fallback: ProbeId = 'listRoles';
  if (credentials && !(credentials instanceof PayctlError) && givesTokens(credentials.source.kind)) {
    const allowed = allowedProbes(credentials.claims).slice(0, MOST_TRIES);
    return await callFirst(
      clientOptions(context, credentials),
      allowed.length > 0 ? allowed : [fallback],
      signal,
    );
  }
  const url = new URL(`${withoutEndSlashes(target.baseUrl)}${operations[fallback].path}?limit=1`);
  const trace = (line: string) => display.verbose && display.info(line);
  trace(`> GET ${url} (without a token)`);
  const limits = { ...limitsOf(context), network: target.network };
  const response = await probe(url, userAgentOf(runtime), limits);
  trace(`< ${response.status} in ${Math.round(response.milliseconds)} ms`);
  return { response };
}

/** Checks the credentials and what they allow. */
async function* checkAccess(
  context: DoctorContext,
  credentials: MaybeCredentials,
  contact: ServiceContact | undefined,
): AsyncGenerator<Finding, void, undefined> {
  if (credentials === undefined || credentials instanceof PayctlError) {
    yield { name: 'credentials', ...(await evaluateNoCredentials(credentials, context)) };
    yield* skipAfter('credentials', 'merchant-account', 'no credentials');
    return;
  }
  if (!givesTokens(credentials.source.kind)) {
    const { checkSharedSecret } = await import('./shared-secret.ts');
    yield* checkSharedSecret(context, credentials);
    return;
  }
  const options = clientOptions(context, credentials);
  const { signal } = context;
  const result = evaluateCredentials({
    credentials,
    outcome: contact?.outcome,
    // By the clock of the service, which decides whether tokens are valid.
    now: new Date(Date.now() - (contact?.skew ?? 0) * 1000),
    clock: contact?.clock,
    profileFlag: profileFlagOf(context.settings),
    withoutSecrets: context.display.redact,
  });
  yield { name: 'credentials', ...result };
  if (result.facts?.accepted !== true) {
    yield* skipAfter('credentials', 'merchant-account', 'no accepted credentials');
    return;
  }
  const { settings } = context;
  const { scopes, merchantAccount } = await checkCommands({ settings, credentials, options, signal });
  yield { name: 'scopes', ...scopes };
  yield { name: 'merchant-account', ...merchantAccount };
}

async function evaluateNoCredentials(
  error: PayctlError | undefined,
  context: DoctorContext,
): Promise<CheckResult> {
  if (error) return fail(error.message, error.hint);
  const inputs = credentialInputs(context);
  if (findWithheld(inputs)) {
    const { message, hint } = noCredentials(inputs, context.settings);
    return fail(message, hint);
  }
  if (!context.configuration.profiles) return skip('not checked: the profiles cannot be read');
  const needed = await attempt(() => neededFirst(context));
  if (needed && !(needed instanceof PayctlError)) return needed;
  return fail(
    'no credentials are configured',
    'Set PAYCTL_TOKEN, PAYCTL_TOKEN_FILE, PAYCTL_PRIVATE_KEY or PAYCTL_PRIVATE_KEY_FILE, or log in: payctl auth login',
  );
}

/** What the work gives, or the typed error that it fails with. @throws AbortedError, and what is not an error of payctl's */
async function attempt<T>(work: () => Promise<T>): Promise<T | PayctlError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AbortedError || !(error instanceof PayctlError)) throw error;
    return error;
  }
}
