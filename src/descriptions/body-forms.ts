import { UsageError } from '../errors.ts';
import { listValues } from '../text/format.ts';
import { BODY_FORM, type ImportedOperation } from './imported-operation.ts';

type Forms = {
  readonly [Name in 'hasBody' | 'bodyType' | 'bodyKind' | 'bodyTypes' | 'otherBodies']?:
    | ImportedOperation[Name]
    | undefined;
};

/** The media types that the body of an operation may have, the usual one first; a body that is a file has the type of the file. */
export function contentTypesOf({
  hasBody,
  bodyType,
  bodyKind,
  bodyTypes = [],
  otherBodies = [],
}: Forms): readonly string[] {
  if (!hasBody) return [];
  if (bodyKind === 'bytes') return bodyTypes;
  return [bodyType ?? JSON_TYPE, ...otherBodies.map((one) => one.bodyType ?? JSON_TYPE)];
}

const JSON_TYPE = 'application/json';

/** The operation with a body of one of its other media types, if one was chosen. @throws UsageError `bad_flag` for a type that it does not have */
export function withContentType<T extends Forms>(operation: T, type: string | undefined): T {
  if (type === undefined) return operation;
  const types = contentTypesOf(operation);
  const at = types.indexOf(type);
  if (at === -1) {
    const problem =
      types.length === 0
        ? 'cannot be used: the description has no body for this operation'
        : `must be one of ${listValues(types)}`;
    throw new UsageError('bad_flag', `--content-type ${problem}`);
  }
  if (operation.bodyKind === 'bytes') return { ...operation, bodyType: type, bodyTypes: [type] };
  if (at === 0) return operation;
  const none = Object.fromEntries(BODY_FORM.map((name) => [name, undefined]));
  return { ...operation, ...none, ...operation.otherBodies?.[at - 1] };
}
