import { plainName, type QueryParameter, SIZE_NAMES } from '../contract/operation.ts';
import { kebab } from './plain-text.ts';

/** A list whose pages are found by a number. */
export type CountedPages = {
  /** The parameter that takes the number: `page`, `offset`. */
  readonly parameter: string;
  /** What it counts: pages, the items before a page, or nothing, if it takes the ID of the last item before it. */
  readonly counts: 'pages' | 'items' | 'ids';
  /** The number of the first page or item, where the description gives it. */
  readonly first?: number;
  /** The parameter that takes the size of a page. */
  readonly size?: string;
  /** The member of an item with the ID that it takes, unless it is `id`. */
  readonly itemId?: string;
  /** The parameter that takes the ID of the last item instead, where IDs become smaller from item to item. */
  readonly before?: string;
  /** Further parameters that say where a page begins: with one of them, the number says something else. */
  readonly rivals?: readonly string[];
};

/** Names of parameters that count, in lower case with hyphens, by what they count; the first kind that is there is used. */
const COUNTERS: readonly (readonly [CountedPages['counts'], readonly string[]])[] = [
  ['items', ['offset', 'skip']],
  ['pages', ['page', 'page-number', 'page-no', 'page-num', 'page-index']],
  ['items', ['start', 'start-index', 'start-at', 'first-result']],
];
/** The names that mean nothing else: a `start` may be a filter next to an `offset`. */
const RIVALS = new Set(COUNTERS.flatMap(([, names]) => names).filter((name) => name !== 'start'));
/** Names that are never a time: a `start` next to an `end` is one. */
const PERIOD_ENDS = new Set(['end', 'stop', 'until', 'to']);

const AFTER = ['starting-after', 'start-after', 'after-id'];

const SIZES = [...SIZE_NAMES, 'size', 'count', 'take', 'top', 'rows'];

/** Which of the query parameters of a list counts its pages or its items; undefined where none does. */
export function countedPagesOf(
  query: ReadonlyMap<string, QueryParameter>,
  { itemId }: { readonly itemId?: string | undefined },
): CountedPages | undefined {
  const parameters = [...query]
    .filter(([, { multiple }]) => !multiple)
    .map(([name, parameter]) => ({ name, plain: hyphenated(name), ...parameter }));
  const numbers = parameters.filter(({ type, enum: values }) => type === 'integer' && !values);
  const sizeOf = SIZES.flatMap((plain) => numbers.filter((one) => plainName(one.name) === plain));
  const size = sizeOf[0] && { size: sizeOf[0].name };
  const mayBeTime = parameters.some(({ plain }) => PERIOD_ENDS.has(plain)) || !size;
  for (const [counts, names] of COUNTERS) {
    const counter = names
      .flatMap((plain) => numbers.filter((one) => one.plain === plain))
      .find(({ plain }) => plain !== 'start' || !mayBeTime);
    if (!counter) continue;
    const rivals = numbers.filter(({ name, plain }) => name !== counter.name && RIVALS.has(plain));
    const further = rivals.length > 0 && { rivals: rivals.map(({ name }) => name) };
    return { parameter: counter.name, counts, ...firstOf(counter), ...size, ...further };
  }
  if (itemId === undefined) return undefined;
  const ofItem = { ...size, ...(itemId !== 'id' && { itemId }) };
  const after = AFTER.flatMap((plain) => parameters.filter((one) => one.plain === plain && !one.format))[0];
  if (after) return { parameter: after.name, counts: 'ids', ...ofItem };
  const [next, before] = ['after', 'before'].map((plain) =>
    parameters.find((one) => one.plain === plain && isOfId(one)),
  );
  if (!next || !size) return undefined;
  return { parameter: next.name, counts: 'ids', ...ofItem, ...(before && { before: before.name }) };
}

/** Whether `after` and `before` take IDs: what takes any string is a cursor that only the service makes, or a time. */
function isOfId({ type, format, pattern }: QueryParameter): boolean {
  return (
    type === 'integer' ||
    (type === 'string' && (format ?? pattern) !== undefined && !/date|time/.test(format ?? ''))
  );
}

/** In lower case with hyphens; `page[offset]` is an offset, whatever `page_offset` is. */
function hyphenated(name: string): string {
  return kebab(name.replace(/^page\[(offset|limit)\]$/, '$1'));
}

/** The number of the first page or item: the default of the parameter, or its minimum if that is at least 1. Others do not say it. */
function firstOf(counter: QueryParameter & { readonly plain: string }): Pick<CountedPages, 'first'> {
  const { plain, default: usual, minimum } = counter;
  if (usual === 0 || usual === 1) return { first: usual };
  if (minimum === 1) return { first: 1 };
  return plain === 'offset' || plain === 'skip' ? { first: 0 } : {};
}
