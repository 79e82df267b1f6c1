import { EXIT } from '../../cli/failure/exit-code.ts';
import { plural } from '../../text/format.ts';

/** What a check came to; `skipped` where an earlier fault makes it meaningless. */
export type CheckState = 'ok' | 'warning' | 'fault' | 'skipped';

/** The checks in the order in which they are made, and the exit code of a run whose first fault is theirs. */
const EXIT_OF_CHECK = {
  configuration: EXIT.usage,
  settings: EXIT.usage,
  host: EXIT.noAnswer,
  tls: EXIT.noAnswer,
  answer: EXIT.noAnswer,
  clock: EXIT.credentials,
  credentials: EXIT.credentials,
  scopes: EXIT.forbidden,
  'merchant-account': EXIT.refused,
} as const;

/** The name of a check, the same in every format. */
export type CheckName = keyof typeof EXIT_OF_CHECK;

/** The result of one check. Texts may hold what the service sent; they are sanitised where they are printed. */
export type CheckResult = {
  readonly state: CheckState;
  /** What was found, in a line. */
  readonly message: string;
  /** What to do, as a sentence or a command; of warnings and faults only. */
  readonly remedy?: string | undefined;
  /** What was found, for programs; names in snake case. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
  /** In the place of the exit code of the check, where the fault is of another kind. */
  readonly exitCode?: number | undefined;
};

/** The result of one check with its name. */
export type Finding = CheckResult & { readonly name: CheckName };

type Facts = CheckResult['facts'];

/** Nothing is wrong. */
export function pass(message: string, facts?: Facts): CheckResult {
  return { state: 'ok', message, facts };
}

/** Things work, and somebody should know this all the same. */
export function warn(message: string, remedy?: string, facts?: Facts): CheckResult {
  return { state: 'warning', message, remedy, facts };
}

/** Commands fail because of this. */
export function fail(message: string, remedy?: string, facts?: Facts): CheckResult {
  return { state: 'fault', message, remedy, facts };
}

/** Nothing could be found out; the message says why. */
export function skip(message: string): CheckResult {
  return { state: 'skipped', message };
}

/** The exit code of a run: that of its first fault, 0 without one. */
export function exitCodeOfFindings(findings: readonly Finding[]): number {
  const first = findings.find(({ state }) => state === 'fault');
  return first ? (first.exitCode ?? EXIT_OF_CHECK[first.name]) : EXIT.done;
}

/** How many findings are of a state. */
export function countOf(findings: readonly Finding[], state: CheckState): number {
  return findings.filter((finding) => finding.state === state).length;
}

/** The last line for a person: `No faults.`, `2 faults, 1 warning.` */
export function summaryOf(findings: readonly Finding[]): string {
  const faults = countOf(findings, 'fault');
  const warnings = countOf(findings, 'warning');
  const first = faults === 0 ? 'No faults' : plural(faults, 'fault');
  return warnings === 0 ? `${first}.` : `${first}, ${plural(warnings, 'warning')}.`;
}
