import { builtInCommands } from '../../cli/routing/built-in-commands.ts';
import { type DescriptionInputs, descriptionInUse } from '../../cli/session/description-in-use.ts';
import type { Display } from '../../cli/show/display.ts';
import { type Security, takesToken } from '../../contract/operation.ts';
import type { Comparable } from '../../descriptions/compare.ts';
import { completeOperation } from '../../descriptions/complete-operation.ts';
import { type Import, importDescription } from '../../descriptions/import-description.ts';
import type {
  ImportedDescription,
  ImportedOperation,
  IndexedOperation,
  ModelledOperation,
  NotRunOperation,
} from '../../descriptions/imported-operation.ts';
import { readImport, readModel, readOperation } from '../../descriptions/read-store.ts';

/** What is known about the service: an imported description, or payctl's own contract. */
export type KnownDescription = {
  readonly index: ImportedDescription;
  /** It is payctl's own contract, because nothing was imported. */
  readonly isOwn: boolean;
  /** The operations of the index with their models; none for payctl's own contract. */
  model(): readonly ModelledOperation[];
  /** Everything that is known about an operation of the index. */
  operation(indexed: IndexedOperation): ImportedOperation;
};

/** The description that a run uses; payctl's own contract where none was imported. @throws as `descriptionInUse` */
export async function knownDescription(inputs: DescriptionInputs): Promise<KnownDescription> {
  const imported = await descriptionInUse(inputs);
  if (imported) {
    const { folder, index } = imported;
    return {
      index,
      isOwn: false,
      model: () => readModel(folder, index),
      operation: (indexed) => readOperation(folder, indexed),
    };
  }
  return await ownKnown();
}

/** payctl's own contract, with all details of its operations. */
export async function ownKnown(): Promise<KnownDescription> {
  const own = await ownDescription();
  return {
    index: own.index,
    isOwn: true,
    model: () => [],
    operation: (indexed) => {
      const record = own.records[own.index.operations.indexOf(indexed)];
      if (!record) throw new TypeError(`${indexed.id} is not of this index`);
      return completeOperation(record, (name) => own.definitions.get(name));
    },
  };
}

/** The same, with everything that it says at once. */
export async function knownImport(inputs: DescriptionInputs): Promise<Comparable> {
  const imported = await descriptionInUse(inputs);
  return imported ? readImport(imported.folder, imported.index) : await ownDescription();
}

/** payctl's own contract, read as an imported description is. */
export async function ownDescription(): Promise<Import> {
  const { default: document } = await import('../../contract/generated/description.json', {
    with: { type: 'json' },
  });
  return await importDescription(JSON.stringify(document), { file: 'payctl', builtIn: builtInCommands() });
}

/** How an operation is called, and what for: what every record of one begins with. */
export function operationHead({
  id,
  command,
  aliases = [],
  method,
  path,
  summary,
}: Pick<NotRunOperation, 'id' | 'command' | 'aliases' | 'method' | 'path' | 'summary'>) {
  return { id, command, aliases, method, path, summary };
}

/** What an operation is listed as; every member is always there, so that scripts can rely on the shape. */
export function operationRecord(operation: IndexedOperation) {
  return {
    ...operationHead(operation),
    tag: operation.tag ?? null,
    scopes: operation.scopes,
    needs_all_scopes: operation.needsAllScopes ?? false,
    security: operation.security ?? null,
    list: operation.isList ?? false,
    paged: operation.paginated ?? false,
    body: operation.hasBody ?? false,
    deprecated: operation.isDeprecated ?? false,
    runnable: true,
    reason: null as string | null,
  };
}

/** The same for an operation that payctl cannot run; members that payctl did not read are false. */
export function notRunRecord(operation: NotRunOperation): ReturnType<typeof operationRecord> {
  const record = operationRecord({ ...operation, method: operation.method, scopes: [] });
  return { ...record, runnable: false, reason: operation.reason };
}

/** The model of an operation for output. Every member is always present. */
export function modelRecord(operation: ModelledOperation) {
  const { id, command, method, path, action, resource, recordId, key, newStatus, record } = operation;
  return {
    ...{ id, command, method, path },
    action: action ?? null,
    resource: resource ?? null,
    record_id: resource === undefined ? null : (recordId ?? 'id'),
    id_parameter: key ?? null,
    response_record: record?.response ?? record?.item ?? null,
    body_record: record?.request ?? null,
    new_status: newStatus ?? null,
  };
}

/** Whether records are shown to a person, and not to a program. */
export function forPerson({ format }: Pick<Display, 'format'>, { jq }: { readonly jq?: string | undefined }) {
  return format.isForPeople === true && jq === undefined;
}

/** A record in words: an operation whose scopes are not named may need some anyway. */
export function withScopeWords<
  T extends {
    readonly runnable: boolean;
    readonly scopes?: readonly string[];
    readonly security?: Security | null;
  },
>(record: T) {
  if (record.scopes?.length !== 0) return record;
  const mayNeed = record.runnable && takesToken({ security: record.security ?? undefined });
  return { ...record, scopes: mayNeed ? 'not named' : null };
}
