import { responseOf } from '../../client/response.ts';
import { parseShownJson, stringifyExactJson } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';

/**
 * A change was carried out, but its response could not be shown. Keeps the ID of what was changed, so that nobody has to send
 * the request again to learn it.
 */
export class NotShownError extends Error {
  readonly id: string | undefined;

  constructor(cause: unknown, document: object) {
    super('a response could not be shown', { cause });
    this.id = idOf(document);
  }
}

/** The ID as text; one that is a number digit for digit as the service wrote it. */
function idOf(document: object): string | undefined {
  const id: unknown = 'id' in document ? document.id : undefined;
  if (typeof id === 'string') return id;
  if (typeof id !== 'number' && typeof id !== 'bigint') return undefined;
  const shown = parseShownJson(responseOf(document)?.text ?? stringifyExactJson(document));
  return stringifyExactJson(isObject(shown) ? shown.id : id);
}
