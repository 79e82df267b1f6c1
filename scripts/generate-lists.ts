/** A list that needs no ID, as `GET /buyers/gift-cards`. */
export type NamedList = {
  /** Of its operation. */
  readonly id: string;
  readonly path: string;
  /** Names of types in src/contract/generated/types.ts: what it holds, and what it can be asked. */
  readonly item: string;
  readonly query: string;
};

/** A list and those below it. The names are those of the paths: `buyers.giftCards` for /buyers/gift-cards. */
type ListTree = { readonly list: NamedList | undefined; readonly below: ReadonlyMap<string, ListTree> };

/** The text of src/client/generated/lists.ts: every list by its operation, and by the name that the client gives it. */
export function listsText(lists: readonly NamedList[]): string {
  const types = new Set(lists.flatMap(({ item, query }) => [item, query]).sort());
  const tree = treeOf(lists);
  return `
import { operations } from '../../contract/generated/operations.ts';
import type {
${[...types].map((name) => `  ${name},\n`).join('')}} from '../../contract/generated/types.ts';
import type { RequestContext } from '../call.ts';
import type { PagedResource } from '../page.ts';
import { createPagedResource } from '../paging/resource.ts';

${[...tree.below].map(aliasOf).join('')}/** Every list of the contract by its operation id. */
export type Lists = {
${lists.map((list) => `  /** GET ${list.path} */\n  readonly ${list.id}: ${typeOf(list)};\n`).join('')}};

/** Binds every list to a client's connections and settings. */
export function createLists(context: RequestContext): Lists {
  return {
${lists.map(({ id }) => `    ${id}: createPagedResource(context, operations.${id}),\n`).join('')}  };
}

/** The lists by the names that the client gives them, which are those of their paths. */
export type NamedLists = ${typeTree(tree)};

/** Gives the lists their names. */
export function nameLists(lists: Lists): NamedLists {
  return ${valueTree(tree, '  ')};
}
`;
}

function typeOf({ item, query }: NamedList): string {
  return `PagedResource<${item}, ${query}>`;
}

/** A type for a list with nothing below it; one with more has a type of its own, written by hand. */
function aliasOf([name, { list, below }]: [string, ListTree]): string {
  if (!list || below.size > 0) return '';
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  return `/** The methods of \`client.${name}\` (specification: GET ${list.path}). */\nexport type ${type} = ${typeOf(list)};\n\n`;
}

function treeOf(lists: readonly NamedList[], depth = 0): ListTree {
  const namesOf = ({ path }: NamedList) => path.split('/').slice(1).map(camelCase);
  const below = Map.groupBy(
    lists.filter((list) => namesOf(list).length > depth),
    (list) => namesOf(list)[depth] ?? '',
  );
  return {
    list: lists.find((list) => namesOf(list).length === depth),
    below: new Map([...below].map(([name, members]) => [name, treeOf(members, depth + 1)])),
  };
}

function camelCase(segment: string): string {
  return segment.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function typeTree({ list, below }: ListTree, indent = ''): string {
  const own = list ? `Lists['${list.id}']` : undefined;
  if (own && below.size === 0) return own;
  const members = [...below].map(
    ([name, tree]) => `${indent}  readonly ${name}: ${typeTree(tree, `${indent}  `)};\n`,
  );
  return `${own ? `${own} & ` : ''}{\n${members.join('')}${indent}}`;
}

function valueTree({ list, below }: ListTree, indent: string): string {
  const own = list ? `lists.${list.id}` : undefined;
  if (own && below.size === 0) return own;
  const members = [...below].map(
    ([name, tree]) => `${indent}  ${name}: ${valueTree(tree, `${indent}  `)},\n`,
  );
  return `{\n${own ? `${indent}  ...${own},\n` : ''}${members.join('')}${indent}}`;
}
