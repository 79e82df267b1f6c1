import { isObject } from '../json/is-object.ts';
import { pointerSegment } from '../json/pointer.ts';
import type { UnknownMember } from '../schemas/unknown-members.ts';
import { bodyFields } from './generated/body-fields.ts';

/**
 * The members of a body that the schema does not describe, in their order; of the elements of an array, each name once. Objects
 * whose members are free are not looked into. `schema` is the name of the schema of a request body.
 */
export function unknownMembers(schema: string, body: unknown): readonly UnknownMember[] {
  const fields = bodyFields[schema] ?? [];
  const found = new Map<string, UnknownMember>();
  const visit = (value: unknown, at: { readonly path: string; readonly pointer: string }): void => {
    const known = membersOf(fields, at.path);
    if (known.length === 0 || known.includes('*')) return;
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) {
        visit(element, { path: `${at.path}0.`, pointer: `${at.pointer}/${index}` });
      }
      return;
    }
    if (!isObject(value)) return;
    for (const [name, part] of Object.entries(value)) {
      const pointer = `${at.pointer}/${pointerSegment(name)}`;
      const path = at.path + name;
      if (known.includes(name)) visit(part, { path: `${path}.`, pointer });
      else if (!found.has(path)) found.set(path, { pointer, name, known });
    }
  };
  visit(body, { path: '', pointer: '' });
  return [...found.values()];
}

/** The names right below a path, which ends in a full stop unless it is empty. */
function membersOf(fields: readonly string[], path: string): readonly string[] {
  const below = fields.filter((field) => field.startsWith(path)).map((field) => field.slice(path.length));
  return below.filter((name) => !name.includes('.'));
}
