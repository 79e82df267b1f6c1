import type { ServerResponse } from 'node:http';
import {
  type EmulatorResponse,
  errorBody,
  errorOfStatus,
  errorResponse,
  responseHeaders,
  statusOfCode,
  ValidationError,
} from '../http/response.ts';
import type { FaultRule } from './plan.ts';

const pieces = 50;
const defaultTrickleMs = 5_000;

/**
 * Sends a response broken as `body` of a rule says, `cut`, `malformed`, `html` or `trickle`. Resolves when everything
 * is sent, or the client has gone.
 */
export async function deliverBroken(
  response: ServerResponse,
  outgoing: EmulatorResponse,
  rule: FaultRule,
): Promise<void> {
  const bytes = Buffer.from(outgoing.body);
  if (rule.body === 'html') {
    const body = Buffer.from(proxyPage(outgoing.status));
    response.writeHead(outgoing.status, responseHeaders({ ...outgoing, body }, 'text/html; charset=utf-8'));
    response.end(body);
  } else if (rule.body === 'malformed') {
    const body = bytes.subarray(0, Math.ceil(bytes.length * 0.6));
    response.writeHead(outgoing.status, responseHeaders({ ...outgoing, body }));
    response.end(body);
  } else if (rule.body === 'cut') {
    response.writeHead(outgoing.status, responseHeaders(outgoing));
    response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
  } else {
    response.writeHead(outgoing.status, responseHeaders(outgoing));
    await trickle(response, bytes, rule.latency_ms ?? defaultTrickleMs);
  }
}

async function trickle(response: ServerResponse, bytes: Buffer, milliseconds: number): Promise<void> {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
    response.write(bytes.subarray(start, start + size));
    await delay(response, milliseconds / pieces);
  }
  response.end();
}

/** Waits, but not longer than the client does. */
export function delay(response: ServerResponse, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) {
      resolve();
      return;
    }
    const end = () => {
      clearTimeout(timer);
      response.off('close', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    response.once('close', end);
  });
}

/** A proxy that fails knows nothing of the contract. */
function proxyPage(status: number): string {
  return `<!doctype html>
<html><head><title>${status}</title></head>
<body><h1>${status}</h1><p>The proxy could not serve this request.</p></body></html>
`;
}

/** The error response of a rule, which replaces the operation; undefined when the operation is to run. */
export function plannedError({ status, code }: FaultRule): EmulatorResponse | undefined {
  const chosen = status ?? (code === undefined ? undefined : statusOfCode(code));
  if (chosen === undefined) return undefined;
  if (chosen === 422 && code === undefined) {
    const issue = {
      loc: ['emulator', 'faults'],
      msg: 'injected fault',
      type: 'planned',
      input: null,
      ctx: {},
    };
    return errorResponse(new ValidationError([issue]));
  }
  const known = errorOfStatus(chosen) ?? { code: codeOfStatus(chosen), message: 'Injected fault' };
  return {
    status: chosen,
    body: errorBody({ type: 'error', status: chosen, ...known, ...(code && { code }) }),
  };
}

/** Changes a response as a rule says: its `Retry-After`, its cursor. `target` is path and query of the request. */
export function alterResponse(rule: FaultRule, outgoing: EmulatorResponse, target: string): EmulatorResponse {
  const { retry_after: retryAfter, cursor } = rule;
  const headers = {
    ...outgoing.headers,
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  };
  const requested = /[?&]cursor=([^&]+)/.exec(target)?.[1];
  const isLooping = cursor === 'repeat' && requested !== undefined && outgoing.status === 200;
  return { ...outgoing, headers, body: isLooping ? withNextCursor(outgoing.body, requested) : outgoing.body };
}

function withNextCursor(body: EmulatorResponse['body'], cursor: string): string {
  const page: unknown = JSON.parse(body.toString());
  return JSON.stringify({ ...(page as object), next_cursor: decodeURIComponent(cursor) });
}

/** For a status that the contract has no code for, the words of HTTP in the same form. */
function codeOfStatus(status: number): string {
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  const words = STATUS_CODES[status] ?? (status < 500 ? 'client error' : 'server error');
  return words.toLowerCase().replaceAll(/[^a-z]+/g, '_');
}
