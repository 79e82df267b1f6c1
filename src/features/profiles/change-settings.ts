import { profileOrigin } from '../../config/origin.ts';
import {
  CREDENTIAL_NAMES,
  LIMIT_FIELDS,
  type Profile,
  type ProfileCredentials,
} from '../../config/profile.ts';
import {
  changeProfiles,
  type ProfileFields,
  setCredentials,
  setProfile,
} from '../../config/profile-writer.ts';
import { toProfile } from '../../config/profiles-document.ts';
import { deleteSecrets } from '../../credentials/store.ts';
import { UsageError } from '../../errors.ts';

type Context = {
  readonly directory: string;
  /** The profile as the command read it; undefined where the command creates it. */
  readonly before: Profile | undefined;
  readonly signal: AbortSignal;
};

/**
 * Sets fields of a profile. A new origin logs the profile out: the secret that payctl stored is deleted first, so that a failure
 * changes nothing. Resolves to a sentence that says so; undefined where the profile keeps its credentials.
 * @throws UsageError `profile_changed` where another process has changed the address or the credentials; what the stores throw
 */
export async function changeSettings(
  name: string,
  fields: ProfileFields,
  { directory, before, signal }: Context,
): Promise<string | undefined> {
  const { credentials } = before ?? {};
  const after = settingsAfter(before, fields);
  const isMoved = before !== undefined && profileOrigin(before) !== profileOrigin(after);
  if (!before || !credentials || !isMoved) {
    await changeProfiles(directory, (document) => {
      if (before) refuseOtherLimits(before, toProfile(name, document.profiles[name] ?? {}));
      return setProfile(document, name, fields);
    });
    return undefined;
  }
  await deleteSecrets(directory, before, signal);
  await changeProfiles(directory, (document) => {
    refuseOtherState(before, toProfile(name, document.profiles[name] ?? {}));
    return setCredentials(setProfile(document, name, fields), name, undefined);
  });
  return describeLogout(name, credentials, { from: profileOrigin(before), to: profileOrigin(after) });
}

/** The settings of a profile except for its columns, once these fields are set; a field that is null is removed, one that is undefined stays. */
export function settingsAfter(
  before: Profile | undefined,
  { columns: _columns, maxAmounts, maxTotals, ...fields }: ProfileFields,
): Partial<Profile> {
  const changed = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    ...before,
    ...Object.fromEntries(changed.map(([field, value]) => [field, value ?? undefined])),
    maxAmounts: limitsAfter(before?.maxAmounts, maxAmounts),
    maxTotals: limitsAfter(before?.maxTotals, maxTotals),
  };
}

function limitsAfter(before: Profile['maxAmounts'], changes: ProfileFields['maxAmounts']) {
  return changes === null ? undefined : changes ? { ...before, ...changes } : before;
}

/** Whether a limit is raised or removed was decided by those that the command read. @throws UsageError `profile_changed` */
export function refuseOtherLimits(before: Profile, present: Profile): void {
  const isOther = LIMIT_FIELDS.some(
    (field) => JSON.stringify(present[field]) !== JSON.stringify(before[field]),
  );
  if (isOther) throw changedMeanwhile(before);
}

function refuseOtherState(before: Profile, present: Profile): void {
  refuseOtherLimits(before, present);
  const same = JSON.stringify(present.credentials) === JSON.stringify(before.credentials);
  if (same && profileOrigin(present) === profileOrigin(before)) return;
  throw changedMeanwhile(before);
}

function changedMeanwhile({ name }: Profile): UsageError {
  return new UsageError('profile_changed', `The profile ${name} was changed by another process`, {
    hint: `Nothing was set. Check it, then try again: payctl profiles show ${name}`,
  });
}

type Move = { readonly from: string | undefined; readonly to: string | undefined };

function describeLogout(name: string, credentials: ProfileCredentials, { from, to }: Move): string {
  const was = `its ${CREDENTIAL_NAMES[credentials.kind]} was for ${from ?? 'another address'}`;
  const leads = to === undefined ? 'the profile no longer has an address' : `the profile now points to ${to}`;
  const own =
    credentials.storage === 'reference' ? ` ${credentials.path} is your own file and was not deleted.` : '';
  return `Logged out of ${name}: ${was}, and ${leads}.${own} Next: payctl auth login --profile ${name}`;
}
