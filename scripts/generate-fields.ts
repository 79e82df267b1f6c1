import {
  type Endpoint,
  type Json,
  type JsonObject,
  list,
  object,
  resolve,
  schemaName,
} from './read-description.ts';

/**
 * The text of src/contract/generated/fields.ts: for each operation the dotted paths of what it answers with, a list's of one
 * item. `0` stands for any element of an array, `*` for any path below an object whose members are not described.
 */
export function fieldsText(document: JsonObject, endpoints: readonly Endpoint[]): string {
  const operations = endpoints.map((endpoint) => {
    const paths = [...new Set(pathsBelow(document, resourceOf(document, endpoint)))];
    return `  ${endpoint.id}: [\n${paths.map((path) => `    '${path}',\n`).join('')}  ],\n`;
  });
  return `
/** The fields of what each operation answers with, by dotted path: \`0\` is any element, \`*\` anything below. */
export const fields: Readonly<Record<string, readonly string[]>> = {
${operations.join('')}};
`;
}

/** The schema of one item of a list, else of the document. */
function resourceOf(document: JsonObject, { itemSchema, source }: Endpoint): JsonObject {
  const [success] = Object.entries(object(source.responses)).filter(([status]) => status.startsWith('2'));
  const name = itemSchema ?? schemaName(object(success?.[1]));
  return object(object(object(document.components).schemas)[name]);
}

/** Members first, then their own members. */
function pathsBelow(document: JsonObject, schema: JsonObject, above = ''): string[] {
  const alternatives = alternativesOf(document, schema);
  const members = alternatives.flatMap(({ properties }) => Object.entries(object(properties ?? {})));
  const elements = alternatives.flatMap(({ items }): [string, Json][] =>
    items === undefined ? [] : [['0', items]],
  );
  const parts = [...members, ...elements].map(([name, part]) => [above + name, object(part)] as const);
  if (parts.length === 0) return isOpen(alternatives) && above !== '' ? [`${above}*`] : [];
  const hasOthers = alternatives.some(
    ({ additionalProperties: others }) => others !== undefined && others !== false,
  );
  return [
    ...parts.map(([path]) => path),
    ...(hasOthers ? [`${above}*`] : []),
    ...parts.flatMap(([path, part]) => pathsBelow(document, part, `${path}.`)),
  ];
}

function alternativesOf(document: JsonObject, schema: JsonObject): readonly JsonObject[] {
  const found = resolve(document, schema);
  const choices = [...list(found.anyOf), ...list(found.oneOf), ...list(found.allOf)];
  return choices.length === 0
    ? [found]
    : choices.flatMap((choice) => alternativesOf(document, object(choice)));
}

/** Whether a value without described members may be an object. */
function isOpen(alternatives: readonly JsonObject[]): boolean {
  return alternatives.some(({ type, enum: values, const: value }) => {
    if (values !== undefined || value !== undefined) return false;
    return type === undefined || [type].flat().includes('object');
  });
}
