import { isObject, memberAt } from '../../json/is-object.ts';
import { mergePatch } from '../../json/patch.ts';
import { segmentsOf } from '../../json/pointer.ts';
import { FIRST } from '../../schemas/schema-at.ts';
import { checkOf } from '../../schemas/validator.ts';
import { type RootedSchema, shapeOf } from '../../schemas/values/shape.ts';
import type { PreparedSchema } from './prepared.ts';

/** A record for `JSON.stringify`, whose numbers may keep their notation. */
export type Document = Readonly<Record<string, unknown>>;

/**
 * Sets the members of `given` that the schema names, or any if it names none, if the record then still fits the schema, or only breaks it where it did before.
 * Instead of an object that does not fit, its members are set one by one; null removes an optional member that cannot be null.
 */
export function overlay(record: Document, given: Document, schema: PreparedSchema): Document {
  const isOther = (name: string) => !Object.hasOwn(record, name) || record[name] !== given[name];
  const { members } = schema;
  const isTaken = (name: string) => (members.size === 0 ? name !== '' : members.has(name));
  const names = Object.keys(given).filter((name) => isTaken(name) && isOther(name));
  /** The value of each member that is set; undefined for one that is removed. */
  const chosen = new Map<string, unknown>(names.map((name) => [name, given[name]]));
  const unmerged = new Set(names);
  while (chosen.size > 0) {
    const entries = Object.entries({ ...record, ...Object.fromEntries(chosen) });
    const candidate = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    const broken = brokenMembers(candidate, schema);
    if (broken.size === 0) return candidate;
    const wrong = [...chosen.keys()].filter((name) => broken.has(name));
    if (wrong.length === 0) {
      const before = brokenMembers(record, schema);
      return [...broken].every((name) => before.has(name)) ? candidate : record;
    }
    for (const name of wrong) {
      const [old, fresh] = [record[name], given[name]];
      const isMerged = !unmerged.delete(name);
      if (!isMerged && isObject(fresh) && isObject(old)) chosen.set(name, mergePatch(old, fresh));
      else if (!isMerged && fresh === null && !shapeOf(schema).required.has(name))
        chosen.set(name, undefined);
      else chosen.delete(name);
    }
  }
  return record;
}

/** The members of a record that do not fit its schema; an empty name for the record as a whole. */
function brokenMembers(record: Document, schema: PreparedSchema): ReadonlySet<string> {
  const problems = schema.problems(record);
  return new Set(problems.map(({ pointer }) => segmentsOf(pointer)[0] ?? ''));
}

/** A value without optional members, and elements of lists, that do not fit their schemas, at any depth. */
function repaired(value: unknown, { schema, root }: RootedSchema): unknown {
  if (checkOf(schema, root)(value)) return value;
  if (!isObject(value) && !Array.isArray(value)) return value;
  const { members, required, items } = shapeOf({ schema, root });
  return mapParts(value, (part, name) => {
    const of = Array.isArray(value) ? items : (members.get(name) ?? true);
    const made = repaired(part, { schema: of, root });
    const isRequired = !Array.isArray(value) && required.has(name);
    return isRequired || checkOf(of, root)(made) ? [made] : [];
  });
}

/** A value with other members or elements, those that `change` returns for each; the same value if nothing changes. */
export function mapParts(value: object, change: (part: unknown, name: string) => readonly unknown[]): object {
  const entries = Object.entries(value);
  const parts = entries.map(([name, part]) => [name, change(part, name)] as const);
  if (parts.every(([, made], at) => made.length === 1 && made[0] === entries[at]?.[1])) return value;
  const kept = parts.flatMap(([name, made]) => made.map((one) => [name, one] as const));
  return Array.isArray(value) ? kept.map(([, one]) => one) : Object.fromEntries(kept);
}

/** A value with another one at the end of these names. A list has that one element. */
export function withValueAt(value: unknown, [name, ...inner]: readonly string[], placed: unknown): unknown {
  if (name === undefined) return placed;
  if (name === FIRST && !isObject(value)) return [withValueAt(memberAt(value, [name]), inner, placed)];
  const members = isObject(value) ? value : {};
  return { ...members, [name]: withValueAt(members[name], inner, placed) };
}

/** How many values are generated until one fits: what has few members can fit several branches of a union of which only one may fit. */
const ATTEMPTS = 20;

/** How many of them are taken as they are made, and how many of a new record have as few members as possible. */
const WHOLE_ATTEMPTS = 5;
const FRESH_ATTEMPTS = 3;

/** The first of so many values that fits a schema, else the last one; undefined counts as none. Later ones are taken without what does not fit. */
export function firstFitting(
  schema: PreparedSchema,
  make: (isFresh: boolean, attempt: number) => unknown,
): unknown {
  for (let attempt = 0; ; attempt += 1) {
    const made = make(attempt < FRESH_ATTEMPTS, attempt);
    const isLast = attempt === ATTEMPTS - 1;
    if (made === undefined && !isLast) continue;
    const kept = attempt >= WHOLE_ATTEMPTS && made !== undefined ? repaired(made, schema) : made;
    if (isLast || schema.accepts(kept)) return kept;
  }
}
