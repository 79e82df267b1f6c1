import type { IncomingHttpHeaders } from 'node:http';
import type { OperationId, operations } from '../../contract/generated/operations.ts';
import type { Buyer, PaymentMethod } from '../../contract/generated/types.ts';
import type { EmulatorResponse } from '../http/response.ts';
import type { EmulatorDatabase } from '../store/database.ts';

/** The query parameters of an operation as the contract describes them. */
export type QueryOf<Id extends OperationId> = (typeof operations)[Id]['query'];

type ValueOf<Parameter> = Parameter extends { readonly multiple: true }
  ? readonly OneValueOf<Parameter>[]
  : OneValueOf<Parameter>;

type OneValueOf<Parameter> = Parameter extends { readonly type: 'integer' }
  ? number
  : Parameter extends { readonly enum: readonly (infer Allowed)[] }
    ? Allowed
    : string;

/** The validated query of an operation: a value where the contract has a default, else perhaps none. */
export type ValidQuery<Id extends OperationId> = {
  readonly [Name in keyof QueryOf<Id>]: QueryOf<Id>[Name] extends { readonly default: unknown }
    ? ValueOf<QueryOf<Id>[Name]>
    : ValueOf<QueryOf<Id>[Name]> | undefined;
};

/** What the handler of an operation is given: a request that is authenticated, authorised and validated. */
export type RouteContext<Id extends OperationId = OperationId> = {
  readonly database: EmulatorDatabase;
  /** Key that authenticates the cursors of this database. */
  readonly cursorSecret: Buffer;
  readonly query: ValidQuery<Id>;
  /** The `cursor` of the query, also where the contract names no such parameter. */
  readonly cursor: string | undefined;
  /** Decoded, by the names of the path's template. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** A merchant account that exists; `default` where the request names none. */
  readonly merchantAccount: string;
  /** Whether the token holds the operation's scope for personal data. */
  readonly isRevealed: boolean;
  /** The bytes of the body unchanged, at most 1 MiB. */
  readonly body: Buffer;
  readonly now: Date;
  /** Whether the idempotency key is to be ignored, by a planned fault. */
  readonly forgetsKey: boolean;
  /** Who sent the request, by the `sub` of the token, else by its `iss`. */
  readonly subject: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The request, without secrets in its path; undefined for a change that no request makes. */
  readonly request: RequestFacts | undefined;
  /** When this run of the emulator began, from which the lifetime of seeded sessions counts. */
  readonly startedAt: Date;
};

/** What is kept of the request that made a change. */
export type RequestFacts = {
  /** As the header `x-request-id` of the response names it. */
  readonly id: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
};

/** Responds to one operation. @throws HttpError for every expected failure; anything else becomes a 500 */
export type Handler<Id extends OperationId = OperationId> = (
  context: RouteContext<Id>,
) => EmulatorResponse | Promise<EmulatorResponse>;

/** One part of the service: what it keeps and how it responds. Everything about it is in the file that declares it. */
export type Resource = {
  /** `CREATE TABLE` statements, one table each. */
  readonly tables: readonly string[];
  /** `CREATE INDEX` statements; run after seeding, which is faster than keeping indexes while rows come in. */
  readonly indexes?: readonly string[];
  readonly handlers: { readonly [Id in OperationId]?: Handler<Id> };
  /** Loads what fills its tables, for a resource that needs no other rows to be seeded with it. */
  readonly loadSeed?: () => Promise<Seed>;
};

/** Fills the empty tables of a resource. */
export type Seed = (database: EmulatorDatabase, context: SeedContext) => void;

/** What seeded records are made from: the same context gives the same records. */
export type SeedContext = {
  /** An integer of 32 bits; see `createRandom`. */
  readonly seed: number;
  /** The moment at which the seeded past ends, in milliseconds since 1970; no seeded event is later. */
  readonly endMs: number;
  /** The first 500 buyers, oldest first. */
  readonly buyers: readonly Stored<Buyer>[];
  /** The payment methods of those buyers. */
  readonly paymentMethods: readonly Stored<PaymentMethod>[];
};

/** A record of a merchant account, which the contract lets the service leave out. */
export type OfAccount<Record> = Record & { readonly merchant_account_id: string };

/** A record of a merchant account that says when it was created, which is its place in lists. */
export type Stored<Record> = OfAccount<Record> & { readonly created_at: string };

/** A record to store, and when it was created, in milliseconds since 1970, which is its place in lists. */
export type Seeded<Record> = { readonly record: Record; readonly createdMs: number };
