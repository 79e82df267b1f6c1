import { type Moved, movedBy } from '../../../cli/money/limits.ts';
import {
  actionOf,
  type Change,
  isAmountName,
  isLeftToService,
  isQuantity,
} from '../../../cli/money/moved.ts';
import { containersIn } from '../../../json/containers.ts';
import { isObject, memberAt } from '../../../json/is-object.ts';
import { VALUE } from '../../../text/amount-names.ts';

/** What a change moves, as far as its request shows. */
export type OwnMoney = {
  /** As `movedBy` gives it for a change without a record. */
  readonly moved: Moved;
  /** A capture or refund without an amount: the service decides it. */
  readonly isLeft: boolean;
};

/**
 * Calculates what many changes of one operation move. Most of them differ only in their amount and in strings that do not concern
 * money, so the result for the first of them is scaled by the amount.
 */
export class MoneyByShape {
  readonly #known = new Map<string, OwnMoney>();
  readonly #names = new Map<string, boolean>();
  readonly #isUsable: boolean;

  /** `schema` is the schema of the bodies. */
  constructor(schema: unknown) {
    this.#isUsable = !containersIn(schema).some(hasBranches);
  }

  /** If the amount is unknown, the reason may contain the amount of another change. */
  async of(change: Change): Promise<OwnMoney> {
    const shape = this.#isUsable ? this.#shapeOf(change) : undefined;
    const known = shape && this.#known.get(shape.text);
    if (known) return times(known, shape.number);
    const moved = await movedBy(change, async () => ({ state: 'none' }));
    const isLeft = actionOf(change) !== undefined && isLeftToService(change);
    const unit = shape && unitOf(moved, shape.number);
    if (this.#known.size === MOST_SHAPES) this.#known.clear();
    if (unit) this.#known.set(shape.text, { moved: unit, isLeft });
    return { moved, isLeft };
  }

  /** A text that is the same for changes that differ only so; undefined for one with a list. `number` is the one that is left out. */
  #shapeOf({ path, call }: Change): Shape | undefined {
    let number: number | undefined;
    const texts: string[] = [path.slice((path.indexOf('?') + 1 || path.length + 1) - 1)];
    const add = (value: unknown, name: string, isInAmount: boolean): boolean => {
      if (isObject(value)) {
        texts.push('{');
        const isAmount = isInAmount || isAmountName(name);
        for (const member in value) {
          texts.push(JSON.stringify(member));
          if (!add(value[member], member, isAmount)) return false;
        }
        texts.push('}');
      } else if (typeof value === 'string') {
        texts.push(
          !isInAmount && this.#isSilent(name) && !/^\s*[[{]/.test(value) ? 'text' : JSON.stringify(value),
        );
      } else if (number === undefined && isCount(value) && isAmountName(name)) {
        number = value;
        texts.push('number');
      } else if (typeof value === 'object' && value !== null) return false;
      else texts.push(String(value));
      return true;
    };
    for (const [name, value] of Object.entries(call.path ?? {})) {
      if (typeof value !== 'string') return undefined;
      texts.push(this.#isSilent(name) && isPlainId(value) ? 'id' : JSON.stringify(value));
    }
    return add(call.body, '', false) ? { text: texts.join(), number } : undefined;
  }

  /** Whether a text of this name says nothing about amounts, their currency, or how often they count. */
  #isSilent(name: string): boolean {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const isSilent = !isAmountName(name) && !isQuantity(name) && !SPEAKING.test(name);
    if (this.#names.size < MOST_SHAPES) this.#names.set(name, isSilent);
    return isSilent;
  }
}

/** `op`, `path` and `from` are those of a JSON Patch; a name with a bracket or a full stop can be a path. */
const SPEAKING = new RegExp(`currency|[[\\].]|^(?:${VALUE}|op|path|from)$`, 'i');
const MOST_SHAPES = 1000;

type Shape = { readonly text: string; readonly number: number | undefined };

/** Whether a schema is a union whose branch, and so the unit of amounts, can depend on any value. */
function hasBranches(schema: object): boolean {
  const isScalar = (branch: unknown) =>
    isObject(branch) && typeof branch.type === 'string' && branch.type !== 'object';
  return ['anyOf', 'oneOf'].some((name) => {
    const branches = memberAt(schema, [name]);
    return Array.isArray(branches) && !branches.every(isScalar);
  });
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

/** Whether an argument is certainly no word of an action. */
function isPlainId(text: string): boolean {
  return /\d/.test(text) && !/refund|revers|captur|%/i.test(text);
}

/** What one of the number moves; undefined where that cannot be told. */
function unitOf(moved: Moved, number: number | undefined): Moved | undefined {
  if (number === undefined || 'unknown' in moved || moved.amounts.length === 0) return moved;
  const [amount, ...others] = moved.amounts;
  if (!amount || others.length > 0 || moved.isOpen) return undefined;
  const minor = amount.minor / BigInt(number);
  return minor * BigInt(number) === amount.minor ? { ...moved, amounts: [{ ...amount, minor }] } : undefined;
}

function times(unit: OwnMoney, number: number | undefined): OwnMoney {
  const { moved, isLeft } = unit;
  if (number === undefined || 'unknown' in moved) return unit;
  const amounts = moved.amounts.map((one) => ({ ...one, minor: one.minor * BigInt(number) }));
  return { moved: { ...moved, amounts }, isLeft };
}
