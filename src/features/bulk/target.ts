import type { ReadRecord } from '../../cli/money/record.ts';
import type { Call } from '../../client/call.ts';
import type { Operation } from '../../contract/operation.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import type { PlanRow } from './plan-file.ts';

/** The operation that rows send requests for. */
export type TargetOperation = Operation &
  Pick<
    ImportedOperation,
    'record' | 'recordId' | 'newStatus' | 'hasVersions' | 'action' | 'resource' | 'key' | 'payments'
  >;

/** The values of one row, before they are a request: `body` and the others change while columns are applied. */
export type RowDraft = {
  readonly path: Record<string, string>;
  readonly query: Record<string, string>;
  body: unknown;
};

/** What a column of the input sets in the requests of its rows. */
export type TargetColumn = {
  /** The place of the value in a request, such as `path/transaction_id`, `query/force` and `body/address/city`. */
  readonly sets: string;
  /** What the description takes for it. */
  readonly kind: 'text' | 'integer' | 'number' | 'amount' | 'other';
  /** What is certain about its texts; undefined where that depends on the rest of the row. */
  readonly plain: PlainTexts | undefined;
  /** Sets the value in a draft. `currency` is the currency of the row, for messages. @throws UsageError */
  set(draft: RowDraft, value: unknown, currency: string | undefined): void;
};

/** Texts of a column that are certainly valid in a request, whatever the rest of the row is. */
export type PlainTexts = {
  /** The names that lead to the value in the arguments or in the body. */
  readonly part: 'path' | 'body';
  readonly names: readonly string[];
  /** Whether JSON has the text without quotation marks. */
  readonly isNumber: boolean;
  /** Whether a text that no spreadsheet has damaged is one of them. `false` says nothing. */
  accepts(text: string): boolean;
};

/** The request of one row. */
export type RowCall = {
  readonly path: NonNullable<Call['path']>;
  readonly query: NonNullable<Call['query']>;
  readonly body: unknown;
  /** Its path and query below the base URL, percent-encoded. */
  readonly target: string;
  /** Whether the body is as the columns set it, and each value is valid by itself. */
  readonly isPlain?: boolean;
};

/** A command that changes something, made ready for many rows. */
export type Target = {
  /** The words of the command. */
  readonly command: string;
  readonly operation: TargetOperation;
  /** SHA-256 of the imported description that it is from; undefined for payctl's own contract. */
  readonly description: string | undefined;
  readonly merchantHeader: string | undefined;
  /** What is the same for each row: its headers, its scopes, and how the body is written. */
  readonly shared: Pick<Call, 'headers' | 'scopes' | 'contentType' | 'encode'>;
  /** The names that columns can have, for suggestions. */
  readonly columnNames: readonly string[];
  /** What a column of this name sets; undefined for one that the command does not know. @throws UsageError for a field that is read-only */
  column(name: string): TargetColumn | undefined;
  /** The values of arguments, checked as the command itself checks them. @throws UsageError */
  arguments(given: PlanRow['arguments']): Promise<PlanRow['arguments']>;
  /** What rows begin with. */
  draft(): RowDraft;
  /** The request of a row, checked as the command itself checks it. `record` reads what amounts are compared with. @throws UsageError */
  call(draft: RowDraft, record: ReadRecord): Promise<RowCall>;
};
