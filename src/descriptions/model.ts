import { quote } from '../text/format.ts';
import type { OperationContext } from './declaration.ts';
import type { Action, OperationModel } from './imported-operation.ts';
import { lastWord, plainPath, singular } from './path-words.ts';
import type { Read } from './read-all.ts';
import { idPathOf } from './record-place.ts';

const ITEM_ACTIONS = { GET: 'get', DELETE: 'delete', POST: 'merge', PUT: 'replace', PATCH: 'merge' } as const;

/** Every action, by the name that `x-payctl-does` takes. */
const ACTIONS: ReadonlySet<string> = new Set<Action>([
  ...(['list', 'search', 'create', 'get', 'replace', 'merge', 'delete', 'act', 'document'] as const),
]);

type Methods = ReadonlyMap<string, Read>;

/**
 * The model of a description: what each operation does, with the records of which resource, and what names these. A resource is a
 * collection with the records in it; `/payments/{}/refunds` is the path of one. `x-payctl-does`, `x-payctl-resource` and
 * `x-payctl-id` of an operation correct what its path and method say.
 */
export function modelOf(operations: readonly Read[], context: OperationContext): readonly OperationModel[] {
  const paths = Map.groupBy(operations, ({ operation }) => plainPath(operation.path));
  const methods = new Map(
    [...paths].map(([path, all]) => [path, new Map(all.map((one) => [one.operation.method, one]))]),
  );
  const found = operations.map((one) => corrected(one, placeIn(methods, one.operation), context));
  const collections = Map.groupBy(operations.keys(), (index) => found[index]?.resource);
  const ids = new Map(
    [...collections].map(([resource, indexes]) => {
      const all = [...indexes].flatMap((index) => operations[index] ?? []);
      return [resource, resource === undefined ? undefined : idOf(resource, all, context)] as const;
    }),
  );
  return found.map((model) => {
    const recordId = ids.get(model.resource);
    return { ...model, ...(recordId !== undefined && recordId !== 'id' && { recordId }) };
  });
}

/** What a method does on a path, and the resource that it is about. */
function placeIn(
  methods: ReadonlyMap<string, Methods>,
  { method, path: written, isList }: Read['operation'],
): OperationModel {
  const path = plainPath(written);
  const outer = path.slice(0, path.lastIndexOf('/'));
  const isCollection = (at: string) => isResource(methods, at);
  if (path.endsWith('/{}')) return { does: ITEM_ACTIONS[method], resource: outer };
  const all = methods.get(path);
  const isOwn = isCollection(path);
  if (isOwn && method === 'GET') return { does: 'list', resource: path };
  if (isOwn && method === 'POST') return { does: isList ? 'search' : 'create', resource: path };
  const above = outer.endsWith('/{}') ? outer.slice(0, -'/{}'.length) : undefined;
  const record = above !== undefined && isCollection(above) ? above : undefined;
  if (method === 'POST' && isList && isCollection(outer)) return { does: 'search', resource: outer };
  const isDocument = method === 'GET' || all?.has('GET') === true || method === 'DELETE';
  if (!isOwn && isDocument) return { does: 'document' };
  if (record === undefined) return {};
  return { ...(!isOwn && { does: 'act' as const }), resource: record };
}

/** Whether a path is that of a collection: its records have paths, it is listed, or it is searched. */
function isResource(methods: ReadonlyMap<string, Methods>, path: string): boolean {
  const all = methods.get(path);
  const isListed = all?.get('GET')?.operation.isList === true;
  if (isListed || methods.has(`${path}/{}`)) return true;
  const isSearch = all?.get('POST')?.operation.isList === true;
  const outer = path.slice(0, path.lastIndexOf('/'));
  return isSearch && !isResourceWithItems(methods, outer);
}

function isResourceWithItems(methods: ReadonlyMap<string, Methods>, path: string): boolean {
  return methods.get(path)?.get('GET')?.operation.isList === true || methods.has(`${path}/{}`);
}

function corrected(
  { declaration }: Read,
  model: OperationModel,
  { issues }: OperationContext,
): OperationModel {
  const { value, location } = declaration;
  const { 'x-payctl-does': does, 'x-payctl-resource': resource } = value;
  if (does !== undefined && !ACTIONS.has(String(does))) {
    const message = `"x-payctl-does" may be ${[...ACTIONS].join(', ')}, not ${quote(String(does))}; it is ignored`;
    issues.add(location, { code: 'model_invalid', message });
  }
  return {
    ...model,
    ...(ACTIONS.has(String(does)) && { does: does as Action }),
    ...(typeof resource === 'string' && { resource: plainPath(resource) }),
  };
}

/** The member that names the records of a resource, by the best operation that shows one. */
function idOf(
  resource: string,
  operations: readonly Read[],
  { shapes }: OperationContext,
): string | undefined {
  const given = operations
    .map(({ declaration }) => declaration.value['x-payctl-id'])
    .find((id) => typeof id === 'string');
  if (given !== undefined) return given;
  const item = operations.find(({ operation }) => plainPath(operation.path) === `${resource}/{}`);
  const [name, parameter] = Object.entries(item?.operation.pathValues ?? {}).at(-1) ?? [];
  const of = name === undefined ? undefined : { name, isInteger: parameter?.type === 'integer' };
  const shown = operations.filter(({ operation: { path } }) =>
    [resource, `${resource}/{}`].includes(plainPath(path)),
  );
  const order = [item, ...shown].filter((one) => one !== undefined && one.record.members.size > 0);
  const noun = singular(lastWord(resource)).replaceAll('_', '-');
  for (const one of order) {
    const id = one && idPathOf(one.record, shapes.views, { noun, parameter: of });
    if (id !== undefined) return id;
  }
  return undefined;
}
