import { existsSync } from 'node:fs';
import { builtInCommands } from '../../cli/routing/built-in-commands.ts';
import { chooseCredentials, missingKind, remedyForKind } from '../../cli/session/request-credentials.ts';
import type { Display } from '../../cli/show/display.ts';
import { dataDirectory, type Environment } from '../../config/environment.ts';
import { bindDescription, changeProfiles } from '../../config/profile-writer.ts';
import { readProfiles } from '../../config/profiles.ts';
import type { ProfilesDocument } from '../../config/profiles-document.ts';
import type { Settings } from '../../config/settings.ts';
import { listCredentialSources } from '../../credentials/sources.ts';
import { type Import, importDescription } from '../../descriptions/import-description.ts';
import type { ImportIssue, IndexedOperation } from '../../descriptions/imported-operation.ts';
import { importFolder, readIndex } from '../../descriptions/read-store.ts';
import { describeSecurity } from '../../descriptions/security-words.ts';
import { storeImport } from '../../descriptions/store.ts';
import { UsageError } from '../../errors.ts';
import { plural } from '../../text/format.ts';
import { removeUnusedImports } from './forget-description.ts';
import type { DescriptionSource } from './read-source.ts';
import { serverAdvice } from './server-advice.ts';

/** Where an import goes. */
export type ImportTarget = {
  /** Directory of the configuration. */
  readonly directory: string;
  readonly environment: Environment;
  /** The profile that it belongs to; undefined: runs without a profile. */
  readonly profile: string | undefined;
  /** Called before a description of another API is replaced; a rejection leaves everything as it was. */
  readonly confirm: (replaced: Replaced, title: string) => Promise<void>;
};

/** The description that a profile had before. */
export type Replaced = {
  readonly title: string;
  readonly version: string;
  /** Its import is missing, damaged or from another version of payctl; the title is the name of its file. */
  readonly isUnreadable?: boolean;
};

/** A stored import, and the description that it replaces. */
export type StoredImport = Import & { readonly replaced: Replaced | undefined };

/**
 * Imports a description, binds it to a profile, and returns which description it replaces. Removes the imports that no profile
 * refers to any more.
 * @throws UsageError as `importDescription` and `changeProfiles`, `nothing_to_run` for a description without an operation
 * that payctl can run; PayctlError `description_unwritable`
 */
export async function importAndStore(
  { text, name }: DescriptionSource,
  target: ImportTarget,
): Promise<StoredImport> {
  const imported = await importDescription(text, { file: name, builtIn: builtInCommands() });
  const { index } = imported;
  if (index.operations.length === 0) {
    const [first] = index.issues.filter(({ isSkipped }) => isSkipped);
    throw new UsageError('nothing_to_run', `${name} describes no operation that payctl can run`, {
      ...(first && { hint: [`For example: ${first.message}.`, ...adviceOnFiles(index)].join('\n') }),
    });
  }
  const { directory, environment, profile } = target;
  const replaced = replacedBy(index, target);
  if (replaced && !replaced.isUnreadable && replaced.title !== index.title)
    await target.confirm(replaced, index.title);
  const { merchantHeader } = index;
  const data = dataDirectory(environment);
  const folder = storeImport(data, imported);
  const bind = (document: ProfilesDocument) => {
    // Another run may have forgotten the same description a moment ago, and deleted its files.
    if (!existsSync(importFolder(data, folder))) storeImport(data, imported);
    const binding = { folder, file: name, ...(merchantHeader !== undefined && { merchantHeader }) };
    return bindDescription(document, profile, binding);
  };
  const afterwards = (document: ProfilesDocument) => void removeUnusedImports(document, environment);
  await changeProfiles(directory, bind, { afterwards });
  return { ...imported, replaced };
}

/** The description that a profile had before; undefined if it had none or the same one. */
function replacedBy(
  { hash }: Import['index'],
  { environment, profile, directory }: ImportTarget,
): Replaced | undefined {
  const { profiles, description } = readProfiles(directory);
  const bound = profile === undefined ? description : profiles.get(profile)?.description;
  if (!bound) return undefined;
  try {
    const before = readIndex(importFolder(dataDirectory(environment), bound.folder));
    return before.hash === hash ? undefined : { title: before.title, version: before.version };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { title: bound.file, version: '', isUnreadable: true };
  }
}

/** An import as it is printed: everything, or for a person without what `reportIssues` says. */
export function importRecord(
  { index, replaced }: StoredImport,
  profile: string | undefined,
  { forPerson }: { readonly forPerson: boolean },
) {
  const skipped = index.issues.filter(({ isSkipped }) => isSkipped);
  return {
    title: index.title,
    version: index.version,
    file: index.file,
    openapi: index.openapi,
    sha256: index.hash,
    profile: profile ?? null,
    operations: index.operations.length,
    not_run: skipped.length,
    merchant_header: index.merchantHeader ?? null,
    credentials: credentialsOf(index, forPerson),
    servers: index.servers ?? null,
    ...(!forPerson && {
      replaced: replaced ? { title: replaced.title, version: replaced.version } : null,
      issues: index.issues.map(issueRecord),
    }),
  };
}

/** How many operations need which credentials, in words for a person; else null if none needs any but a token. */
function credentialsOf({ operations }: Import['index'], forPerson: boolean) {
  if (!forPerson && operations.every(({ security }) => security === undefined)) return null;
  const needsOf = ({ security }: IndexedOperation) => (security ? describeSecurity(security) : 'a token');
  return [...Map.groupBy(operations, needsOf)].map(([needs, { length }]) =>
    forPerson ? `${needs}: ${plural(length, 'operation')}` : { needs, operations: length },
  );
}

function issueRecord({ code, pointer, message, isSkipped = false }: ImportIssue) {
  return { code, pointer, message, skipped: isSkipped };
}

/** A description as messages name it: its title and its version. */
export function nameOf({ title, version }: Replaced): string {
  return [title, version].filter(Boolean).join(' ');
}

const MOST_LINES = 8;
/** What changes more than the check of a value. */
const REPORTED = new Set(['name_taken', 'member_repeated']);

/** Says on stderr what cannot be run and which names were taken, as far as a few lines go, an example of each other kind of issue, and what to do next. */
export function reportIssues(
  display: Display,
  { index, replaced }: StoredImport,
  settings: Settings,
  { profile, environment }: Pick<ImportTarget, 'profile' | 'environment'>,
): void {
  if (replaced) {
    const before = nameOf(replaced);
    const other = replaced.title === index.title ? '' : ', which describes another API';
    display.info(`This replaces ${before}${other}.`);
  }
  const isReported = ({ isSkipped, code }: ImportIssue) => isSkipped || REPORTED.has(code);
  const reported = index.issues.filter(isReported).slice(0, MOST_LINES);
  for (const { message } of reported) display.info(`${message}.`);
  const kinds = Map.groupBy(
    index.issues.filter((issue) => !isReported(issue)),
    ({ code }) => code,
  );
  for (const [first] of kinds.values())
    if (first) display.info(`${[first.pointer, first.message].filter(Boolean).join(': ')}.`);
  const others = index.issues.length - reported.length - kinds.size;
  if (others > 0) display.info(`${plural(others, 'further issue')}: add -o json to list all of them.`);
  for (const line of adviceOnFiles(index)) display.info(line);
  for (const line of serverAdvice(index.servers ?? [], settings)) display.info(line);
  const login = missingLogin(index, settings, environment);
  if (login !== undefined) display.info(login);
  display.info(`Next: payctl api list${profile === undefined ? '' : ` --profile ${profile}`}`);
}

/** What to do where operations are in other files. */
function adviceOnFiles({ issues }: Import['index']): readonly string[] {
  if (!issues.some(({ code, isSkipped }) => isSkipped && code === 'reference_outside')) return [];
  return [
    'To import a description of several files, make it one first: npx @redocly/cli bundle FILE --output bundled.yaml',
  ];
}

/** How to get the credentials that most operations need, unless the profile or a variable has them. The emulator accepts its own key. */
function missingLogin(
  { operations }: Import['index'],
  settings: Settings,
  environment: Environment,
): string | undefined {
  const profile = settings.profile.value;
  if (profile?.name === 'emulator') return undefined;
  const sources = listCredentialSources({ environment, profile });
  const lacking = operations.flatMap(({ security }) =>
    security && chooseCredentials(security, sources) === undefined ? [security] : [],
  );
  const [[most, group = []] = []] = [...Map.groupBy(lacking, describeSecurity)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  const [security] = group;
  if (!security) return undefined;
  const remedy = remedyForKind(missingKind(security, sources), settings);
  return `${plural(group.length, 'operation')} cannot be called without ${most}. ${remedy}`;
}
