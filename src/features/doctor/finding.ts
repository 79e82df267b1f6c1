import { EXIT } from '../../cli/failure/exit-code.ts';
import { asSentence, plural } from '../../text/format.ts';

/** How a check ended; `skip` where an earlier failure makes it meaningless. */
export type CheckState = 'pass' | 'warn' | 'fail' | 'skip';

/** The checks in the order in which they are made, and the exit code of a run in which they are the first to fail. */
const EXIT_OF_CHECK = {
  configuration: EXIT.usage,
  settings: EXIT.usage,
  proxy: EXIT.noResponse,
  host: EXIT.noResponse,
  tls: EXIT.noResponse,
  answer: EXIT.noResponse,
  clock: EXIT.credentials,
  credentials: EXIT.credentials,
  scopes: EXIT.forbidden,
  'merchant-account': EXIT.refused,
  description: EXIT.usage,
  webhooks: EXIT.refused,
} as const;

/** The name of a check, the same in every format. */
export type CheckName = keyof typeof EXIT_OF_CHECK;

const CHECKS = Object.keys(EXIT_OF_CHECK) as readonly CheckName[];

/** The result of one check. Texts may hold what the service sent; they are sanitised where they are printed. */
export type CheckResult = {
  readonly state: CheckState;
  /** What was found, in a line. */
  readonly message: string;
  /** What to do, as a sentence or a command; only with `warn` and `fail`. */
  readonly remedy?: string | undefined;
  /** What was found, for programs; names in snake case. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
  /** Replaces the exit code of the check where the failure is of another kind. */
  readonly exitCode?: number | undefined;
};

/** The result of one check with its name. */
export type Finding = CheckResult & { readonly name: CheckName };

type Facts = CheckResult['facts'];

/** Nothing is wrong. */
export function pass(message: string, facts?: Facts): CheckResult {
  return { state: 'pass', message, facts };
}

/** Commands work, but the user should know about this. */
export function warn(message: string, remedy?: string, facts?: Facts): CheckResult {
  return { state: 'warn', message, remedy, facts };
}

/** Commands fail because of this. */
export function fail(message: string, remedy?: string, facts?: Facts): CheckResult {
  return { state: 'fail', message, remedy, facts };
}

/** The check could not be made; the message says why. */
export function skip(message: string): CheckResult {
  return { state: 'skip', message };
}

/** The findings of the checks after this one, up to the last: for this reason, none of them could be made. */
export function skipAfter(check: CheckName, last: CheckName, reason: string): Finding[] {
  const names = CHECKS.slice(CHECKS.indexOf(check) + 1, CHECKS.indexOf(last) + 1);
  return names.map((name) => ({ name, ...skip(`not checked: ${reason}`) }));
}

/** What to do, as the remedy of a finding: a sentence. */
export function sentenceOf(text: string): string {
  return asSentence(text.charAt(0).toUpperCase() + text.slice(1));
}

/** The exit code of a run: that of the first check that failed, 0 if none did. */
export function exitCodeOfFindings(findings: readonly Finding[]): number {
  const first = findings.find(({ state }) => state === 'fail');
  return first ? (first.exitCode ?? EXIT_OF_CHECK[first.name]) : EXIT.done;
}

/** How many findings are of a state. */
export function countOf(findings: readonly Finding[], state: CheckState): number {
  return findings.filter((finding) => finding.state === state).length;
}

/** The last line for a person: `No problems.`, `2 problems, 1 warning.` */
export function summaryOf(findings: readonly Finding[]): string {
  const problems = countOf(findings, 'fail');
  const warnings = countOf(findings, 'warn');
  const first = problems === 0 ? 'No problems' : plural(problems, 'problem');
  return warnings === 0 ? `${first}.` : `${first}, ${plural(warnings, 'warning')}.`;
}
