import { type Amount, amountsOf } from '../../cli/money/amounts.ts';
import { type NotMoney, partsOfMoney, readMoney, waysToWrite } from '../../cli/money/minor-units.ts';
import { readSecretText } from '../../cli/read-body.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { isSecretPair } from '../../cli/secrets/form-text.ts';
import type { ByteSource } from '../../descriptions/byte-source.ts';
import { UsageError } from '../../errors.ts';
import { MAX_DEPTH } from '../../json/depth.ts';
import { JsonInputError, parseJsonInput } from '../../json/input.ts';
import { isIntegerText } from '../../json/integers.ts';
import { isObject, memberAt, own } from '../../json/is-object.ts';
import { pointerTo } from '../../json/pointer.ts';
import { isBinary } from '../../schemas/file-schema.ts';
import {
  elementSchemas,
  FIRST,
  isReadOnlyMember,
  memberSchemas,
  partsOf,
  requiredMembers,
  type Schema,
  schemaBelow,
  takesOnlyIntegers,
  typesOf,
} from '../../schemas/schema-at.ts';
import { isAmountMember, VALUE } from '../../text/amount-names.ts';
import { quote } from '../../text/format.ts';

type FieldOptions = {
  readonly schema: unknown;
  readonly runtime: Runtime;
  readonly mayBeReadOnly?: boolean | undefined;
  /** Dotted path of the record in the body: names that only the record has are its members. */
  readonly record?: string | undefined;
  /** The currency that the request names outside of its body. */
  readonly currency?: string | undefined;
  /** Opens the file that `@FILE` names for a member that is sent as one; by default, each is read as a text. */
  readonly openFile?: ((given: string, flag: string) => Promise<ByteSource>) | undefined;
};

type Step = { readonly name: string } | { readonly index: number } | { readonly append: true };
type Field = {
  readonly text: string;
  readonly steps: readonly Step[];
  readonly value: string;
  readonly isJson: boolean;
};

/**
 * The body with the members that `-F` gives, one after the other: `a.b=1` and `items[0].name=x` by their paths, `[0].name=x` in a body
 * that is a list, `items[]=x` after the elements that are there, each with the type that the schema gives it; `a.b:=JSON` as it is written. `@FILE` and `@-` are
 * read. `body` itself stays as it is.
 * @throws UsageError `bad_field`, also for a member that is read-only unless `mayBeReadOnly`; `unreadable_file`; AbortedError
 */
export async function withFields(
  body: unknown,
  fields: readonly string[],
  options: FieldOptions,
): Promise<unknown> {
  const { schema, mayBeReadOnly = false, record } = options;
  const read = (text: string) => inRecord(readField(text), schema, record);
  let result = copyOf(body);
  const given = new Set<string>();
  const currencyOf = ({ steps, value: written }: Field) => {
    let draft = copyOf(body);
    for (const field of fields.map(read)) draft = put(draft, { field, depth: 0, value: field.value });
    const isSame = ({ path, value }: Amount) => value === written && path.at(-1) === lastName(steps);
    return amountsOf(draft, options).find(isSame)?.currency ?? options.currency;
  };
  for (const text of fields) {
    const field = read(text);
    requireOnce(field, given);
    if (!mayBeReadOnly) requireWritable(field, schema);
    const value = (await readFile(field, options)) ?? (await readValue(field, { ...options, currencyOf }));
    result = put(result, { field, depth: 0, value });
  }
  return record === undefined ? result : withConstants(result, schema, record);
}

/** How a table sets one field of bodies. */
export type FieldSetter = {
  /** What the schema takes for the field; `text` also where it says nothing. */
  readonly kind: 'text' | 'integer' | 'number' | 'amount' | 'other';
  /** The names that lead to the field; undefined where there are lists on the way. */
  readonly names: readonly string[] | undefined;
  /** Where the field is in a body: a JSON pointer (RFC 6901). */
  readonly pointer: string;
  /** What the schema takes for the field; empty where it says nothing. */
  readonly types: ReadonlySet<string>;
  /**
   * Sets the field in a body, which changes: to a text as the type that the schema gives it, or to any other value as it is. The text is
   * never the name of a file. `currency` is that of an amount, for messages. @throws UsageError `bad_field`
   */
  set(body: unknown, value: unknown, currency?: string): unknown;
};

/** The setter of the field at this path. @throws UsageError `bad_field` as `withFields` */
export function fieldSetter(
  path: string,
  { schema, record }: Pick<FieldOptions, 'schema' | 'record'>,
): FieldSetter {
  const field = inRecord(fieldAt(path), schema, record);
  requireWritable(field, schema);
  const parts = partsAt(field.steps, schema);
  const types = typesOf(parts);
  const isOpen = types.size === 0;
  const kind = types.has('string') || isOpen ? 'text' : kindOf(types, field.steps);
  // In a column, 17 and A17 have the same type; only what an amount is does not depend on the schema.
  const isText = isOpen && !isAmountAt(field.steps);
  const names = field.steps.flatMap((step) => ('name' in step ? [step.name] : []));
  return {
    kind,
    names: names.length === field.steps.length ? names : undefined,
    pointer: pointerTo(field.steps.map(pointerStep)),
    types,
    set(body, value, currency) {
      const options = { types, isShown: true, currencyOf: () => currency };
      return put(body, {
        field,
        depth: 0,
        value: typeof value === 'string' && !isText ? typed(value, field, options) : value,
      });
    },
  };
}

function pointerStep(step: Step): string {
  if ('name' in step) return step.name;
  return 'index' in step ? String(step.index) : '-';
}

function kindOf(types: ReadonlySet<string>, steps: readonly Step[]): FieldSetter['kind'] {
  if (types.has('integer')) return isAmountAt(steps) ? 'amount' : 'integer';
  return types.has('number') ? 'number' : 'other';
}

/**
 * Whether the schema of a body has a field at this path, in the record or outside of it; also where it says nothing about its members. A
 * name that cannot be read as a path is not a field.
 */
export function isDescribedField(
  path: string,
  { schema, record }: Pick<FieldOptions, 'schema' | 'record'>,
): boolean {
  const named = stepsOf(path);
  if (!named || named.length > MAX_DEPTH) return false;
  if (schema === undefined || schema === true) return true;
  const { steps } = inRecord(fieldAt(path), schema, record);
  return steps.some((_, index) => {
    const above = partsAt(steps.slice(0, index), schema);
    const isOpen = above.every(({ properties, items }) => !isObject(properties) && !items);
    const isLast = index === steps.length - 1;
    return isOpen ? above.length > 0 : isLast && partsAt(steps, schema).length > 0;
  });
}

/** A body that setters may change, from one that stays as it is. */
export { copyOf as changeableCopy };

/** A copy whose objects and lists can be changed; everything else, such as a number that is kept as written, is shared. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) define(copy, name, copyOf(member));
  return copy;
}

/** Sets an own member, `__proto__` too. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function readField(text: string): Field {
  const at = text.indexOf('=');
  const isJson = at > 0 && text[at - 1] === ':';
  if (at <= 0) throw notAField(text);
  return { ...fieldAt(text.slice(0, isJson ? at - 1 : at)), value: text.slice(at + 1), isJson };
}

/** The field at a path, all of which is names and indexes. @throws UsageError `bad_field` */
function fieldAt(path: string): Field {
  const steps = stepsOf(path);
  if (!steps) throw notAField(path);
  if (steps.length > MAX_DEPTH) {
    throw new UsageError('bad_field', `--field ${quote(path)} is nested more than ${MAX_DEPTH} levels deep`);
  }
  return { text: path, steps, value: '', isJson: false };
}

function notAField(text: string): UsageError {
  return new UsageError('bad_field', `--field must be PATH=VALUE, not ${quote(text)}`, {
    hint: 'For example: -F amount=1299, -F buyer.name=Ada, -F items[0].quantity=2, -F tags[]=new, -F metadata:={}',
  });
}

/** Adds the path of the record to a field: that of its `attributes` in JSON:API, or that of the record itself. */
function inRecord(field: Field, schema: unknown, record: string | undefined): Field {
  const [first] = field.steps;
  if (record === undefined || first === undefined) return field;
  const isKnown = (steps: readonly Step[]) => partsAt(steps, schema).length > 0;
  if (isKnown([first])) return field;
  const place = stepsTo(record);
  const group = [...place, { name: 'attributes' }];
  const found = [place, group].find((steps) => isKnown([...steps, first]));
  const usual = isKnown(group) ? group : place;
  return { ...field, steps: [...(found ?? usual), ...field.steps] };
}

function stepsTo(place: string): readonly Step[] {
  return place.split('.').map((name) => (name === FIRST ? { index: 0 } : { name }));
}

/** Adds the required members around the record that have a single allowed value, such as the `type` of JSON:API. */
export function withConstants(body: unknown, schema: unknown, record: string): unknown {
  const place = stepsTo(record);
  let result = body;
  for (const [index] of place.entries()) {
    const holder = place.slice(0, index + 1);
    const names = record.split('.').slice(0, index + 1);
    const given = memberAt(result, names);
    if (!isObject(given)) return result;
    for (const name of requiredMembers(schemaBelow(schema, names.join('.')), schema)) {
      const [value, ...others] = constantsOf(memberSchemas(partsAt(holder, schema), name), schema);
      if (value === undefined || others.length > 0 || Object.hasOwn(given, name)) continue;
      const field = { text: name, steps: [...holder, { name }], value: '', isJson: true };
      result = put(result, { field, depth: 0, value });
    }
  }
  return result;
}

/** Whether a member can only have one value, which payctl adds where the member is required around the record. */
export function isConstant(schemas: readonly unknown[], root: unknown): boolean {
  return constantsOf(schemas, root).length === 1;
}

function constantsOf(schemas: readonly unknown[], root: unknown): readonly unknown[] {
  const parts = schemas.flatMap((schema) => partsOf(schema, root));
  const values = parts.flatMap(({ const: only, enum: listed }) =>
    only !== undefined ? [only] : Array.isArray(listed) ? listed : [],
  );
  return [...new Set(values)];
}

/** One value of two would count, and nobody could say which. */
function requireOnce({ text, steps }: Field, given: Set<string>): void {
  const path = JSON.stringify(steps);
  if (given.has(path) && steps.every((step) => !('append' in step))) {
    throw new UsageError('bad_field', `--field ${text} is given twice`, {
      hint: `Set it once. To add elements to a list, use ${text}[]=VALUE.`,
    });
  }
  given.add(path);
}

/** The service ignores or refuses what it decides itself, and its response would look as if it had been set. */
function requireWritable({ text, steps }: Field, schema: unknown): void {
  for (const [index, step] of steps.entries()) {
    if (!('name' in step)) continue;
    const parts = partsAt(steps.slice(0, index), schema);
    if (!isReadOnlyMember(parts, step.name, schema)) continue;
    const which = steps.length > 1 ? quote(step.name) : 'it';
    throw new UsageError('bad_field', `--field ${text} cannot be set: ${which} is read-only`, {
      hint: 'The service decides it. Nothing was sent. --no-validate sends it all the same.',
    });
  }
}

/** `a.b[0].c[]`, `a[b][0]` and `[0].a` as steps; a dot or a bracket that is part of a name follows a backslash. */
function stepsOf(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  const token = /(?:^|\.)((?:\\.|[^.[\]\\])+)|\[(\d{0,4})\]|\[(?!\d+\])((?:\\.|[^[\]\\])+)\]/sy;
  while (token.lastIndex < path.length) {
    const match = token.exec(path);
    if (!match) return undefined;
    const [, dotted, index, bracketed] = match;
    const name = dotted ?? bracketed;
    if (name !== undefined) steps.push({ name: name.replace(/\\(.)/gs, '$1') });
    else steps.push(index === '' ? { append: true } : { index: Number(index) });
  }
  return steps.length > 0 ? steps : undefined;
}

/** The file of a member, or of an element of one, that is sent as one; undefined for any other. */
async function readFile(field: Field, { schema, openFile }: FieldOptions): Promise<ByteSource | undefined> {
  const { steps, value, text, isJson } = field;
  const isOuter = steps.slice(1).every((step) => !('name' in step)) && steps.length <= 2;
  if (!openFile || isJson || !isOuter) return undefined;
  const parts = partsAt(steps, schema);
  const isGiven = value.startsWith('@') || value === '-';
  if (isGiven && isBinary(parts)) return await openFile(value, `--field ${text}`);
  if (value.startsWith('@') && typesOf(parts).size === 0) return await openFile(value, `--field ${text}`);
  const elements = elementSchemas(parts).flatMap((element) => partsOf(element, schema));
  const isList = isBinary(elements);
  if (!isList && !parts.some(({ format }) => format === 'binary')) return undefined;
  throw new UsageError('bad_field', `--field ${text} must be ${isList ? 'a list of files' : 'a file'}`, {
    hint: `Use -F ${text}${isList ? '[]' : ''}=@FILE${isList ? ', once for each file' : ''}.`,
  });
}

type ValueOptions = Pick<FieldOptions, 'schema' | 'runtime'> & {
  /** What the request says about the currency of an amount that it gives. */
  readonly currencyOf: (field: Field) => string | undefined;
};

async function readValue(field: Field, { schema, runtime, currencyOf }: ValueOptions): Promise<unknown> {
  const { value, isJson, steps, text } = field;
  const names = steps.flatMap((step) => ('name' in step ? [step.name] : []));
  const parts = partsAt(steps, schema);
  const isSecret = isSecretPair({ names, text: value }) || parts.some(({ format }) => format === 'password');
  const isRead = value.startsWith('@') || (isSecret && value === '-');
  if (isSecret && !isRead && value !== '') {
    throw new UsageError('bad_field', `${text} is a secret, which must not be an argument`, {
      hint: `Other processes on this machine can read arguments. Use ${text}=@FILE, or ${text}=- for standard input.`,
    });
  }
  const given = isRead ? await readSecretText(value, `--field ${text}`, runtime) : value;
  return isJson
    ? parsed(given, text)
    : typed(given, field, { types: typesOf(parts), isShown: !isRead, currencyOf });
}

function parsed(json: string, name: string): unknown {
  try {
    return parseJsonInput(json);
  } catch (error) {
    if (!(error instanceof JsonInputError)) throw error;
    throw new UsageError('bad_field', `--field ${name}:= ${error.message}`, {
      hint: `Use ${name}=TEXT for a string, and ${name}:=JSON for any other value.`,
    });
  }
}

type TypedOptions = Pick<ValueOptions, 'currencyOf'> & {
  readonly types: ReadonlySet<string>;
  readonly isShown: boolean;
};

/** A text as the type that the schema gives it; where it gives none, a number, true, false and null are what they look like. */
function typed(text: string, field: Field, { types, isShown, currencyOf }: TypedOptions): unknown {
  const { steps, text: name } = field;
  if (types.has('string') || (types.size === 0 && !LITERAL.test(text))) {
    return text === 'null' && types.has('null') ? null : text;
  }
  const isOpen = types.size === 0;
  if (text === 'null' && (isOpen || types.has('null'))) return null;
  if ((text === 'true' || text === 'false') && (isOpen || types.has('boolean'))) return text === 'true';
  const isNumber = NUMBER.test(text) && (isOpen || types.has('number'));
  if (isNumber || (types.has('integer') && isIntegerText(text))) return parsed(text, name);
  if (/^[[{]/.test(text) && (types.has('array') || types.has('object'))) return parsed(text, name);
  if (takesOnlyIntegers(types)) {
    const isAmount = isAmountAt(steps);
    const money = readMoney(text);
    // It is converted once the whole body says whether the currency is the right one, and whether `value` is an amount.
    if ('minor' in money && (isAmount || lastName(steps) === VALUE)) return text;
    if ('problem' in money && isAmount) {
      const currency = currencyOf(field);
      throw notAnAmount(name, { text: isShown ? text : undefined, currency, money });
    }
  }
  const problem = `${name} must be ${wordsFor(types)}, not ${isShown ? quote(text) : 'what was read'}`;
  const { number = '' } = types.has('number') && isShown ? partsOfMoney(text) : {};
  const isNested = types.has('object') || types.has('array');
  const hint = isNested ? `Use ${name}:=JSON, or a path below it.` : undefined;
  throw new UsageError('bad_field', problem, {
    hint: NUMBER.test(number) ? `Write the number alone: ${number}` : hint,
  });
}

/** The last two names of a path that indexes do not follow. */
function isAmountAt(steps: readonly Step[]): boolean {
  const [last, above] = steps.toReversed();
  const outer = above && 'name' in above ? above.name : undefined;
  return last !== undefined && 'name' in last && isAmountMember(last.name, outer);
}

function lastName(steps: readonly Step[]): string | undefined {
  const last = steps.at(-1);
  return last && 'name' in last ? last.name : undefined;
}

type Refused = {
  /** Undefined where it must not be shown. */
  readonly text: string | undefined;
  readonly currency: string | undefined;
  readonly money: NotMoney;
};

/** The error of an amount that is neither an integer nor exact with its currency. */
function notAnAmount(name: string, { text, currency, money: { problem: why, isBare } }: Refused): UsageError {
  const hint = waysToWrite(text ?? '', currency, (minor, major) => `${name}=${minor} or ${name}=${major}`);
  const given = text === undefined ? 'what was read' : quote(text);
  const problem = isBare
    ? `${name} must be a whole number in minor units, or an amount with its currency, not ${given}`
    : `${name} cannot be ${given}, which ${why}`;
  return new UsageError('bad_field', problem, { hint });
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LITERAL = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

const TYPE_WORDS: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function wordsFor(types: ReadonlySet<string>): string {
  return [...types].map((type) => own(TYPE_WORDS, type) ?? type).join(' or ');
}

function partsAt(steps: readonly Step[], root: unknown): readonly Schema[] {
  let parts = partsOf(root, root);
  for (const step of steps) {
    const next = 'name' in step ? memberSchemas(parts, step.name) : elementSchemas(parts);
    parts = [...new Set(next.flatMap((schema) => partsOf(schema, root)))];
  }
  return parts;
}

type Placed = { readonly field: Field; readonly depth: number; readonly value: unknown };

/** The value with the field in it; what is in the way of its path is replaced only where it has no members. */
function put(target: unknown, { field, depth, value }: Placed): unknown {
  const step = field.steps[depth];
  if (step === undefined) return value;
  const next = { field, depth: depth + 1, value };
  if ('name' in step) {
    const object = target ?? {};
    if (!isObject(object)) throw conflict(field, depth, 'is not an object');
    define(object, step.name, put(own(object, step.name), next));
    return object;
  }
  const list = target ?? [];
  if (!Array.isArray(list)) throw conflict(field, depth, 'is not a list');
  const index = 'index' in step ? step.index : placeToAppend(list, next);
  if (index > list.length) throw conflict(field, depth, `has ${list.length} elements`);
  list[index] = put(list[index], next);
  return list;
}

/** `lines[].name=a` begins a new element where the last one has a name. */
function placeToAppend(list: readonly unknown[], { field, depth }: Placed): number {
  const last = list.at(-1);
  const after = field.steps[depth];
  const isFree = after !== undefined && 'name' in after && isObject(last) && !Object.hasOwn(last, after.name);
  return isFree ? list.length - 1 : list.length;
}

function conflict({ text, steps }: Field, depth: number, problem: string): UsageError {
  const before = steps.slice(0, depth).map((step) => {
    if ('name' in step) return `.${step.name}`;
    return 'index' in step ? `[${step.index}]` : '[]';
  });
  const place = before.join('').slice(1) || 'the body';
  return new UsageError('bad_field', `--field ${text} cannot be set: ${place} ${problem}`, {
    hint: 'Lists start at [0], and [] appends an element.',
  });
}
