import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer, document, type Json } from '../../descriptions/describe.ts';
import { importedForAll, runImported } from './run-imported.ts';

const integer = { type: 'integer' };
const number = { type: 'number' };
const schema = {
  type: 'object',
  properties: {
    amount: integer,
    rate: number,
    lines: { type: 'array', items: { type: 'object', properties: { amount: integer } } },
  },
};
const operation = (path: string, content: Json): Json => ({
  [path]: {
    post: {
      operationId: path.slice(1).replaceAll(/[/{}]/g, '_'),
      requestBody: { content },
      responses: answer({ type: 'object', properties: { id: { type: 'string' } } }, '201'),
    },
  },
});
const description = document({
  ...operation('/refunds', { 'application/json': { schema } }),
  ...operation('/charges', { 'application/x-www-form-urlencoded': { schema } }),
  ...operation('/evidence', {
    'multipart/form-data': {
      schema: { ...schema, properties: { ...schema.properties, details: schema } },
    },
  }),
  '/ledgers/{year}': {
    get: {
      operationId: 'get_ledger',
      parameters: [
        { name: 'year', in: 'path', required: true, schema: integer },
        { name: 'amount', in: 'query', schema: integer },
        { name: 'days', in: 'query', explode: false, schema: { type: 'array', items: integer } },
        { name: 'rate', in: 'query', schema: number },
        { name: 'X-Depth', in: 'header', schema: integer },
      ],
      responses: answer({ type: 'object', properties: { id: { type: 'string' } } }),
    },
  },
});
const described = importedForAll(description);
const script = [{ status: 201, body: { id: 'r' } }];

const COMMANDS = [
  ['refunds', 'create'],
  ['charges', 'create'],
  ['evidence', 'create'],
  ['api', 'post', '/refunds'],
];

describe.each(COMMANDS)('an integer of a body of %s %s %s', (...words) => {
  const command = words.filter(Boolean);

  it.each([
    [['-F', 'amount:=5.00'], '/amount', '5.00'],
    [['-F', 'amount:=1e2'], '/amount', '1e2'],
    [['--data', '{"amount":5.0}'], '/amount', '5.0'],
    [['--data', '{"amount":1E+2}'], '/amount', '1E+2'],
    [['--data', '{"lines":[{"amount":1},{"amount":2.00}]}'], '/lines/1/amount', '2.00'],
    [['-F', 'lines[0].amount:=7.0'], '/lines/0/amount', '7.0'],
  ])('is refused before anything is sent, with --no-validate, too: %j', async (flags, pointer, given) => {
    for (const more of [[], ['--no-validate']]) {
      const failed = await runImported([...command, ...flags, ...more], described);
      expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
      expect(failed.stderr).toMatch(
        /^Error: The request body is not valid: \S+ must be .* \(bad_body\)\nNothing was sent\. Amounts are in minor units\. For .* To see /,
      );
      expect(failed.stderr).toContain(
        `${pointer} must be an integer in digits only, not ${given} (bad_body)`,
      );
    }
  });

  it.each(['5.00', '1e2', ' 5', '1,000', '1_000', '005', '+5', '5.', '\uff15'])(
    'is refused as a text, and with --no-validate: %j',
    async (text) => {
      for (const more of [[], ['--no-validate']]) {
        const field = await runImported([...command, '-F', `amount=${text}`, ...more], described);
        expect(field).toMatchObject({ code: 2, sent: [] });
        expect(field.stderr).toContain(
          `amount must be a whole number in minor units, or an amount with its currency, not ${JSON.stringify(text)} (bad_field)`,
        );
        const data = JSON.stringify({ amount: text });
        const body = await runImported([...command, '--data', data, ...more], described);
        expect(body).toMatchObject({ code: 2, sent: [] });
        expect(body.stderr).toContain('/amount must be an integer in digits only, not ');
      }
    },
  );

  it('is sent digit for digit, and a number as it was written', async () => {
    const flags = ['-F', 'amount=123456789012345678901', '-F', 'rate=5.00', '-o', 'json'];
    const done = await runImported([...command, ...flags], described, { script });
    expect(done).toMatchObject({ stderr: '', code: 0 });
    expect(done.sent[0]?.[2]).toMatch(/amount.*123456789012345678901.*rate.*5\.00/s);
  });
});

it('refuses an integer of a file and of a part that is JSON', async () => {
  const file = join(described.home, 'body.json');
  writeFileSync(file, '{ "amount" : 5.0 }');
  const failed = await runImported(['refunds', 'create', '--data', `@${file}`], described);
  expect(failed).toMatchObject({ code: 2, sent: [] });
  expect(failed.stderr).toContain('/amount must be an integer in digits only, not 5.0 (bad_body)');
  const part = await runImported(
    ['evidence', 'create', '-F', 'details:={"amount":5.0}', '--no-validate'],
    described,
  );
  expect(part).toMatchObject({ code: 2, sent: [] });
  expect(part.stderr).toContain('/details/amount must be an integer in digits only, not 5.0 (bad_body)');
});

it.each([
  [['ledgers', 'get', '2026.0'], 'YEAR must be a whole number, not "2026.0" (bad_flag)'],
  [
    ['ledgers', 'get', '2026', '--amount', '1e2'],
    '--amount must be a whole number in minor units, or an amount with its currency, not "1e2" (bad_flag)',
  ],
  [
    ['ledgers', 'get', '2026', '--amount', '005'],
    '--amount must be a whole number in minor units, or an amount with its currency, not "005" (bad_flag)',
  ],
  [['ledgers', 'get', '2026', '--days', '5.'], '--days must be a whole number, not "5." (bad_flag)'],
  [['ledgers', 'get', '2026', '--x-depth', '1_0'], '--x-depth must be a whole number, not "1_0" (bad_flag)'],
  [['api', 'get', '/ledgers/2026.0'], '"year" must be an integer in digits only, not "2026.0" (bad_path)'],
  [
    ['api', 'get', '/ledgers/1?amount=5%2E00'],
    '"amount" must be an integer in digits only, not "5.00" (bad_path)',
  ],
  [['api', 'get', '/ledgers/1?amount=+5'], '"amount" must be an integer in digits only, not " 5" (bad_path)'],
  [['api', 'get', '/ledgers/1?days=1,2.0'], '"days" must be an integer in digits only, not "2.0" (bad_path)'],
  [
    ['api', 'get', '/ledgers/1?days[]=1e1'],
    '"days[]" must be an integer in digits only, not "1e1" (bad_path)',
  ],
  [['api', 'get', '/roles?limit=5.0'], '"limit" must be an integer in digits only, not "5.0" (bad_path)'],
])('refuses a parameter before anything is sent: %j', async (argv, message) => {
  const failed = await runImported(argv, described);
  expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
  expect(failed.stderr).toContain(`Error: ${message}\n`);
});

it('sends the integers of a path and a query that somebody typed as they are', async () => {
  const path = '/ledgers/2026?amount=-5&days=1,2&days%5B%5D=3&rate=5.0&other=1e2&amount=';
  const done = await runImported(['api', 'get', path, '-o', 'json'], described, { script });
  expect(done).toMatchObject({ code: 0, sent: [['GET', path]] });
});
