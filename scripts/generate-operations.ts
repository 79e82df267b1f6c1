import type { QueryParameter } from '../src/contract/operation.ts';
import type { Import } from '../src/descriptions/import-description.ts';
import type { ImportedOperation } from '../src/descriptions/imported-operation.ts';

/** Parameters of every paginated list. Their flags are the same everywhere, so no description is needed for them. */
const PAGING = ['cursor', 'limit'];

/** What is generated of an operation, in this order. */
const GENERATED = [
  ...(['id', 'method', 'path', 'summary', 'scopes', 'piiScope', 'merchantAccount', 'isList'] as const),
  ...(['paginated', 'pathParameters', 'query', 'hasBody', 'bodySchema'] as const),
  ...(['successStatus', 'responseSchema', 'personalData', 'errors'] as const),
];

function queryOf({ query }: ImportedOperation) {
  return Object.entries(query).map(([name, { summary, ...limits }]): [string, QueryParameter] => [
    name,
    PAGING.includes(name) ? limits : { ...limits, ...(summary !== undefined && { summary }) },
  ]);
}

/** The parameters that several operations have, by their names. */
function sharedAmong(operations: readonly ImportedOperation[]): ReadonlyMap<string, string> {
  const all = operations.flatMap(queryOf).map(([name, parameter]) => [name, literal(parameter)] as const);
  const isShared = ([name, text]: readonly [string, string]) =>
    all.filter(([other, its]) => other === name && its === text).length > 1;
  return new Map(all.filter(isShared));
}

function generatedOf(operation: ImportedOperation, shared: ReadonlyMap<string, string>) {
  const query = queryOf(operation).map(([name, parameter]) => {
    const isShared = shared.get(name) === literal(parameter);
    return [name, isShared ? new Code(name) : parameter] as const;
  });
  const all = { ...operation, query: Object.fromEntries(query) };
  return Object.fromEntries(
    GENERATED.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
  );
}

/** TypeScript that is printed as it is. */
class Code {
  readonly text: string;

  constructor(source: string) {
    this.text = source;
  }
}

/** Prints a JSON value, which may have `Code` in it, as TypeScript: objects over lines with bare keys, lists on one line. */
export function literal(value: unknown, indent = ''): string {
  if (value instanceof Code) return value.text;
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const lines = Object.entries(value).map(([key, item]) =>
    item instanceof Code && item.text === key
      ? `${indent}  ${key},\n`
      : `${indent}  ${nameText(key)}: ${literal(item, `${indent}  `)},\n`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
}

/** A name as TypeScript has it: bare where it can be. */
function nameText(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : literal(name);
}

/** The text of src/contract/generated/operations.ts, without its notice. */
export function operationsText({ index, records }: Import): string {
  const all = records.map(({ operation }) => operation);
  const shared = sharedAmong(all);
  const constants = [...shared].map(([name, text]) => `const ${name} = ${text} as const;\n\n`);
  const operations = Object.fromEntries(all.map((one) => [one.id, generatedOf(one, shared)]));
  const named = new Set(all.flatMap(({ scopes, piiScope }) => [...scopes, piiScope ?? []].flat()));
  const scopes = [...named].sort().map((scope) => `  ${literal(scope)},\n`);
  return `
import type { ContractOperation } from '../operation.ts';

export type { ContractOperation, Operation, QueryParameter } from '../operation.ts';

/** Name of the header that says which merchant account a request is for, unless a profile names another one. */
export const MERCHANT_HEADER = ${literal(index.merchantHeader)};

${constants.join('')}/** Every endpoint of the contract by its operation id. */
export const operations = ${literal(operations)} as const satisfies Record<string, ContractOperation>;

/** The name of one endpoint of the contract. */
export type OperationId = keyof typeof operations;

/** The name of an endpoint that lists and needs no ID. */
export type ListId = {
  [Id in OperationId]: (typeof operations)[Id]['isList'] extends true ? Id : never;
}[OperationId];

/** Every scope that the contract names, sorted. */
export const scopes = [
${scopes.join('')}] as const;

/** A scope that the contract names. */
export type Scope = (typeof scopes)[number];
`;
}
