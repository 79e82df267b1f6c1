import { type Decimal, part, ZERO } from '../json/decimal.ts';
import { snake } from '../schemas/values/names.ts';

/** Stages of a payment by its status; the first match counts. `ended` is without a capture, `other` means nothing about money. */
const STAGES = {
  partially_captured: /^partial(ly)?_capture/,
  partially_refunded: /^partial(ly)?_refund/,
  refunded: /(^|_)refunded$|^refund_succeeded$/,
  refund_failed: /refund_(voided|cancell?ed|expired|declined|failed|rejected)$/,
  other: /^partial(ly)?_|refund/,
  captured: /(^|_)captured$|^capture_succeeded$/,
  authorized: /(^|_)authorized$|^authoriz(e|ation)_succeeded$|^requires_capture$/,
  ended:
    /(^|_)(voided|cancell?ed|expired|declined|failed|rejected)$|^(void|cancel|expire|decline|fail|reject)_succeeded$/,
  begun: /^(pending|processing|created|initiated|new)$|^requires_/,
};

/** What a status says about the money of a payment. */
export type Stage = keyof typeof STAGES;

const STAGE_NAMES = Object.keys(STAGES) as readonly Stage[];

/** The stage that a status names by itself, in any notation. */
export function stageNamed(status: string): Stage {
  const plain = snake(status);
  return STAGE_NAMES.find((stage) => STAGES[stage].test(plain)) ?? 'other';
}

/** Whether a status fits a stage, be it the first one that it fits or not. */
export function fitsStage(status: string, stage: Stage): boolean {
  return STAGES[stage].test(snake(status));
}

/** The parts of its amount that a payment has captured and refunded in a stage: 2 is a half, 0 is nothing. */
const PARTS: { readonly [stage in Stage]?: readonly [captured: number, refunded: number] } = {
  partially_captured: [2, 0],
  captured: [1, 0],
  partially_refunded: [1, 2],
  refunded: [1, 1],
};

/** Whether something was captured in a stage. */
export function isAfterCapture(stage: Stage): boolean {
  return PARTS[stage] !== undefined;
}

/** What was captured and refunded of an amount in a stage; undefined if the amount is unknown and something was. */
export function sumsIn(
  stage: Stage,
  amount: Decimal | undefined,
): { readonly captured: Decimal | undefined; readonly refunded: Decimal | undefined } {
  const of = (count: number) => (count === 0 ? ZERO : amount && part(amount, count));
  const [captured, refunded] = PARTS[stage] ?? [0, 0];
  return { captured: of(captured), refunded: of(refunded) };
}
