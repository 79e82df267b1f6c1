import { UsageError } from '../client/errors.ts';
import { BUILT_IN_PROFILES, checkProfileName, findProfile, type ProfileCredentials } from './profile.ts';
import { PROFILE_MEMBERS, type ProfileField, type ProfilesDocument, toProfile } from './profile-document.ts';

/** New values of a profile's fields; `null` takes a field away. */
export type ProfileFields = { readonly [Field in ProfileField]?: string | null | undefined };

/** Sets fields of a profile, which is made where there is none. @throws UsageError as `checkProfileName` */
export function setProfile(
  document: ProfilesDocument,
  name: string,
  fields: ProfileFields,
): ProfilesDocument {
  const stored = document.profiles[checkProfileName(name)] ?? {};
  const changes = Object.entries(PROFILE_MEMBERS).flatMap(([field, member]) => {
    const value = fields[field as ProfileField];
    return value === undefined ? [] : [[member, value === null ? undefined : value]];
  });
  return withProfile(document, name, { ...stored, ...Object.fromEntries(changes) });
}

/** Notes where the secret of a profile is, or with `undefined` that it has none. @throws UsageError `unknown_profile` */
export function setCredentials(
  document: ProfilesDocument,
  name: string,
  credentials: ProfileCredentials | undefined,
): ProfilesDocument {
  const stored = storedProfile(document, name);
  return withProfile(document, name, { ...stored, credentials });
}

/** Makes a profile the active one; with `undefined` there is none. @throws UsageError `unknown_profile` */
export function activate(document: ProfilesDocument, name: string | undefined): ProfilesDocument {
  const { active: _, ...rest } = document;
  if (name === undefined) return rest;
  findProfile(profilesOf(document), name, 'PROFILE');
  return { ...rest, active: name };
}

/** Takes a profile away; it is no longer active either. @throws UsageError `unknown_profile` or `built_in_profile` */
export function removeProfile(document: ProfilesDocument, name: string): ProfilesDocument {
  storedProfile(document, name);
  const others = Object.entries(document.profiles).filter(([other]) => other !== name);
  const left = { ...document, profiles: Object.fromEntries(others) };
  return document.active === name ? activate(left, undefined) : left;
}

function withProfile(
  document: ProfilesDocument,
  name: string,
  members: Readonly<Record<string, unknown>>,
): ProfilesDocument {
  const set = Object.entries(members).filter(([, value]) => value !== undefined);
  return { ...document, profiles: { ...document.profiles, [name]: Object.fromEntries(set) } };
}

function storedProfile(document: ProfilesDocument, name: string): Readonly<Record<string, unknown>> {
  findProfile(profilesOf(document), name, 'PROFILE');
  const stored = document.profiles[name];
  if (stored) return stored;
  throw new UsageError('built_in_profile', `The profile ${name} is built in and cannot be changed`);
}

function profilesOf({ profiles }: ProfilesDocument) {
  const stored = Object.entries(profiles).map(([name, profile]) => [name, toProfile(name, profile)] as const);
  return new Map([...stored, ...BUILT_IN_PROFILES]);
}
