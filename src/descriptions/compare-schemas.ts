import type { AnySchema, Definitions } from '../schemas/definitions.ts';
import { bareReference, type SchemaView, SchemaViews } from '../schemas/schema-view.ts';
import { quote } from '../text/format.ts';
import {
  compareNull,
  compareTypes,
  compareValues,
  type Direction,
  type ReportChange,
} from './compare-values.ts';
import { branchesOf, pairBranches } from './pair-branches.ts';

/** A difference, and whether it can break scripts. */
export type Change = {
  readonly breaking: boolean;
  /** Stable, such as `member_gone`. */
  readonly code: string;
  /** The location: `query status`, `body amount`, `response items.0.id`. */
  readonly where: string;
  readonly message: string;
  /** The name of a field that is new or was removed. */
  readonly member?: string | undefined;
};

type MaybeSchema = AnySchema | undefined;

/** Two schemas of one value. */
type Pair = {
  readonly old: MaybeSchema;
  readonly now: MaybeSchema;
  /** How many schemas without a name it is inside of. */
  readonly depth: number;
  readonly changes: Omit<Change, 'where'>[];
  readonly parts: { readonly path: string; readonly pair: Pair }[];
  readonly gone: GoneBranch[];
  /** The pairs that this one is a part of, or whose removed branch it compares with another one. */
  readonly users: Pair[];
  /** Whether it, or anything in it, has changed. */
  isChanged: boolean;
  /** Whether one of these changes is breaking. */
  isBroken: boolean;
};

/** A removed branch, compared with each new one: if one of them accepts all of its values, nothing is lost. */
type GoneBranch = { readonly name: string; readonly others: readonly Pair[] };

/** Schemas without a name that are nested deeper are not compared: only combinations without end are. */
const DEEPEST = 30;

/**
 * Compares schemas of two descriptions. Two schemas are compared once, however many operations use them, and a change in a
 * definition is listed once for each value that uses it, at the place nearest to the whole: the work grows with the descriptions,
 * not with the number of paths through them.
 */
export class SchemaComparison {
  readonly #direction: Direction;
  readonly #views: readonly [before: SchemaViews, after: SchemaViews];
  readonly #pairs = new Map<unknown, Map<unknown, Pair>>();

  constructor(before: Definitions, after: Definitions, direction: Direction) {
    this.#direction = direction;
    this.#views = [new SchemaViews(before), new SchemaViews(after)];
  }

  views(old: MaybeSchema, now: MaybeSchema): readonly [SchemaView, SchemaView] {
    const [before, after] = this.#views;
    return [before.of(old), after.of(now)];
  }

  /** The changes of a value and of everything in it; `whole` names the value. */
  changes(old: MaybeSchema, now: MaybeSchema, whole: string): readonly Change[] {
    const found = new Map<string, Change>();
    const listed = new Set<Pair>();
    const waiting = [{ path: '', pair: this.#compare(old, now) }];
    for (const { path, pair } of waiting) {
      if (!pair.isChanged || listed.has(pair)) continue;
      listed.add(pair);
      const where = path === '' ? whole : `${whole} ${path}`;
      const gone = pair.gone.filter(isLost).map(({ name }) => branchGone(true, name));
      for (const change of [...gone, ...pair.changes])
        found.set(`${change.code} ${where} ${change.message}`, { ...change, where });
      for (const part of pair.parts) waiting.push({ path: joined(path, part.path), pair: part.pair });
    }
    return [...found.values()];
  }

  #compare(old: MaybeSchema, now: MaybeSchema): Pair {
    const waiting: Pair[] = [];
    const first = this.#pair(old, now, { depth: 0, waiting });
    for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
      this.#comparePair(pair, waiting);
      mark(pair);
    }
    return first;
  }

  /** The pair of two schemas; a new one is added to those that wait to be compared. */
  #pair(old: MaybeSchema, now: MaybeSchema, { depth, waiting }: { depth: number; waiting: Pair[] }): Pair {
    const [from, to] = [bareReference(old) ?? old, bareReference(now) ?? now];
    const others = this.#pairs.get(from) ?? new Map<unknown, Pair>();
    this.#pairs.set(from, others);
    const known = others.get(to);
    if (known) return known;
    const lists = { changes: [], parts: [], gone: [], users: [] };
    const pair: Pair = { old, now, depth, ...lists, isChanged: false, isBroken: false };
    others.set(to, pair);
    waiting.push(pair);
    return pair;
  }

  #comparePair(pair: Pair, waiting: Pair[]): void {
    const { old, now, changes } = pair;
    const [before, after] = this.#views;
    const [a, b] = [before.of(old), after.of(now)];
    const isNamed = a.name !== undefined && b.name !== undefined;
    const depth = isNamed ? 0 : pair.depth + 1;
    const report: ReportChange = (breaking, code, message, member) =>
      changes.push({ breaking, code, message, member });
    const inside = (before: MaybeSchema, after: MaybeSchema) => {
      const found = this.#pair(before, after, { depth, waiting });
      found.users.push(pair);
      return found;
    };
    const add = (path: string, before: MaybeSchema, after: MaybeSchema) => {
      if (depth <= DEEPEST) pair.parts.push({ path, pair: inside(before, after) });
    };
    const branches = [branchesOf(old, before), branchesOf(now, after)] as const;
    if (branches.every((all) => all.length === 1)) {
      compareValues(a, b, this.#direction, report);
      compareMembers(a, b, { direction: this.#direction, report, add });
      return;
    }
    compareNull(a, b, this.#direction, report);
    if (this.#direction === 'response') {
      compareTypes(a, b, 'response', report);
      compareRequired(a, b, report);
    }
    const { both, gone, added } = pairBranches(...branches, this.#direction);
    for (const [before, after] of both) add('', before.schema, after.schema);
    for (const { name, schema } of gone) {
      // A request is accepted where some branch accepts it. A response may be any of its branches.
      if (this.#direction === 'response') changes.push(branchGone(false, name));
      else if (depth > DEEPEST) changes.push(branchGone(true, name));
      else pair.gone.push({ name, others: branches[1].map((branch) => inside(schema, branch.schema)) });
    }
    for (const { name } of added) report(false, 'branch_added', `The branch ${quote(name)} is new`);
  }
}

function branchGone(breaking: boolean, name: string): Omit<Change, 'where'> {
  return { breaking, code: 'branch_gone', message: `The branch ${quote(name)} was removed` };
}

function isLost({ others }: GoneBranch): boolean {
  return others.every(({ isBroken }) => isBroken);
}

function joined(path: string, name: string): string {
  return path === '' || name === '' ? path + name : `${path}.${name}`;
}

/** Marks a pair that has changed, and the pairs that have changed with it. */
function mark(pair: Pair): void {
  const waiting = [pair];
  for (const one of waiting) {
    const parts = one.parts.map((part) => part.pair);
    const isBroken =
      one.changes.some(({ breaking }) => breaking) ||
      parts.some((part) => part.isBroken) ||
      one.gone.some(isLost);
    const isChanged = isBroken || one.changes.length > 0 || parts.some((part) => part.isChanged);
    if (isBroken === one.isBroken && isChanged === one.isChanged) continue;
    Object.assign(one, { isBroken, isChanged });
    waiting.push(...one.users);
  }
}

type AddPart = (path: string, old: MaybeSchema, now: MaybeSchema) => void;
type Inside = { readonly direction: Direction; readonly report: ReportChange; readonly add: AddPart };

function compareMembers(a: SchemaView, b: SchemaView, { direction, report, add }: Inside): void {
  const isRequest = direction === 'request';
  for (const [name, old] of a.members) {
    const now = b.members.get(name);
    if (now === undefined) {
      // A schema that no longer names members allows any.
      report(true, 'member_gone', `The field ${quote(name)} was removed`, name);
      continue;
    }
    const [was, is] = [a.required.has(name), b.required.has(name)];
    if (is && !was) {
      const word = isRequest ? 'required' : 'present';
      report(isRequest, 'member_required', `The field ${quote(name)} is now always ${word}`);
    }
    if (was && !is) report(!isRequest, 'member_optional', `The field ${quote(name)} is now optional`);
    add(name, old, now);
  }
  for (const name of new Set([...b.members.keys(), ...(isRequest ? b.required : [])])) {
    if (a.members.has(name) || (a.required.has(name) && !b.members.has(name))) continue;
    const isNeeded = isRequest && b.required.has(name);
    if (isNeeded) report(true, 'member_required', `The field ${quote(name)} is new and required`, name);
    else report(false, 'member_added', `The field ${quote(name)} is new`, name);
    // It could be sent before as one of the fields without a name of their own.
    if (isRequest && typeof a.others === 'object') add(name, a.others, b.members.get(name));
  }
  compareOthers(a, b, { direction, report, add });
  const areArrays = a.types.has('array') && b.types.has('array') && a.items !== b.items;
  if (areArrays || (a.items !== undefined && b.items !== undefined)) add('0', a.items, b.items);
}

/** Compares the schemas of fields without a name. Responses may always have more. */
function compareOthers(a: SchemaView, b: SchemaView, { direction, report, add }: Inside): void {
  const [old = true, now = true] = [a.others, b.others];
  if (typeof old === 'object' && typeof now === 'object') add('*', old, now);
  else if (direction === 'request' && old !== false && now === false)
    report(true, 'members_closed', 'Fields that are not described are now refused');
  else if (direction === 'request' && old === true && typeof now === 'object') add('*', old, now);
  else if (direction === 'request' && old === false && now !== false)
    report(false, 'members_open', 'Fields that are not described are now accepted');
}

/** A field that every branch had, and that some do not have now, is lost to readers. */
function compareRequired(a: SchemaView, b: SchemaView, report: ReportChange): void {
  for (const name of a.required) {
    if (!a.members.has(name) || b.required.has(name)) continue;
    if (b.members.has(name)) report(true, 'member_optional', `The field ${quote(name)} is now optional`);
    else report(true, 'member_gone', `The field ${quote(name)} was removed`);
  }
}
