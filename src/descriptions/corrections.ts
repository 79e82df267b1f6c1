import type { AnySchema } from '../schemas/definitions.ts';
import type { SchemaView } from '../schemas/schema-view.ts';
import { quote } from '../text/format.ts';
import type { Declaration, OperationContext } from './declaration.ts';

/** Longer paths and names say nothing that a table could show. */
const LONGEST = 500;

/** An extension that corrects the model. */
type Correction = {
  readonly name: `x-payctl-${string}`;
  /** What its value must be, as the end of a sentence. */
  readonly expected: string;
  readonly isValid: (text: string) => boolean;
};

/** The value of an extension of an operation; undefined where there is none, or one that is not valid, which an issue says. */
export function correctionIn(
  { value, location }: Pick<Declaration, 'value' | 'location'>,
  { issues }: Pick<OperationContext, 'issues'>,
  { name, expected, isValid }: Correction,
): string | undefined {
  const given = value[name];
  if (given === undefined) return undefined;
  if (typeof given === 'string' && given.length <= LONGEST && isValid(given)) return given;
  const shown = typeof given === 'string' ? quote(given.slice(0, 100)) : 'a value of another type';
  const message = `${quote(name)} must be ${expected}, not ${shown}; it is ignored`;
  issues.add(location, 'model_invalid', message);
  return undefined;
}

/** Where an extension says that a body has its record: a dotted path to a field that the schema has, or may have. */
export function declaredPlace(
  declaration: Declaration,
  context: OperationContext,
  { name, schema }: Pick<Correction, 'name'> & { readonly schema: AnySchema | undefined },
): string | undefined {
  return correctionIn(declaration, context, {
    name,
    expected: 'the dotted path of a field of the body',
    isValid: (path) => mayHave(context.views.of(schema), path),
  });
}

/** Whether a schema has a field at a dotted path, or does not say which fields there are. */
export function mayHave({ members: own, viewOf }: SchemaView, path: string): boolean {
  let members = own;
  return path.split('.').every((name) => {
    const isPossible = name !== '' && (members.size === 0 || members.has(name));
    members = viewOf(members.get(name)).members;
    return isPossible;
  });
}
