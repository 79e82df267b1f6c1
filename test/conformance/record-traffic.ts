import type { FaultPlan } from '../../src/emulator/faults/plan.ts';
import { startTestEmulator, type TestEmulator } from '../emulator/test-emulator.ts';
import { badRequests } from './bad-requests.ts';
import { type Endpoint, endpointOf, endpoints, takes } from './description.ts';
import { goodRequests, type PlannedRequest } from './good-requests.ts';

/** A request that was sent, and everything of its answer that the description speaks of. */
export type Exchange = {
  readonly endpoint: Endpoint;
  readonly request: PlannedRequest;
  readonly status: number;
  readonly contentType: string | null;
  readonly body: Readonly<Record<string, unknown>>;
};

/** The statuses that no request brings about by itself; the emulator answers them on request. */
export const plannedStatuses = [400, 401, 403, 404, 405, 409, 422, 425, 429, 500, 502, 504];

/** Sends every endpoint of an emulator its good and its bad requests, and reads the API log last. */
export async function recordTraffic(): Promise<readonly Exchange[]> {
  await using test = await startTestEmulator({ buyers: 300 });
  const buyerId = someBuyer(test);
  const expired = await test.token(['*'], { now: new Date('2026-01-01T00:00:00Z'), lifetimeSeconds: 60 });
  const exchanges: Exchange[] = [];
  for (const endpoint of endpoints) {
    for (const request of goodRequests(endpoint, buyerId)) {
      exchanges.push(...(await sendAndTurnPages(test, endpoint, request)));
    }
    for (const request of badRequests(endpoint, buyerId, expired)) {
      exchanges.push(await send(test, endpoint, request));
    }
  }
  const apiLogs = { cause: 'a log of every error', status: 200, target: '/api-logs' };
  return [...exchanges, await send(test, endpointOf('listApiLogs'), apiLogs)];
}

/** Has one endpoint answer with every error of the contract, and each one once with hostile text in its names. */
export async function recordPlannedFaults(): Promise<readonly Exchange[]> {
  await using test = await startTestEmulator({ buyers: 30, faults: planFaults() });
  const buyerId = someBuyer(test);
  const exchanges: Exchange[] = [];
  for (const status of plannedStatuses) {
    const request = { cause: 'a planned error', status, target: '/roles' };
    exchanges.push(await send(test, endpointOf('listRoles'), request));
  }
  for (const endpoint of endpoints) {
    const [request] = goodRequests(endpoint, buyerId);
    if (request === undefined) throw new TypeError(`there is no request to ${endpoint.id}`);
    exchanges.push(await send(test, endpoint, { ...request, cause: 'hostile text' }));
  }
  return exchanges;
}

function planFaults(): FaultPlan {
  return [
    ...plannedStatuses.map((status) => ({ path: '/roles', status, count: 1 })),
    { body: 'hostile' as const },
  ];
}

function someBuyer({ emulator }: TestEmulator): string {
  const query = "SELECT id FROM buyers WHERE merchant_account_id = 'default'";
  return String(emulator.database.prepare(query).get()?.id);
}

async function send(test: TestEmulator, endpoint: Endpoint, request: PlannedRequest): Promise<Exchange> {
  const { target, method = endpoint.method, scopes = endpoint.scopes, headers, body } = request;
  const {
    status,
    headers: answered,
    body: document,
  } = await test.send(target, {
    method,
    scopes,
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  });
  return { endpoint, request, status, contentType: answered.get('content-type'), body: document };
}

/** The largest pages are turned to the end, and one back. */
async function sendAndTurnPages(
  test: TestEmulator,
  endpoint: Endpoint,
  request: PlannedRequest,
): Promise<Exchange[]> {
  const exchanges = [await send(test, endpoint, request)];
  if (!takes(endpoint, 'query', 'cursor') || !request.target.endsWith('?limit=100')) return exchanges;
  const turn = async (cursor: unknown) => {
    const target = `${request.target}&cursor=${String(cursor)}`;
    const exchange = await send(test, endpoint, { ...request, cause: 'a further page', target });
    exchanges.push(exchange);
    return exchange.body;
  };
  let page = exchanges[0]?.body;
  while (typeof page?.next_cursor === 'string') page = await turn(page.next_cursor);
  if (typeof page?.previous_cursor === 'string') await turn(page.previous_cursor);
  return exchanges;
}
