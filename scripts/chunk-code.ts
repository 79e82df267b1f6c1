import { parseAst } from 'rolldown/parseAst';

/** The members of a syntax tree that this file reads. */
type Part = { readonly type: string; readonly start: number; readonly end: number };
type Tree = Part & Readonly<Record<string, unknown>>;
type Exported = Part & { readonly name: string; readonly local: string };

/**
 * The code of a chunk with values as exports instead of the bundler's getters, which are functions to create, to cache and to
 * call. A variable that may be assigned later keeps its getter.
 * @throws Error if a chunk exports something before its end, where some variables have no value yet
 */
export function plainExports(code: string): string {
  const body = parseAst(code).body as unknown as readonly Tree[];
  const parts = body.flatMap(partsOf);
  const fixed = fixedNames(body);
  const first = parts.findIndex((part) => exportedBy(part, code) !== undefined);
  if (first === -1) return code;
  const exported = parts.slice(first).map((part) => exportedBy(part, code));
  const start = parts[first]?.start ?? 0;
  if (exported.includes(undefined))
    throw new Error('the bundler changed: it exports before the end of a chunk');
  const values: Exported[] = [];
  const getters: string[] = [];
  for (const each of exported as readonly Exported[]) {
    if (each.local.startsWith('`') || fixed.has(each.local)) values.push(each);
    else getters.push(code.slice(each.start, each.end));
  }
  const plain = `${code.slice(0, start)}${[...assignments(values), ...getters].join(',')};`;
  // A chunk that cannot be read would be found out only by the command that loads it.
  parseAst(plain);
  return plain;
}

/** Sets exports in a loop. V8 would set the properties of an object literal one by one, each as the first of its kind. */
function assignments(values: readonly Exported[]): readonly string[] {
  if (values.length === 0) return [];
  const names = JSON.stringify(values.map(({ name }) => name).join(','));
  const locals = values.map(({ local }) => local).join(',');
  return [
    `((names,values)=>values.forEach((value,at)=>{exports[names[at]]=value}))(${names}.split(","),[${locals}])`,
  ];
}

/** A statement, or the parts of its sequence expression. */
function partsOf(statement: Tree): readonly Tree[] {
  const expression = statement.expression as (Tree & { readonly expressions?: readonly Tree[] }) | undefined;
  if (statement.type !== 'ExpressionStatement' || !expression) return [statement];
  return expression.type === 'SequenceExpression' ? (expression.expressions ?? []) : [expression];
}

/** The bundler writes a getter, or in the file of an entry a value. */
const GETTER =
  /^Object\.defineProperty\(exports,"([\w$]+)",\{enumerable:!0,get:function\(\)\{return ?([\w$]+|`[^`$\\]*`)\}\}\)$/;
const VALUE = /^exports\.([\w$]+)=([\w$.]+|`[^`$\\]*`)$/;

function exportedBy({ start, end, type }: Tree, code: string): Exported | undefined {
  const text = code.slice(start, end);
  const [, name, local] = GETTER.exec(text) ?? VALUE.exec(text) ?? [];
  return name !== undefined && local !== undefined ? { type, start, end, name, local } : undefined;
}

/** The names in a chunk whose value never changes: functions, classes, constants, and variables without an assignment. */
function fixedNames(body: readonly Tree[]): ReadonlySet<string> {
  const declared = body.flatMap((statement) => {
    if (statement.type === 'VariableDeclaration')
      return (statement.declarations as readonly { id: Tree; init: Tree | null }[]).flatMap(({ id, init }) =>
        id.type === 'Identifier' && init ? [String(id.name)] : [],
      );
    const id = statement.id as Tree | undefined;
    return /^(Function|Class)Declaration$/.test(statement.type) && id ? [String(id.name)] : [];
  });
  const assigned = new Set(treesIn(body).flatMap(assignedNames));
  return new Set(declared.filter((name) => !assigned.has(name)));
}

/** The names that a part of a program assigns to outside a declaration, in any scope. */
function assignedNames({ type, left, argument }: Tree): readonly string[] {
  const target =
    type === 'UpdateExpression'
      ? argument
      : /^(AssignmentExpression|For(In|Of)Statement)$/.test(type)
        ? left
        : undefined;
  return treesIn(target)
    .filter((part) => part.type === 'Identifier')
    .map((part) => String(part.name));
}

/** A tree and all of its parts. */
function treesIn(value: unknown): readonly Tree[] {
  const found: Tree[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    if ('type' in next) found.push(next as Tree);
    left.push(...Object.values(next));
  }
  return found;
}
