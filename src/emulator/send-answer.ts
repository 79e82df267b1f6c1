import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Answer } from './respond.ts';

/** What every answer of the contract is sent as. */
export const jsonType = 'application/json; charset=utf-8';

/** The headers of an answer: type, length, a fresh request id, and its own. */
export function answerHeaders(answer: Answer, contentType = jsonType): OutgoingHttpHeaders {
  return {
    'content-type': contentType,
    'content-length': Buffer.byteLength(answer.body),
    'x-request-id': process.getBuiltinModule('node:crypto').randomUUID(),
    ...answer.headers,
  };
}

/** Sends a whole answer at once. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, answerHeaders(answer));
  // Node writes a text together with the headers, but bytes after them in a second write: Latin-1 is bytes as a text.
  if (typeof answer.body === 'string') response.end(answer.body);
  else response.end(answer.body.toString('latin1'), 'latin1');
}
