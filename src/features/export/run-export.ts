import { isDeepStrictEqual } from 'node:util';
import { IncompleteListError } from '../../cli/failure/incomplete-list-error.ts';
import type { RevealFlagValues } from '../../cli/flags/list.ts';
import { readSize } from '../../cli/flags/size.ts';
import type { FlagValues } from '../../cli/flags/types.ts';
import { destinationOf } from '../../cli/session/destination.ts';
import type { Session } from '../../cli/session/session.ts';
import { timeFilterOf } from '../../descriptions/time-filters.ts';
import { UsageError } from '../../errors.ts';
import { listValues, quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import type { Pass } from './copy-list.ts';
import { type CopiedList, copyLists } from './copy-lists.ts';
import type { fileFlags, readingFlags } from './export-flags.ts';
import { finishLists } from './finish-copy.ts';
import { begun, type CopySettings, type ListEntry, rowsIn } from './manifest.ts';
import { openCopy } from './open-copy.ts';
import { stateWriteError } from './state.ts';
import { type CopyTarget, descriptionOf, queryFrom } from './target.ts';

/** What the flags of `export` parse to. */
export type ExportFlagValues = FlagValues<typeof readingFlags> &
  FlagValues<typeof fileFlags> &
  RevealFlagValues;

/** What is exported, and where to. */
export type ExportRun = {
  readonly session: Session;
  readonly version: string;
  readonly directory: string;
  readonly flags: ExportFlagValues;
  readonly targets: readonly CopyTarget[];
  /** Only records that were created at this time or later, in milliseconds since 1970. */
  readonly since?: number | undefined;
  /** The copy that the run continues. */
  readonly before?: CopyBefore | undefined;
};

/** A copy that a run continues: its settings and lists. */
type CopyBefore = { readonly settings: CopySettings; readonly lists: readonly ListEntry[] };

const EXPORT: Pass = { name: 'part' };

/** Bytes of JSON text after which a part ends where no flag says it. */
const PART_SIZE = 64e6;

/**
 * Makes a copy of lists, or continues one. Resolves to all lists of the copy, also those that were whole before.
 * @throws IncompleteListError where a list is not whole; UsageError `other_copy` where another copy is to be continued, `same_folder`
 */
export async function runExport(run: ExportRun): Promise<readonly CopiedList[]> {
  const { directory, session, targets, flags, before } = run;
  const asked = settingsOf(run);
  const settings = before?.settings ?? asked;
  const lists = targets.flatMap((target) => entriesOf(target, run));
  requireOwnFolders(lists);
  if (before) {
    requireSame(directory, settings, asked);
    requireSameReading(directory, before, targets);
    requireLists(directory, before.lists, lists, run);
  }
  const copy = openCopy(directory, { isNew: !before });
  try {
    const { state } = copy;
    if (!before) state.begin(settings, lists);
    const all = state.lists();
    const jobs = all.flatMap((list) => {
      const { entry } = list;
      const target = targets.find(({ resource }) => resource === entry.resource);
      return target && !entry.complete
        ? [{ list, target, pass: EXPORT, query: entry.request.query, readsAll: true }]
        : [];
    });
    const results = await copyLists(jobs, { ...flags, session, directory, settings });
    const errors = new Map(jobs.map(({ list }, index) => [list, results[index]?.error]));
    const copied = all.map((list) => ({ entry: list.entry, parts: list.parts(), error: errors.get(list) }));
    return await finishLists(copied, { ...run, settings, state });
  } catch (error) {
    throw stateWriteError(directory, error);
  } finally {
    copy.close();
  }
}

function settingsOf({ session, flags, targets, before: copy }: ExportRun): CopySettings {
  const before = copy?.settings;
  const { profile, origin } = destinationOf(session.settings);
  const { 'part-size': size } = flags;
  return {
    profile,
    origin,
    description: descriptionOf(targets),
    format: flags.format ?? before?.format ?? 'ndjson',
    compression: flags.compress ?? before?.compression ?? 'zstd',
    personal_data: flags['reveal-pii'] ? 'revealed' : (before?.personal_data ?? 'masked'),
    secrets: flags['reveal-secrets'] ? 'revealed' : (before?.secrets ?? 'masked'),
    raw: flags.raw ?? before?.raw ?? false,
    part_size: size === undefined ? (before?.part_size ?? PART_SIZE) : readSize(size, '--part-size'),
  };
}

/** A list for each merchant account; one for a resource that takes none. @throws UsageError `not_filtered` */
export function entriesOf(
  target: CopyTarget,
  { session, flags, since }: Pick<ExportRun, 'session' | 'flags' | 'since'>,
): readonly ListEntry[] {
  const { merchantAccount } = session.settings;
  const chosen = flags['merchant-account'] ?? [merchantAccount.value ?? null];
  const accounts = target.operation.merchantAccount ? [...new Set(chosen)] : [null];
  const { method, path } = target.operation;
  const filter = since === undefined ? undefined : timeFilterOf(target.operation, 'created');
  if (since !== undefined && !filter) throw notFiltered(target.resource);
  const query = filter && since !== undefined ? queryFrom(filter, since) : {};
  return accounts.map((account) =>
    begun({
      resource: target.resource,
      merchant_account: account,
      folder: folderOf(target.resource, account),
      id_path: target.idPath,
      schema: target.columns,
      marks: marksOf(target),
      request: { method, path, query },
    }),
  );
}

function marksOf({ operation }: CopyTarget): ListEntry['marks'] {
  const { personalData = null, personalByName = false, secretData = null } = operation;
  return { personal_data: personalData, personal_by_name: personalByName, secrets: secretData };
}

function notFiltered(resource: string): UsageError {
  const problem = `${quote(resource)} cannot be limited by --since: its list has no filter for the time of creation`;
  return new UsageError('not_filtered', problem, { hint: 'Export it without --since.' });
}

/** The folder of a list, as Hive names partitions. Windows has no `*` in a name, and leaves out a full stop at its end. */
function folderOf(resource: string, account: string | null): string {
  return `${resource.replaceAll(' ', '-')}/merchant_account_id=${encodeURIComponent(account ?? 'default')
    .replaceAll('*', '%2A')
    .replace(/\.$/, '%2E')}`;
}

/** Some file systems, and DuckDB, do not distinguish upper and lower case. @throws UsageError `same_folder` */
function requireOwnFolders(lists: readonly ListEntry[]): void {
  const owners = new Map<string, string>();
  const claim = (folder: string, owner: string) => {
    const key = folder.toLowerCase();
    const other = owners.get(key) ?? owner;
    owners.set(key, other);
    if (other === owner) return;
    const problem = `${quote(other)} and ${quote(owner)} would have the same directory, ${folder}`;
    throw new UsageError('same_folder', problem, { hint: 'Export them to different directories.' });
  };
  for (const { resource, merchant_account: account, folder } of lists) {
    claim(folder.split('/', 1).join(), resource);
    claim(folder, account ?? resource);
  }
}

/** @throws UsageError `other_copy` */
export function requireSame(directory: string, before: CopySettings, now: CopySettings): void {
  const settings: readonly (readonly [name: keyof CopySettings, words: string, flag?: string])[] = [
    ['origin', 'the base URL'],
    ['format', '--format', '--format'],
    ['compression', '--compress', '--compress'],
    ['personal_data', 'personal data', '--reveal-pii'],
    ['secrets', 'secrets', '--reveal-secrets'],
    ['raw', '--raw', '--raw'],
    ['part_size', '--part-size', '--part-size'],
  ];
  for (const [name, words, flag] of settings) {
    const [then, given] = [before, now].map((settings) => String(settings[name] ?? 'none'));
    if (then === given) continue;
    const ofProfile =
      before.profile === null
        ? 'Use the settings of the export.'
        : `It was made with --profile ${shellQuote(before.profile)}.`;
    const hint = flag === undefined ? ofProfile : `Leave out ${flag}.`;
    throw otherCopy(directory, `${words} ${then}, but this run has ${given}`, hint);
  }
}

/** Texts of a description, and lists that are not copied, may change. @throws UsageError `other_copy` where a list is read in another way */
export function requireSameReading(
  directory: string,
  { settings, lists }: CopyBefore,
  targets: readonly CopyTarget[],
): void {
  for (const target of targets) {
    const entry = lists.find(({ resource }) => resource === target.resource);
    if (!entry || target.description === undefined || target.description === settings.description) continue;
    const difference = differenceOf(entry, target) ?? maskedOtherwise(entry, target, settings);
    if (difference === undefined) continue;
    throw otherCopy(
      directory,
      `another API description, in which ${quote(entry.resource)} ${difference}`,
      'Use the description of the export, or export again to another directory.',
    );
  }
}

/** How a description reads a list of a copy in another way, as half a sentence; undefined where it does not. */
function differenceOf({ request, id_path: id, schema }: ListEntry, target: CopyTarget): string | undefined {
  const { operation, idPath, columns } = target;
  const [then, now] = [request, operation].map(({ method, path }) => `${method} ${path}`);
  if (then !== now) return `is read by ${then}, not by ${now}`;
  const lost = Object.keys(request.query).find((name) => !Object.hasOwn(operation.query, name));
  if (lost !== undefined) return `is filtered by ${lost}`;
  if (id !== idPath) return `has its IDs in ${id}, not in ${idPath}`;
  const [before, after] = [schema, columns].map(
    (all) => new Map(all.map(({ name, type }) => [name, JSON.stringify(type)])),
  );
  const names = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  const other = [...names].filter((name) => before?.get(name) !== after?.get(name));
  return other.length === 0 ? undefined : `has other columns: ${listValues(other)}`;
}

/** A copy would have what was masked before, and an earlier file what is masked from now on. The same as `differenceOf`. */
function maskedOtherwise(entry: ListEntry, target: CopyTarget, settings: CopySettings): string | undefined {
  const [then, now] = [entry.marks, marksOf(target)].map((marks) => ({
    ...(settings.personal_data === 'masked' && { ...marks, secrets: null }),
    ...(settings.secrets === 'masked' && { secrets: marks.secrets }),
  }));
  // The entry was JSON; the order of members does not count.
  return isDeepStrictEqual(then, JSON.parse(JSON.stringify(now)))
    ? undefined
    : 'marks other fields as personal data or secrets';
}

/** @throws UsageError `other_copy` where resources, accounts or a filter are given, and the copy has others */
function requireLists(
  directory: string,
  before: readonly ListEntry[],
  now: readonly ListEntry[],
  { flags, since }: ExportRun,
): void {
  const keys: Readonly<Record<string, (entry: ListEntry) => string | null>> = {
    'the resources': ({ resource }) => resource,
    ...(flags['merchant-account'] && { 'the merchant accounts': ({ merchant_account: account }) => account }),
    ...(since !== undefined && { [FILTERS]: ({ request }) => JSON.stringify(request.query) }),
  };
  for (const [words, keyOf] of Object.entries(keys)) {
    const [then, given] = [before, now].map((lists) =>
      [...new Set(lists.map((entry) => keyOf(entry) ?? 'none'))].join(', '),
    );
    if (then === given) continue;
    const hint =
      words === FILTERS
        ? 'Leave out --since: --resume takes the filters from the copy, and a time such as 7d is another one in each run.'
        : undefined;
    throw otherCopy(directory, `${words} ${then}, but this run has ${given}`, hint);
  }
}

const FILTERS = 'the filters';

/** Why a list of a copy may be none of the description in use, as a sentence. */
export function madeWith({ profile }: CopySettings): string {
  const made = profile === null ? '' : `--profile ${shellQuote(profile)} and `;
  return `Use ${made}the API description with which the export was made.`;
}

function otherCopy(
  directory: string,
  difference: string,
  hint = 'Repeat the command without them.',
): UsageError {
  return new UsageError('other_copy', `${quote(directory)} was exported with ${difference}`, {
    hint: `Nothing was read. ${hint}`,
  });
}

/** @throws the error of the first list that is not whole, with the command that continues the copy */
export function requireWhole(results: readonly CopiedList[], directory: string, command: string): void {
  const [failed] = results.filter(({ error }) => error !== undefined);
  if (!failed) return;
  const parts = results.flatMap((result) => result.parts);
  throw new IncompleteListError(failed.error, {
    pages: 0,
    items: rowsIn(parts),
    parts: parts.length,
    resumeCursor: undefined,
    resumeCommand: command,
    writtenTo: directory,
  });
}
