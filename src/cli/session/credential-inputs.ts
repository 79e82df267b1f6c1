import { variablesOfKind } from '../../config/environment.ts';
import { CREDENTIAL_NAMES, givesTokens, type Profile } from '../../config/profile.ts';
import { isNamedProfile, nameOfSource, type Settings } from '../../config/settings.ts';
import { storedForOther } from '../../credentials/read.ts';
import {
  type CredentialInputs,
  type CredentialSource,
  findWithheld,
  listCredentialSources,
  type WithheldSource,
} from '../../credentials/sources.ts';
import { CredentialsError } from '../../errors.ts';
import { type Credentials, secretOf } from '../../tokens/provider.ts';
import type { Runtime } from '../runtime.ts';
import type { Display } from '../show/display.ts';

type Run = {
  readonly settings: Settings;
  readonly runtime: Pick<Runtime, 'environment'>;
  readonly target: { readonly baseUrl: string; readonly profile: Profile | undefined };
};

/** Where the credentials of requests to a service may come from. */
export function credentialInputs({ settings, runtime, target: { baseUrl, profile } }: Run): CredentialInputs {
  const { environment } = runtime;
  return { environment, profile, profileFirst: isNamedProfile(settings), target: new URL(baseUrl).origin };
}

/** A source of credentials that have been read already. */
export function sourceOf(credentials: Credentials): CredentialSource {
  const { kind, origin } = credentials;
  return { kind, storage: 'environment', secret: secretOf(credentials), origin };
}

/**
 * Says which variables of credentials are set and empty, where credentials of another source are used
 * instead, or none: a job whose secret is missing must not silently act as another user.
 */
export function warnOfEmptyVariables(
  inputs: CredentialInputs,
  { display, runtime }: { readonly display: Pick<Display, 'warn'>; readonly runtime: Runtime },
): void {
  const [winner] = listCredentialSources(inputs);
  if (winner?.profile && inputs.profileFirst) return;
  const names = runtime.emptyVariables.before(winner?.origin);
  if (names.length === 0) return;
  const are =
    names.length === 1 ? 'is set but empty, so it is ignored' : 'are set but empty, so they are ignored';
  const instead = winner ? `; the ${CREDENTIAL_NAMES[winner.kind]} from ${winner.origin} is used` : '';
  display.warn('empty_variable', `${names.join(' and ')} ${are}${instead}.`, { variables: names });
}

/**
 * The error of a run without credentials, `no_credentials`. Where the profile has some for another origin, it names both
 * origins and what leads away from its own.
 */
export function noCredentials(inputs: CredentialInputs, settings: Settings): CredentialsError {
  const withheld = findWithheld(inputs);
  if (withheld) return withheldError(withheld, inputs.target ?? '', settings);
  return new CredentialsError('no_credentials', 'No credentials are configured', {
    hint: `Set ${VARIABLES}, or log in: payctl auth login${loginFlag(settings)}`,
  });
}

const VARIABLES = `${variablesOfKind('token').join(', ')}, ${variablesOfKind('key').join(' or ')}`;

function withheldError(
  { source, home, storedFor }: WithheldSource,
  target: string,
  settings: Settings,
): CredentialsError {
  if (home === target && storedFor !== undefined) return storedForOther(source, { storedFor, home });
  const { kind, origin, profile } = source;
  const { remedy, cause } = whatLeadsAway(settings);
  const to = `is not sent to ${target}${cause}`;
  const use = `set ${givesTokens(kind) ? VARIABLES : variablesOfKind(kind).join(' or ')} to credentials for ${target}`;
  const name = CREDENTIAL_NAMES[kind];
  const message =
    profile?.name === 'emulator'
      ? `The ${name} from ${origin} is for the emulator and ${to}`
      : home === undefined
        ? `The ${name} from ${origin} ${to}: the settings of the profile do not say that it belongs there`
        : `The ${name} from ${origin} is for ${home} and ${to}`;
  const hint = remedy ? `${remedy} to use it, or ${use}.` : `${use.replace(/^s/, 'S')}.`;
  return new CredentialsError('no_credentials', message, { hint });
}

/** The flag or variable that makes requests go elsewhere, as the end of a message and as the beginning of a hint. */
function whatLeadsAway({ baseUrl, instance }: Settings): {
  readonly cause: string;
  readonly remedy: string | undefined;
} {
  const given = [baseUrl.source, instance.source].find(
    ({ kind }) => kind === 'flag' || kind === 'environment',
  );
  if (!given) return { cause: '', remedy: undefined };
  const name = nameOfSource(given);
  const verb = given.kind === 'flag' ? 'Remove' : 'Unset';
  return { cause: `, which comes from ${name}`, remedy: `${verb} ${name}` };
}

/** Which profile to log in to, where that is not the one that `auth login` proposes by itself. */
export function loginFlag({ profile }: Settings): string {
  const isNamed = profile.source.kind === 'flag' || profile.source.kind === 'environment';
  return isNamed && profile.value && profile.value.name !== 'emulator'
    ? ` --profile ${profile.value.name}`
    : '';
}
