import { isCalledSecret, isSecretName } from '../contract/secret-names.ts';
import { own } from '../json/is-object.ts';
import type { MemberMarks } from '../json/mask.ts';
import type { SchemaView } from '../schemas/schema-view.ts';
import { kebab } from './plain-text.ts';

type Mark = MemberMarks | boolean | undefined;

const MOST_MARKED = 5000;
const DEEPEST_MARK = 60;

type Marker = {
  /** Whether a member of this name and view in an object is marked; `false` excepts it from the mark of the object. */
  readonly isMarked: (view: SchemaView, name: string, owner: SchemaView | undefined) => boolean | undefined;
  /** Whether a value may have a mark in it. */
  readonly mayHold: (view: SchemaView) => boolean;
  /** The mark of what is too deep or too much to look at. */
  readonly beyond: true | undefined;
};

/** The personal data that a schema marks. A schema that is too large is marked whole. */
export function personalMarks(view: SchemaView): Mark {
  return markOf(view, { isMarked: ({ isPersonal }) => isPersonal, mayHold: () => true, beyond: true });
}

function markOf(top: SchemaView, { isMarked, mayHold, beyond }: Marker): Mark {
  let left = MOST_MARKED;
  const within = new Set<string>();
  return markAt(top);

  function markAt(view: SchemaView, called = '', owner?: SchemaView): Mark {
    left -= 1;
    if (left < 0 || within.size > DEEPEST_MARK) return beyond;
    if (view.name !== undefined && within.has(view.name)) return undefined;
    const isWhole = isMarked(view, called, owner);
    if (isWhole === false) return false;
    if (!mayHold(view)) return isWhole;
    if (view.name !== undefined) within.add(view.name);
    const members: Record<string, MemberMarks | boolean> = {};
    for (const [name, part] of partsOf(view)) {
      const mark = joined(own(members, name), markAt(part, name, view));
      if (mark !== undefined) members[name] = mark;
    }
    const elements = view.items === undefined ? undefined : markAt(view.viewOf(view.items));
    if (view.name !== undefined) within.delete(view.name);
    const marks = Object.values(members);
    if (isWhole) return marks.some((mark) => mark !== true) ? wholly(members) : true;
    if (elements !== undefined && elements !== false) return elements;
    return marks.length === 0 ? undefined : members;
  }
}

/** A union in a union in a union: deeper ones, and those that are branches of themselves, are not looked into. */
const DEEPEST_UNION = 3;

/** The members of an object, of a union those of each branch; `*` stands for those that have no name. */
function partsOf(
  { members, others, branches, isUnion, viewOf }: SchemaView,
  depth = 0,
): readonly (readonly [string, SchemaView])[] {
  const named = [...members, ...(others === undefined ? [] : [['*', others] as const])];
  const parts = named.map(([name, part]) => [name, viewOf(part)] as const);
  if (!isUnion || depth === DEEPEST_UNION) return parts;
  return [...parts, ...branches.flatMap((branch) => partsOf(viewOf(branch), depth + 1))];
}

/** What two schemas of one member mark. */
function joined(first: Mark, second: Mark): Mark {
  if (typeof first !== 'object' || typeof second !== 'object') return first || second || (first ?? second);
  const marks = { ...first };
  for (const [name, mark] of Object.entries(second)) marks[name] = joined(own(marks, name), mark) ?? mark;
  return marks;
}

/** Marks everything except the named members. */
function wholly(marks: MemberMarks): MemberMarks {
  const members = Object.entries(marks).map(([name, mark]) => [
    name,
    typeof mark === 'object' ? wholly(mark) : mark,
  ]);
  return { ...Object.fromEntries(members), '*': true };
}

/** Whether a member is a secret, by its name, or by its description. */
export function isSecretMember(name: string, view: SchemaView, owner?: SchemaView): boolean {
  return isSecretName(name) || isDescribedSecret(name, view, owner);
}

function isDescribedSecret(name: string, { types, description, isSecret }: SchemaView, owner?: SchemaView) {
  const texts = [description ?? '', kebab(owner?.name ?? '')];
  return isSecret || (types.has('string') && isCalledSecret(name, texts));
}

/** The secrets that schemas tell. Each schema is looked at once, however many responses have it. */
export class SecretMarks {
  /** Whether a value with this schema may have such a secret in it. */
  readonly #mayHold = new Map<SchemaView, boolean>();

  /** The secrets in a value that its schema tells, and no names of members. */
  marks(view: SchemaView): Mark {
    this.#lookInto(view);
    return markOf(view, {
      isMarked: (part, name, owner) =>
        (!isSecretName(name) && isDescribedSecret(name, part, owner)) || undefined,
      mayHold: (part) => this.#mayHold.get(part) === true,
      beyond: undefined,
    });
  }

  /** Looks at all schemas below one, and then goes back from each that has a secret to those that lead to it. */
  #lookInto(top: SchemaView): void {
    const above = new Map<SchemaView, SchemaView[]>();
    const holders: SchemaView[] = [];
    const waiting = [top];
    for (let view = waiting.pop(); view !== undefined; view = waiting.pop()) {
      if (this.#mayHold.has(view)) continue;
      this.#mayHold.set(view, false);
      const members = partsOf(view);
      const inner = members.map(([, part]) => part);
      const all = view.items === undefined ? inner : [...inner, view.viewOf(view.items)];
      for (const part of all) {
        const owners = above.get(part) ?? [];
        owners.push(view);
        above.set(part, owners);
      }
      if (
        members.some(([name, part]) => isDescribedSecret(name, part, view)) ||
        all.some((part) => this.#mayHold.get(part))
      )
        holders.push(view);
      waiting.push(...all);
    }
    for (let view = holders.pop(); view !== undefined; view = holders.pop()) {
      this.#mayHold.set(view, true);
      holders.push(...(above.get(view) ?? []).filter((outer) => this.#mayHold.get(outer) !== true));
    }
  }
}
