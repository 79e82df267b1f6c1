import { boolean, custom, string } from '@oclif/core/flags';
import { bodyFlags, exampleFlag } from '../../cli/flags/body.ts';
import { followFlags, PAGE_SIZE_HINT, pagingFlags } from '../../cli/flags/list.ts';
import {
  choiceFlag,
  FlagError,
  type FlagValues,
  inGroup,
  integerFlag,
  repeatable,
  textFlag,
} from '../../cli/flags/types.ts';
import { cursorParameter } from '../../client/paging/cursor.ts';
import { mayBeLinked } from '../../client/paging/paging.ts';
import { isPaged, type QueryParameter, takesKey } from '../../contract/operation.ts';
import { contentTypesOf } from '../../descriptions/body-forms.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { quote } from '../../text/format.ts';

/** The flags of paging, as far as the description has parameters for them. */
export function importedPagingFlags(
  operation: Pick<
    ImportedOperation,
    'query' | 'paginated' | 'envelope' | 'method' | 'isLinked' | 'paging' | 'listShape'
  >,
) {
  const { query, paginated } = operation;
  const { limit, [cursorParameter(operation)]: cursor } = query;
  const { all, 'max-items': maxItems } = pagingFlags();
  const size = limit && { limit: limitFlag(limit, cursor !== undefined || isPaged(operation)) };
  if (cursor) {
    const cursorFlag = textFlag({ ...lengthOf(cursor), summary: CURSOR, helpGroup: 'PAGING' });
    return { ...size, cursor: cursorFlag, all, 'max-items': maxItems };
  }
  return {
    ...size,
    ...followFlags(),
    ...(paginated && { 'max-items': maxItems }),
    ...(mayBeLinked(operation) && linkFlags(operation)),
  };
}

function limitFlag({ minimum: min = 1, maximum: max, default: usual }: QueryParameter, isFollowed: boolean) {
  const range = max === undefined ? '' : `, ${min} to ${max}`;
  return integerFlag({
    min,
    ...(max !== undefined && { max }),
    ...(isFollowed && { tooMany: PAGE_SIZE_HINT }),
    summary: `Items per page${range}.${usual === undefined ? '' : ` The service defaults to ${usual}.`}`,
    helpGroup: 'PAGING',
    helpValue: 'N',
  });
}

/** The flags of a list whose pages may lead to one another by links; not offered where the description does not say so. */
function linkFlags(operation: Pick<ImportedOperation, 'query' | 'paginated' | 'isLinked' | 'paging'>) {
  const { query } = operation;
  const { all, 'max-items': maxItems } = pagingFlags();
  const hidden = !isPaged(operation);
  const isTaken = 'max_items' in query || 'max-items' in query || 'maxItems' in query;
  return {
    cursor: textFlag({ summary: CURSOR, helpGroup: 'PAGING', hidden }),
    ...(hidden ? {} : { all }),
    ...(isTaken ? {} : { 'max-items': { ...maxItems, hidden } }),
  };
}

const CURSOR = 'Start at the page that this cursor points to.';

function lengthOf({ maxLength }: { readonly maxLength?: number }) {
  return maxLength === undefined ? {} : { maxLength };
}

/** The flags of an operation that changes something. */
export function importedBodyFlags({
  hasBody,
  method,
  isDeletion = false,
  bodyKind,
  bodyType = '',
  ...forms
}: Pick<
  ImportedOperation,
  | 'hasBody'
  | 'method'
  | 'isDeletion'
  | 'idempotencyHeader'
  | 'idempotencyMember'
  | 'bodyKind'
  | 'bodyType'
  | 'bodyTypes'
  | 'otherBodies'
>) {
  const { data, 'dry-run': dryRun } = bodyFlags();
  const types = contentTypesOf({ hasBody, bodyKind, ...(bodyType !== '' && { bodyType }), ...forms });
  return inGroup('BODY', {
    ...(hasBody && {
      field: fieldFlag(bodyKind),
      data: bodyKind === 'bytes' ? dataOfBytes(bodyType) : data,
      ...(types.length > 1 && { 'content-type': contentTypeFlag(types, bodyKind === 'bytes') }),
      example: exampleFlag(),
      'no-validate': boolean({
        summary: 'Send the request even if its body does not match the description or is missing.',
      }),
    }),
    ...(takesKey(forms) && idempotencyFlag()),
    'dry-run': dryRun,
    yes: boolean({
      char: 'y',
      summary:
        method === 'DELETE' || isDeletion
          ? 'Do not ask for confirmation.'
          : 'Do not ask for confirmation of a change in production.',
    }),
  });
}

function contentTypeFlag(options: readonly string[], isOfFile: boolean) {
  return choiceFlag({
    options,
    summary: `Media type of the body. Default: ${isOfFile ? 'that of the file' : options[0]}.`,
    helpValue: 'TYPE',
  })();
}

function fieldFlag(bodyKind: ImportedOperation['bodyKind']) {
  return string({
    char: 'F',
    ...repeatable,
    summary: bodyKind === 'multipart' ? FIELD_OF_PARTS : FIELD,
    helpValue: 'PATH=VALUE',
    // Also accepted for a body that is one file, so that the error can say why it has no fields.
    hidden: bodyKind === 'bytes',
  });
}

const FIELD =
  'Set a field of the body by its path; PATH:=JSON sets any JSON. An amount may have its currency: amount=5.00EUR. @FILE reads the value from a file.';
const FIELD_OF_PARTS =
  'Set a field of the body by its path; PATH:=JSON sets any JSON. An amount may have its currency: amount=5.00EUR. PATH=@FILE sends a file, or reads the value of a text field from one.';

function dataOfBytes(type: string) {
  return string({
    summary: `Request body (${type}), sent unchanged: @FILE, or - for standard input.`,
    helpValue: '@FILE|-',
  });
}

/** What every server takes in a header: other characters are changed or refused on the way, and blanks at the ends are cut off. */
const KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

const keyFlag = custom<string>({
  parse: async (input) => {
    if (KEY.test(input)) return input;
    throw new FlagError(
      `--idempotency-key must be 1 to 255 printable ASCII characters without leading or trailing spaces, not ${quote(input)}`,
      'For example: --idempotency-key order-17. Without the flag, payctl makes a new key.',
    );
  },
});

/** The key of a request that the service carries out once, however often it is sent. */
function idempotencyFlag() {
  return {
    'idempotency-key': keyFlag({
      summary: 'Key that makes the service carry out the request only once. Default: a new key.',
      helpValue: 'KEY',
    }),
  };
}

/** The scopes of a request for which the description names none. */
export function scopeFlag() {
  return {
    scope: textFlag({
      ...repeatable,
      summary:
        'Scope to sign a token with, or several separated by commas; not needed with a ready-made token. Can be repeated.',
      helpValue: 'NAME',
    }),
  };
}

/** Headers that the description does not name. */
export function headerFlag() {
  return {
    header: textFlag({
      ...repeatable,
      summary: "Send another header: 'NAME: VALUE'. 'NAME: @FILE' reads a secret. Can be repeated.",
      helpGroup: 'REQUEST',
      helpValue: 'TEXT',
    }),
  };
}

/** What the flags of a request parse to that changes something. */
export type ChangeFlagValues = FlagValues<typeof importedBodyFlags> &
  FlagValues<typeof scopeFlag> &
  FlagValues<typeof headerFlag>;

/** What the flags of a response parse to that is written as it comes. */
export type DownloadFlagValues = FlagValues<typeof downloadFlags>;

/** The flags of a response that is written as it comes; `types` are the media types that there may be. */
export function downloadFlags(types: readonly string[] = []) {
  const accept = choiceFlag({
    options: types,
    summary: 'Media type to request. Default: any of these.',
    helpValue: 'TYPE',
  });
  return {
    'output-file': textFlag({
      summary: 'Write a response that is not JSON to this file, or to standard output (-).',
      helpValue: 'FILE',
    }),
    overwrite: boolean({
      summary: 'Overwrite the file of --output-file if it exists.',
      dependsOn: ['output-file'],
    }),
    ...(types.length > 1 ? { accept: accept() } : {}),
  };
}

/** The flags that show JSON: taken, so that it can be said why such a response has none of them, and not offered. */
export function refusedFlags() {
  const text = () => textFlag({ hidden: true, ...repeatable });
  return { columns: text(), jq: text(), 'no-header': boolean({ hidden: true }) };
}
