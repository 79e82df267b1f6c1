import type { ImportedOperation, IndexedOperation } from '../../descriptions/imported-operation.ts';
import { readOperation } from '../../descriptions/read-store.ts';
import { snake } from '../../descriptions/values/names.ts';
import { allMembers, isNullable, type RootedSchema, shapeOf } from '../../descriptions/values/shape.ts';
import { type Fits, fitsSchema } from './satisfies.ts';

/** A schema of a description, with what is computed from it once. */
export class PreparedSchema implements RootedSchema {
  readonly schema: unknown;
  readonly root: unknown;
  /** The name of its definition; undefined if it is not a reference to one. */
  readonly name: string | undefined;
  #fits: Fits | undefined;
  #members: ReadonlyMap<string, unknown> | undefined;

  constructor(schema: unknown, root: unknown) {
    this.schema = schema;
    this.root = root;
    const { $ref, $defs } = { ...(schema as { $ref?: unknown }), ...(root as { $defs?: unknown }) };
    this.name = typeof $ref === 'string' && $defs ? $ref.split('/').at(-1) : undefined;
  }

  /** Validates values. */
  get fits(): Fits {
    const { $defs } = this.root as { $defs?: unknown };
    const isObject = typeof this.schema === 'object' && this.schema !== null;
    this.#fits ??= fitsSchema(isObject && $defs ? { ...this.schema, $defs } : this.schema);
    return this.#fits;
  }

  /** The members that a value can have. */
  get members(): ReadonlyMap<string, unknown> {
    this.#members ??= allMembers(this);
    return this.#members;
  }
}

/** Where a response has the records of a list. */
export type ListLayout = {
  /** The member that holds the records; undefined for an array. */
  readonly member: string | undefined;
  readonly item: PreparedSchema;
  /** The members next to it. */
  readonly others: ReadonlyMap<
    string,
    { readonly isNullable: boolean; readonly isRequired: boolean; readonly schema: unknown }
  >;
  /** The largest number of records that the schema allows. */
  readonly most: number;
};

/** An operation of the description, with its schemas. */
export type Prepared = {
  readonly operation: ImportedOperation;
  readonly request: PreparedSchema | undefined;
  readonly response: PreparedSchema | undefined;
  /** Undefined if its response is not a list. */
  readonly list: ListLayout | undefined;
};

/** How many operations are kept in memory. */
const MOST_KEPT = 300;

/** Reads operations from the store of imports, each when it is first requested. */
export class PreparedOperations {
  readonly #folder: string;
  readonly #kept = new Map<IndexedOperation, Prepared>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws UsageError `description_damaged`, `description_missing` */
  get(indexed: IndexedOperation): Prepared {
    const known = this.#kept.get(indexed);
    if (known) return known;
    const { requestSchema, responseBodySchema, ...operation } = readOperation(this.#folder, indexed);
    const rooted = (schema: unknown) =>
      schema === undefined ? undefined : new PreparedSchema(schema, schema);
    const response = rooted(responseBodySchema);
    const prepared = {
      operation: { ...operation, query: withOwnCursors(operation) },
      request: rooted(requestSchema),
      response,
      list: response && listLayoutOf(response, namesOfList(operation)),
    };
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEPT && oldest) this.#kept.delete(oldest);
    this.#kept.set(indexed, prepared);
    return prepared;
  }
}

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

/** Names of the member that holds the records, the most usual first. */
const LIST_MEMBERS = ['items', 'data', 'results', 'records', 'entries', 'values', 'elements', 'list'];

/** Names of the member, the best first: the one that the import found, and last the last word of the path (`payment_links`). */
function namesOfList({ path, envelope }: Pick<ImportedOperation, 'path' | 'envelope'>): readonly string[] {
  const own = path.slice(path.lastIndexOf('/') + 1).replaceAll('-', '_');
  return [...(envelope ? [envelope.items] : []), ...LIST_MEMBERS, own];
}

function listLayoutOf(response: PreparedSchema, names: readonly string[]): ListLayout | undefined {
  const { root } = response;
  const shape = shapeOf(response);
  const most = (limits: Readonly<Record<string, number>>) => limits.maxItems ?? Number.POSITIVE_INFINITY;
  if (shape.types?.has('array') && !shape.types.has('object')) {
    const item = new PreparedSchema(shape.items ?? true, root);
    return { member: undefined, item, others: new Map(), most: most(shape.limits) };
  }
  if (shape.members.has('id')) return undefined;
  for (const member of names) {
    if (!shape.members.has(member)) continue;
    const inner = shapeOf({ schema: shape.members.get(member), root });
    if (!inner.types?.has('array') && inner.items === undefined) continue;
    const unnamed = [...shape.required].map((required) => [required, true] as const);
    const all = new Map<string, unknown>([...unnamed, ...shape.members]);
    const others = [...all].filter(([one]) => one !== member);
    return {
      member,
      item: new PreparedSchema(inner.items ?? true, root),
      others: new Map(
        others.map(([name, schema]) => {
          const facts = {
            isNullable: isNullable(shapeOf({ schema, root })),
            isRequired: shape.required.has(name),
          };
          return [name, { ...facts, schema }];
        }),
      ),
      most: most(inner.limits),
    };
  }
  return undefined;
}
