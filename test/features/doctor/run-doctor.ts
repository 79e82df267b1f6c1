import { expect } from 'vitest';
import { COMMAND_OPERATIONS } from '../../../src/cli/routing/catalog/operations.ts';
import { PROBE_IDS } from '../../../src/cli/routing/catalog/probes.ts';
import { serve } from '../../e2e/paged-service.ts';
import type { Handler, TestServer } from '../../harness/http-server.ts';
import type { Home } from '../../harness/run-payctl.ts';

/** The header of the lines in a pipe. */
export const HEADER = 'STATE\tCHECK\tFOUND\tREMEDY';

/** How many commands there are, and how many of them a check can try. */
export const COMMANDS = Object.keys(COMMAND_OPERATIONS).length;
export const TRIED = PROBE_IDS.length;

/** The message about the commands that a check cannot try. */
export const UNTRIED = `${COMMANDS - TRIED} not tested (they change data or need an ID)`;

/** Starts a service that knows every list and nothing else; `instead` answers some paths otherwise, `*` the others. */
export function serviceOf(instead: Readonly<Record<string, Handler>> = {}): Promise<TestServer> {
  return serve((request, response) => {
    const [path = ''] = request.url.split('?');
    const handler = instead[path] ?? instead['*'];
    if (handler) return handler(request, response);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[]}');
  });
}

/** A handler that gives one answer always. */
export function answering(
  status: number,
  body: object | string = '',
  headers: Readonly<Record<string, string>> = {},
): Handler {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (_, response) => void response.writeHead(status, headers).end(text);
}

/** The output without what differs from run to run: speeds, and ports, all of which have five digits. */
export function steady(text: string): string {
  return text.replace(/127\.0\.0\.1:\d{5}\b/g, '127.0.0.1:PORT5').replace(/in \d+ ms/g, 'in N ms');
}

/** Runs `payctl doctor`; its output is steady. */
export async function doctor(home: Home, args: readonly string[], env: Record<string, string> = {}) {
  const { stdout, stderr, code } = await home.payctl(['doctor', ...args], { env });
  return { stdout: steady(stdout), stderr, code };
}

type Check = Readonly<Record<string, unknown>>;

/** One check of a run as JSON, the states of all checks, and how the run ended. */
export async function check(home: Home, name: string, env: Record<string, string>, ...args: string[]) {
  const run = await home.payctl(['doctor', '--json', ...args], { env });
  expect(run.stderr).toBe('');
  const document = JSON.parse(run.stdout) as { readonly checks: readonly Check[] };
  const states = document.checks.map(({ state }) => state).join(' ');
  const found: Check = document.checks.find((candidate) => candidate.name === name) ?? {};
  return { ...found, skew: Number(found.skew_seconds), states, code: run.code };
}
