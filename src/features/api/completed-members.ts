import { isObject } from '../../json/is-object.ts';
import { isBinary } from '../../schemas/file-schema.ts';
import {
  elementSchemas,
  isReadOnlyMember,
  memberSchemas,
  partsOf,
  type Schema,
  typesOf,
} from '../../schemas/schema-at.ts';

const MOST = 400;
const DEEPEST = 4;

/**
 * The arguments of `-F` for the members of a body: `amount=`, `status=active`, `buyer.name=`, `tags[]=`, `items[0].name=`, and `[0].name=` in a list. At most
 * 400, outer members before inner ones. A body of parts may have files: `file=@`.
 */
export function completedMembers(schema: unknown, hasFiles = false): readonly string[] {
  const found = new Set<string>();
  const whole = partsOf(schema, schema);
  const items = below(elementSchemas(whole), schema);
  const top = items.length > 0 ? { path: '[0].', parts: items } : { path: '', parts: whole };
  const waiting = [{ ...top, depth: 0 }];
  for (let next = waiting.shift(); next && found.size < MOST; next = waiting.shift()) {
    for (const name of namesOf(next.parts)) {
      if (isReadOnlyMember(next.parts, name, schema)) continue;
      const path = `${next.path}${name.replaceAll(/[.[\]\\]/g, '\\$&')}`;
      const parts = below(memberSchemas(next.parts, name), schema);
      const elements = below(elementSchemas(parts), schema);
      const inner = elements.length > 0 ? elements : parts;
      const isList = elements.length > 0;
      if (namesOf(inner).length === 0)
        for (const each of endings(inner, hasFiles)) found.add(`${path}${isList ? '[]' : ''}=${each}`);
      else if (next.depth < DEEPEST)
        waiting.push({ path: `${path}${isList ? '[0]' : ''}.`, parts: inner, depth: next.depth + 1 });
    }
  }
  return [...found].slice(0, MOST);
}

function below(schemas: readonly unknown[], root: unknown): readonly Schema[] {
  return [...new Set(schemas.flatMap((schema) => partsOf(schema, root)))];
}

/** The names that `-F` can set; one that ends with a colon would make its value JSON. */
function namesOf(parts: readonly Schema[]): readonly string[] {
  const names = parts.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []));
  return [...new Set(names)].filter((name) => /^[^=]*[^=:]$/.test(name));
}

/** The empty text, for any value, and the values that the schema lists. */
function endings(parts: readonly Schema[], hasFiles: boolean): readonly string[] {
  const values = parts.flatMap(({ enum: all, const: only }) => {
    if (Array.isArray(all)) return all;
    return only === undefined ? [] : [only];
  });
  // A value with this prefix would name a file to send.
  const texts = values.filter((value) => typeof value === 'string' && !/^(?:@|-$|$)/.test(value));
  return [
    hasFiles && isBinary(parts) ? '@' : '',
    ...(typesOf(parts).has('boolean') ? ['true', 'false'] : []),
    ...texts,
  ];
}
