import { isObject, own } from '../json/is-object.ts';
import { pointerSegment } from '../json/pointer.ts';
import { listValues } from '../text/format.ts';
import { suggest } from '../text/suggest.ts';
import {
  definitionName,
  partsOf,
  requiredMembers,
  resolveSchema,
  type Schema,
  typeOf,
  typesOf,
} from './schema-at.ts';

/** The branches of an `anyOf` or `oneOf`, and what tells them apart. */
export type Union = {
  readonly root: unknown;
  readonly branches: readonly unknown[];
  /** The member whose value names the branch, with the branch of each value. */
  readonly discriminator?:
    | {
        readonly name: string;
        readonly indexes: ReadonlyMap<string, number>;
        /** A branch has the member and does not require it. */
        readonly isOptional?: boolean;
      }
    | undefined;
};

/** The union that a keyword of a schema is. */
export function unionOf(owner: Schema, keyword: string, root: unknown): Union {
  const branches = [owner[keyword]].flat();
  return { root, branches, discriminator: explicitOf(owner, branches, root) ?? implicitOf(branches, root) };
}

/** What `discriminator` of the document says; a value that it does not map names a schema or is the value of the member. */
function explicitOf(owner: Schema, branches: readonly unknown[], root: unknown): Union['discriminator'] {
  const { discriminator } = owner;
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return undefined;
  const name = discriminator.propertyName;
  const indexes = new Map<string, number>();
  const mapping = isObject(discriminator.mapping) ? Object.entries(discriminator.mapping) : [];
  for (const [value, reference] of mapping) {
    const index = branches.findIndex((branch) => isObject(branch) && branch.$ref === reference);
    if (index !== -1) indexes.set(value, index);
  }
  for (const [index, branch] of branches.entries()) {
    if ([...indexes.values()].includes(index)) continue;
    for (const value of constantsOf(branch, root).get(name) ?? [definitionOf(branch)]) {
      if (value !== undefined && !indexes.has(value)) indexes.set(value, index);
    }
  }
  const isOptional = branches.some(
    (branch) => constantsOf(branch, root).has(name) && !requiredMembers(branch, root).includes(name),
  );
  return { name, indexes, isOptional };
}

/** A member that has other constants in every branch. */
function implicitOf(branches: readonly unknown[], root: unknown): Union['discriminator'] {
  const objects = [...branches.entries()].filter(([, branch]) => mayBe(branch, 'object', root));
  const constants = objects.map(([index, branch]) => [index, constantsOf(branch, root)] as const);
  const [first, ...others] = constants;
  if (!first || others.length === 0) return undefined;
  for (const name of first[1].keys()) {
    const pairs = constants.flatMap(([index, known]) =>
      (known.get(name) ?? []).map((value) => [value, index] as const),
    );
    const indexes = new Map(pairs);
    if (indexes.size === pairs.length && new Set(indexes.values()).size === constants.length)
      return { name, indexes };
  }
  return undefined;
}

/** The members of a branch that can only be certain texts, which an object of the branch has to have. */
export function constantsOf(branch: unknown, root: unknown): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { properties } of partsOf(branch, root)) {
    if (!isObject(properties)) continue;
    for (const [name, member] of Object.entries(properties)) {
      const schema = resolveSchema(member, root);
      const values = schema?.const === undefined ? schema?.enum : [schema.const];
      const texts = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
      if (texts.length > 0) found.set(name, texts);
    }
  }
  return found;
}

function mayBe(branch: unknown, type: string, root: unknown): boolean {
  const types = typesOf(partsOf(branch, root));
  return types.size === 0 || types.has(type) || (type === 'number' && types.has('integer'));
}

/** What is wrong with the member that names the branch; undefined where it names one, or nothing does. */
export function discriminatorIssue(
  { discriminator, branches, root }: Union,
  value: unknown,
): { readonly pointer: string; readonly message: string } | undefined {
  if (!discriminator) return undefined;
  const { name, indexes, isOptional } = discriminator;
  const known = [...indexes.keys()];
  if (!isObject(value)) {
    const isOther = branches.some((branch) => mayBe(branch, typeOf(value), root));
    return isOther
      ? undefined
      : { pointer: '', message: `must be an object whose ${name} is one of ${listValues(known)}` };
  }
  const pointer = `/${pointerSegment(name)}`;
  if (!Object.hasOwn(value, name))
    return isOptional ? undefined : { pointer, message: `is required: one of ${listValues(known)}` };
  const given = value[name];
  if (typeof given === 'string' && indexes.has(given)) return undefined;
  return { pointer, message: choiceText(known, given) };
}

/** That a value must be one of some texts, with the one that may be meant. */
export function choiceText(allowed: readonly string[], value: unknown): string {
  const near = typeof value === 'string' ? suggest(value, allowed) : undefined;
  return `must be one of ${listValues(allowed)}${near ? ` (did you mean ${near}?)` : ''}`;
}

/** A problem of a value, and the branch of a union that it is about. */
type Problem = { readonly pointer: string; readonly message: string; readonly branch?: string | undefined };

/**
 * The problems of a value that does not fit a union, of those of each branch: of the branch that is meant, which is the one that the
 * discriminator names, else the one of its type with the fewest problems. Where several branches fit, that is the problem.
 */
export function meantBranch(
  union: Union,
  value: unknown,
  problems: readonly (readonly Problem[])[],
): readonly Problem[] {
  const issue = discriminatorIssue(union, value);
  if (issue) return [issue];
  const chosen = chooseBranch(union, value, problems);
  if (chosen !== undefined) {
    const branch = isNullable(union) ? undefined : nameOfBranch(union, chosen, value);
    return (problems[chosen] ?? []).map((problem) => ({ ...problem, branch: problem.branch ?? branch }));
  }
  if (union.discriminator?.isOptional) return [];
  const fitting = problems.flatMap((found, index) => (found.length === 0 ? nameOfBranch(union, index) : []));
  const message = `matches ${fitting.join(' and ')}, but may match only one`;
  return fitting.length > 1 ? [{ pointer: '', message }] : [];
}

/** The index of the branch that a value is meant to fit; undefined where one or more fit. */
function chooseBranch(
  { discriminator, branches, root }: Union,
  value: unknown,
  problems: readonly (readonly unknown[])[],
): number | undefined {
  const given = isObject(value) ? own(value, discriminator?.name) : undefined;
  const named = typeof given === 'string' ? discriminator?.indexes.get(given) : undefined;
  if (named !== undefined) return named;
  if (problems.some((found) => found.length === 0)) return undefined;
  const ofType = [...branches.keys()].filter((index) => mayBe(branches[index], typeOf(value), root));
  const candidates = ofType.length > 0 ? ofType : [...branches.keys()];
  const count = (index: number) => problems[index]?.length ?? Number.POSITIVE_INFINITY;
  return candidates.reduce((best, index) => (count(index) < count(best) ? index : best));
}

/** The branches of a union that a value may be meant to fit: the one that it names, else those that have what they require; all if none has. */
export function fittingBranches(
  owner: Schema,
  branches: readonly unknown[],
  { value, root }: { readonly value: unknown; readonly root: unknown },
): readonly unknown[] {
  if (!isObject(value)) return branches;
  const { name, indexes } = explicitOf(owner, branches, root) ?? {};
  const given = own(value, name);
  const named = typeof given === 'string' ? indexes?.get(given) : undefined;
  if (named !== undefined) return [branches[named]];
  const fitting = branches.filter((branch) => {
    const isOther = ([member, values]: [string, string[]]) =>
      Object.hasOwn(value, member) && !values.some((one) => one === value[member]);
    const required = requiredMembers(branch, root);
    return (
      required.every((member) => Object.hasOwn(value, member)) &&
      ![...constantsOf(branch, root)].some(isOther)
    );
  });
  return fitting.length > 0 ? fitting : branches;
}

/** Whether a union is one schema, or null. */
function isNullable({ discriminator, branches, root }: Union): boolean {
  const others = branches.filter((branch) => [...typesOf(partsOf(branch, root))].join() !== 'null');
  return discriminator === undefined && others.length === 1;
}

/** The name of a branch: the value that selects it (the one in `subject`, if there are several), its schema, its title, or its number. */
function nameOfBranch({ discriminator, branches, root }: Union, index: number, subject?: unknown): string {
  const { name: member = '', indexes = new Map<string, number>() } = discriminator ?? {};
  const values = [...indexes].flatMap(([value, one]) => (one === index ? [value] : []));
  const given = isObject(subject) ? own(subject, member) : undefined;
  const value = values.find((one) => one === given) ?? values[0];
  const { title } = resolveSchema(branches[index], root) ?? {};
  const name = value ?? definitionOf(branches[index]) ?? (typeof title === 'string' ? title : undefined);
  return name ?? `branch ${index + 1} of ${branches.length}`;
}

function definitionOf(branch: unknown): string | undefined {
  return isObject(branch) ? definitionName(branch.$ref) : undefined;
}
