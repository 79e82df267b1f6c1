import { ENVIRONMENT_VARIABLES } from '../../config/environment.ts';
import type { Settings } from '../../config/settings.ts';
import { stringifyExactJson } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { boundText } from '../../output/bound.ts';
import { chooseColumns } from '../../output/columns.ts';
import { forTerminal } from '../../output/for-terminal.ts';
import type { Format } from '../../output/format.ts';
import { FORMATS, type OutputName } from '../../output/formats.ts';
import { createPagedOutput } from '../../output/paged-output.ts';
import { clearingFirst, createProgress, type Progress } from '../../output/progress.ts';
import { escapeJsonText, sanitizeText } from '../../output/sanitize.ts';
import type { Sink } from '../../output/streams.ts';
import { decideTerminal, type Terminal } from '../../output/terminal.ts';
import { firstOf } from '../../signals.ts';
import { quote } from '../../text/format.ts';
import type { TokenWarningCode } from '../../tokens/provider.ts';
import type { DisplayFlagValues } from '../flags/global.ts';
import type { Runtime } from '../runtime.ts';
import { createRedactor } from '../secrets/redactor.ts';

/** The stable codes of warnings: scripts decide by them. */
export type WarningCode =
  | TokenWarningCode
  | 'retry'
  | 'delivery_not_recorded'
  | 'list_cut'
  | 'list_may_be_cut'
  | 'list_restarted'
  | 'file_damaged'
  | 'rows_without_id'
  | 'many_gone'
  | 'gone_unknown'
  | 'filter_refused'
  | 'pages_too_large'
  | 'resumed_at_end'
  | 'manifest_rewritten'
  | 'sync_failed'
  | 'sorted_in_part'
  | 'answer_cut'
  | 'unknown_field'
  | 'unknown_member'
  | 'unlike_schema'
  | 'personal_data_masked'
  | 'several_records'
  | 'unusual_scope'
  | 'secret_file_open'
  | 'empty_variable'
  | 'insecure_storage'
  | 'logged_out'
  | 'profile_overridden'
  | 'session_expired'
  | 'session_changed'
  | 'field_replaced'
  | 'metadata_not_found'
  | 'unchanged'
  | 'not_stored_as_sent'
  | 'payment_service_failed'
  | 'invalid_utf8'
  | 'unreadable_entries'
  | 'merchant_account_not_sent'
  | 'no_content'
  | 'section_left_out'
  | 'description_not_served'
  | 'header_not_read'
  | 'pager_failed'
  | 'late'
  | 'gap'
  | 'poll_failed'
  | 'poll_recovered'
  | 'own_requests'
  | 'signatures_unchecked'
  | 'event_not_stored'
  | 'events_deleted'
  | 'line_not_shown'
  | 'event_left_out'
  | 'row_left_out'
  | 'row_unknown'
  | 'rows_sent_again'
  | 'rows_sent_before'
  | 'journal_not_written'
  | 'rows_without_amount'
  | 'line_not_ended'
  | 'not_an_approver'
  /** The requests of a plan were not compared with its totals. */
  | 'plan_not_compared';

/** How one run prints: data on stdout in a format, everything else on stderr. */
export type Display = {
  readonly format: Format;
  /** Somebody asked for the format: a flag, a variable or the profile. */
  readonly isFormatChosen: boolean;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdoutTerminal: Terminal;
  readonly stderrTerminal: Terminal;
  readonly verbose: boolean;
  /** `info` prints nothing. */
  readonly isSilent: boolean;
  readonly progress: Progress;
  /** Aborted by a signal to the process, and when the reader of stdout has closed it. */
  readonly signal: AbortSignal;
  /**
   * Prints one line for a person on stderr. Silent under --quiet, and with a format that `reportsJson` unless stderr is a terminal or --verbose
   * asks for it: there stderr holds nothing but warnings and an error, each one line of JSON.
   */
  info(text: string): void;
  /**
   * Prints what a script must be able to see, as one line on stderr: the text, or with such a format, where stderr is no terminal,
   * `{"warning":{"code":...,"message":...}}` with these members. Silent under --quiet alone. The code never changes;
   * the text may.
   */
  warn(code: WarningCode, message: string, members?: Readonly<Record<string, unknown>>): void;
  /**
   * Shows the data in a pager if they are longer than the screen of a terminal, together with what is said about them; they
   * appear when the run finishes. A document may fill two screens, and comes after what is said about it.
   */
  page(options?: { readonly isDocument?: boolean }): void;
  /** Shows what `page` holds back; without a pager where the run failed. */
  finish(options?: { readonly failed?: boolean }): Promise<void>;
  /** Masks this secret from now on in everything on stderr, even where the service sends it back. */
  addSecret(secret: string): void;
  /** Text for stderr with every known secret masked. */
  redact(text: string): string;
  /** Prints one plain object as the data of the run; `brief` leaves out on a terminal what has no value. */
  showRecord(
    record: Readonly<Record<string, unknown>>,
    options?: { readonly brief?: boolean },
  ): Promise<void>;
};

/** What every part of a run has to do with: its settings, and where it prints, reads and stops. */
export type RunParts = {
  readonly settings: Settings;
  readonly display: Display;
  readonly runtime: Runtime;
};

/** The settings of a display, as far as they could be resolved. */
export type DisplayOptions = {
  readonly format: OutputName;
  readonly isFormatChosen?: boolean;
  readonly verbose: boolean;
  readonly quiet: boolean;
  readonly noColor: boolean;
  readonly noPager?: boolean;
  /** A terminal shows times in UTC. */
  readonly utc?: boolean;
};

/** Opens the display of a run by its settings, and warns of a variable of the profile that is ignored. */
export function openDisplay(settings: Settings, flags: DisplayFlagValues, runtime: Runtime): Display {
  const { output, noInput, utc, verbose, quiet } = settings;
  const options: DisplayOptions = {
    format: output.value,
    isFormatChosen: output.source.kind !== 'default',
    verbose: verbose.value,
    quiet: quiet.value,
    noColor: flags['no-color'] === true,
    noPager: flags['no-pager'] === true || noInput.value,
    utc: utc.value,
  };
  const display = createDisplay(options, runtime);
  if (runtime.emptyVariables.profile) warnOfEmptyProfile(settings, display);
  return display;
}

/** A job whose variable is missing must not silently act for another profile. */
function warnOfEmptyProfile({ profile: { value, source } }: Settings, display: Display): void {
  if (source.kind === 'flag') return;
  const name = ENVIRONMENT_VARIABLES.profile;
  const instead = value ? `the profile ${value.name} is used` : 'no profile is used';
  const message = `${name} is set but empty, so it is ignored; ${instead}.`;
  display.warn('empty_variable', message, { variables: [name] });
}

/** Decides once, for stdout and stderr separately, how to write to them. */
export function createDisplay(options: DisplayOptions, runtime: Runtime): Display {
  const { verbose, quiet } = options;
  const format = FORMATS[options.format];
  const stdoutTerminal = terminalOf(runtime.stdout, options, runtime);
  const stderrTerminal = terminalOf(runtime.stderr, options, runtime);
  const silent = quiet || (format.reportsJson === true && !stderrTerminal.isTerminal && !verbose);
  const showsProgress = !silent && stderrTerminal.canRedraw && runtime.isHidden !== true;
  const progress = createProgress({ stderr: runtime.stderr, enabled: showsProgress });
  const { addSecret: mask, redact } = createRedactor();
  const addSecret = (secret: string) => {
    mask(secret);
    runtime.onSecret?.(secret);
  };
  const { token, privateKey, apiKey, basicAuth, webhookSecret } = runtime.environment;
  for (const secret of [token, privateKey, apiKey, basicAuth, webhookSecret]) addSecret(secret ?? '');
  const pager = choosePager(runtime);
  const paged = createPagedOutput(runtime.stdout, runtime.stderr, {
    command: options.noPager || runtime.isHidden || !stdoutTerminal.canRedraw ? undefined : pager,
    onOpen: () => progress.stop(),
    onFailure: (reason) => {
      if (pager !== DEFAULT_PAGER)
        display.warn('pager_failed', `The pager ${quote(pager ?? '')} failed: ${reason}`);
    },
  });
  const stdout = clearingFirst(paged.stdout, progress);
  const stderr = clearingFirst(paged.stderr, progress);
  const say = (line: string) => void stderr.write(`${forTerminal(line, stderr)}\n`);
  let signal: AbortSignal | undefined;
  const display: Display = {
    format,
    isFormatChosen: options.isFormatChosen === true,
    stdout,
    stderr,
    stdoutTerminal,
    stderrTerminal,
    verbose,
    isSilent: silent,
    progress,
    // Made on the first use: the display that reports an error must not fail where a command did.
    get signal() {
      signal ??= firstOf([runtime.signal, paged.stdout.closedSignal]);
      return signal;
    },
    info(text) {
      if (!silent) say(sanitizeText(boundText(text, redact)));
    },
    warn(code, message, members = {}) {
      if (quiet) return;
      const text = boundText(message, redact);
      if (!format.reportsJson || stderrTerminal.isTerminal) return say(sanitizeText(text));
      const json = JSON.stringify({ warning: { code, message: text, ...members } });
      void stderr.write(`${escapeJsonText(json)}\n`);
    },
    page: (what) => {
      if (!format.skipsPager) paged.page(what);
    },
    finish: (how) => paged.finish(how),
    addSecret,
    redact,
    async showRecord(record, { brief = false } = {}) {
      const isBrief = brief && format.isForPeople && stdoutTerminal.isTerminal;
      const { writeDocument } = await import('../../output/document-writer.ts');
      await writeDocument(stringifyExactJson(isBrief ? withoutNulls(record) : record), {
        format,
        stdout,
        terminal: stdoutTerminal,
        columns: chooseColumns(Object.keys(record), []),
        explicitColumns: false,
        header: true,
        info: display.info,
      });
    },
  };
  return display;
}

const DEFAULT_PAGER = 'less';

/** The pager that the environment names, else less, which Windows does not have; undefined for `cat`, as with other programs. */
function choosePager({ environment }: Runtime): string | undefined {
  const pager =
    environment.pager ?? environment.otherPager ?? (process.platform === 'win32' ? 'cat' : DEFAULT_PAGER);
  return pager === 'cat' ? undefined : pager;
}

function withoutNulls(record: object): Record<string, unknown> {
  const set = Object.entries(record).filter(([, value]) => value !== null);
  return Object.fromEntries(
    set.map(([name, value]) => [name, isObject(value) ? withoutNulls(value) : value]),
  );
}

function terminalOf(
  sink: Sink,
  { noColor, utc = false }: DisplayOptions,
  { environment }: Runtime,
): Terminal {
  return decideTerminal({
    isTTY: sink.isTerminal,
    columns: sink.columns,
    env: {
      NO_COLOR: environment.noColor,
      FORCE_COLOR: environment.forceColor,
      TERM: environment.term,
    },
    noColorFlag: noColor,
    utc,
  });
}
