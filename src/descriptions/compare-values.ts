import type { SchemaView } from '../schemas/schema-view.ts';
import { isCheckedFormat } from '../schemas/validator.ts';
import { quote, quotePattern } from '../text/format.ts';

/** Whether a value is sent or received. A narrower schema breaks requests, a wider one breaks readers of responses. */
export type Direction = 'request' | 'response';

/** Takes a change of one value: whether it breaks scripts, its code, a sentence, and the name of a field that is new or was removed. */
export type ReportChange = (isBreaking: boolean, code: string, message: string, member?: string) => void;

/** Compares two schemas without what is inside the value: its types, its values and every keyword that can refuse it. */
export function compareValues(
  a: SchemaView,
  b: SchemaView,
  direction: Direction,
  report: ReportChange,
): void {
  const isRequest = direction === 'request';
  compareTypes(a, b, direction, report);
  if (a.types.size > 0 && b.types.size > 0) compareNull(a, b, direction, report);
  compareEnumerations(a, b, isRequest, report);
  if (!isRequest) return;
  comparePatterns(a, b, report);
  compareLimits(a, b, report);
  compareChecks(a, b, report);
}

/** Compares the types of a value, without null. */
export function compareTypes(a: SchemaView, b: SchemaView, direction: Direction, report: ReportChange): void {
  const [wide, narrow] = direction === 'request' ? [b, a] : [a, b];
  const message = `The type was ${typesIn(a)} and is now ${typesIn(b)}`;
  if (!accepts(wide, narrow)) report(true, 'type_changed', message);
  else if (!accepts(narrow, wide)) report(false, 'type_changed', message);
}

/** Compares whether a value may be null. */
export function compareNull(a: SchemaView, b: SchemaView, direction: Direction, report: ReportChange): void {
  if (a.isNullable === b.isNullable) return;
  const message = b.isNullable ? 'It can now be null' : 'It can no longer be null';
  report(b.isNullable !== (direction === 'request'), 'null_changed', message);
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

function compareEnumerations(a: SchemaView, b: SchemaView, isRequest: boolean, report: ReportChange): void {
  const old = a.values?.map((value) => JSON.stringify(value));
  const now = b.values?.map((value) => JSON.stringify(value));
  const listed = (values: readonly string[]) => values.slice(0, 10).join(', ');
  if (old && now) {
    const gone = old.filter((value) => !now.includes(value) && value !== 'null');
    const added = now.filter((value) => !old.includes(value) && value !== 'null');
    if (gone.length > 0) report(isRequest, 'value_gone', `Values removed: ${listed(gone)}`);
    if (added.length > 0) report(false, 'value_added', `Values added: ${listed(added)}`);
  } else if (now) report(isRequest, 'values_limited', `Now limited to: ${listed(now)}`);
  else if (old) report(!isRequest, 'values_open', 'No longer limited to the listed values');
}

function comparePatterns(a: SchemaView, b: SchemaView, report: ReportChange): void {
  const [[old], [now]] = [a.patterns, b.patterns];
  if (now === undefined && old !== undefined) report(false, 'pattern_gone', 'The pattern was removed');
  else if (now !== undefined && now !== old)
    report(true, 'pattern_changed', `The value must now match ${quotePattern(now)}`);
  if (a.format === b.format) return;
  // A format that payctl does not check refuses nothing.
  if (b.format !== undefined && isCheckedFormat(b.format))
    report(true, 'format_changed', `The value must now be a valid ${b.format}`);
  else if (a.format !== undefined) report(false, 'format_gone', `It need no longer be a valid ${a.format}`);
}

function compareLimits(a: SchemaView, b: SchemaView, report: ReportChange): void {
  for (const name of Object.keys({ ...a.limits, ...b.limits })) {
    const [old, now] = [a.limits[name], b.limits[name]];
    if (old === now) continue;
    const message = `${quote(name)} was ${old ?? 'unset'} and is now ${now ?? 'unset'}`;
    report(isNarrower(name, old, now), 'limit_changed', message);
  }
}

function isNarrower(name: string, old: number | undefined, now: number | undefined): boolean {
  if (old === undefined || now === undefined) return now !== undefined;
  if (name === 'multipleOf') return old % now !== 0;
  return /^(?:min|exclusiveMin)/.test(name) ? now > old : now < old;
}

/** Compares the keywords that are not looked into: one that is new or another one may refuse what was accepted. */
function compareChecks(a: SchemaView, b: SchemaView, report: ReportChange): void {
  for (const name of new Set([...a.checks.keys(), ...b.checks.keys()])) {
    const [old, now] = [a.checks.get(name), b.checks.get(name)];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    const isGone = now === undefined || now === false;
    const happened = isGone ? 'was removed' : old === undefined ? 'is new' : 'has changed';
    report(!isGone, isGone ? 'check_gone' : 'check_changed', `The rule ${quote(name)} ${happened}`);
  }
}
