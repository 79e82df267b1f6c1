import { contractExample } from '../../cli/show/show-example.ts';
import { branchesOf } from '../../descriptions/pair-branches.ts';
import { UsageError } from '../../errors.ts';
import { parseJsonInput } from '../../json/input.ts';
import { isObject } from '../../json/is-object.ts';
import { prettyJson } from '../../json/pretty.ts';
import { type SchemaView, viewsIn } from '../../schemas/schema-view.ts';
import { EndlessSchema, generate } from '../../schemas/values/generate.ts';
import { createRandom } from '../../text/random.ts';
import { inShell } from '../../text/shell.ts';
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
  if (bodyKind === 'bytes') throw noExample(id, 'it is a file', inShell('Send a file with: --data @FILE'));
  if (schema === undefined || schema === true) {
    throw noExample(id, 'the description does not say what it is', 'Write it with: --data or -F PATH=VALUE');
  }
  const body = await acceptedBody(schema, { described, now, mostLines: MOST_LINES });
  if (body !== undefined) return body;
  const files = bodyKind === 'multipart' ? 'Send a file with: -F FIELD=@FILE' : undefined;
  throw noExample(
    id,
    'payctl found none that its schema allows',
    files ?? `What it can hold: payctl api show ${id}`,
  );
}

/** What an example has in the place of a file. */
const EXAMPLE_FILE = '@FILE';

const MOST_BRANCHES = 20;

/** A body that can be sent, except for its files. */
export type ExampleBody = {
  /** The name of its branch of a union; undefined without a union. */
  readonly branch?: string;
  readonly value: unknown;
};

/** What to show of a body: an example as above for each branch of a union, but none where there is none, and `@FILE` for a file. */
export async function exampleBodies(
  described: DescribedBody & { readonly path: string },
  now = Date.now(),
): Promise<readonly ExampleBody[]> {
  const { isOwn, bodyKind, requestSchema: schema } = described;
  if (isOwn) {
    const value = await contractExample(described);
    return value === undefined ? [] : [{ value }];
  }
  if (bodyKind === 'bytes') return [{ value: EXAMPLE_FILE }];
  if (!isObject(schema)) return [];
  const { $defs: _, ...top } = schema;
  const branches = branchesOf(top, viewsIn(schema)).slice(0, MOST_BRANCHES);
  const mostLines = MOST_LINES / branches.length;
  const bodies: ExampleBody[] = [];
  for (const { schema: branch, view, name } of branches) {
    const value =
      bodyKind === 'multipart'
        ? withFiles(made(branch, { seed: 0, described, now, isFresh: false }), view)
        : await acceptedBody(branch, { described, now, mostLines });
    if (value !== undefined) bodies.push(name === '' ? { value } : { branch: name, value });
  }
  return bodies;
}

/** A body of parts, with those that are required; with all of them where none is. */
function withFiles(body: unknown, { members, required, viewOf }: SchemaView): unknown {
  if (!isObject(body)) return body;
  const all = Object.entries(body);
  const needed = all.filter(([name]) => required.has(name));
  const parts = (needed.length > 0 ? needed : all).map(([name, part]) => {
    const { fileType, items } = viewOf(members.get(name));
    if (fileType !== undefined) return [name, EXAMPLE_FILE];
    const areFiles = Array.isArray(part) && viewOf(items).fileType !== undefined;
    return [name, areFiles ? part.map(() => EXAMPLE_FILE) : part];
  });
  return Object.fromEntries(parts);
}

type Wanted = { readonly described: DescribedBody; readonly now: number; readonly mostLines: number };

/** The first of a branch that is short enough, else the shortest; undefined where there is none. */
async function acceptedBody(schema: unknown, { described, now, mostLines }: Wanted): Promise<unknown> {
  let shortest: { readonly body: unknown; readonly lines: number } | undefined;
  for (const isFresh of [false, true]) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const body = made(schema, { seed: attempt, described, now, isFresh });
      if (body === undefined || !(await isAccepted(body, described))) continue;
      const lines = prettyJson(JSON.stringify(body)).split('\n').length;
      if (lines <= mostLines) return body;
      if (!shortest || lines < shortest.lines) shortest = { body, lines };
    }
  }
  return shortest?.body;
}

type Attempt = Omit<Wanted, 'mostLines'> & { readonly seed: number; readonly isFresh: boolean };

/** The value as `--data` would read it; undefined where none ends. */
function made(schema: unknown, { seed, described, now, isFresh }: Attempt): unknown {
  try {
    // Nothing optional is left out by chance.
    const random = { ...createRandom(seed, described.id), chance: () => false };
    const of = { root: described.requestSchema, noun: 'example', isBody: true };
    const body = generate(schema, { ...of, random, atMs: now, isFresh });
    return body === undefined ? undefined : parseJsonInput(JSON.stringify(body));
  } catch (error) {
    if (error instanceof EndlessSchema) return undefined;
    throw error;
  }
}

function noExample(id: string, why: string, hint: string): UsageError {
  return new UsageError('no_example', `There is no example of the body of ${id}: ${why}`, { hint });
}
