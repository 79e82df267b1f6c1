import { callDescribedProbe, findProbe } from '../../cli/session/described-probe.ts';
import { descriptionInUse } from '../../cli/session/description-in-use.ts';
import { clientOptions, type DoctorContext, profileFlagOf } from './context.ts';
import { evaluateCredentials, nameOf, type OpenCredentials } from './credentials.ts';
import { type CheckResult, type Finding, skipAfter, warn } from './finding.ts';
import { withClient } from './probe.ts';

/** Checks an API key or a password with a request that requires it by the imported API description. */
export async function* checkSharedSecret(
  context: DoctorContext,
  credentials: OpenCredentials,
): AsyncGenerator<Finding, void, undefined> {
  yield { name: 'credentials', ...(await tryOut(context, credentials)) };
  yield* skipAfter('credentials', 'merchant-account', 'the credentials are not a token');
}

async function tryOut(context: DoctorContext, credentials: OpenCredentials): Promise<CheckResult> {
  const { settings, runtime, signal } = context;
  const { environment } = runtime;
  const profile = settings.profile.value?.name;
  const described = await descriptionInUse({ environment, profile, signal });
  const name = nameOf(credentials.source);
  if (!described) {
    const message = `no API description says where ${name} is sent`;
    return warn(message, `Import it: payctl api import FILE${profileFlagOf(settings)}`);
  }
  const operation = findProbe(described, credentials.source);
  if (!operation) return warn(`${described.index.title} has no request to check ${name} with`);
  const outcome = await withClient(clientOptions(context, credentials), (client) =>
    callDescribedProbe(client, operation, signal),
  );
  return evaluateCredentials({
    credentials,
    outcome,
    now: new Date(),
    profileFlag: profileFlagOf(settings),
    withoutSecrets: context.display.redact,
  });
}
