import { type Moved, movedBy } from '../../../cli/money/limits.ts';
import {
  actionOf,
  type Change,
  isAmountName,
  isLeftToService,
  isQuantity,
} from '../../../cli/money/moved.ts';
import type { ConcernedRecord } from '../../../cli/money/record.ts';
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

  /**
   * `currency` is that of the record that the change concerns, where it is known; what the record has left is then made up. If the amount is
   * unknown, the reason may contain the amount of another change.
   */
  async of(change: Change, currency?: string): Promise<OwnMoney> {
    const own = this.shapeOf(change);
    const shape = own && currency !== undefined ? { ...own, text: `${currency} ${own.text}` } : own;
    const known = shape && this.#known.get(shape.text);
    if (known) return { moved: times(known.moved, shape.number), isLeft: known.isLeft };
    const moved = await movedBy(change, async () => recordIn(currency));
    const isLeft = actionOf(change) !== undefined && isLeftToService(change);
    const unit = shape && unitOf(moved, shape.number);
    if (this.#known.size === MOST_SHAPES) this.#known.clear();
    if (unit) this.#known.set(shape.text, { moved: unit, isLeft });
    return { moved, isLeft };
  }

  /** What a change with this shape and the amount 1 moves, if there was one of the shape before. */
  unitOf({ text }: Shape): Moved | undefined {
    return this.#known.get(text)?.moved;
  }

  /** What changes have in common that differ only so; undefined for one with a list. */
  shapeOf({ path, call }: Change): Shape | undefined {
    if (!this.#isUsable) return undefined;
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
        const isSilent = !isInAmount && this.#isSilent(name) && !mayBeJson(value);
        texts.push(isSilent ? 'text' : JSON.stringify(value));
      } else if (number === undefined && isScalable(value) && isAmountName(name)) {
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

/** A record with an amount in this currency. */
function recordIn(currency: string | undefined): ConcernedRecord {
  if (currency === undefined) return { state: 'none' };
  const value = { currency, authorized_amount: 1, captured_amount: 1, refunded_amount: 0 };
  return { state: 'read', id: '', value, personalData: undefined };
}

/** `op`, `path` and `from` are those of a JSON Patch; a name with a bracket or a full stop can be a path. */
const SPEAKING = new RegExp(`currency|[[\\].]|^(?:${VALUE}|op|path|from)$`, 'i');
const MOST_SHAPES = 1000;

/** `text` is the same for all changes of the shape, and `number` is the amount that is left out of it. */
export type Shape = { readonly text: string; readonly number: number | undefined };

/** Whether a schema is a union whose branch, and so the unit of amounts, can depend on any value. */
function hasBranches(schema: object): boolean {
  const isScalar = (branch: unknown) =>
    isObject(branch) && typeof branch.type === 'string' && branch.type !== 'object';
  return ['anyOf', 'oneOf'].some((name) => {
    const branches = memberAt(schema, [name]);
    return Array.isArray(branches) && !branches.every(isScalar);
  });
}

/** Whether what a change moves can be scaled by this amount. */
export function isScalable(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

/** Whether a text may hold amounts. */
export function mayBeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Whether an argument is certainly no word of an action, and holds no amounts. */
export function isPlainId(text: string): boolean {
  return /\d/.test(text) && !/refund|revers|captur|%/i.test(text) && !mayBeJson(text);
}

/** What one of the number moves; undefined where that cannot be told. */
function unitOf(moved: Moved, number: number | undefined): Moved | undefined {
  if (number === undefined || 'unknown' in moved || moved.amounts.length === 0) return moved;
  const [amount, ...others] = moved.amounts;
  if (!amount || others.length > 0 || moved.isOpen) return undefined;
  const minor = amount.minor / BigInt(number);
  return minor * BigInt(number) === amount.minor ? { ...moved, amounts: [{ ...amount, minor }] } : undefined;
}

/** What a change moves with this amount, which `unit` would move with the amount 1. */
export function times(unit: Moved, number: number | undefined): Moved {
  if (number === undefined || 'unknown' in unit) return unit;
  const factor = BigInt(number);
  const amounts = unit.amounts.map(({ minor, currency }) => ({ minor: minor * factor, currency }));
  return { amounts, isOpen: unit.isOpen };
}
