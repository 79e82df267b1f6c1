import type { OperationId, operations } from '../../contract/generated/operations.ts';
import type { EmulatorResponse } from '../http/response.ts';
import type { EmulatorDatabase } from '../store/database.ts';

type QueryOf<Id extends OperationId> = (typeof operations)[Id]['query'];

type ValueOf<Parameter> = Parameter extends { readonly type: 'integer' }
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
  /** Decoded, by the names of the path's template. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** A merchant account that exists; `default` where the request names none. */
  readonly merchantAccount: string;
  /** Whether the token holds the operation's scope for personal data. */
  readonly isRevealed: boolean;
  /** The bytes of the body as they came, at most 1 MiB. */
  readonly body: Buffer;
  readonly now: Date;
};

/** Answers one operation. @throws Refusal for every expected failure; anything else becomes a 500 */
export type Handler<Id extends OperationId = OperationId> = (
  context: RouteContext<Id>,
) => EmulatorResponse | Promise<EmulatorResponse>;
