import type { Approver } from '../../../config/profile.ts';
import { UsageError } from '../../../errors.ts';
import { fileErrorCode } from '../../../files/file-error.ts';
import { unwritable } from '../../../files/output-file.ts';
import { LIMITS, readRegularFile } from '../../../files/read-file.ts';
import { unreadableInput } from '../../../files/read-input.ts';
import { listValues, quote } from '../../../text/format.ts';
import { shellQuote } from '../../../text/shell.ts';
import { readClaimsIfAny } from '../../../tokens/claims.ts';
import type { SigningKey } from '../../../tokens/keys.ts';
import { signStatement, verifyStatement } from '../../../tokens/statements.ts';
import type { Plan, PlanHeader } from '../plan-file.ts';

/** What an approval says about a plan. */
export type PlanToApprove = Omit<Plan, 'header'> & {
  readonly header: Pick<
    PlanHeader,
    'command' | 'origin' | 'merchant_account' | 'rows' | 'totals' | 'created_at'
  >;
};

/** `typ` of the header of an approval. */
const TYPE = 'payctl-approval';

/** The path of the approvals of a plan: one compact JWS per line. */
export function approvalFile({ path }: Pick<PlanToApprove, 'path'>): string {
  return `${path}.approval`;
}

/**
 * Signs a plan and adds the approval to its file, on the disk; false if this key has approved the plan already.
 * @throws UsageError `plan_from_future`, `unreadable_file`, `file_unwritable`
 */
export async function addApproval(plan: PlanToApprove, key: SigningKey, now: Date): Promise<boolean> {
  const time = now.toISOString();
  if (isOlder(time, plan)) {
    const message = `${plan.path} was made at ${plan.header.created_at}, but the clock of this machine says ${time}`;
    throw new UsageError('plan_from_future', message, {
      hint: 'An approval must not be older than its plan. Set the clock of this machine, then approve the plan again.',
    });
  }
  const approvers: readonly Approver[] = [approverOf(key)];
  for (const line of readApprovals(plan)) {
    if ((await judge(line, plan, { approvers, ownKey: undefined })) === undefined) return false;
  }
  appendLine(approvalFile(plan), await signStatement(key, termsOf(plan, time), TYPE));
  return true;
}

/** The public half of a key, as approvers are stored. */
function approverOf({ publicJwk, keyId }: SigningKey): Approver {
  const texts = Object.entries(publicJwk).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(texts), kty: publicJwk.kty ?? '', kid: keyId };
}

/** Who may approve. */
export type ApprovalRule = {
  readonly approvers: readonly Approver[];
  /** Thumbprint of the key that signs the tokens of this run, where there is one: it does not count as a second person's. */
  readonly ownKey: string | undefined;
};

/**
 * Makes sure that one of the approvers has approved exactly this plan.
 * @throws UsageError `not_approved`, which names the missing approvers, `unreadable_file`
 */
export async function requireApproval(plan: PlanToApprove, rule: ApprovalRule): Promise<void> {
  const reasons = new Set<string>();
  for (const line of readApprovals(plan)) {
    const reason = await judge(line, plan, rule);
    if (reason === undefined) return;
    reasons.add(reason);
  }
  throw notApproved(plan, rule, [...reasons]);
}

/** Why a line of the file does not approve the plan, as half a sentence; undefined where it does. */
async function judge(line: string, plan: PlanToApprove, rule: ApprovalRule): Promise<string | undefined> {
  const content = readClaimsIfAny(line);
  const named = content?.keyId;
  if (content === undefined || named === undefined) return 'damaged';
  const approver = rule.approvers.find(({ kid }) => kid === named);
  if (!approver) return `by the key ${quote(named)}, which does not belong to an approver`;
  const signed = await verifyStatement(line, approver, TYPE);
  if (!signed) return `not signed by the key ${quote(named)} that it names`;
  if (signed.keyId === rule.ownKey) return 'signed with the key that also signs the tokens of payctl';
  const { approved_at: time } = content.claims;
  if (typeof time !== 'string' || signed.text !== termsOf(plan, time)) return 'for another plan';
  return isOlder(time, plan) ? 'older than the plan' : undefined;
}

/** The signed text. An approval is valid only if its text equals this one, so no part of it can be parsed in two ways. */
function termsOf({ hash, header }: PlanToApprove, time: string): string {
  const { command, origin, merchant_account, rows, totals } = header;
  return JSON.stringify({
    plan_sha256: hash,
    command,
    origin,
    merchant_account,
    rows,
    totals,
    approved_at: time,
  });
}

/** A time that cannot be read is older, too. */
function isOlder(time: string, { header }: PlanToApprove): boolean {
  return !(Date.parse(time) >= Date.parse(header.created_at));
}

function readApprovals(plan: PlanToApprove): readonly string[] {
  const file = approvalFile(plan);
  try {
    const lines = readRegularFile(file, LIMITS.record).split('\n');
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return [];
    throw unreadableInput(`The approvals in ${file} cannot be read`, error);
  }
}

/** Only appends, because several people may approve at the same time. */
function appendLine(path: string, line: string): void {
  const { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } =
    process.getBuiltinModule('node:fs');
  try {
    const descriptor = openSync(path, 'a+', 0o600);
    try {
      const last = Buffer.from('\n');
      readSync(descriptor, last, 0, 1, Math.max(0, fstatSync(descriptor).size - 1));
      // A truncated last line must not swallow this one.
      writeSync(descriptor, `${last.toString() === '\n' ? '' : '\n'}${line}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw unwritable(UsageError, path, error);
  }
}

function notApproved(
  plan: PlanToApprove,
  { approvers, ownKey }: ApprovalRule,
  reasons: readonly string[],
): UsageError {
  const others = approvers.filter(({ kid }) => kid !== ownKey);
  const why =
    reasons.length === 0
      ? ''
      : `: an approval exists, but it is ${reasons.slice(0, 3).join('; another one is ')}`;
  const command = `payctl bulk approve ${shellQuote(plan.path)} --key-file KEY.pem`;
  const hint =
    others.length === 0
      ? 'The key of the only approver also signs the tokens of payctl. To add a second person: payctl profiles set PROFILE --approvers FILE'
      : `It needs the approval of ${others.length === 1 ? '' : 'one of '}${listValues(others.map(({ name, kid }) => name ?? kid))}, who must run: ${command}`;
  return new UsageError('not_approved', `${plan.path} is not approved${why}`, { hint });
}
