import { isShortIdOf, kebabCase, requireValue } from '../../cli/flags/parameters.ts';
import type { Session } from '../../cli/session/session.ts';
import { type IdList, wholeId } from '../../cli/show/short-id.ts';
import type { QueryValue } from '../../client/call.ts';
import type { QueryParameter } from '../../contract/operation.ts';
import type { IndexedOperation } from '../../descriptions/imported-operation.ts';
import { own } from '../../json/is-object.ts';
import { argumentName, isShortId } from '../../text/format.ts';
import type { ImportedRun } from './imported-run.ts';
import { nounOf } from './list-look.ts';
import { ownOperations, type RunnableOperation } from './own-operations.ts';

/** The values of the parameters of a path. */
export type PathValues = Readonly<Record<string, string | readonly string[]>>;

/** Whether a value may be a short ID; with `isSure` only where it can be nothing else. */
function isShort(value: unknown, parameter: QueryParameter | undefined, isSure: boolean): value is string {
  if (parameter && isShortIdOf(parameter, value)) return true;
  return !isSure && typeof value === 'string' && isShortId(value);
}

/**
 * The path with whole IDs in the place of short ones, each from the list above it: that of `/buyers/{id}` is `/buyers`.
 * @throws FlagError for a short ID of which there is no list; otherwise as `wholeId`
 */
export async function withWholePath(
  session: Session,
  run: ImportedRun,
  { path, isSure }: { readonly path: PathValues; readonly isSure: boolean },
): Promise<Record<string, string | readonly string[]>> {
  const { operation } = run;
  const whole: Record<string, string | readonly string[]> = { ...path };
  for (const name of operation.pathParameters) {
    const value = whole[name];
    if (!isShort(value, own(operation.pathValues, name), isSure)) continue;
    const above = operation.path.slice(0, operation.path.indexOf(`/{${name}}`));
    const list = listAt(run, (one) => one.path === above);
    const argument = argumentName(kebabCase(name));
    whole[name] = await lookUp(session, list, { what: argument, value, path: whole, operation, name });
  }
  return whole;
}

/** The query in the same way: the list of the IDs of `buyer_id` is `/buyers`. */
export async function withWholeQuery(
  session: Session,
  run: ImportedRun,
  {
    query,
    flags,
  }: { readonly query: Record<string, QueryValue>; readonly flags: ReadonlyMap<string, string> },
): Promise<Record<string, QueryValue>> {
  const { operation } = run;
  const whole: Record<string, QueryValue> = Object.assign(Object.create(null), query);
  for (const [name, value] of Object.entries(query)) {
    const parameter = own(operation.query, name);
    if (typeof value !== 'string' || !isShortId(value) || !parameter) continue;
    const kind = kebabCase(name).replace(/-?(?:uu)?id$/, '');
    const isId = kind !== kebabCase(name) || parameter.format === 'uuid';
    const list = isId ? listAt(run, (one) => isCollectionOf(one, kind)) : undefined;
    if (!list && parameter.format !== 'uuid') continue;
    const what = `--${flags.get(name) ?? name}`;
    whole[name] = await lookUp(session, list, { what, value, path: {}, operation, name });
  }
  return whole;
}

type Asked = {
  readonly what: string;
  readonly value: string;
  readonly path: PathValues;
  readonly operation: RunnableOperation;
  readonly name: string;
};

async function lookUp(
  session: Session,
  list: RunnableOperation | undefined,
  { what, value, path, operation, name }: Asked,
): Promise<string> {
  if (!list) {
    const parameter = own(operation.pathValues, name) ?? own(operation.query, name);
    if (parameter) await requireValue(what, value, parameter);
    return value;
  }
  const client = await session.client();
  const nouns = nounOf(list);
  const ids: IdList = {
    list: client.list(list, { path, pagedBy: list.isOwn ? undefined : 'description' }),
    path: idMemberOf(list),
    noun: 'record',
    nouns,
    within: nouns,
  };
  const whole = await wholeId(session, value, ids);
  session.display.info(`${what} ${value} is ${whole}.`);
  return whole;
}

/** The member with the ID of an item: `id`, or the first column, if it is named as one. */
function idMemberOf({ fields, columns: [first = 'id'] }: RunnableOperation): string {
  return fields.includes('id') || !/(?:id|guid)$/i.test(first) ? 'id' : first;
}

function listAt(
  { operation, description }: ImportedRun,
  isMeant: (operation: Pick<IndexedOperation, 'path'>) => boolean,
): RunnableOperation | undefined {
  const isList = (one: Pick<IndexedOperation, 'path' | 'method'> & { readonly isList?: boolean }) =>
    one.isList === true && one.method === 'GET' && isMeant(one);
  if (operation.isOwn) return ownOperations().find(isList);
  const found = description?.index.operations.find(isList);
  return found && description?.operation(found);
}

/** Whether a path is that of all records of a kind: `/v1/buyers` of `buyer`. */
function isCollectionOf({ path }: Pick<IndexedOperation, 'path'>, kind: string): boolean {
  if (path.includes('{')) return false;
  const last = kebabCase(path.slice(path.lastIndexOf('/') + 1));
  return [`${kind}s`, `${kind}es`, kind.replace(/y$/, 'ies')].includes(last) && kind !== '';
}
