import { withContentType } from '../../descriptions/body-forms.ts';
import type { BodyForm, ImportedOperation, IndexedOperation } from '../../descriptions/imported-operation.ts';
import type { OperationReader } from '../../descriptions/read-store.ts';
import { copyForValidation } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { inTime } from '../../schemas/check-body.ts';
import { oncePerObject } from '../../schemas/memoize.ts';
import { definitionName, schemaBelow } from '../../schemas/schema-at.ts';
import { type BodyProblem, checkOf, explain } from '../../schemas/validator.ts';
import { generate } from '../../schemas/values/generate.ts';
import { snake } from '../../schemas/values/names.ts';
import type { Generation } from '../../schemas/values/scalars.ts';
import { allMembers, type RootedSchema, type Shape, shapeOf } from '../../schemas/values/shape.ts';
import { mediaTypeOf } from '../../text/media-type.ts';

/** The longest time to find out what is wrong with one value. */
const LONGEST_MS = 500;

/** A schema of a description, with what is computed from it once. */
export class PreparedSchema implements RootedSchema {
  readonly schema: unknown;
  readonly root: unknown;
  /** The name of its definition; undefined if it is not a reference to one. */
  readonly name: string | undefined;

  constructor(schema: unknown, root: unknown) {
    this.schema = schema;
    this.root = root;
    this.name = isObject(schema) ? definitionName(schema.$ref) : undefined;
  }

  /** The members that a value can have. */
  get members(): ReadonlyMap<string, unknown> {
    return allMembers(this);
  }

  /** The schema of a member, or of one in that. */
  schemaAt(name = '', ...inner: readonly string[]): unknown {
    const below = (schema: unknown, one: string) => allMembers({ schema, root: this.root }).get(one);
    return inner.reduce(below, this.members.get(name));
  }

  /** What the schema says about it. */
  shapeAt(...names: readonly (string | undefined)[]): Shape {
    return shapeOf({ schema: this.schemaAt(...names), root: this.root });
  }

  /** Whether a value fits, or cannot be validated. */
  accepts(value: unknown): boolean {
    return checkOf(this.schema, this.root)(copyForValidation(value));
  }

  /** The problems of a value; empty where it is accepted. To find them takes much longer. */
  problems(value: unknown): readonly BodyProblem[] {
    const compared = copyForValidation(value);
    const check = checkOf(this.schema, this.root);
    return check(compared) ? [] : (inTime(() => explain(check, compared), LONGEST_MS)?.problems ?? []);
  }

  /** Generates a value. @throws EndlessSchema */
  generate(how: Omit<Generation, 'root'>): unknown {
    return generate(this.schema, { ...how, root: this.root });
  }
}

/** Where a response has the records of a list. */
export type ListLayout = ReturnType<typeof listLayoutOf>;

/** An operation of the description, with its schemas. */
export type Prepared = ReturnType<PreparedOperations>;

/** Returns an operation with its schemas. @throws UsageError `description_damaged` */
export type PreparedOperations = ReturnType<typeof preparedOperations>;

/** Reads operations from an import, each when it is first requested. They share its definitions, and what is computed from them. */
export function preparedOperations(read: OperationReader) {
  return oncePerObject((indexed: IndexedOperation) => {
    const { requestSchema, responseBodySchema, refusals = {}, ...described } = read(indexed);
    const operation: ImportedOperation = { ...described, query: withOwnCursors(described) };
    const { record, listShape } = operation;
    const [body, whole] = [rooted(requestSchema), rooted(responseBodySchema)];
    const isWrapped = record?.response !== undefined;
    return {
      operation,
      /** The whole body, and the record in it. */
      body,
      request: record?.request === undefined ? body : rooted(schemaBelow(requestSchema, record.request)),
      /** The whole response, if the record is in a member of it; and the record. */
      wrapper: isWrapped ? whole : undefined,
      response: isWrapped ? rooted(schemaBelow(responseBodySchema, record.response)) : whole,
      /** Undefined if its response is not a list. */
      list: listShape && whole && listLayoutOf(whole, operation),
      refusals,
    };
  });
}

/** The operation as a request with a body of this content type uses it. */
export function preparedFor(prepared: Prepared, contentType: string | undefined): Prepared {
  const type = mediaTypeOf(contentType);
  const form = prepared.operation.otherBodies?.find(({ bodyType }) => bodyType === type);
  return form ? withForm(form, prepared) : prepared;
}

const withForm = oncePerObject((form: BodyForm, prepared: Prepared): Prepared => {
  const { bodyType = '', requestSchema } = form;
  const operation = withContentType(prepared.operation, bodyType);
  const request = rooted(schemaBelow(requestSchema, operation.record?.request));
  return { ...prepared, operation, body: rooted(requestSchema), request };
});

export function rooted(schema: unknown): PreparedSchema | undefined {
  if (schema === undefined) return undefined;
  const { $defs } = isObject(schema) ? schema : {};
  return new PreparedSchema(schema, isObject($defs) ? rootOf($defs) : schema);
}

/** Schemas that share their definitions have the same root. */
const rootOf = oncePerObject(($defs: object) => ({ $defs }));

const CURSOR_NAME = /(?:^|_)(?:cursor|page_token|next_token|continuation_token|marker)$/;

/**
 * The query parameters of an operation, with those of cursors for the cursors of the emulator, which look as they do. A list whose pages
 * name the address of the next one has a `cursor` for such addresses if it has no other parameter for it.
 */
function withOwnCursors({ query, envelope, paging }: ImportedOperation): ImportedOperation['query'] {
  const isCursor = (name: string) => name === envelope?.cursorParameter || CURSOR_NAME.test(snake(name));
  const own = Object.entries(query).map(([name, parameter]) => {
    const { pattern: _p, format: _f, minLength: _s, maxLength: _l, ...free } = parameter;
    return [name, isCursor(name) ? free : parameter] as const;
  });
  const needsOwn = paging?.members?.next && !paging.counted && !own.some(([name]) => isCursor(name));
  return Object.fromEntries([...own, ...(needsOwn ? [['cursor', { type: 'string' }] as const] : [])]);
}

function listLayoutOf(response: PreparedSchema, { listShape, envelope, record }: ImportedOperation) {
  const { root } = response;
  const path = listShape === 'array' ? [] : (envelope?.items ?? 'items').split('.');
  const list = path.length === 0 ? shapeOf(response) : response.shapeAt(...path);
  const around = new PreparedSchema(list.items ?? true, root);
  const ofRecord =
    record?.item && rooted(schemaBelow({ ...Object(list.items), ...Object(root) }, record.item));
  return {
    /** The path of the records in the response; empty for an array. */
    path,
    /** The schema of a record. */
    item: ofRecord || around,
    /** The items, where they have the record in a member. */
    around: ofRecord ? { item: around, path: record.item.split('.') } : undefined,
    whole: response,
    /** The largest number of records that the schema allows. */
    most: list.limits.maxItems ?? Number.POSITIVE_INFINITY,
  };
}
