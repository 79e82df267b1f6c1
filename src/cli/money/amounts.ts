import { MAX_DEPTH } from '../../json/depth.ts';
import { plainNumber, stringifyExactJson } from '../../json/exact.ts';
import { isIntegerText, isOtherNumber } from '../../json/integers.ts';
import { isObject } from '../../json/is-object.ts';
import { pointerTo } from '../../json/pointer.ts';
import { currenciesOf, currencyOf, isAmountIn } from '../../output/amount.ts';
import { type ChooseBranches, typesAt } from '../../schemas/schema-at.ts';
import { fittingBranches } from '../../schemas/unions.ts';
import { currencyCode } from '../../text/currency.ts';
import { minorUnits, readMoney, waysToWrite } from './minor-units.ts';

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
  /** Nobody says whether the amount is in the major unit; `minor` is the larger amount of the two. */
  readonly isUnclear?: true;
};

/** What the body itself does not say about its amounts. */
export type AmountsContext = {
  /** The currency of amounts for which the body names none: that of the record. */
  readonly currency?: string | undefined;
  /** Whether an amount without decimals is in the major unit; undefined where that is not clear. By default a text is, and a number is not. */
  readonly isMajor?: ((path: readonly string[], value: unknown) => boolean | undefined) | undefined;
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
        const unit = isMajor(at, part);
        const minor = unitsOf(part, currency, unit ?? true);
        const unclear = unit === undefined && ({ isUnclear: true } as const);
        found.push({
          pointer: pointerTo(at),
          path: at,
          value: part,
          minor,
          currency,
          holders: inner,
          ...unclear,
        });
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
 * Which amounts of a body are in the major unit, by its schema: those for which it takes numbers that may have decimals, and texts for
 * which it does not take integers. Of a union, the branches count that the body fits. Not clear where these differ, for a number in another
 * form than an integer that the schema says nothing about, and for an integer as a text without a schema.
 */
export function unitsBySchema(schema: unknown, body?: unknown): NonNullable<AmountsContext['isMajor']> {
  return (path, value) => {
    const types = typesIn(schema, path, body);
    if (types.has('number')) return types.has('integer') ? undefined : true;
    if (typeof value !== 'string') return types.size === 0 && isOtherNumber(value) ? undefined : false;
    if (types.size === 0 && isIntegerText(value)) return undefined;
    return !types.has('integer');
  };
}

function typesIn(schema: unknown, path: readonly string[], body: unknown): ReadonlySet<string> {
  const choose: ChooseBranches = (owner, branches, value) =>
    fittingBranches(owner, branches, { value, root: schema });
  return typesAt(path, schema, { body, choose });
}

/**
 * The amounts of a body that are numbers in another form than an integer, such as `5.00`, where they have to be integers: where a branch of
 * the schema says `integer` and none says `number`, and everywhere if there is no schema, for `500` would be 100 times as much or as little. Without
 * a schema, amounts with their currency are such amounts, too: nobody knows that the service takes minor units.
 */
export function amountsToRefuse(schema: unknown, body: unknown): readonly Amount[] {
  const isInteger = (types: ReadonlySet<string>) => types.has('integer') && !types.has('number');
  return amountsOf(body).filter(({ path, value }) => {
    if (schema === undefined)
      return typeof value === 'string' ? !('isBare' in readMoney(value)) : isOtherNumber(value);
    if (plainNumber(value) === undefined || !isOtherNumber(value)) return false;
    return isInteger(typesAt(path, schema)) || isInteger(typesIn(schema, path, body));
  });
}

function unitsOf(value: unknown, currency: string | undefined, isMajor: boolean): bigint | undefined {
  const text = plainNumber(value) === undefined ? value : stringifyExactJson(value);
  if (typeof text !== 'string') return undefined;
  if (isIntegerText(text) && !isMajor) return BigInt(text);
  const minor = currency === undefined ? undefined : minorUnits(text, currency);
  return typeof minor === 'bigint' ? minor : undefined;
}

/**
 * How to write the first of the amounts with these problems, as sentences; undefined where no amount has one. `currency` is what
 * the request says besides its body.
 */
export function hintForAmount(
  body: unknown,
  problems: readonly { readonly pointer: string }[],
  {
    currency,
    isConverted = true,
  }: { readonly currency?: string | undefined; readonly isConverted?: boolean } = {},
): string | undefined {
  const wrong = amountsOf(body, { currency }).find(({ pointer }) =>
    problems.some((one) => one.pointer === pointer),
  );
  if (!wrong) return undefined;
  const text = typeof wrong.value === 'string' ? wrong.value : stringifyExactJson(wrong.value);
  const write = (minor: string, major: string) => (isConverted ? `${minor} or "${major}"` : minor);
  return `Amounts are in minor units. ${waysToWrite(text, wrong.currency, write)}`;
}

/** The members of an object, or the elements of a list by their indexes. */
export function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((element, index) => [String(index), element]);
  return isObject(value) ? Object.entries(value) : [];
}
