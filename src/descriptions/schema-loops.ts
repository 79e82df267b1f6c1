import { isObject } from '../json/is-object.ts';
import type { AnySchema, Definitions } from '../schemas/definitions.ts';
import { definitionName, mapParts, NOT_CHECKED } from '../schemas/schema-at.ts';

/** How many schemas may apply to one value at once. */
const MOST_AT_ONCE = 5000;

/** A definition as it has to be instead, and why. */
export type OpenedLoop = { readonly name: string; readonly schema: AnySchema; readonly message: string };

/**
 * Finds the definitions that apply themselves to the same value again, without an end, or thousands of schemas to one value,
 * and gives them without the references that do. Recursion by way of members or elements is as deep as the data, and stays.
 */
export function loopsOf(definitions: Definitions): readonly OpenedLoop[] {
  const opened: OpenedLoop[] = [];
  const costs = new Map<string, number>();
  const entered = new Set<string>();
  for (const start of definitions.keys()) {
    const open: Visit[] = costs.has(start) ? [] : [visit(start)];
    for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
      const next = at.targets[at.next];
      if (next === undefined) leave(at, open);
      else enter(at, next, open);
    }
  }
  return opened;

  function visit(name: string): Visit {
    entered.add(name);
    return { name, targets: targetsOf(definitions.get(name)?.schema), next: 0, cost: 1, cut: new Set() };
  }

  function enter(at: Visit, target: string, open: Visit[]): void {
    const cost = costs.get(target);
    if (cost === undefined && !entered.has(target) && definitions.has(target)) {
      open.push(visit(target));
      return;
    }
    at.next += 1;
    if (cost === undefined && entered.has(target)) at.cut.add(target);
    else at.cost += cost ?? 1;
    if (at.cost > MOST_AT_ONCE) for (const each of at.targets) at.cut.add(each);
    if (at.cost > MOST_AT_ONCE) at.next = at.targets.length;
  }

  function leave(at: Visit, open: Visit[]): void {
    open.pop();
    const isLarge = at.cost > MOST_AT_ONCE;
    costs.set(at.name, isLarge ? 1 : at.cost);
    const schema = definitions.get(at.name)?.schema;
    if (at.cut.size > 0 && schema !== undefined) {
      const message = isLarge
        ? `More than ${MOST_AT_ONCE} schemas apply to one value here; their references are not checked`
        : 'The schema applies itself to the same value again; that part is not checked';
      const rest = without(schema, at.cut) as AnySchema;
      // A loop says nothing new of its value; what is left out for its size does.
      const marked = isLarge && isObject(rest) ? { ...rest, [NOT_CHECKED]: true } : rest;
      opened.push({ name: at.name, schema: marked, message });
    }
  }
}

type Visit = {
  readonly name: string;
  readonly targets: readonly string[];
  next: number;
  cost: number;
  readonly cut: Set<string>;
};

/** The keywords whose schemas apply to the value that the schema applies to. */
const APPLIED = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']);

/** The definitions that apply to the value that the schema applies to, as often as they do. */
function targetsOf(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([name, value]) => {
    if (name === '$ref') return [definitionName(value) ?? ''];
    if (!APPLIED.has(name)) return [];
    const isMap = name === 'dependentSchemas' && isObject(value);
    return (isMap ? Object.values(value) : [value].flat()).flatMap(targetsOf);
  });
}

function without(schema: unknown, cut: ReadonlySet<string>): unknown {
  if (!isObject(schema)) return schema;
  const { $ref, ...others } = schema;
  const kept = cut.has(definitionName($ref) ?? '') ? others : schema;
  return mapParts(kept, (part, keyword) => (APPLIED.has(keyword) ? without(part, cut) : part));
}
