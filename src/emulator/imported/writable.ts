import { elementSchemas, isMarked, partsOf } from '../../descriptions/schema-at.ts';
import { generate } from '../../descriptions/values/generate.ts';
import { oncePerObject } from '../../descriptions/values/memoize.ts';
import { allMembers, allowsOthers } from '../../descriptions/values/shape.ts';
import { isObject } from '../../json/is-object.ts';
import { createRandom } from '../../text/random.ts';
import { type Document, mapParts } from './overlay.ts';
import type { PreparedSchema } from './prepared.ts';

/** The members and elements that a schema names, in any branch of its unions, and whether a value may have other members. */
const namedBy = oncePerObject((schema: object, root: unknown) => {
  const rooted = { schema, root };
  const parts = partsOf(schema, root);
  const members = allMembers(rooted);
  const required = new Set(parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])));
  const [items] = elementSchemas(parts);
  return { members, required, isOpen: members.size === 0 || allowsOthers(rooted), items };
});

/**
 * The members of a body that a record stores. Leaves out top-level members that only the service writes and, at any depth, members
 * that the schema neither names nor allows, and those that are never shown (`writeOnly`). A required one gets a generated value.
 */
export function writable(body: Document, schema: PreparedSchema): Document {
  const { root, members } = schema;
  const given = mapParts(body, (member, name) =>
    isMarked(members.get(name), root, 'readOnly') ? [] : [member],
  );
  return shown(given, schema.schema, root) as Document;
}

/** A value without the members that are not stored; the same object if nothing is left out. */
function shown(value: unknown, schema: unknown, root: unknown): unknown {
  if (!isObject(schema) || (!isObject(value) && !Array.isArray(value))) return value;
  const { members, required, isOpen, items } = namedBy(schema, root);
  return mapParts(value, (part, name) => {
    if (Array.isArray(value)) return [shown(part, items, root)];
    if (!members.has(name)) return isOpen ? [part] : [];
    const of = members.get(name);
    if (!isMarked(of, root, 'writeOnly')) return [shown(part, of, root)];
    const how = { root, random: createRandom(1, name), atMs: 0, noun: 'record' };
    return required.has(name) ? [generate(of, how, name)] : [];
  });
}
