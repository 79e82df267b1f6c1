import type { ServerResponse } from 'node:http';
import type { Answer } from '../respond.ts';
import { answerHeaders } from '../send-answer.ts';
import type { FaultRule } from './fault-plan.ts';

const pieces = 50;
const defaultTrickleMs = 5_000;

/**
 * Sends an answer broken as `body` of a rule says, `cut`, `malformed`, `html` or `trickle`. Resolves when everything
 * is sent, or the client has gone.
 */
export async function deliverBroken(
  response: ServerResponse,
  answer: Answer,
  rule: FaultRule,
): Promise<void> {
  const bytes = Buffer.from(answer.body);
  if (rule.body === 'html') {
    const body = Buffer.from(proxyPage(answer.status));
    response.writeHead(answer.status, answerHeaders({ ...answer, body }, 'text/html; charset=utf-8'));
    response.end(body);
  } else if (rule.body === 'malformed') {
    const body = bytes.subarray(0, Math.ceil(bytes.length * 0.6));
    response.writeHead(answer.status, answerHeaders({ ...answer, body }));
    response.end(body);
  } else if (rule.body === 'cut') {
    response.writeHead(answer.status, answerHeaders(answer));
    response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
  } else {
    response.writeHead(answer.status, answerHeaders(answer));
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
