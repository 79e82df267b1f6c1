import type { Runtime } from '../../cli/runtime.ts';
import { commonOptions } from '../../cli/session/connect.ts';
import { traceHooks } from '../../cli/session/hooks.ts';
import type { Target } from '../../cli/session/target.ts';
import type { Display } from '../../cli/show/display.ts';
import type { ClientOptions } from '../../client/client.ts';
import type { Limits } from '../../client/deadline.ts';
import type { Settings } from '../../config/settings.ts';
import type { CheckedConfiguration } from './configuration.ts';
import type { OpenCredentials } from './credentials.ts';
import type { ResolvedSettings } from './settings.ts';

/** What the checks are made with. */
export type DoctorInput = {
  readonly configuration: CheckedConfiguration;
  readonly resolved: ResolvedSettings;
  readonly display: Display;
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
};

/** The same once it is known which service it is about. */
export type DoctorContext = DoctorInput & { readonly settings: Settings; readonly target: Target };

/** Shorter than the default of other commands, since a user waits for the result. */
const DEFAULT_TIMEOUT_MS = 10_000;

/** The time limit of the settings for each step, a shorter one where none is set. */
export function limitsOf({ settings: { timeoutMilliseconds: given }, signal }: DoctorContext): Limits {
  const timeoutMs = given.source.kind === 'default' ? DEFAULT_TIMEOUT_MS : given.value;
  return { timeoutMs, signal };
}

/** A client of the service without a merchant account, which tries nothing twice. */
export function clientOptions(context: DoctorContext, { provider }: OpenCredentials): ClientOptions {
  const { target, display } = context;
  return {
    ...commonOptions(context, target, provider),
    timeoutMilliseconds: limitsOf(context).timeoutMs,
    maxRetries: 0,
    hooks: display.verbose ? traceHooks(display.info) : {},
  };
}

/** ` --profile NAME` where commands need it to act as this run does; else empty. */
export function profileFlagOf({ profile }: Settings): string {
  return profile.source.kind === 'flag' && profile.value ? ` --profile ${profile.value.name}` : '';
}
