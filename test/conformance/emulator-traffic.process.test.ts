import { beforeAll, describe, expect, it } from 'vitest';
import { alteredCopies, brokenCopies } from './altered-documents.ts';
import { conforming, faultsOfDescription, verdictsOn } from './both-validators.ts';
import { describedAnswer, type Endpoint, endpoints, exampleMedia } from './description.ts';
import { type Exchange, plannedStatuses, recordPlannedFaults, recordTraffic } from './record-traffic.ts';

const named = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

let traffic: readonly Exchange[] = [];
let planned: readonly Exchange[] = [];

beforeAll(async () => {
  [traffic, planned] = await Promise.all([recordTraffic(), recordPlannedFaults()]);
});

const of = (exchanges: readonly Exchange[], endpoint: Endpoint) =>
  exchanges.filter((exchange) => exchange.endpoint === endpoint);
const label = ({ request, status }: Exchange) =>
  `${status} for ${request.cause}: ${request.target.slice(0, 80)}`;

/** Media type, status in the body, and both validators' verdicts of one answer. */
async function check(exchange: Exchange): Promise<unknown> {
  const { endpoint, status, contentType, body } = exchange;
  const { mediaType, pointer } = describedAnswer(endpoint, status);
  expect(contentType, label(exchange)).toBe(`${mediaType}; charset=utf-8`);
  if (status >= 400 && status !== 422) expect(body.status, label(exchange)).toBe(status);
  return verdictsOn(pointer, body);
}

async function expectConforming(exchanges: readonly Exchange[]): Promise<void> {
  const verdicts = await Promise.all(
    exchanges.map(async (exchange) => [label(exchange), await check(exchange)]),
  );
  expect(verdicts).toEqual(exchanges.map((exchange) => [label(exchange), conforming]));
}

it('finds no fault in the description as an OpenAPI 3.1 document', async () => {
  expect(await faultsOfDescription()).toEqual([]);
});

describe.each(named)('%s', (_, endpoint) => {
  it('answers every request with the status that belongs to it', () => {
    const exchanges = of(traffic, endpoint);
    expect(exchanges.length).toBeGreaterThan(10);
    expect(exchanges.map(label)).toEqual(
      exchanges.map((exchange) => label({ ...exchange, status: exchange.request.status })),
    );
  });

  it('answers good and bad requests as both validators read the description', async () => {
    await expectConforming(of(traffic, endpoint));
  });
});

it('answers each planned error, and hostile text, as both validators read the description', async () => {
  const statuses = [...plannedStatuses, ...endpoints.map(({ successStatus }) => successStatus)];
  expect(planned.map(({ status }) => status)).toEqual(statuses);
  await expectConforming(planned);
});

it('describes an error in the same way for every operation that lists it, and plans each of them', () => {
  for (const status of new Set(endpoints.flatMap(({ errors }) => errors))) {
    const listing = endpoints.filter(({ errors }) => errors.includes(status));
    const pointers = listing.map((endpoint) => describedAnswer(endpoint, status).pointer);
    expect([status, new Set(pointers).size, plannedStatuses.includes(status)]).toEqual([status, 1, true]);
  }
});

it('answers each operation only with the statuses that the description lists for it', () => {
  const seen = endpoints.flatMap((endpoint) => {
    const { id, successStatus, errors } = endpoint;
    const statuses = [...new Set(of(traffic, endpoint).map(({ status }) => status))].sort();
    const beyond = statuses.filter((status) => status !== successStatus && !errors.includes(status));
    return beyond.length === 0 ? [] : [[id, beyond]];
  });
  expect(seen).toEqual([]);
});

it('has no null in a document but where the specification marks one, or a caller or another service put it', () => {
  const free = ['metadata', 'response_body', 'input', 'next_cursor', 'previous_cursor', 'resource_id'];
  const nullsIn = (value: unknown, path: string): string[] => {
    if (value === null) return [path];
    if (typeof value !== 'object') return [];
    return Object.entries(value).flatMap(([name, member]) =>
      free.includes(name) ? [] : nullsIn(member, `${path}/${name}`),
    );
  };
  expect(traffic.flatMap(({ endpoint, body }) => nullsIn(body, endpoint.id))).toEqual([]);
});

it('shows for a 422 the very body that the description gives as its example', () => {
  const { examples } = exampleMedia('ValidationError');
  const example = Object.values(examples ?? {}).map(({ value }) => value);
  const bodies = traffic
    .filter(({ request }) => request.target.endsWith('?limit=ten'))
    .map(({ body }) => body);
  expect(example).toEqual([bodies[0]]);
});

describe.each(named)('a document of %s', (_, endpoint) => {
  /** The first two answers that are not an empty list, with at most two items. */
  const documents = () => {
    const bodies = of(traffic, endpoint).flatMap(({ status, body }) => {
      if (status !== endpoint.successStatus) return [];
      if (!Array.isArray(body.items)) return [body];
      return body.items.length > 0 ? [{ ...body, items: body.items.slice(0, 2) }] : [];
    });
    return bodies.slice(0, 2);
  };
  const rejections = async (candidates: readonly unknown[]) => {
    const { pointer } = describedAnswer(endpoint, endpoint.successStatus);
    const verdicts = await Promise.all(candidates.map((document) => verdictsOn(pointer, document)));
    return verdicts.map(({ ajv, independent }) => ({
      ajv: ajv.length > 0,
      independent: independent.length > 0,
    }));
  };

  it('is refused by both validators once it is broken', async () => {
    for (const document of documents()) {
      const verdicts = await rejections(brokenCopies(document));
      expect(verdicts.length).toBeGreaterThan(1);
      expect(verdicts).toEqual(verdicts.map(() => ({ ajv: true, independent: true })));
    }
  });

  it('has both validators of one mind, whatever single part of it is altered', async () => {
    const altered = documents().flatMap((document) => [...alteredCopies(document)]);
    const verdicts = await rejections(altered);
    expect(verdicts.filter(({ ajv, independent }) => ajv !== independent)).toEqual([]);
    expect(verdicts.filter(({ ajv }) => ajv).length).toBeGreaterThan(20);
    expect(verdicts.filter(({ ajv }) => !ajv).length).toBeGreaterThan(20);
  });
});
