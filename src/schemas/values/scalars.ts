import { numberAsWritten } from '../../json/exact.ts';
import type { Random } from '../../text/random.ts';
import { fitsPattern, isSlow } from '../patterns.ts';
import { dateThatFits, isDateName, timestampOf } from './dates.ts';
import { textOfPattern } from './from-pattern.ts';
import { type Facts, snake } from './names.ts';
import type { Shape } from './shape.ts';
import { anyText, isMoney, moneyText, rangeOfName, textOfFormat, textOfName } from './texts.ts';

/** How values are generated. */
export type Generation = Facts & {
  readonly root: unknown;
  /** The value is the ID of a record: it must be unique, and is never an example. */
  readonly isKey?: boolean;
  /** The value is the body of a request. */
  readonly isBody?: boolean;
  /** Top-level members whose values are known, by name. Only branches of unions that allow these values are used. */
  readonly preset?: Readonly<Record<string, unknown>>;
  /** The id of a record that a member of this name refers to; undefined where it refers to none. */
  readonly refer?: (name: string) => string | number | undefined;
};

/** Where in a record a value is made. */
export type ValueLocation = {
  /** The name of the member that the value is for. */
  readonly name: string;
  /** The name of the object around it. */
  readonly owner: string;
  readonly depth: number;
  /** The definitions around it. */
  readonly within: readonly string[];
  /** How much more may be made, in characters; shared by everything that is made for one value. */
  readonly budget: { left: number };
};

/** A text of a schema: by what it refers to, its format, its name, its pattern, or any. */
export function textFor(shape: Shape, generation: Generation, place: ValueLocation): string {
  const { random } = generation;
  const { format, patterns, limits, examples } = shape;
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = limits;
  const fits = (candidate: unknown): candidate is string => {
    if (typeof candidate !== 'string') return false;
    // As many characters as units, or half as many.
    const isSurelyIn = candidate.length >= 2 * minLength && candidate.length <= maxLength;
    const length = isSurelyIn ? minLength : [...candidate].length;
    return (
      length >= minLength &&
      length <= maxLength &&
      patterns.every((one) => fitsPattern(one, candidate) === true)
    );
  };
  const reference = referenceFor(place, generation);
  const isKey = generation.isKey === true;
  const isId = /(^|_)(id|gid|sid|uid|uuid|guid)$/.test(snake(place.name));
  const isAmount = isMoney(place.name, place.owner) || (place.name === 'value' && patterns.length > 0);
  // Dates are tried with a slow pattern only if the name indicates a date.
  const mayBeDate = !isId && patterns.length > 0 && (isDateName(place.name) || !patterns.some(isSlow));
  const candidates = [
    () => (reference === undefined ? undefined : String(reference)),
    () => (format === undefined ? undefined : textOfFormat(format, place.name, generation)),
    () => (isAmount ? moneyText(generation, 2) : undefined),
    () => (isAmount ? moneyText(generation, 0) : undefined),
    // Each pattern may match less than the others.
    ...(isId ? [...patterns, ...(patterns.length === 0 ? [undefined] : [])] : []).map(
      (one) => () => idText(one, random, limits),
    ),
    () => (isId || isKey ? undefined : textOfName(place.name, generation)),
    () => (mayBeDate ? dateThatFits(place.name, generation, fits) : undefined),
    () => (isId || isKey ? undefined : examples.find(fits)),
    () => patterns[0] && textOfPattern(patterns[0], random, { minLength, maxLength }),
    () => anyText(place.name, generation),
  ];
  for (const candidate of candidates) {
    const made = candidate();
    if (fits(made)) return made;
  }
  return patterns.length > 0
    ? String(examples.find(fits) ?? '')
    : fitted(anyText(place.name, generation), minLength, maxLength);
}

/** Long enough for no two ids to be the same. */
const ID_LENGTH = 16;

function idText(pattern: string | undefined, random: Random, limits: Shape['limits']): string | undefined {
  if (pattern !== undefined) {
    const long = { ...limits, minLength: Math.max(limits.minLength ?? 0, ID_LENGTH) };
    return textOfPattern(pattern, random, long) ?? textOfPattern(pattern, random, limits);
  }
  return (limits.maxLength ?? 36) < 36 ? random.alphanumeric(limits.maxLength ?? 16) : random.uuid();
}

/** `buyer_id`, and the `id` in an object that is called `buyer`, refer to a buyer. */
function referenceFor(
  { name, owner, depth }: ValueLocation,
  { refer }: Generation,
): string | number | undefined {
  const plain = snake(name);
  if (/_id$/.test(plain)) return refer?.(plain.slice(0, -'_id'.length));
  return plain === 'id' && depth > 1 && owner !== '' ? refer?.(snake(owner)) : undefined;
}

/** No longer text is made. */
export const LONGEST_TEXT = 100_000;

function fitted(made: string, least: number, most: number): string {
  return made.padEnd(Math.min(least, LONGEST_TEXT), 'x').slice(0, Math.min(most, LONGEST_TEXT));
}

/** Integers that a double does not hold, which those with the limits of 64 bits also are. */
const LONG_INTEGERS = ['9223372036854775807', '-9223372036854775808', '9007199254740993'] as const;

/**
 * A number of a schema, of a size that its name lets expect. One of an integer with the limits of 64 bits may be longer than a
 * double: it is for `JSON.stringify`.
 */
export function numberFor(
  { limits, examples }: Shape,
  generation: Generation,
  place: ValueLocation & { readonly isInteger: boolean },
): unknown {
  const { random, isFresh } = generation;
  const reference = referenceFor(place, generation);
  if (typeof reference === 'number') return reference;
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = limits;
  const { exclusiveMaximum = Infinity, multipleOf: step = place.isInteger ? 1 : 0.01 } = limits;
  const [usualFrom, usualTo] = rangeOfName(place.name);
  const low = Math.max(minimum, exclusiveMinimum + step);
  const high = Math.min(maximum, exclusiveMaximum - step);
  const moment = timestampOf(place.name, generation, { low, high });
  if (moment !== undefined) return moment;
  const isLong = place.isInteger && minimum === -(2 ** 63) && maximum === 2 ** 63;
  if (isLong && !isFresh && random.chance(0.3)) return numberAsWritten(random.pick(LONG_INTEGERS));
  const start = isFresh ? 0 : Math.min(Math.max(usualFrom, low), high);
  const from = Math.min(Math.max(start, low), high);
  const to = Math.max(from, Math.min(usualTo, high));
  const isOwnId = place.name === 'id' && place.depth <= 1;
  const example = isOwnId
    ? undefined
    : examples.find((one) => typeof one === 'number' && one >= low && one <= high);
  if (!isFresh && typeof example === 'number' && limits.minimum === undefined && usualFrom === 1)
    return example;
  const picked = isFresh ? from : from + random.below(Math.floor((to - from) / step) + 1) * step;
  const rounded = Math.ceil(picked / step - 1e-9) * step;
  const exact = place.isInteger || Number.isInteger(step) ? rounded : Number(rounded.toFixed(6));
  return exact > high ? Math.floor(high / step) * step : exact;
}
