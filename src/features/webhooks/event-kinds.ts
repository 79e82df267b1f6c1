import { COMMAND_OPERATIONS } from '../../cli/routing/catalog/operations.ts';
import type { DescriptionInUse } from '../../cli/session/description-in-use.ts';
import { actionVerb, pastTense } from '../../descriptions/action-words.ts';
import type { ImportedOperation, ModelledOperation } from '../../descriptions/imported-operation.ts';
import { lastWord, singular } from '../../descriptions/path-words.ts';
import { readModel, readOperation } from '../../descriptions/read-store.ts';
import { isObject } from '../../json/is-object.ts';
import { pointerSegment, valueAtPointer } from '../../json/pointer.ts';
import { elementSchemas, memberSchemas, partsOf, schemaBelow } from '../../schemas/schema-at.ts';

/** A kind of records that events can be about. */
export type EventKind = {
  /** Its word in events, such as `checkout-session`. */
  readonly name: string;
  /** What the description says can happen to a record, in the past tense, with the status that follows, if it is known. */
  readonly pasts: ReadonlyMap<string, string | undefined>;
  /** The schema of a record with its definitions below `$defs`; read when it is asked for. */
  readonly schema: () => unknown;
};

/** What can happen to any record. */
const USUAL_PASTS = ['created', 'updated', 'deleted'] as const;

/** The kinds of records of the imported description, if there is one, and those of the contract that it does not have; by name. */
export async function eventKinds(
  imported: DescriptionInUse | undefined,
): Promise<ReadonlyMap<string, EventKind>> {
  const kinds = [...(await contractKinds()), ...(imported ? importedKinds(imported) : [])];
  const sorted = kinds.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return new Map(sorted.map((kind) => [kind.name, kind]));
}

const usual = () => new Map<string, string | undefined>(USUAL_PASTS.map((past) => [past, undefined]));

async function contractKinds(): Promise<readonly EventKind[]> {
  const { default: contract } = await import('../../contract/generated/description.json', {
    with: { type: 'json' },
  });
  const text = JSON.stringify(contract).replaceAll('#/components/schemas/', '#/$defs/');
  const document: unknown = JSON.parse(text);
  const $defs = valueAtPointer(document, '/components/schemas');
  return Object.values(COMMAND_OPERATIONS).flatMap(({ method, path, successStatus, isList }) => {
    const pointer = `/paths/${pointerSegment(path)}/${method.toLowerCase()}/responses/${successStatus}/content/application~1json/schema`;
    const response = valueAtPointer(document, pointer);
    const root = { ...(isObject(response) ? response : {}), $defs };
    const schema = isList ? itemOf(root, {}) : root;
    const name = wordOf(schema);
    return name === undefined ? [] : [{ name, pasts: usual(), schema: () => schema }];
  });
}

/** The only value that the `type` of a record may have. */
function wordOf(schema: unknown): string | undefined {
  const types = memberSchemas(partsOf(schema, schema), 'type');
  const values = types.flatMap((type) => partsOf(type, schema)).map((type) => type.const);
  return values.find((value) => typeof value === 'string');
}

/** How much an operation says about the records of its kind: the more, the earlier it comes. */
const TELLING = ['get', 'list', 'search', 'create', 'replace', 'update'] as const;

function importedKinds({ folder, index }: DescriptionInUse): readonly EventKind[] {
  const models = readModel(folder, index);
  const resources = Object.groupBy(models, ({ resource = '' }) => resource);
  return Object.entries(resources).flatMap(([resource, operations = []]) => {
    const telling = TELLING.flatMap((action) => operations.filter((one) => one.action === action));
    const noun = singular(lastWord(resource));
    const [first] = telling;
    if (!first || noun === '') return [];
    const indexed = index.operations.find(({ id }) => id === first.id);
    const schema = () => indexed && recordOf(readOperation(folder, indexed));
    return [{ name: noun.replaceAll('_', '-'), pasts: pastsOf(operations, noun), schema }];
  });
}

function pastsOf(
  operations: readonly ModelledOperation[],
  noun: string,
): ReadonlyMap<string, string | undefined> {
  const actions = operations.flatMap(({ action, path, newStatus }): [string, string | undefined][] =>
    action === 'custom' ? [[pastTense(actionVerb(lastWord(path), noun)), newStatus]] : [],
  );
  return new Map([...usual(), ...actions]);
}

function recordOf(operation: ImportedOperation): unknown {
  const { responseBodySchema: root, listShape, record, requestSchema } = operation;
  if (root === undefined) return requestSchema;
  return listShape === undefined
    ? schemaBelow(root, record?.response)
    : schemaBelow(itemOf(root, operation), record?.item);
}

function itemOf(
  root: unknown,
  { listShape, envelope }: Pick<ImportedOperation, 'listShape' | 'envelope'>,
): unknown {
  const list = listShape === 'array' ? root : schemaBelow(root, envelope?.items ?? 'items');
  const [item] = elementSchemas(partsOf(list, root));
  return isObject(item) && isObject(root) ? { ...item, $defs: root.$defs } : item;
}
