import { parseExactJson } from '../json/exact-json.ts';
import { excerpt } from './api-error.ts';
import { ResponseError } from './errors.ts';
import { type Reply, rememberReply } from './reply.ts';

/**
 * The JSON object that a successful reply holds; `replyOf` finds the reply again.
 * @throws ResponseError for a redirect, for what is no JSON, and for JSON that is no object
 */
export function readDocument(reply: Reply): object {
  const fields = { ...reply, bodyExcerpt: excerpt(reply.text) };
  if (reply.status >= 300) {
    throw new ResponseError(
      'redirect_refused',
      `The service answered ${reply.status} with a redirect, which is not followed`,
      {
        ...fields,
        hint: 'The token goes to the configured base URL alone. Set the base URL to the final address.',
      },
    );
  }
  let document: unknown;
  try {
    document = parseExactJson(reply.text);
  } catch {
    throw new ResponseError('unreadable_response', 'The answer of the service is not JSON', fields);
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new ResponseError(
      'unexpected_shape',
      'The answer of the service is JSON, but not an object',
      fields,
    );
  }
  return rememberReply(document, reply);
}
