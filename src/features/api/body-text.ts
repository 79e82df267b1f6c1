import { defaultIn } from '../../descriptions/plain-text.ts';
import { isObject } from '../../json/is-object.ts';
import type { AnySchema } from '../../schemas/definitions.ts';
import { type SchemaView, viewsIn } from '../../schemas/schema-view.ts';
import { asSentence } from '../../text/format.ts';

/** The path of a member as `-F` takes it, and what it may be. */
type BodyRow = readonly [path: string, text: string];

type Above = {
  readonly path: string;
  readonly depth: number;
  /** The names of the definitions that this is within; what contains itself is shown once. */
  readonly within: readonly string[];
};

const DEEPEST = 3;
/** What a body of so many members holds further down is left to the example. */
const MOST_ROWS = 60;

/** The members of a body that a request can set, in their order, each followed by those in it; one of parts may have files. */
export function bodyRows(schema: unknown, hasFiles = false): readonly BodyRow[] {
  const views = viewsIn(schema);
  const view = (part: AnySchema): SchemaView => {
    const seen = views.of(part);
    return hasFiles ? seen : { ...seen, fileType: undefined };
  };
  let left = MOST_ROWS;
  const rowsOf = (outer: SchemaView, above: Above): BodyRow[] =>
    [...outer.members].flatMap(([name, part]) => {
      const member = view(part);
      if (member.isReadOnly || (left <= 0 && above.path !== '')) return [];
      left -= 1;
      const path = `${above.path}${name}`;
      const element = member.items === undefined ? undefined : view(member.items);
      const others = isObject(member.others) ? view(member.others) : undefined;
      const inner = element ?? member;
      const names = [member.name, element?.name].filter((one) => one !== undefined);
      const row: BodyRow = [path, textOf(member, { element, others, isRequired: outer.required.has(name) })];
      // The members of a union are those of its branches, which the examples show.
      if (inner.isUnion || above.depth === DEEPEST || names.some((one) => above.within.includes(one)))
        return [row];
      const below = {
        path: `${path}${element ? '[]' : ''}.`,
        depth: above.depth + 1,
        within: [...above.within, ...names],
      };
      return [row, ...rowsOf(inner, below)];
    });
  const top = views.of(schema as AnySchema | undefined);
  const rows = rowsOf(top, { path: '', depth: 1, within: top.name === undefined ? [] : [top.name] });
  return left <= 0 ? rowsOf(top, { path: '', depth: DEEPEST, within: [] }) : rows;
}

type RowSchemas = {
  readonly element: SchemaView | undefined;
  readonly others: SchemaView | undefined;
  readonly isRequired: boolean;
};

function textOf(view: SchemaView, { element, others, isRequired }: RowSchemas): string {
  const { types, isNullable, patterns, limits, description = '' } = view;
  const parts = element ?? (view.members.size === 0 ? others : undefined);
  const of = parts && kindOf(parts);
  const notes = [
    `${kindOf(view) || 'anything'}${of ? ` of ${of}` : ''}`,
    isNullable && types.size > 0 ? 'or null' : '',
    rangeText(limits.minimum, limits.maximum, ''),
    rangeText(limits.minLength, limits.maxLength, view.fileType === undefined ? ' characters' : ' bytes'),
    patterns[0] === undefined ? '' : `pattern ${patterns[0]}`,
    isRequired ? 'required' : '',
  ];
  return `${notes.filter((note) => note !== '').join(', ')}. ${memberText(description)}`.trim();
}

function kindOf({ values, format, types, fileType }: SchemaView): string {
  if (fileType !== undefined) return fileType === '' ? 'file' : `file (${fileType})`;
  if (!values) return format ?? [...types].join(' or ');
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' | ');
}

/** `1 to 5 characters`, `at least 1`; empty without limits. */
export function rangeText(from: number | undefined, to: number | undefined, unit: string): string {
  if (from === undefined) return to === undefined ? '' : `at most ${to}${unit}`;
  if (from === to) return `exactly ${from}${unit}`;
  return to === undefined ? `at least ${from}${unit}` : `${from} to ${to}${unit}`;
}

/** The first line of a description, and the sentence about a default. */
function memberText(description: string): string {
  const [line = ''] = description.split('\n');
  return [asSentence(line), defaultIn(line, description.replaceAll(/\s+/g, ' '))].filter(Boolean).join(' ');
}
