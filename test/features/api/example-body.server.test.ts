import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import contract from '../../../src/contract/generated/description.json' with { type: 'json' };
import { completeOperation } from '../../../src/descriptions/complete-operation.ts';
import { importDescription } from '../../../src/descriptions/import-description.ts';
import sample from '../../../src/emulator/sample.json' with { type: 'json' };
import { UsageError } from '../../../src/errors.ts';
import { isAccepted } from '../../../src/features/api/body.ts';
import { exampleBodies, exampleBody } from '../../../src/features/api/example-body.ts';
import { ownOperations } from '../../../src/features/api/own-operations.ts';
import { isValidBody } from '../../../src/schemas/check-body.ts';
import { document } from '../../descriptions/describe.ts';
import { largeDescription } from '../../descriptions/large-description.ts';
import { hostileDescription, INHERITED, UNSEEN } from '../../harness/hostile-description.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { operationOf } from './operations.ts';
import { importedHome, runImported } from './run-imported.ts';

const NOW = Date.UTC(2026, 2, 1);

/** The operations of a description that have a body. */
async function bodiesOf(description: unknown) {
  const { index, records, definitions } = await importDescription(JSON.stringify(description), {
    file: 'service.json',
  });
  return records
    .map((record, at) => ({
      ...index.operations[at],
      ...completeOperation(record, (name) => definitions.get(name)),
    }))
    .filter(({ hasBody }) => hasBody);
}

describe('the example of a body', () => {
  const described: readonly (readonly [name: string, description: unknown, least: number])[] = [
    ['the contract, read as an import', contract, 3],
    ['the sample of the emulator', sample, 6],
    ['a large description', largeDescription(), 40],
    ...[...INHERITED, UNSEEN].map((name) => [`${name} as every name`, hostileDescription(name), 1] as const),
  ];

  it.each(described)('is accepted as --data for every operation of %s', async (_, description, least) => {
    const operations = await bodiesOf(description);
    expect(operations.length).toBeGreaterThanOrEqual(least);
    for (const operation of operations) {
      const body = await exampleBody(operation, NOW);
      expect([operation.id, body, await isAccepted(body, operation)]).toEqual([operation.id, body, true]);
      const shown = await exampleBodies(operation, NOW);
      expect([operation.id, shown.length > 0]).toEqual([operation.id, true]);
      if (operation.bodyKind === 'multipart') continue;
      if (shown[0]?.branch === undefined) expect(shown).toEqual([{ value: body }]);
      for (const { value } of shown) expect(await isAccepted(value, operation)).toBe(true);
    }
  });

  it('is that of the contract for the operations of payctl', async () => {
    const own = ownOperations().filter(({ hasBody }) => hasBody);
    expect(own).toHaveLength(3);
    for (const operation of own) {
      const body = await exampleBody(operation);
      expect([operation.id, await isAccepted(body, operation)]).toEqual([operation.id, true]);
    }
  });

  it('has what is optional, and nothing that only the service sets', async () => {
    const operation = operationOf({
      method: 'POST',
      hasBody: true,
      requestSchema: {
        type: 'object',
        required: ['amount'],
        properties: {
          id: { type: 'string', readOnly: true },
          amount: { type: 'integer', minimum: 100, maximum: 100 },
          kind: { enum: ['card'] },
          on: { type: 'string', format: 'date' },
          code: { type: 'string', pattern: '^[A-Z]{3}-\\d{2}$' },
          lines: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
          old: { type: 'string', deprecated: true },
          secret: { type: 'string', writeOnly: true },
        },
      },
    });
    const body = await exampleBody(operation, NOW);
    expect(body).toEqual({
      amount: 100,
      kind: 'card',
      on: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
      code: expect.stringMatching(/^[A-Z]{3}-\d{2}$/),
      lines: expect.any(Array),
      secret: expect.any(String),
    });
    expect(await exampleBody(operation, NOW)).toEqual(body);
  });

  it('leaves the ID of a record to the service, unless it is required', async () => {
    const text = { type: 'string' };
    const schema = {
      type: 'object',
      properties: { token: text, id: text, uuid: text, part: { type: 'object', properties: { id: text } } },
      required: ['uuid'],
    };
    const post = { requestBody: { content: { 'application/json': { schema } } }, responses: {} };
    const [operation] = await bodiesOf(document({ '/things': { post } }));
    if (!operation) throw new Error('there is no operation');
    const body = await exampleBody(operation, NOW);
    expect(body).toEqual({ uuid: expect.any(String), part: { id: expect.any(String) } });
  });

  it('has only what is required where all of it would be long', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 80 }, (_, index) => [`field_${index}`, { type: 'string' }]),
    );
    const requestSchema = {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, ...many },
    };
    expect(Object.keys(Object(await exampleBody(operationOf({ requestSchema }), NOW)))).toEqual(['name']);
  });

  it('is accepted, or refused with no_example, for any schema', async () => {
    const text = fc.record(
      {
        type: fc.constant('string'),
        minLength: fc.nat(5),
        maxLength: fc.integer({ min: 5, max: 20 }),
        pattern: fc.constantFrom('^[a-z]+$', '^\\d{4}$', '^(a|b)c?$', '(?=x)y'),
        format: fc.constantFrom('date-time', 'uuid', 'email', 'uri', 'ipv4', 'unknown'),
        enum: fc.array(fc.string(), { maxLength: 2 }),
      },
      { requiredKeys: ['type'] },
    );
    const number = fc.record(
      {
        type: fc.constantFrom('integer', 'number'),
        minimum: fc.integer({ min: -5, max: 5 }),
        maximum: fc.integer({ min: -5, max: 5 }),
        multipleOf: fc.constantFrom(1, 3, 0.25),
      },
      { requiredKeys: ['type'] },
    );
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof({ maxDepth: 3 }, text, number, tie('object'), tie('array'), tie('union')),
      object: fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom('a', 'b', 'amount', '__proto__'), tie('schema')),
          required: fc.subarray(['a', 'b', 'amount']),
          additionalProperties: fc.boolean(),
        },
        { requiredKeys: ['type'] },
      ),
      array: fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(2) }),
      union: fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    }));
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(schema, async (requestSchema) => {
        const operation = operationOf({ requestSchema });
        try {
          const body = await exampleBody(operation, NOW);
          expect(isValidBody(requestSchema, JSON.parse(JSON.stringify(body)))).toBe(true);
          accepted += 1;
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          expect(error.code).toBe('no_example');
        }
      }),
      propertyRuns(100, 30),
    );
    expect(accepted).toBeGreaterThan(6);
  });
});

describe('--example', () => {
  const JSON_TYPE = 'application/json';
  const body = (type: string, schema: object) => ({ required: true, content: { [type]: { schema } } });
  const home = () =>
    importedHome(
      document({
        '/things/{thing_id}/parts': {
          post: {
            operationId: 'create_part',
            requestBody: body(JSON_TYPE, {
              type: 'object',
              required: ['kind'],
              properties: { kind: { const: 'bolt' } },
            }),
            responses: { 201: { description: '' } },
          },
        },
        '/pictures': {
          post: {
            operationId: 'create_picture',
            requestBody: body('image/png', { type: 'string', format: 'binary' }),
            responses: { 201: { description: '' } },
          },
        },
        '/wishes': {
          post: {
            operationId: 'create_wish',
            requestBody: body(JSON_TYPE, { type: 'object', required: ['a'], properties: { a: false } }),
            responses: { 201: { description: '' } },
          },
        },
      }),
    );
  const part = '{\n  "kind": "bolt"\n}\n';

  it.each([
    [['things', 'parts', 'create', '--example']],
    [['api', 'call', 'create_part', '--example', '-o', 'yaml']],
    [['api', 'post', '/things/1/parts', '--example']],
  ])('prints a body without arguments, credentials or a request: %j', async (argv) => {
    const done = await runImported(argv, home(), { env: { PAYCTL_TOKEN: '', PAYCTL_BASE_URL: '' } });
    const { stdout, stderr, code, sent } = done;
    expect({ stdout, stderr: stderr.replace(/^.*is set but empty.*\n/gm, ''), code, sent }).toEqual({
      stdout: part,
      stderr: '',
      code: 0,
      sent: [],
    });
  });

  it('prints that of the contract for a command of payctl, which takes it', async () => {
    const create = ['buyers', 'shipping-details', 'create'];
    const { home: folder } = home();
    const at = { home: folder, file: undefined };
    const { stdout } = await runImported([...create, '--example'], at);
    const { code, sent } = await runImported([...create, 'b1', '--data', stdout, '--dry-run'], at);
    expect({ code, sent }).toEqual({ code: 0, sent: [] });
    expect(JSON.parse(stdout)).toMatchObject({ first_name: 'Ingrid' });
    const show = ['api', 'show', 'createShippingDetail', '--jq', '.body.examples[].value'];
    expect(JSON.parse((await runImported(show, at)).stdout)).toEqual(JSON.parse(stdout));
  });

  it.each([
    ['pictures', 'create_picture: it is a file (no_example)', 'Send a file with: --data @FILE'],
    [
      'wishes',
      'create_wish: payctl found none that its schema allows (no_example)',
      'What it can hold: payctl api show create_wish',
    ],
  ])('says why there is none: %s', async (group, message, hint) => {
    const { stdout, stderr, code } = await runImported([group, 'create', '--example'], home());
    expect({ stdout, stderr, code }).toEqual({
      stdout: '',
      stderr: `Error: There is no example of the body of ${message}\n${hint}\n`,
      code: 2,
    });
  });
});
