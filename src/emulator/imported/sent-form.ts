import { withContentType } from '../../descriptions/body-forms.ts';
import type { BodyForm } from '../../descriptions/imported-operation.ts';
import { schemaBelow } from '../../descriptions/schema-at.ts';
import { mediaTypeOf } from '../../text/media-type.ts';
import { type Prepared, PreparedSchema } from './prepared.ts';

const known = new WeakMap<BodyForm, Prepared>();

/** The operation as a request with a body of this content type uses it. */
export function preparedFor(prepared: Prepared, contentType: string | undefined): Prepared {
  const type = mediaTypeOf(contentType);
  const form = prepared.operation.otherBodies?.find(({ bodyType }) => bodyType === type);
  if (!form) return prepared;
  const { requestSchema: schema } = form;
  const operation = withContentType(prepared.operation, type);
  const rooted = (one: unknown) => (one === undefined ? undefined : new PreparedSchema(one, one));
  const request = rooted(schemaBelow(schema, operation.record?.request));
  const made = known.get(form) ?? { ...prepared, operation, body: rooted(schema), request };
  known.set(form, made);
  return made;
}
