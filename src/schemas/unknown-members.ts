import { isObject } from '../json/is-object.ts';
import { pointerSegment } from '../json/pointer.ts';
import { memberSchemas, partsOf, type Schema } from './schema-at.ts';

/** A member of a request body that its schema does not describe. */
export type UnknownMember = {
  /** JSON pointer to it. */
  readonly pointer: string;
  readonly name: string;
  /** The members that its object may have, as far as the schema describes them. */
  readonly known: readonly string[];
};

/** Levels of a body that are looked into. */
const DEEPEST = 20;

/**
 * The members of a body that its schema does not name, in their order; of the elements of an array, each name once. Objects
 * that may have any member are not looked into. References of the schema are into itself.
 */
export function undescribedMembers(schema: unknown, body: unknown): readonly UnknownMember[] {
  const found = new Map<string, UnknownMember>();
  const visit = (value: unknown, schemas: readonly unknown[], at: MemberLocation): void => {
    if (at.depth > DEEPEST) return;
    const parts = schemas.flatMap((one) => partsOf(one, schema));
    if (Array.isArray(value)) {
      const items = parts.flatMap((part) => part.items ?? []);
      for (const [index, element] of value.entries()) visit(element, items, below(at, String(index), '0'));
      return;
    }
    if (!isObject(value) || parts.some(takesAnyMember)) return;
    const known = new Set(
      parts.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : [])),
    );
    if (known.size === 0) return;
    for (const [name, member] of Object.entries(value)) {
      const location = below(at, name);
      if (known.has(name)) visit(member, memberSchemas(parts, name), location);
      else if (!found.has(location.path))
        found.set(location.path, { pointer: location.pointer, name, known: [...known] });
    }
  };
  visit(body, [schema], { pointer: '', path: '', depth: 0 });
  return [...found.values()];
}

type MemberLocation = { readonly pointer: string; readonly path: string; readonly depth: number };

function below({ pointer, path, depth }: MemberLocation, name: string, inPath = name): MemberLocation {
  const segment = pointerSegment(name);
  return { pointer: `${pointer}/${segment}`, path: `${path}.${inPath}`, depth: depth + 1 };
}

function takesAnyMember({ additionalProperties, patternProperties, unevaluatedProperties }: Schema): boolean {
  return [additionalProperties, patternProperties, unevaluatedProperties].some(
    (rule) => rule === true || isObject(rule),
  );
}
