import { checkOf } from '../../descriptions/validator.ts';
import { type RootedSchema, shapeOf } from '../../descriptions/values/shape.ts';
import { copyForValidation, plainNumber } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { nameOfSegment } from '../../json/pointer.ts';
import type { PreparedSchema } from './prepared.ts';

/** A record for `JSON.stringify`, whose numbers may keep their notation. */
export type Document = Readonly<Record<string, unknown>>;

/** How often members that do not fit are left out before none is set. */
const ROUNDS = 6;

/**
 * Sets the members of `given` that the schema names, if the record then still fits the schema, or only breaks it where it did before.
 * Null removes an optional member that cannot be null. An object that does not fit is merged into the one before.
 */
export function overlay(record: Document, given: Document, schema: PreparedSchema): Document {
  const { members } = schema;
  let names = Object.keys(given).filter((name) => members.has(name));
  let merged: readonly string[] = [];
  let absent: readonly string[] = [];
  for (let round = 0; round < ROUNDS && names.length > 0; round += 1) {
    const candidate = put(record, given, { names, merged, absent });
    const broken = brokenMembers(candidate, schema);
    if (broken.size === 0) return candidate;
    const { required } = shapeOf(schema);
    const wrong = names.filter((name) => broken.has(name));
    if (wrong.length === 0) {
      const before = brokenMembers(record, schema);
      return [...broken].every((name) => before.has(name)) ? candidate : record;
    }
    const canMerge = (name: string) =>
      !merged.includes(name) && isObject(given[name]) && isObject(record[name]);
    const canLeave = (name: string) => !absent.includes(name) && given[name] === null && !required.has(name);
    merged = [...merged, ...wrong.filter(canMerge)];
    absent = [...absent, ...wrong.filter(canLeave)];
    names = names.filter((name) => !broken.has(name) || merged.includes(name) || absent.includes(name));
    if (round === ROUNDS - 2) names = names.filter((name) => !broken.has(name));
  }
  return record;
}

/** The members of a record that do not fit its schema; an empty name for the record as a whole. */
function brokenMembers(record: Document, schema: PreparedSchema): ReadonlySet<string> {
  const problems = schema.problems(comparable(record));
  return new Set(problems.map(({ pointer }) => nameOfSegment(pointer.split('/')[1] ?? '')));
}

/** The record without optional members, and elements of lists, that do not fit its schema, at any depth. */
export function withoutBroken(record: Document, schema: PreparedSchema): Document {
  const broken = brokenMembers(record, schema);
  if (broken.size === 0 && schema.accepts(record)) return record;
  const { required } = shapeOf(schema);
  const kept = Object.entries(record).filter(([name]) => required.has(name) || !broken.has(name));
  return repaired(Object.fromEntries(kept), schema, []) as Document;
}

/** What fits several branches of a union is named by no problem, so each value is compared with its own schema. */
function repaired(value: unknown, { schema, root }: RootedSchema, within: readonly unknown[]): unknown {
  if (within.includes(schema) || checkOf(schema, root)(value)) return value;
  if (!isObject(value) && !Array.isArray(value)) return value;
  const { members, required, items } = shapeOf({ schema, root });
  const inner = [...within, schema];
  return mapParts(value, (part, name) => {
    const of = Array.isArray(value) ? items : (members.get(name) ?? true);
    const made = repaired(part, { schema: of, root }, inner);
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

/** Sets members: those of `merged` one by one, and none that is `absent`. */
function put(
  record: Document,
  given: Document,
  { names, merged, absent }: Record<'names' | 'merged' | 'absent', readonly string[]>,
): Document {
  if (merged.length === 0 && absent.length === 0) {
    const isAll = names.length === Object.keys(given).length;
    return { ...record, ...(isAll ? given : Object.fromEntries(names.map((name) => [name, given[name]]))) };
  }
  const entries = new Map(Object.entries(record));
  for (const name of names) {
    const [old, fresh] = [record[name], given[name]];
    if (absent.includes(name)) entries.delete(name);
    else if (merged.includes(name)) entries.set(name, mergePatch(old, fresh));
    else entries.set(name, fresh);
  }
  return Object.fromEntries(entries);
}

/** Applies a merge patch (RFC 7396): members of objects are set one by one, and null removes one. */
export function mergePatch(value: unknown, patch: unknown): unknown {
  if (!isObject(patch) || plainNumber(patch) !== undefined) return patch;
  const entries = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [name, member] of Object.entries(patch)) {
    if (member === null) entries.delete(name);
    else entries.set(name, mergePatch(entries.get(name), member));
  }
  return Object.fromEntries(entries);
}

/** Sets a member, if there is one, the schema names it and the value fits. */
export function withMember(
  record: Document,
  name: string | undefined,
  value: unknown,
  schema: PreparedSchema,
): Document {
  if (name === undefined || !schema.members.has(name)) return record;
  const candidate = { ...record, [name]: value };
  return schema.accepts(comparable(candidate)) ? candidate : record;
}

/** A value for validation. It is copied only if it contains numbers that keep their notation. */
export function comparable(value: unknown): unknown {
  return isPlain(value) ? value : copyForValidation(value);
}

function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint' && value !== undefined;
  return plainNumber(value) === undefined && Object.values(value).every(isPlain);
}
