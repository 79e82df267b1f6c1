import { EXIT } from '../../../cli/failure/exit-code.ts';
import type { FlagValues } from '../../../cli/flags/types.ts';
import type { Runtime } from '../../../cli/runtime.ts';
import { PRODUCTION_MARK, printFacts } from '../../../cli/session/mark-production.ts';
import { refuseChange } from '../../../cli/session/read-only.ts';
import type { Session } from '../../../cli/session/session.ts';
import type { ApiError } from '../../../client/errors.ts';
import { dataDirectory } from '../../../config/environment.ts';
import { takesKey } from '../../../contract/operation.ts';
import { OutputError, type PayctlError, UsageError } from '../../../errors.ts';
import { findTarget } from '../../../files/output-file.ts';
import { receivedSignal, SIGNAL_EXIT_CODES } from '../../../signals.ts';
import { plural, quote } from '../../../text/format.ts';
import { commandFor, productionOf, profilesWith, requireDestination } from '../destination.ts';
import {
  type Journal,
  journalLines,
  journalPath,
  openJournal,
  ROW_STATES,
  type RowState,
  type RowStates,
  readStates,
  requireNoJournals,
} from '../journal.ts';
import { readTotals, requireWithinTotals, totalLimitsOf, totalsText } from '../money-totals.ts';
import { type Plan, requireUnchanged } from '../plan-file.ts';
import { openRecordReader } from '../read-records.ts';
import { requireApart } from '../require-apart.ts';
import { writeResults } from '../results.ts';
import { doneTotals, paceText, planWords, stateRecord } from '../summary.ts';
import type { Target } from '../target.ts';
import { claimPlan, requireNotApplied } from './applied-plans.ts';
import { applyRows, type EarlyEnd, requireFresh } from './apply.ts';
import type { applyFlags } from './apply-flags.ts';
import { approvalFile, requireApproval } from './approval.ts';
import { isSafeAgain } from './row-end.ts';
import { keepPrints, requestPrints, type SentBefore, sentBefore } from './sent-rows.ts';

/** What the flags of `bulk apply` parse to. */
export type ApplyFlagValues = FlagValues<typeof applyFlags> & {
  /** The table of `bulk run`. */
  readonly from?: string | undefined;
};

/** The inputs of a run. */
export type ApplyRun = {
  readonly plan: Plan;
  readonly target: Target;
  readonly session: Session;
  readonly runtime: Runtime;
  readonly flags: ApplyFlagValues;
};

/** How long a run waits for rows in flight after the first signal, in milliseconds. */
const DRAIN_MS = 10_000;

/**
 * Asks, and sends what is left of a plan.
 * @throws UsageError before anything is sent: `plan_expired`, `other_destination`, `over_limit`, `not_approved`, `plan_applied`, `not_confirmed`, `read_only`, `plan_in_use`, `same_file`
 */
export async function runApply(run: ApplyRun) {
  const { plan, target, session, flags } = run;
  const { settings, display } = session;
  refuseChange(settings);
  requireFresh(plan, Date.now());
  requireDestination(plan, settings, target.description);
  requireAllowed(run);
  const path = flags.journal ?? journalPath(plan.path);
  requireApart([
    ['--from', flags.from],
    ['the plan', plan.path],
    ['the journal', path],
    ['the approval', approvalFile(plan)],
    ['--results', flags.results],
  ]);
  requireNoJournals([flags.results]);
  if (flags.results !== undefined) await findTarget(flags.results, flags.overwrite === true);
  await requireApproved(run);
  const directory = dataDirectory(run.runtime.environment);
  requireNotApplied(plan, { journal: path, directory });
  const before = await readStates(path, plan);
  const prints = await requestPrints(plan);
  const isSending = toSend(before, target) > 0;
  const others = { directory, isLeft: (row: number) => isToSend(before.of(row), target) };
  const sent = isSending ? await sentBefore(plan, prints, others) : undefined;
  if (isSending) await confirm(run, before, sent);
  const now = new Date();
  claimPlan(plan, { journal: path, directory, now });
  // The lock comes before the prints: to other plans, prints without it are of a run that has ended.
  const journal = await openJournal(path, plan, directory);
  try {
    const left = toSend(journal.states, target);
    keepPrints(plan, prints, { journal: path, directory, now, isSending: left > 0 });
    // Another plan can have begun since, and a run that begins now sees the lock and the prints of this one.
    const since = left > 0 ? await sentBefore(plan, prints, others) : undefined;
    const isMore = !flags.again && since && since.rows > (sent?.rows ?? 0);
    if (since?.isNow || isMore) throw sentByOther(since, plan);
    const early = left > 0 ? await send(run, journal).catch(onlyJournal) : undefined;
    await display.progress.stop();
    // What the next run will read, which may lack the last responses.
    const states = early?.why === 'journal' ? await readStates(path, plan) : journal.states;
    if (flags.results !== undefined && early?.why !== 'journal')
      await writeResults(flags.results, plan, path, { overwrite: flags.overwrite === true });
    if (left === 0) display.info(await nothingSent(path, plan, states));
    warnOfEarlyEnd(early, run, states);
    return { record: await stateRecord(plan, states, path), code: exitCode(states.counts(), early, session) };
  } finally {
    await journal.close();
  }
}

/** Why a run sent nothing, and when the last row that is not sent again came to its end. */
async function nothingSent(path: string, plan: Plan, states: RowStates): Promise<string> {
  const { rows } = plan.header;
  const isDone = states.counts().done === rows;
  let last = '';
  for await (const { at } of journalLines(path, plan)) last = at;
  const ended = isDone
    ? `${rows === 1 ? 'the row was' : `all ${rows} rows were`} done already`
    : 'no row is left to send';
  return `Nothing was sent: ${ended}, the last at ${last}`;
}

/** The end of a run whose journal cannot be written, for example on a full disk. */
function onlyJournal(error: unknown): EarlyEnd {
  if (error instanceof OutputError && error.code === 'file_unwritable') return { why: 'journal', error };
  throw error;
}

/** The limits of the profiles may be others than when the plan was made. @throws UsageError `over_limit` */
function requireAllowed({ plan: { path, header }, session }: ApplyRun): void {
  const limits = totalLimitsOf(profilesWith(session.settings, header.origin, 'maxTotals'));
  const [first] = limits;
  if (first && header.rows_with_unknown_amount > 0) {
    const rows = plural(header.rows_with_unknown_amount, 'row');
    const problem = `${quote(path)} has ${rows} with an unknown currency, but ${first.by} limits the total`;
    throw new UsageError('over_limit', problem, { hint: 'Nothing was sent.' });
  }
  requireWithinTotals(readTotals(header.totals), limits, 'Nothing was sent.');
}

/** @throws UsageError `not_approved` where a profile wants the approval of a second person, and there is none */
async function requireApproved({ plan, target, session }: ApplyRun): Promise<void> {
  const limited = profilesWith(session.settings, plan.header.origin, 'approvers');
  if (limited.length === 0) return;
  await session.client();
  const provider = session.tokenProvider();
  const { scopes } = target.operation;
  // Only a key that has signed is known by its ID.
  if (provider?.signs?.({ scopes, accepted: [] })) await provider({ scopes, accepted: [] });
  const ownKey = provider?.describe().keyId;
  for (const { approvers = [] } of limited) await requireApproval(plan, { approvers, ownKey });
}

/** How many rows a run sends. Rows that may have been carried out count only if sending them twice is safe. */
function toSend(states: RowStates, target: Target): number {
  const counts = states.counts();
  return ROW_STATES.reduce((sum, state) => sum + (isToSend(state, target) ? counts[state] : 0), 0);
}

function isToSend(state: RowState, { operation }: Target): boolean {
  if (state === 'sending' || state === 'unknown') return isSafeAgain(operation.method, takesKey(operation));
  return state === 'pending' || state === 'failed';
}

/** Asks once for all rows. In production the number of rows has to be typed. @throws UsageError `not_confirmed` */
async function confirm(
  { plan, target, session, runtime, flags }: ApplyRun,
  states: RowStates,
  sent: SentBefore | undefined,
): Promise<void> {
  const { settings, display } = session;
  const { done, refused } = states.counts();
  const production = productionOf(settings, plan.header.origin);
  const { origin, merchant_account: account, command, rows } = plan.header;
  const ofAccount = account === null ? 'no merchant account' : `merchant account ${account}`;
  // The emulator is a profile and a destination of the same name.
  const where = [...new Set([settings.profile.value?.name ?? 'no profile', ofAccount, origin])].join(', ');
  const left = toSend(states, target);
  const before = left === rows ? '' : ` So far, ${done} done and ${refused} refused; ${left} left to send.`;
  const repeated = sent && sentText(sent, plan);
  const lines = [
    `${production ? PRODUCTION_MARK : ''}${where}`,
    `payctl ${command}: ${planWords(plan)}.${before}`,
  ];
  if (sent && (sent.isNow || (flags.yes && !flags.again))) throw sentByOther(sent, plan);
  if (repeated && flags.yes)
    display.warn('rows_sent_before', repeated, { rows: sent.rows, plan: sent.path, at: sent.at });
  else if (repeated) lines.push(repeated);
  if (!display.isSilent || !flags.yes) await printFacts(lines, display);
  if (flags.yes) return;
  const prompter = await runtime.prompter();
  if (!prompter) throw notConfirmed(plan);
  if (!production) {
    if (!(await prompter.confirm('Send the rows?'))) throw saidNo(plan);
    return;
  }
  const typed = await prompter.ask(`To send the rows, type their number (${rows})`);
  if (typed !== String(rows)) throw saidNo(plan);
}

function sentText({ rows, path, at, isNow }: SentBefore, { header }: Plan): string {
  const [are, were] = rows === 1 ? ['is', 'was'] : ['are', 'were'];
  // That process may be `bulk reconcile`, which sends none of them.
  const when = isNow
    ? `${are} in a plan that another payctl process is using, last applied at`
    : `${were} already sent by another plan, at`;
  return `${rows} of ${plural(header.rows, 'row')} ${when} ${at}: ${path}`;
}

function sentByOther(sent: SentBefore, plan: Plan): UsageError {
  const next = sent.isNow
    ? 'Wait until that process ends, then run the command again.'
    : 'If the rows are to be sent once more, such as in another month, add --again';
  return new UsageError('rows_sent_before', sentText(sent, plan), { hint: `Nothing was sent. ${next}` });
}

function notConfirmed(plan: Plan): UsageError {
  const { path } = plan;
  return new UsageError('not_confirmed', `Nothing was sent: ${quote(path)} was not confirmed`, {
    hint: `To send it without confirmation: ${commandFor('apply', plan)} --yes`,
  });
}

function saidNo(plan: Plan): UsageError {
  const hint = `Nothing was sent. To send the plan later: ${commandFor('apply', plan)}`;
  return new UsageError('not_confirmed', 'The plan was not confirmed', { hint });
}

/** Sends the rows; with a canary the first of them, and the rest after another question. */
async function send(run: ApplyRun, journal: Journal): Promise<EarlyEnd | undefined> {
  const { plan, flags, runtime } = run;
  const { rows } = plan.header;
  const first = flags.canary === undefined ? undefined : nthToSend(journal.states, rows, flags.canary);
  if (first === undefined || first >= rows) return await sendUntil(run, journal, rows);
  const early = await sendUntil(run, journal, first);
  if (early) return early;
  const { display } = run.session;
  await display.progress.stop();
  const counts = journal.states.counts();
  const bad = counts.refused + counts.failed + counts.unknown + counts.sending;
  const words = `${plural(counts.done, 'row')} done, ${bad} not done, ${plural(toSend(journal.states, run.target), 'row')} left.`;
  display.info(words);
  if (flags.yes && bad === 0) return await sendUntil(run, journal, rows);
  const prompter = await runtime.prompter();
  if (prompter && !flags.yes && (await prompter.confirm('Send the rest?')))
    return await sendUntil(run, journal, rows);
  return { why: 'canary' };
}

/** The row up to which `count` rows are to be sent. */
function nthToSend(states: RowStates, rows: number, count: number): number {
  let left = count;
  for (let row = 1; row <= rows; row += 1) {
    const state = states.of(row);
    if (state !== 'done' && state !== 'refused') left -= 1;
    if (left === 0) return row;
  }
  return rows;
}

async function sendUntil(run: ApplyRun, journal: Journal, until: number): Promise<EarlyEnd | undefined> {
  const { plan, target, session, runtime, flags } = run;
  const { settings, display, signal } = session;
  await requireUnchanged(plan);
  const client = await session.client();
  const read = await openRecordReader(session, runtime);
  const abandon = new AbortController();
  runtime.allowTimeToEnd(DRAIN_MS + 1000);
  const onStop = () => {
    display.info(
      'Stopping: waiting up to 10 seconds for requests in flight. Press Ctrl-C again to stop immediately.',
    );
    setTimeout(() => abandon.abort(), DRAIN_MS).unref();
  };
  signal.addEventListener('abort', onStop, { once: true });
  const moved = await doneTotals(plan, journal.states);
  const started = Date.now();
  let ended = 0;
  display.progress.start(() => {
    const money = totalsText(moved.all());
    // Rows in flight are neither done nor unknown.
    const counts = journal.states.counts();
    const bad = counts.refused + counts.failed + counts.unknown;
    const done = `${counts.done} of ${plan.header.rows} done${money && `, ${money}`}${bad > 0 ? `, ${bad} not done` : ''}`;
    return `${done}, ${paceText(ended, toSend(journal.states, target), Date.now() - started)}`;
  });
  try {
    return await applyRows({
      plan,
      target,
      journal,
      client,
      read,
      concurrency: flags.concurrency ?? 8,
      rate: flags.rate,
      maxFailures: flags['max-failures'] ?? 20,
      maxRetries: settings.maxRetries.value,
      until,
      isLacking: (error) => isLacking(error, run),
      stop: signal,
      abandon: abandon.signal,
      random: Math.random,
      redact: display.redact,
      onEnd: ({ moves = {} }, state: RowState) => {
        ended += 1;
        if (state === 'done') moved.add(readTotals(moves));
      },
    });
  } finally {
    signal.removeEventListener('abort', onStop);
  }
}

/** Whether a 403 says that the token is not allowed to do this at all. */
function isLacking({ code, message }: ApiError, { session }: ApplyRun): boolean {
  const known = session.tokenProvider()?.describe().scopes;
  if (known !== undefined && known.length === 0) return true;
  return /\b(?:scopes?|token|credentials?|api key)\b/i.test(`${code} ${message}`);
}

/** Says why rows are left or not done, and what to do. */
function warnOfEarlyEnd(
  early: EarlyEnd | undefined,
  { plan, target, session: { display } }: ApplyRun,
  states: RowStates,
): void {
  const left = toSend(states, target);
  const again = commandFor('apply', plan);
  const texts: Record<EarlyEnd['why'], string> = {
    interrupted: 'Interrupted',
    max_failures: 'Stopped: too many rows are refused, failed or unknown (--max-failures)',
    credentials: 'Stopped: the service refused the credentials',
    canary: 'Stopped after the first rows',
    journal: 'Stopped: the journal cannot be written',
    expired: `Stopped: the plan expired at ${plan.header.expires_at}`,
  };
  if (early?.why === 'credentials') display.info(early.error.message);
  if (early?.why === 'journal') display.warn('journal_not_written', early.error.message, { next: again });
  const next = early?.why === 'expired' ? 'make a new plan of them' : `to continue: ${again}`;
  if (early) display.info(`${texts[early.why]}. ${plural(left, 'row')} left; ${next}`);
  const { refused, failed, unknown, sending } = states.counts();
  if (refused + failed > 0) {
    const left = `${plural(refused + failed, 'row')} refused or failed`;
    display.info(`${left}. To see why: ${commandFor('rows', plan)} --state refused,failed -o wide`);
  }
  if (unknown + sending > 0) {
    const are = unknown + sending === 1 ? '1 row may have' : `${unknown + sending} rows may have`;
    display.info(`${are} been carried out. To find out: ${commandFor('reconcile', plan)}`);
  }
}

/** The first that applies: a signal, unknown rows, refused credentials, failed rows, refused rows. */
function exitCode(
  counts: Record<RowState, number>,
  early: EarlyEnd | undefined,
  { signal }: Session,
): number {
  const name = receivedSignal(signal);
  if (early?.why === 'interrupted') return name ? SIGNAL_EXIT_CODES[name] : EXIT.interrupted;
  if (counts.unknown + counts.sending > 0) return EXIT.noResponse;
  if (early?.why === 'credentials') return credentialsCode(early.error);
  if (early?.why === 'journal') return EXIT.failure;
  if (counts.failed > 0 || early?.why === 'max_failures')
    return counts.failed > 0 ? EXIT.serverError : EXIT.refused;
  if (early?.why === 'expired') return EXIT.usage;
  return counts.refused > 0 ? EXIT.refused : EXIT.done;
}

function credentialsCode(error: PayctlError): number {
  return 'status' in error && error.status === 403 ? EXIT.forbidden : EXIT.credentials;
}
