import { type Operation, type OperationId, operations } from '../../contract/generated/operations.ts';
import type { Schemas } from '../../contract/generated/types.ts';
import { insertRow, type Row } from '../store/database.ts';
import { equals } from '../store/keyset.ts';
import { listResponse, type PageRequest, pageResponse } from '../store/pages.ts';
import type { Handler, OfAccount, QueryOf, Resource, RouteContext, SeedContext, Seeded } from './resource.ts';

type ItemOf<Id extends OperationId> = Schemas[(typeof operations)[Id]['responseSchema']] extends {
  readonly items: readonly (infer Item)[];
}
  ? Item
  : never;

type RecordOf<Id extends OperationId> = (typeof operations)[Id]['merchantAccount'] extends true
  ? OfAccount<ItemOf<Id>>
  : ItemOf<Id>;

type FilterName<Id extends OperationId> = Exclude<keyof QueryOf<Id>, 'cursor' | 'limit'>;

type Declaration<Id extends OperationId> = {
  /** Name of the table, in which nothing else is kept. */
  readonly table: string;
  /** Loads the function that makes the seeded records. */
  readonly seed: () => Promise<(context: SeedContext) => Iterable<Seeded<RecordOf<Id>>>>;
  /** What each query parameter compares its value with, which must be equal. */
  readonly filters: {
    readonly [Name in FilterName<Id>]: (record: RecordOf<Id>) => string | null | undefined;
  };
};

type Handlers<Id extends OperationId> = { readonly [Key in Id]: Handler<Key> };
type ListResource<Id extends OperationId> = Omit<Resource, 'handlers'> & { readonly handlers: Handlers<Id> };

/**
 * Declares a plain list: its table, its handler and its seed. It is newest first; the contract says whether it comes in
 * pages, which parameters filter it, and whether it is one of a merchant account or of the whole instance.
 */
export function listResource<Id extends OperationId>(id: Id, declaration: Declaration<Id>): ListResource<Id> {
  const { table, seed, filters } = declaration;
  const operation: Operation = operations[id];
  const names = Object.keys(filters);
  return {
    tables: [createTable(table, operation, names)],
    indexes: operation.merchantAccount
      ? [`CREATE INDEX ${table}_by_merchant_account ON ${table} (merchant_account_id, created_ms, id)`]
      : [],
    handlers: { [id]: listHandler(table, operation, names) } as unknown as Handlers<Id>,
    loadSeed: async () => {
      const records = await seed();
      return (database, context) => {
        for (const seeded of records(context)) {
          insertRow(database, table, rowOf(seeded as Seeded<ListedRecord>, operation, filters as Filters));
        }
      };
    },
  };
}

type ListedRecord = { readonly id: string; readonly merchant_account_id: string };
type Filters = Readonly<Record<string, (record: ListedRecord) => string | null | undefined>>;

function rowOf(
  { record, createdMs }: Seeded<ListedRecord>,
  { merchantAccount }: Operation,
  filters: Filters,
): Row {
  const filtered = Object.entries(filters).map(([name, read]) => [name, read(record) ?? null] as const);
  return {
    id: record.id,
    ...(merchantAccount ? { merchant_account_id: record.merchant_account_id } : {}),
    created_ms: createdMs,
    ...Object.fromEntries(filtered),
    document: JSON.stringify(record),
  };
}

function createTable(table: string, { merchantAccount }: Operation, filters: readonly string[]): string {
  const columns = [
    'id TEXT PRIMARY KEY',
    ...(merchantAccount ? ['merchant_account_id TEXT NOT NULL REFERENCES merchant_accounts (id)'] : []),
    'created_ms INTEGER NOT NULL',
    ...filters.map((name) => `${name} TEXT`),
    'document TEXT NOT NULL',
  ];
  return `CREATE TABLE ${table} (${columns.join(', ')}) STRICT`;
}

function listHandler(table: string, operation: Operation, names: readonly string[]): Handler {
  return (context: RouteContext) => {
    const { database, cursorSecret, merchantAccount } = context;
    const page = context.query as PageRequest['query'];
    const query = context.query as Readonly<Record<string, string | undefined>>;
    const filters = [
      ...(operation.merchantAccount ? equals('merchant_account_id', merchantAccount) : []),
      ...names.flatMap((name) => equals(name, query[name])),
    ];
    const list = { table, document: 'document', filters };
    return operation.paginated
      ? pageResponse({ database, cursorSecret, query: page }, list)
      : listResponse(database, list);
  };
}
