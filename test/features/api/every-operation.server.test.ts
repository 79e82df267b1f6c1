import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtInCommands } from '../../../src/cli/routing/built-in-commands.ts';
import { importDescription } from '../../../src/descriptions/import-description.ts';
import { serviceForAll } from '../../commands/service-for-all.ts';
import { LARGE_MERCHANT_HEADER, largeDescription } from '../../descriptions/large-description.ts';
import { folderForAll } from '../../harness/temporary-folder.ts';

// What the document says is read here by other code than that of payctl.
// biome-ignore lint/suspicious/noExplicitAny: a document of any shape, which the test looks into.
type Json = Record<string, any>;
const document = largeDescription() as Json;
const text = JSON.stringify(document);
const UUID = '8b1f5c0e-6c1d-4b52-9a53-2f1f0d9c8f11';

function at(schema: Json): Json {
  return schema.$ref
    ? at(
        schema.$ref
          .slice(2)
          .split('/')
          .reduce((place: Json, name: string) => place[name], document),
      )
    : schema;
}

type Case = {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
  readonly parameters: readonly Json[];
};

const cases: readonly Case[] = Object.entries(document.paths as Json).flatMap(([path, item]) =>
  ['get', 'post', 'put', 'patch', 'delete']
    .filter((method) => item[method])
    .map((method) => ({
      method: method.toUpperCase(),
      path,
      operation: item[method],
      parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map(at),
    })),
);

/** A value that a schema of a parameter allows. */
function sampleText(given: Json): string {
  const schema = at(given.anyOf?.[0] ?? given);
  if (schema.type === 'array') return sampleText(schema.items);
  if (schema.enum) return String(schema.enum.at(-1));
  if (schema.type === 'integer') return String(schema.minimum ?? 3);
  if (schema.type === 'boolean') return 'true';
  const formats: Record<string, string> = {
    uuid: UUID,
    date: '2026-03-01',
    'date-time': '2026-03-01T10:00:00Z',
  };
  if (schema.format) return formats[schema.format] ?? 'x';
  return schema.pattern || schema.minLength === 3 ? 'GBP' : 'x y';
}

/** A body with every member that is required, and one that breaks its schema. */
function bodiesOf(given: Json): { fits: unknown; breaks: unknown } {
  const schema = at(given);
  if (schema.oneOf) {
    const { fits } = bodiesOf(schema.oneOf[2]);
    return { fits, breaks: { ...(fits as object), method: 'cash' } };
  }
  if (schema.allOf) return { fits: {}, breaks: { amount: 0 } };
  const required: string[] = schema.required ?? [];
  const fits = Object.fromEntries(
    required.map((name) => [name, sampleOf(at(schema.properties[name]), name)]),
  );
  const [first] = Object.keys(schema.properties);
  return { fits, breaks: { ...fits, [first as string]: { not: 'it' } } };
}

function sampleOf(schema: Json, name: string): unknown {
  if (schema.const) return schema.const;
  if (schema.type === 'integer') return 5;
  return name === 'currency' ? 'GBP' : 'a long reference';
}

function answerOf({ operation }: Case): { status: number; body: string } {
  const [[status, response]] = Object.entries(operation.responses as Json).filter(
    ([code]) => code < '300',
  ) as [[string, Json]];
  const schema = response.content?.['application/json']?.schema;
  if (!schema) return { status: Number(status), body: '' };
  const described = at(schema);
  if (described.type === 'array') return { status: Number(status), body: '[{"id":"r1"}]' };
  return {
    status: Number(status),
    body: described.properties?.items ? '{"items":[{"id":"r1"}]}' : '{"id":"r1"}',
  };
}

/** The scopes that a token should have: of a pair with `embed` only the other one. */
function scopesOf({ operation }: Case): readonly string[] {
  const scopes: string[] = operation.security.flatMap((one: Json) => Object.values(one).flat());
  return scopes.includes('embed') ? scopes.filter((scope) => scope !== 'embed') : scopes;
}

const pathOf = (path: string) => path.replaceAll(/\{[^{}]*\}/g, UUID);

let answer: { status: number; body: string };
const service = serviceForAll(() => ({ headers: { 'content-type': 'application/json' }, ...answer }));
let commands: ReadonlyMap<string, { readonly command: string; readonly id: string }>;
const home = folderForAll();
const file = join(home, 'openapi.json');
writeFileSync(file, text);
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

beforeAll(async () => {
  const { index } = await importDescription(text, { file: 'openapi.json', builtIn: builtInCommands() });
  commands = new Map(
    index.operations.map(({ method, path, command, id }) => [`${method} ${path}`, { command, id }]),
  );
});

const run = (argv: readonly string[]) => {
  const env = {
    PAYCTL_PRIVATE_KEY: pem,
    PAYCTL_CONFIG_DIR: home,
    PAYCTL_DESCRIPTION: file,
    PAYCTL_MERCHANT_ACCOUNT: 'acme',
    PAYCTL_MAX_RETRIES: '0',
  };
  return service.print(argv, { env });
};

/** payctl has a command of its own for these. */
const OWN = new Set(['GET /buyers', 'GET /checkout/sessions/{session_id}']);

describe('every operation of a description', () => {
  it('has a command', () => {
    expect(cases).toHaveLength(150);
    expect(cases.filter(({ method, path }) => !commands.has(`${method} ${path}`))).toEqual([]);
  });

  it.each(cases.map((one) => [`${one.method} ${one.path}`, one] as const))(
    'is called as it is described: %s',
    async (name, one) => {
      answer = answerOf(one);
      const { command = '', id = '' } = commands.get(name) ?? {};
      const words = OWN.has(name) ? ['api', 'call', id] : command.split(' ');
      const query = one.parameters.filter(
        (parameter) => parameter.in === 'query' && parameter.name !== 'cursor',
      );
      const flags = query.flatMap(({ name: parameter, schema }) => {
        const plain = `--${parameter.replaceAll('_', '-')}`;
        const flag = plain === '--output' ? '--param-output' : plain;
        const value = sampleText(schema);
        return at(schema).type === 'array' ? [flag, value, `${flag}=${value}`] : [flag, value];
      });
      const args = [...one.path.matchAll(/\{/g)].map(() => UUID);
      const schema = one.operation.requestBody?.content['application/json'].schema;
      const bodies = schema && bodiesOf(schema);
      const confirmed = one.method === 'DELETE' ? ['--yes'] : [];
      const scopes = scopesOf(one);
      const named = scopes.length === 0 ? ['--scope', 'given.read'] : [];
      const argv = [...words, ...args, ...flags, ...confirmed, ...named, '-o', 'json'];

      if (bodies) {
        const refused = await run([...argv, '--data', JSON.stringify(bodies.breaks)]);
        expect({ code: refused.code, sent: service.requests().length }).toEqual({ code: 2, sent: 0 });
        expect(refused.stderr).toContain('"code":"bad_body"');
      }
      const { stderr, code } = await run([
        ...argv,
        ...(bodies ? ['--data', JSON.stringify(bodies.fits)] : []),
      ]);
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
      const request = service.requests().at(-1);
      const url = new URL(request?.url ?? '', service.origin);
      const pairs = query.flatMap(({ name: parameter, schema: given }) => {
        const pair = [parameter, sampleText(given)];
        return at(given).type === 'array' ? [pair, pair] : [pair];
      });
      expect([request?.method, url.pathname]).toEqual([one.method, pathOf(one.path)]);
      expect([...url.searchParams].sort()).toEqual(pairs.sort());
      const headers = one.parameters
        .filter((parameter) => parameter.in === 'header')
        .map((parameter) => parameter.name.toLowerCase());
      expect(request?.headers[LARGE_MERCHANT_HEADER]).toBe(
        headers.includes(LARGE_MERCHANT_HEADER) ? 'acme' : undefined,
      );
      expect(request?.headers['idempotency-key'] !== undefined).toBe(headers.includes('idempotency-key'));
      expect(request?.body ? JSON.parse(request.body) : undefined).toEqual(bodies?.fits);
      const claims = JSON.parse(
        Buffer.from(String(request?.headers.authorization).split('.')[1] ?? '', 'base64url').toString(),
      );
      expect(claims.scopes).toEqual(scopes.length === 0 ? ['given.read'] : scopes.toSorted());
    },
  );
});
