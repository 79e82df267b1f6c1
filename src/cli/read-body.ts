import { readFileSync } from 'node:fs';
import type { Schemas } from '../contract/generated/types.ts';
import { UsageError } from '../errors.ts';
import { fileErrorReason } from '../files/file-error.ts';
import { parseExactJson, stringifyExactJson } from '../json/exact.ts';
import { isObject } from '../json/is-object.ts';
import type { Runtime } from './runtime.ts';

/** A request body: a JSON object. Integers beyond 2^53 are bigint. */
export type Body = Record<string, unknown>;

/**
 * Reads what `--data` or another flag gives as JSON: inline, `@FILE`, or `-` for standard input to its end.
 * `flag` is the name that messages use.
 * @throws UsageError `unreadable_file`, `bad_json`
 */
export async function readJson(given: string, flag: string, runtime: Runtime): Promise<unknown> {
  const text = await readText(given, flag, runtime);
  try {
    return parseExactJson(text);
  } catch (error) {
    const fromFile = given.startsWith('@') && given !== '@-';
    const origin = fromFile ? `${flag} (${given.slice(1)})` : flag;
    throw new UsageError(
      'bad_json',
      `${origin} is not JSON: ${error instanceof Error ? error.message : ''}`,
      {
        hint: fromFile ? undefined : `Use JSON such as '{"name":"value"}', @FILE, or - for standard input.`,
      },
    );
  }
}

/**
 * The body that `--data` gives; an empty one without it.
 * @throws UsageError `bad_body` when it is no object, and those of `readJson`
 */
export async function readBody(given: string | undefined, runtime: Runtime): Promise<Body> {
  if (given === undefined) return {};
  const body = await readJson(given, '--data', runtime);
  if (isObject(body)) return body;
  const kind = Array.isArray(body) ? 'an array' : body === null ? 'null' : `a ${typeof body}`;
  throw new UsageError('bad_body', `--data must be a JSON object, not ${kind}`, {
    hint: `Use an object such as '{"name":"value"}'.`,
  });
}

/** The body with the fields that flags gave; a flag that was not given leaves its field as it is. */
export function withFields(body: Body, fields: Body): Body {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...body, ...Object.fromEntries(given) };
}

/**
 * Refuses a body that breaks a limit of the contract. An explicit null is left to the service.
 * @throws UsageError `bad_body` with the JSON pointer of each issue
 */
export async function requireValidBody(schema: keyof Schemas, body: Body): Promise<void> {
  const { validateBody } = await import('../contract/validate-body.ts');
  // The validator knows no bigint; the copy loses digits, which no limit of the contract looks at.
  const copy: unknown = JSON.parse(stringifyExactJson(body));
  const issues = validateBody(schema, copy).filter(({ pointer }) => at(copy, pointer) !== null);
  if (issues.length === 0) return;
  const texts = issues.map(({ pointer, message }) => `${pointer || 'the body'} ${message}`);
  throw new UsageError('bad_body', `The request body is not valid: ${[...new Set(texts)].join('; ')}`, {
    hint: 'Nothing was sent. Once the body is valid, --dry-run shows the request.',
  });
}

function at(value: unknown, pointer: string): unknown {
  let found = value;
  for (const segment of pointer.split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    found = typeof found === 'object' && found !== null ? (found as Body)[name] : undefined;
  }
  return found;
}

async function readText(given: string, flag: string, runtime: Runtime): Promise<string> {
  if (given === '-' || given === '@-') return await runtime.readStdin();
  if (!given.startsWith('@')) return given;
  const path = given.slice(1);
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const reason = fileErrorReason(error);
    throw new UsageError('unreadable_file', `${flag} cannot read the file ${path}: ${reason}`, {
      hint: 'Check the path, and that you have permission to read the file.',
    });
  }
}
