import { typesAt } from '../../descriptions/schema-at.ts';
import { MAX_DEPTH } from '../../json/depth.ts';
import { plainNumber, stringifyExactJson } from '../../json/exact.ts';
import { isIntegerText } from '../../json/integers.ts';
import { isObject } from '../../json/is-object.ts';
import { pointerTo } from '../../json/pointer.ts';
import { currenciesOf, currencyOf, isAmountIn } from '../../output/amount.ts';
import { currencyCode } from '../../text/currency.ts';
import { minorUnits, waysToWrite } from './minor-units.ts';

/** A value of a body whose name is that of an amount. */
export type Amount = {
  /** JSON pointer to it. */
  readonly pointer: string;
  /** The names that lead to it; those of elements of lists are their indexes. */
  readonly path: readonly string[];
  /** As it is in the body: a number, one that is kept as it was written, a bigint, a text, null, true or false. */
  readonly value: unknown;
  /**
   * In the smallest unit of its currency. Undefined for what is not a number, and for one of the major unit of a currency that is not known
   * or has fewer decimals.
   */
  readonly minor: bigint | undefined;
  /**
   * What the body says about its currency, else what the caller knows: in capital letters where ISO 4217 has it, as it was written where
   * not. Undefined where nobody says it.
   */
  readonly currency: string | undefined;
  /** The objects and lists that hold it, the outermost first. */
  readonly holders: readonly unknown[];
};

/** What the body itself does not say about its amounts. */
export type AmountsContext = {
  /** The currency of amounts for which the body names none: that of the record. */
  readonly currency?: string | undefined;
  /** Whether an amount without decimals is in the major unit. By default a text is, and a number is not. */
  readonly isMajor?: ((path: readonly string[], value: unknown) => boolean) | undefined;
  /** What counts as if it held the whole body: the parameters of the request. */
  readonly above?: readonly unknown[] | undefined;
  /** As `isAmountIn`, which is the default. */
  readonly isAmount?: typeof isAmountIn | undefined;
};

/**
 * Every value of a JSON body whose name is that of an amount, and every element of a list of such a name, in their order; objects are
 * looked into instead.
 */
export function amountsOf(body: unknown, context: AmountsContext = {}): readonly Amount[] {
  const { isMajor = (_, value) => typeof value === 'string', isAmount = isAmountIn, above = [] } = context;
  const found: Amount[] = [];
  const visit = (value: unknown, path: readonly string[], holders: readonly unknown[]): void => {
    if (path.length > MAX_DEPTH) return;
    const inner = [...holders, value];
    for (const [name, part] of membersOf(value)) {
      const at = [...path, name];
      if (isObject(part) || Array.isArray(part)) visit(part, at, inner);
      else if (isAmount(value, name, path.at(-1))) {
        const named = currencyOf(inner, nameOf(at)) ?? context.currency;
        const currency = named === undefined ? undefined : codeOf(named);
        const minor = unitsOf(part, currency, isMajor(at, part));
        const pointer = pointerTo(at);
        found.push({ pointer, path: at, value: part, minor, currency, holders: inner });
      }
    }
  };
  visit(body, [], above);
  return found;
}

/** All currencies that what holds an amount names for it, the nearest first, in the form of `Amount.currency`. */
export function currenciesFor({ holders, path }: Pick<Amount, 'holders' | 'path'>): readonly string[] {
  return [...new Set(currenciesOf(holders, path).map(codeOf))];
}

function codeOf(currency: string): string {
  return currencyCode(currency) ?? currency;
}

/** The name of an amount: that of its list, for an element of one. */
function nameOf(path: readonly string[]): string {
  return path.findLast((name) => !/^\d+$/.test(name)) ?? '';
}

/**
 * Which amounts of a body are in the major unit, by the schema of the body: those for which it takes numbers that may have decimals, and
 * texts for which it does not take integers. Where it says nothing, as in `amountsOf`.
 */
export function unitsBySchema(schema: unknown): NonNullable<AmountsContext['isMajor']> {
  return (path, value) => {
    const types = typesAt(path, schema);
    if (types.has('number')) return true;
    return typeof value === 'string' && !types.has('integer');
  };
}

function unitsOf(value: unknown, currency: string | undefined, isMajor: boolean): bigint | undefined {
  const text = plainNumber(value) === undefined ? value : stringifyExactJson(value);
  if (typeof text !== 'string') return undefined;
  if (isIntegerText(text) && !isMajor) return BigInt(text);
  const minor = currency === undefined ? undefined : minorUnits(text, currency);
  return typeof minor === 'bigint' ? minor : undefined;
}

/** How to write the first of the amounts with these problems, as a sentence; undefined where no amount has one. */
export function hintForAmount(
  body: unknown,
  problems: readonly { readonly pointer: string }[],
): string | undefined {
  const wrong = amountsOf(body).find(({ pointer }) => problems.some((one) => one.pointer === pointer));
  if (!wrong) return undefined;
  const text = typeof wrong.value === 'string' ? wrong.value : stringifyExactJson(wrong.value);
  const { shown, minor, major } = waysToWrite(text, wrong.currency);
  return `Amounts are in minor units: for ${shown}, use ${minor} or "${major}".`;
}

/** The members of an object, or the elements of a list by their indexes. */
export function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((element, index) => [String(index), element]);
  return isObject(value) ? Object.entries(value) : [];
}
