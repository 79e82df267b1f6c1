import type { Operation, QueryParameter } from '../contract/operation.ts';
import type { MemberMarks } from '../json/mask.ts';
import type { ColumnKind } from './column-kinds.ts';
import type { CountedPages } from './counted-pages.ts';
import type { FormEncoding } from './form-encoding.ts';

/** The index of an imported description: its identity, and the facts that every command needs. */
export type ImportedDescription = {
  readonly title: string;
  /** The version that the document gives itself. */
  readonly version: string;
  /** `3.0` or `3.1`. */
  readonly openapi: string;
  /** SHA-256 of the document, in hexadecimal. */
  readonly hash: string;
  /** Name of the file that it came from, without its folder. */
  readonly file: string;
  /** RFC 3339, in UTC. */
  readonly importedAt: string;
  /** Name of the header that says which merchant account a request is for, in lower case; where its operations have one. */
  readonly merchantHeader?: string;
  /** The addresses that the document names; payctl never uses one by itself. */
  readonly servers?: readonly string[];
  /** The operations that can be run, in the order of the document. */
  readonly operations: readonly IndexedOperation[];
  /** The operations that payctl cannot run, in the order of the document; imports of earlier versions have none. */
  readonly notRun?: readonly NotRunOperation[];
  /** What the document describes and payctl does not run or checks less than it says, each with the reason. */
  readonly issues: readonly ImportIssue[];
};

/** What an index has of an operation, each where it is neither undefined nor false. */
export const INDEXED = [
  ...(['id', 'method', 'path', 'summary', 'command', 'aliases', 'tag', 'scopes', 'needsAllScopes'] as const),
  ...(['security', 'isDeprecated', 'isList', 'hasBody', 'hasVersions'] as const),
];

type Flag = 'isList' | 'hasBody';

/** The line of an index: enough to find, list and complete a command. The rest of the operation is in a file of its own. */
export type IndexedOperation = Pick<ImportedOperation, Exclude<(typeof INDEXED)[number], Flag>> &
  Partial<Pick<ImportedOperation, Flag | 'paginated'>> & {
    /** Names of the path parameters, which are the arguments of the command. */
    readonly arguments?: readonly string[];
    /** Names of the query parameters that it requires. */
    readonly needs?: readonly string[];
    /** Where the store has the rest of it: offset and length, in bytes, and a checksum. */
    readonly at?: readonly [offset: number, length: number, sum: number];
  };

/** The values of `x-payctl-action`. */
export const ACTIONS = [
  ...(['list', 'search', 'create', 'get', 'replace', 'update', 'delete', 'delete-all'] as const),
  ...(['custom', 'document'] as const),
];

/**
 * What an operation does: `custom` is a verb on one record (`/payments/{id}/capture`), and `document` reads or changes the only
 * document at a path, such as settings.
 */
export type Action = (typeof ACTIONS)[number];

/** The model of an operation. */
export type OperationModel = {
  /** What it does with the records of its resource; undefined if neither path nor method tells. */
  readonly action?: Action;
  /** The path of the collection that its record is in, with `{}` for each parameter. */
  readonly resource?: string;
  /** Dotted path of the member with the ID of a record, unless it is `id`. */
  readonly recordId?: string;
  /** The member of its body, or the query parameter, with the ID of the record, if its path has none. */
  readonly key?: string;
  /** The status of the record after a custom action, if its schema has a value for it. */
  readonly newStatus?: string;
  /** Where its bodies have the record, unless a body is the record. */
  readonly record?: RecordPlace;
  /** How the body of a capture or a refund can name its payment, if its path names none: each is the body member that holds the payment's ID, and the path of the collection of payments. */
  readonly payments?: readonly { readonly member: string; readonly collection: string }[];
};

/** An operation of the index with its model, which is stored separately: few runs need the models of all operations. */
export type ModelledOperation = IndexedOperation & OperationModel;

/** An operation of the document that payctl cannot run: its names, and the reason. */
export type NotRunOperation = Pick<
  IndexedOperation,
  'id' | 'method' | 'path' | 'summary' | 'command' | 'aliases' | 'tag' | 'isDeprecated'
> & {
  /** The stable code of its issue. */
  readonly code: string;
  /** Why payctl cannot run it, as a sentence. */
  readonly reason: string;
  /** A JSON pointer into the document. */
  readonly pointer: string;
};

/** An operation of an imported description. */
export type ImportedOperation = Operation &
  OperationModel & {
    /** The words of its command, such as `transactions refunds list`. */
    readonly command: string;
    /** Further names of the command. */
    readonly aliases?: readonly string[];
    readonly tag?: string;
    /** The description of the document, as plain text. */
    readonly description?: string;
    readonly isDeprecated?: boolean;
    /** The parameters of the path, in the order in which it names them. */
    readonly pathValues: Readonly<Record<string, QueryParameter>>;
    /** Its record has versions: it accepts `If-Match` or `If-None-Match`, or responds with an `ETag`. */
    readonly hasVersions?: boolean;
    /** How a list is sent: in a member of an object, or as an array. */
    readonly listShape?: 'envelope' | 'array';
    /** Where an envelope has its list and its next cursor, unless they are `items` and `next_cursor`, and `cursor` takes it. */
    readonly envelope?: Envelope;
    /** The pages of a list lead to one another by `Link` headers, which the description names. */
    readonly isLinked?: boolean;
    /** How the pages of a list lead to one another where no cursor does, as far as the description says. */
    readonly paging?: Paging;
    /** The largest page, where the schema of `limit` gives it. */
    readonly largestPage?: number;
    /** The secrets of the response that the names of members do not tell, for a list below its `items`. */
    readonly secretData?: MemberMarks;
    /** Personal data are known by the names of members alone, because the document marks none. */
    readonly personalByName?: boolean;
    /** The media type of the body, where it is not `application/json`. */
    readonly bodyType?: string;
    /** How a body is written that is neither JSON nor a form: as parts (`multipart/form-data`), or unchanged. */
    readonly bodyKind?: 'multipart' | 'bytes';
    /** The other media types that the body may have. */
    readonly otherBodies?: readonly BodyForm[];
    /** The media types of a body that is sent unchanged, in the order of the document; `image/*` is any image. */
    readonly bodyTypes?: readonly string[];
    /** What a text that is the whole body may be, where that is an integer; kept for no other type. */
    readonly bodyValue?: QueryParameter;
    /** The media types of the parts of a body, where the description has them. */
    readonly partTypes?: Readonly<Record<string, string>>;
    /** How the members of a form are written, where the description says so. */
    readonly bodyEncoding?: FormEncoding;
    /** The media types of the successful response if none of them is JSON: its bytes are written unchanged. */
    readonly downloadTypes?: readonly string[];
    /** The document says nothing about the content of the response, which may be JSON or a file. */
    readonly isUndescribed?: boolean;
    /** Default columns of a table, as dotted paths. */
    readonly columns: readonly string[];
    /** What the values of these columns are, where the schema says so; none in an import of an earlier version. */
    readonly columnKinds?: Readonly<Record<string, ColumnKind>>;
    /** Dotted paths of the fields of the response (of an item, for a list), for `--columns` and completion. */
    readonly fields: readonly string[];
    /** Those of `fields` that are amounts in the major unit of their currency: numbers that may have decimals. */
    readonly majorFields?: readonly string[] | undefined;
    /** Whether a request without a body is refused. */
    readonly bodyRequired?: boolean;
    /** The schema of the successful response, in the same form. */
    readonly responseBodySchema?: unknown;
  };

/** Where bodies have the record: the dotted paths of the members that hold it. */
export type RecordPlace = {
  readonly response?: string;
  /** Of a list, in each of its items. */
  readonly item?: string;
  readonly request?: string;
};

/** What an operation says about a body in one of its media types: how it is written, and its schema. */
export const BODY_FORM = [
  ...(['bodyType', 'bodyKind', 'bodyTypes', 'bodyValue', 'partTypes', 'bodyEncoding'] as const),
  ...(['bodySchema', 'requestSchema', 'idempotencyMember'] as const),
];

/** A body in one of its media types. */
export type BodyForm = Pick<ImportedOperation, (typeof BODY_FORM)[number]>;

/** The envelope of a list. */
export type Envelope = {
  /** Dotted path of the member that is the list. */
  readonly items: string;
  /** Dotted path of the next cursor, where there is one. */
  readonly nextCursor?: string;
  /**
   * Dotted path of the member that says whether there are more items; without a `nextCursor`, the cursor of the next page is the ID
   * of the last one.
   */
  readonly hasMore?: string;
  /** Dotted path of the member that says whether a page is the last one, where the next cursor does not. */
  readonly isLast?: string;
  /** Dotted path of this ID in an item, unless it is `id`. */
  readonly itemId?: string;
  /** The parameter that takes the cursor, unless it is `cursor`. */
  readonly cursorParameter?: string;
};

/** How the pages of a list lead to one another where no cursor does: by what a page says about itself, or by counting. */
export type Paging = {
  readonly counted?: CountedPages;
  /** The header of a page that names the next cursor, in lower case, and the parameter that takes it. */
  readonly header?: { readonly name: string; readonly parameter: string };
  /** What a page says about itself, where the description names it. */
  readonly members?: PageMembers;
};

/** Where a page says what comes after it: each member by the names that lead to it. */
export type PageMembers = {
  /** An address, the object of a link, or a list of links; the first that has a value counts. */
  readonly next?: readonly MemberPath[];
  /** The number of the next page, or of the items before it. */
  readonly nextNumber?: readonly MemberPath[];
  readonly hasMore?: MemberPath;
  readonly isLast?: MemberPath;
  /** The number of all items. */
  readonly total?: MemberPath;
  readonly totalPages?: MemberPath;
  /** The number of this page, and of the items before it. */
  readonly page?: MemberPath;
  readonly offset?: MemberPath;
};

type MemberPath = readonly string[];

/** Something in the document that payctl does not support, or checks less strictly than the document says. */
export type ImportIssue = {
  /** Stable, such as `body_not_json` or `name_taken`. */
  readonly code: string;
  /** A JSON pointer into the document. */
  readonly pointer: string;
  readonly message: string;
  /** Whether the operation at the pointer cannot be run. */
  readonly isSkipped?: boolean;
};
