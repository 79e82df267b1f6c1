import { contractExample } from '../../cli/show/show-example.ts';
import { EndlessSchema, generate } from '../../descriptions/values/generate.ts';
import { UsageError } from '../../errors.ts';
import { parseJsonInput } from '../../json/input.ts';
import { prettyJson } from '../../json/pretty.ts';
import { createRandom } from '../../text/random.ts';
import { type DescribedBody, isAccepted } from './body.ts';

/** A body with all its optional members that has more lines than this is hard to edit. */
const MOST_LINES = 60;

/** Each attempt chooses other values, and other branches of unions. */
const ATTEMPTS = 8;

/**
 * A body that `--data` accepts, for an operation of a description or of the contract. It has the members that are required, and the
 * optional ones if it stays short. `now` is what its dates are near to, in milliseconds since 1970.
 * @throws UsageError `no_example`
 */
export async function exampleBody(
  described: DescribedBody & { readonly path: string },
  now = Date.now(),
): Promise<unknown> {
  const { isOwn, bodyKind, requestSchema: schema, id } = described;
  if (isOwn) {
    const example = await contractExample(described);
    if (example !== undefined) return example;
  }
  if (bodyKind === 'bytes') throw noExample(id, 'it is a file', 'Send a file with: --data @FILE');
  if (schema === undefined || schema === true) {
    throw noExample(id, 'the description does not say what it is', 'Write it with: --data or -F PATH=VALUE');
  }
  let shortest: { readonly body: unknown; readonly lines: number } | undefined;
  for (const isFresh of [false, true]) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const body = made(schema, { seed: attempt, id, now, isFresh });
      if (body === undefined || !(await isAccepted(body, described))) continue;
      const lines = prettyJson(JSON.stringify(body)).split('\n').length;
      if (lines <= MOST_LINES) return body;
      if (!shortest || lines < shortest.lines) shortest = { body, lines };
    }
  }
  if (shortest) return shortest.body;
  const files = bodyKind === 'multipart' ? 'Send a file with: -F FIELD=@FILE' : undefined;
  throw noExample(
    id,
    'payctl found none that its schema allows',
    files ?? `What it can hold: payctl api show ${id}`,
  );
}

type Attempt = {
  readonly seed: number;
  readonly id: string;
  readonly now: number;
  readonly isFresh: boolean;
};

/** The value as `--data` would read it; undefined where none ends. */
function made(schema: unknown, { seed, id, now, isFresh }: Attempt): unknown {
  try {
    // Nothing optional is left out by chance.
    const random = { ...createRandom(seed, id), chance: () => false };
    const body = generate(schema, {
      root: schema,
      random,
      atMs: now,
      noun: 'example',
      isFresh,
      isBody: true,
    });
    return body === undefined ? undefined : parseJsonInput(JSON.stringify(body));
  } catch (error) {
    if (error instanceof EndlessSchema) return undefined;
    throw error;
  }
}

function noExample(id: string, why: string, hint: string): UsageError {
  return new UsageError('no_example', `There is no example of the body of ${id}: ${why}`, { hint });
}
