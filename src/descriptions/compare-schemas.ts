import { quote } from '../text/format.ts';
import type { Definitions, Schema } from './schema-keywords.ts';
import { type SchemaView, viewSchema } from './schema-view.ts';

/** A difference, and whether it can break scripts. */
export type Change = {
  readonly breaking: boolean;
  /** Stable, such as `member_gone`. */
  readonly code: string;
  /** The location: `query status`, `body amount`, `answer items.0.id`. */
  readonly where: string;
  readonly message: string;
};

/** A schema and the document that its references point into. */
export type Described = { readonly schema: Schema | undefined; readonly definitions: Definitions };

/** Whether the value is sent or received. A narrower schema breaks requests, a wider one breaks readers of responses. */
export type Direction = 'request' | 'answer';

/** The number of values of one operation that are compared, and the depth. */
const MOST_PLACES = 5000;
const DEEPEST = 12;

type Pair = {
  readonly old: Schema | undefined;
  readonly now: Schema | undefined;
  readonly path: string;
  readonly within: readonly string[];
};

/** Compares two schemas of one value and of everything in it. Recursion is followed once. */
export function compareSchemas(before: Described, after: Described, direction: Direction): readonly Change[] {
  const changes: Change[] = [];
  const waiting: Pair[] = [{ old: before.schema, now: after.schema, path: '', within: [] }];
  const whole = direction === 'request' ? 'body' : 'answer';
  for (let count = 0; waiting.length > 0 && count < MOST_PLACES; count += 1) {
    const { old, now, path, within } = waiting.shift() as Pair;
    const [a, b] = [viewSchema(old, before.definitions), viewSchema(now, after.definitions)];
    const where = path === '' ? whole : `${whole} ${path}`;
    const report = (isBreaking: boolean, code: string, message: string) =>
      changes.push({ breaking: isBreaking, code, where, message });
    compareValues(a, b, { direction, report });
    const key = `${a.name ?? ''}\0${b.name ?? ''}`;
    if ((a.name !== undefined && within.includes(key)) || within.length >= DEEPEST) continue;
    for (const part of compareMembers(a, b, { direction, report })) {
      waiting.push({
        ...part,
        path: path === '' ? part.path : `${path}.${part.path}`,
        within: [...within, key],
      });
    }
  }
  return changes;
}

type Report = (isBreaking: boolean, code: string, message: string) => void;
type Context = { readonly direction: Direction; readonly report: Report };

function compareValues(a: SchemaView, b: SchemaView, { direction, report }: Context): void {
  const isRequest = direction === 'request';
  const [wide, narrow] = isRequest ? [b, a] : [a, b];
  if (!accepts(wide, narrow))
    report(true, 'type_changed', `The type was ${typesIn(a)} and is now ${typesIn(b)}`);
  else if (!accepts(narrow, wide))
    report(false, 'type_changed', `The type was ${typesIn(a)} and is now ${typesIn(b)}`);
  if (a.types.size > 0 && b.types.size > 0 && a.isNullable !== b.isNullable) {
    const message = b.isNullable ? 'It can now be null' : 'It can no longer be null';
    report(b.isNullable !== isRequest, 'null_changed', message);
  }
  compareEnumerations(a, b, { direction, report });
  if (isRequest) compareLimits(a, b, report);
}

/** Whether each type of the second is one of the first. */
function accepts(wide: SchemaView, narrow: SchemaView): boolean {
  if (wide.types.size === 0) return true;
  if (narrow.types.size === 0) return false;
  return [...narrow.types].every(
    (type) => wide.types.has(type) || (type === 'integer' && wide.types.has('number')),
  );
}

function typesIn({ types }: SchemaView): string {
  return types.size === 0 ? 'any' : [...types].join(' or ');
}

function compareEnumerations(a: SchemaView, b: SchemaView, { direction, report }: Context): void {
  const old = a.values?.map((value) => JSON.stringify(value));
  const now = b.values?.map((value) => JSON.stringify(value));
  const isRequest = direction === 'request';
  const listed = (values: readonly string[]) => values.slice(0, 10).join(', ');
  if (old && now) {
    const gone = old.filter((value) => !now.includes(value) && value !== 'null');
    const added = now.filter((value) => !old.includes(value) && value !== 'null');
    if (gone.length > 0) report(isRequest, 'value_gone', `Values removed: ${listed(gone)}`);
    if (added.length > 0) report(false, 'value_added', `Values added: ${listed(added)}`);
  } else if (now) report(isRequest, 'values_limited', `Now limited to: ${listed(now)}`);
  else if (old) report(!isRequest, 'values_open', 'No longer limited to the listed values');
}

/** Compares limits, which matter only for values that are sent. */
function compareLimits(a: SchemaView, b: SchemaView, report: Report): void {
  for (const name of new Set([...a.limits.keys(), ...b.limits.keys()])) {
    const [old, now] = [a.limits.get(name), b.limits.get(name)];
    if (old === now) continue;
    const isLower = /^(min|exclusiveMin)/.test(name);
    const isNarrower = now !== undefined && (old === undefined || (isLower ? now > old : now < old));
    report(isNarrower, 'limit_changed', `${quote(name)} was ${old ?? 'unset'} and is now ${now ?? 'unset'}`);
  }
}

type Part = { readonly old: Schema | undefined; readonly now: Schema | undefined; readonly path: string };

function compareMembers(a: SchemaView, b: SchemaView, { direction, report }: Context): readonly Part[] {
  const isRequest = direction === 'request';
  const parts: Part[] = [];
  for (const [name, old] of a.members) {
    const now = b.members.get(name);
    if (now === undefined) {
      // A schema that no longer names members allows any.
      report(true, 'member_gone', `The field ${quote(name)} was removed`);
      continue;
    }
    const [was, is] = [a.required.has(name), b.required.has(name)];
    if (is && !was)
      report(
        isRequest,
        'member_required',
        `The field ${quote(name)} is now always ${isRequest ? 'required' : 'present'}`,
      );
    if (was && !is) report(!isRequest, 'member_optional', `The field ${quote(name)} is now optional`);
    parts.push({ old, now, path: name });
  }
  for (const name of b.members.keys()) {
    if (a.members.has(name)) continue;
    const isNeeded = isRequest && b.required.has(name);
    if (isNeeded) report(true, 'member_required', `The field ${quote(name)} is new and required`);
    else report(false, 'member_added', `The field ${quote(name)} is new`);
  }
  if (a.items !== undefined && b.items !== undefined) parts.push({ old: a.items, now: b.items, path: '0' });
  return parts;
}
