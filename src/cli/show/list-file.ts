import { UsageError } from '../../errors.ts';
import { writeError } from '../../files/output-file.ts';
import { openPartFile, type PartFile } from '../../files/part-file.ts';
import { isObject } from '../../json/is-object.ts';
import { fileStream } from '../../output/open-stdout.ts';
import { createSink, type Sink } from '../../output/streams.ts';
import { decideTerminal } from '../../output/terminal.ts';
import { quote } from '../../text/format.ts';
import { IncompleteListError, leadsNowhere, mayRefuseCursor } from '../failure/incomplete-list-error.ts';
import type { ListFileFlagValues } from '../flags/list.ts';
import type { Session } from '../session/session.ts';
import { type ListRun, resumeFileCommand } from './list-end.ts';
import type { Position } from './list-failure.ts';

/** How far a list in a file has come. */
export type FilePosition = Position & {
  /** The time of the service when it sent the first page, in milliseconds since 1970. */
  readonly now?: number | undefined;
};

/** Which list, and how it is written: two runs that agree in this write the same bytes. */
export type ListOfFile = {
  readonly run: ListRun;
  /** All flags of the command. */
  readonly flags: ListFileFlagValues & { readonly sort?: string | undefined };
  /** The paths of the columns, where it is written in columns. */
  readonly paths: readonly string[] | undefined;
  /** Each page is lines, which can be added to those before. */
  readonly areLines: boolean;
};

/** The least time from one record to the next, in milliseconds: each waits for the disk. A killed run loses what came after the last. */
const RECORD_MS = 1000;

const NOWHERE: FilePosition = { pages: 0, items: 0, cursor: undefined, repeated: 0 };

/**
 * Opens the file of `--output-file`, before anything is asked for.
 * @throws UsageError as `openPartFile`; `part_differs` where an earlier run wrote another list; `cannot_resume` for a format of one document
 */
export async function openListFile(
  session: Pick<Session, 'display'> & Partial<Pick<Session, 'settings'>>,
  path: string,
  list: ListOfFile,
): Promise<ListFile> {
  const { flags, areLines, run } = list;
  const { overwrite = false, resume = false } = flags;
  const obstacle = notResumable(path, session.settings !== undefined, {
    areLines,
    isSorted: flags.sort !== undefined,
  });
  if (resume && obstacle) throw obstacle;
  const canResume = obstacle === undefined;
  const request = requestOf(session.settings, list);
  const { progress, signal } = session.display;
  progress.start(() => `Checking ${path}.part`);
  const part = await openPartFile(path, {
    overwrite,
    resume,
    signal,
    check: (notes) => requireSame(path, readNotes(notes)?.request, request),
  }).finally(() => progress.stop());
  const resumed = readNotes(part.resumed?.notes)?.position;
  const stdout = createSink(fileStream((bytes) => part.write(bytes)));
  const reached: Reached = { position: resumed ?? NOWHERE, bytes: part.length };
  if (resume && !resumed)
    session.display.info(`There is no ${path}.part to continue, so the list begins at its first page.`);
  return new ListFile({ part, path, stdout, request, run, canResume }, reached, resumed);
}

type Reached = { position: FilePosition; bytes: number };
type Request = Readonly<Record<string, string>>;
type ListFileOptions = Pick<ListOfFile, 'run'> & {
  readonly canResume: boolean;
  readonly part: PartFile;
  readonly path: string;
  readonly stdout: Sink;
  readonly request: Request;
};

/** The file that a list is written to: bytes as they would be in redirected output, whole or not there. */
export class ListFile {
  /** Takes the place of stdout. */
  readonly stdout: Sink;
  readonly terminal = decideTerminal({ isTTY: false, columns: undefined, env: {}, noColorFlag: true });
  /** Where an earlier run ended. */
  readonly resumed: FilePosition | undefined;
  /** An earlier run has written something. */
  readonly isBegun: boolean;
  readonly #options: ListFileOptions;
  #reached: Reached;
  #recorded: FilePosition;
  #recordedAt = performance.now();

  constructor(options: ListFileOptions, reached: Reached, resumed: FilePosition | undefined) {
    this.stdout = options.stdout;
    this.resumed = resumed;
    this.isBegun = reached.bytes > 0;
    this.#options = options;
    this.#reached = reached;
    this.#recorded = reached.position;
  }

  /** A page is written, and the list continues here. */
  async reached(position: FilePosition): Promise<void> {
    await this.stdout.end();
    this.#reached = { position: { ...position }, bytes: this.#options.part.length };
    if (!this.#options.canResume || performance.now() - this.#recordedAt < RECORD_MS) return;
    this.#record();
    this.#recordedAt = performance.now();
  }

  /** Everything is written. @throws OutputError */
  async finish(): Promise<void> {
    await this.#options.part.finish();
  }

  /** What to throw in the place of this error. The part stays where another run can continue it. */
  async failed(error: unknown): Promise<unknown> {
    const { part, path, run, canResume } = this.#options;
    const cause = error instanceof IncompleteListError ? error.cause : error;
    // What the file system throws says nothing about the file.
    const why = writeError(`${path}.part`, cause);
    if (!canResume || this.#reached.position.pages === 0 || leadsNowhere(cause)) {
      part.discard();
      return why;
    }
    try {
      this.#record();
    } catch {
      // What was recorded before stands.
    }
    part.keep();
    const { pages, items } = this.#recorded;
    const resumeCommand = await resumeFileCommand(run);
    return new IncompleteListError(why, {
      pages,
      items,
      resumeCursor: undefined,
      resumeCommand,
      writtenTo: `${path}.part`,
      mayBeStuck: pages === this.resumed?.pages && mayRefuseCursor(cause),
    });
  }

  #record(): void {
    const { part, request } = this.#options;
    const { position, bytes } = this.#reached;
    part.record(bytes, { request, position: { ...position, next: undefined } });
    this.#recorded = position;
  }
}

/** Flags that change no byte of the file, and those whose effect is compared in another way. */
const OTHER_FLAGS = new Set([
  'output-file',
  'overwrite',
  'resume',
  'output',
  'json',
  'columns',
  'profileColumns',
  'profile',
  'base-url',
  'instance',
  'merchant-account',
  'proxy',
  'timeout',
  'max-retries',
  'no-color',
  'utc',
  'no-pager',
  'no-input',
  'verbose',
  'quiet',
]);

function requestOf(settings: Session['settings'] | undefined, { run, flags, paths }: ListOfFile): Request {
  const { operation, words, path, filters } = run;
  const given = Object.entries({ ...flags, ...filters }).filter(([name]) => !OTHER_FLAGS.has(name));
  const request: Readonly<Record<string, unknown>> = {
    command: words ?? operation.id,
    'the path': path,
    profile: settings?.profile.value?.name,
    'the base URL': settings?.baseUrl.value,
    'the instance': settings?.instance.value,
    'the merchant account': settings?.merchantAccount.value,
    'the format': settings?.output.value,
    ...Object.fromEntries(given.map(([name, value]) => [`--${name}`, value])),
    '--columns': paths,
  };
  const known = Object.entries(request).filter(([, value]) => value !== undefined && value !== false);
  return Object.fromEntries(known.map(([name, value]) => [name, [value].flat().join(',')]));
}

type Notes = { readonly request: Request; readonly position: FilePosition };

/** Undefined for what no run notes. */
function readNotes(notes: unknown): Notes | undefined {
  if (!isObject(notes) || !isObject(notes.request) || !isObject(notes.position)) return undefined;
  const { pages, items, repeated, cursor, now } = notes.position;
  if (typeof pages !== 'number' || typeof items !== 'number' || typeof repeated !== 'number')
    return undefined;
  if (typeof cursor !== 'string' && cursor !== null && cursor !== undefined) return undefined;
  return {
    request: Object.fromEntries(Object.entries(notes.request).map(([name, value]) => [name, String(value)])),
    position: { pages, items, repeated, cursor, now: typeof now === 'number' ? now : undefined },
  };
}

/** @throws UsageError `part_differs` */
function requireSame(path: string, before: Request | undefined, now: Request): void {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(now)])];
  const differences = names
    .filter((name) => before?.[name] !== now[name])
    .map((name) => `${name}: then ${shownValue(before?.[name])}, now ${shownValue(now[name])}`);
  if (differences.length === 0) return;
  throw new UsageError(
    'part_differs',
    `${quote(`${path}.part`)} holds another list: ${differences.join('; ')}`,
    {
      hint: 'Repeat the command of that list with --resume, or replace --resume with --overwrite to begin again.',
    },
  );
}

function shownValue(text: string | undefined): string {
  if (text === undefined) return 'not given';
  return text === 'true' ? 'given' : quote(text);
}

/** Why nothing can be resumed; undefined where it can. */
function notResumable(
  path: string,
  isOfService: boolean,
  { areLines, isSorted }: Pick<ListOfFile, 'areLines'> & { readonly isSorted: boolean },
): UsageError | undefined {
  const refused = (what: string, hint: string) =>
    new UsageError('cannot_resume', `--resume cannot continue ${what}`, { hint });
  if (path === '-') return refused('standard output', 'Give --output-file the name of a file.');
  if (!isOfService) return refused('a list of local files', 'Remove --resume: they are read again.');
  if (isSorted) return refused('a sorted list', 'Remove --sort or --resume.');
  if (areLines) return undefined;
  return refused('a document', 'Use -o ndjson, csv, table, wide or markdown, and --jq only with ndjson.');
}
