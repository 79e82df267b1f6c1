import type { ClientOptions } from '../../client/client.ts';
import type { CredentialInputs } from '../../config/credential-sources.ts';
import type { Settings } from '../../config/settings.ts';
import type { Display } from '../display.ts';
import type { Runtime } from '../runtime.ts';
import type { Target } from '../target.ts';
import { traceHooks } from '../trace.ts';
import type { Configuration } from './check-configuration.ts';
import type { ResolvedSettings } from './check-settings.ts';
import type { Limits } from './limits.ts';
import type { OpenCredentials } from './open-credentials.ts';

/** What the checks are made with. */
export type Patient = {
  readonly configuration: Configuration;
  readonly resolved: ResolvedSettings;
  readonly display: Display;
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
};

/** The same once it is known which service it is about. */
export type Visit = Patient & { readonly settings: Settings; readonly target: Target };

/** Somebody waits for the result: a time limit that nobody asked for is a short one. */
const PATIENCE_MILLISECONDS = 10_000;

/** The time limit of the settings for each step, a shorter one where nobody asked for any. */
export function limitsOf({ settings: { timeoutMilliseconds: given }, signal }: Visit): Limits {
  const milliseconds = given.source.kind === 'default' ? PATIENCE_MILLISECONDS : given.value;
  return { milliseconds, signal };
}

/** A client of the service without a merchant account, which tries nothing twice. */
export function clientOptions(visit: Visit, { provider }: OpenCredentials): ClientOptions {
  const { settings, target, display } = visit;
  return {
    baseUrl: target.baseUrl,
    token: async (needed) => {
      const token = await provider(needed);
      display.hide(token);
      return token;
    },
    merchantHeader: settings.merchantHeader.value,
    userAgent: userAgentOf(visit),
    timeoutMilliseconds: limitsOf(visit).milliseconds,
    maxRetries: 0,
    hooks: display.verbose ? traceHooks(display.note) : {},
  };
}

/** Where credentials may stand. */
export function inputsOf({ runtime, target }: Visit): CredentialInputs {
  return { environment: runtime.environment, profile: target.profile };
}

/** Who signs tokens, as their `iss` says. */
export function issuerOf({ runtime }: Patient): string {
  return `payctl/${runtime.version}`;
}

/** What requests call themselves. */
export function userAgentOf(patient: Patient): string {
  return `${issuerOf(patient)} (${patient.runtime.platform})`;
}

/** ` --profile NAME` where commands need it to act as this run does; else empty. */
export function profileFlagOf({ profile }: Settings): string {
  return profile.source.kind === 'flag' && profile.value ? ` --profile ${profile.value.name}` : '';
}
