import { callProbe, type Outcome } from '../../cli/catalog/probes.ts';
import { AbortedError, PayctlError } from '../../errors.ts';
import { checkCommands, withClient } from './access.ts';
import {
  clientOptions,
  type DoctorContext,
  type DoctorInput,
  inputsOf,
  issuerOf,
  limitsOf,
  profileFlagOf,
  userAgentOf,
} from './context.ts';
import { judgeCredentials, openCredentials } from './credentials.ts';
import { type CheckName, type CheckResult, type Finding, fail, skip } from './finding.ts';
import { checkHost, checkTls } from './network.ts';
import { type Answer, clockSkew, judgeAnswer, judgeClock, judgeNoAnswer, probe } from './probe.ts';
import { checkSettings } from './settings.ts';

/**
 * Makes all checks in their order and gives each as soon as it is made; all names come, also of checks that were skipped.
 * @throws AbortedError
 */
export async function* runChecks(patient: DoctorInput): AsyncGenerator<Finding, void, undefined> {
  const { configuration, resolved, display, runtime } = patient;
  yield { name: 'configuration', ...configuration.verdict };
  const { verdict, target } = await checkSettings(resolved, configuration.profiles, { display, runtime });
  yield { name: 'settings', ...verdict };
  const { settings } = resolved;
  if (!target || !settings) {
    yield* skipAll(
      ['host', 'tls', 'answer', 'clock', 'credentials', 'scopes', 'merchant-account'],
      'no settings',
    );
    return;
  }
  try {
    const visit = { ...patient, settings, target };
    const answer = yield* checkConnection(visit);
    yield* checkAccess(visit, answer);
  } finally {
    await target.close();
  }
}

/** From the host name to the clock; gives the answer of the service, where there was one. */
async function* checkConnection(
  visit: DoctorContext,
): AsyncGenerator<Finding, Answer | undefined, undefined> {
  const url = new URL(visit.target.baseUrl);
  const limits = limitsOf(visit);
  const host = await checkHost(url, limits);
  yield { name: 'host', ...host };
  if (host.state === 'fault') {
    yield* skipAll(['tls', 'answer', 'clock'], 'the host name is not known');
    return undefined;
  }
  const tls = await checkTls(url, limits);
  yield { name: 'tls', ...tls };
  if (tls.state === 'fault') {
    yield* skipAll(['answer', 'clock'], 'there is no safe connection');
    return undefined;
  }
  const trace = (line: string) => visit.display.verbose && visit.display.info(line);
  trace(`> GET ${visit.target.baseUrl} (without a token)`);
  const answer = await attempt(() => probe(url, userAgentOf(visit), limits));
  if (answer instanceof PayctlError) {
    yield { name: 'answer', ...judgeNoAnswer(answer) };
    yield* skipAll(['clock'], 'no answer');
    return undefined;
  }
  trace(`< ${answer.status} in ${Math.round(answer.milliseconds)} ms`);
  yield { name: 'answer', ...judgeAnswer(answer) };
  const skew = clockSkew(answer);
  yield { name: 'clock', ...(skew === undefined ? skip('the answer says no date') : judgeClock(skew)) };
  return answer;
}

/** Credentials, and what they are good for. */
async function* checkAccess(
  visit: DoctorContext,
  answer: Answer | undefined,
): AsyncGenerator<Finding, void, undefined> {
  const credentials = await attempt(() => openCredentials(inputsOf(visit), issuerOf(visit), visit.signal));
  if (credentials === undefined || credentials instanceof PayctlError) {
    yield { name: 'credentials', ...judgeNoCredentials(credentials, visit) };
    yield* skipAll(['scopes', 'merchant-account'], 'no credentials');
    return;
  }
  const options = clientOptions(visit, credentials);
  const { signal } = visit;
  const outcome: Outcome | undefined =
    answer && (await withClient(options, (client) => callProbe(client, 'listRoles', signal)));
  const verdict = judgeCredentials({
    credentials,
    outcome,
    now: new Date(),
    profileFlag: profileFlagOf(visit.settings),
    withoutSecrets: visit.display.redact,
  });
  yield { name: 'credentials', ...verdict };
  if (verdict.facts?.accepted !== true) {
    yield* skipAll(['scopes', 'merchant-account'], 'no accepted credentials');
    return;
  }
  const { settings } = visit;
  const { scopes, merchantAccount } = await checkCommands({ settings, credentials, options, signal });
  yield { name: 'scopes', ...scopes };
  yield { name: 'merchant-account', ...merchantAccount };
}

function judgeNoCredentials(error: PayctlError | undefined, { configuration }: DoctorContext): CheckResult {
  if (error) return fail(error.message, error.hint);
  if (!configuration.profiles) return skip('not known without the profiles');
  return fail(
    'there is no token and no key to sign one with',
    'Run payctl auth login, or set PAYCTL_TOKEN, PAYCTL_TOKEN_FILE, PAYCTL_PRIVATE_KEY or PAYCTL_PRIVATE_KEY_FILE.',
  );
}

function* skipAll(names: readonly CheckName[], reason: string): Generator<Finding, void, undefined> {
  for (const name of names) yield { name, ...skip(`not checked: ${reason}`) };
}

/** What the work gives, or the typed error that it fails with. @throws AbortedError, and what is no error of payctl's */
async function attempt<T>(work: () => Promise<T>): Promise<T | PayctlError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AbortedError || !(error instanceof PayctlError)) throw error;
    return error;
  }
}
