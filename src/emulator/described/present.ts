import { parseKeepingNumbers } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { createRandom } from '../seed/random.ts';
import { generate } from './generate.ts';
import { overlay } from './overlay.ts';
import type { PreparedSchema } from './prepared.ts';

/**
 * A stored document as an operation answers with it: as it is where its schema is that of the record, in a member of its own
 * where the answer has one for it, else as much of it as fits.
 */
export function present(document: string, answer: PreparedSchema, schema: PreparedSchema): string {
  if (answer.name !== undefined && answer.name === schema.name) return document;
  const fits = answer.fits.problems(JSON.parse(document)).length === 0;
  if (fits && !wrapperOf(answer, schema)) return document;
  const made = generate(answer.schema, {
    root: answer.root,
    random: createRandom(1, document.slice(0, 200)),
    atMs: Date.now(),
    noun: 'answer',
    isFresh: true,
  });
  const record: unknown = parseKeepingNumbers(document);
  if (!isObject(made) || !isObject(record)) return JSON.stringify(made);
  const wrapper = wrapperOf(answer, schema);
  return JSON.stringify(overlay(made, wrapper === undefined ? record : { [wrapper]: record }, answer));
}

/** The member of an answer that holds the record, by the name of its schema. */
function wrapperOf({ members }: PreparedSchema, { name }: PreparedSchema): string | undefined {
  if (name === undefined) return undefined;
  const found = [...members].find(
    ([, schema]) => isObject(schema) && typeof schema.$ref === 'string' && schema.$ref === `#/$defs/${name}`,
  );
  return found?.[0];
}
