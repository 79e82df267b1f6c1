import { FORM_TYPE } from '../text/format.ts';
import type { BytesBody } from './byte-source.ts';
import { encodeForm } from './form-body.ts';
import type { BodyForm } from './imported-operation.ts';
import { encodeBytes, encodeMultipart } from './multipart.ts';

/** How the body of an operation is written; one without `encode` is JSON. */
export type BodyEncoder = {
  readonly contentType: string | undefined;
  readonly encode?: (body: unknown) => string | BytesBody;
};

/** How the body of an operation is written: as JSON, a form, parts or bytes. */
export function encoderOf(operation: BodyForm): BodyEncoder {
  const { bodyType, bodyKind, bodyEncoding, bodyTypes, partTypes: types, requestSchema: schema } = operation;
  const written = (encode: BodyEncoder['encode']) => ({ contentType: bodyType, ...(encode && { encode }) });
  if (bodyKind === 'multipart')
    return written((body) => encodeMultipart(body, { schema, types, styles: bodyEncoding }));
  if (bodyKind === 'bytes') return written((body) => encodeBytes(body, bodyTypes ?? []));
  return written(bodyType === FORM_TYPE ? (body) => encodeForm(body, bodyEncoding) : undefined);
}
