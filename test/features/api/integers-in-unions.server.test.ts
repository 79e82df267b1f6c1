import { describe, expect, it } from 'vitest';
import { answer, document, type Json } from '../../descriptions/describe.ts';
import { importedForAll, importedHome, runImported } from './run-imported.ts';

const integer = { type: 'integer' };
const listed = {
  type: 'object',
  properties: {
    en: { enum: [1, 5] },
    co: { const: 5 },
    nest: { type: 'object', properties: { n: integer } },
    list: { type: 'array', items: integer },
    'own[n]': { type: 'string' },
    mixed: { enum: [1, 2.5, 'auto'] },
    one: { oneOf: [{ const: 1 }, { const: 5 }] },
  },
};
const union = { oneOf: [integer, { type: 'boolean' }] };
const responses = answer({ type: 'object', properties: { id: { type: 'string' } } });
const post = (path: string, content: Json): Json => ({
  [path]: { post: { operationId: path.slice(1), requestBody: { content }, responses } },
});
const inQuery = (name: string, schema: Json) => ({ name, in: 'query', schema });
const description = document({
  ...post('/refunds', { 'application/json': { schema: listed } }),
  ...post('/charges', { 'application/x-www-form-urlencoded': { schema: listed } }),
  ...post('/evidence', { 'multipart/form-data': { schema: listed } }),
  ...post('/counts', { 'text/plain': { schema: integer } }),
  '/ledgers/{year}': {
    get: {
      operationId: 'get_ledger',
      parameters: [
        { name: 'year', in: 'path', required: true, schema: union },
        inQuery('one', union),
        inQuery('any', { anyOf: [integer, { type: 'string', enum: ['auto'] }] }),
        inQuery('types', { type: ['integer', 'boolean'] }),
        inQuery('null', { type: ['integer', 'null'] }),
        inQuery('outer', { type: 'integer', oneOf: [{ const: 1 }, { const: 5 }] }),
        inQuery('both', { allOf: [integer, { type: 'number' }] }),
        inQuery('en', { enum: [1, 5] }),
        inQuery('text', { oneOf: [integer, { type: 'string' }] }),
        { name: 'X-Depth', in: 'header', schema: union },
      ],
      responses,
    },
  },
});
const described = importedForAll(description);
const script = [{ body: { id: 'r' } }];

describe.each(['5.00', '05', '1e2', '+5', ' 5'])(
  'the number %j where an integer is one of several',
  (text) => {
    it.each(['one', 'any', 'types', 'null', 'both', 'x-depth'])('is refused for --%s', async (flag) => {
      const argv = ['ledgers', 'get', '1', `--${flag}`, text];
      const failed = await runImported(argv, described);
      expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
      expect(failed.stderr).toContain(`Error: --${flag} must be `);
      expect(failed.stderr).toContain(`, not ${JSON.stringify(text)} (bad_flag)`);
    });

    it('is refused where it is one of several constants', async () => {
      const failed = await runImported(['ledgers', 'get', '1', '--outer', text], described);
      expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
      expect(failed.stderr).toBe(
        `Error: --outer cannot be ${JSON.stringify(text)} (bad_flag)\nUse one of 1, 5.\n`,
      );
    });

    it('is refused in a path', async () => {
      const failed = await runImported(['ledgers', 'get', text], described);
      expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
      expect(failed.stderr).toContain('Error: YEAR must be a whole number in digits only, not ');
    });

    it.each(['one', 'any', 'types', 'outer', 'both', 'en'])(
      'is refused for %s in a raw query',
      async (name) => {
        const path = `/ledgers/1?${name}=${encodeURIComponent(text)}`;
        const failed = await runImported(['api', 'get', path], described);
        expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
        expect(failed.stderr).toContain(
          `Error: "${name}" must be an integer in digits only, not ${JSON.stringify(text)} (bad_path)`,
        );
      },
    );
  },
);

it('sends what another branch of a union takes', async () => {
  const flags = ['--one', 'true', '--any', 'auto', '--text', '5.00', '--types', '5'];
  const done = await runImported(['ledgers', 'get', '5', ...flags, '-o', 'json'], described, { script });
  expect(done).toMatchObject({
    stderr: '',
    code: 0,
    sent: [['GET', '/ledgers/5?one=true&any=auto&types=5&text=5.00']],
  });
});

describe.each(['refunds', 'charges', 'evidence'])('a listed integer of %s', (topic) => {
  it.each([
    [['-F', 'en:=5.00'], '/en', '5.00'],
    [['-F', 'co:=5.0'], '/co', '5.0'],
    [['-F', 'mixed:=1.0'], '/mixed', '1.0'],
    [['--data', '{"one":5.0}'], '/one', '5.0'],
    [['-F', 'en=5.00'], '/en', '5.00'],
  ])('is refused in another form, with --no-validate, too: %j', async (flags, pointer, given) => {
    for (const more of [[], ['--no-validate']]) {
      const failed = await runImported([topic, 'create', ...flags, ...more], described);
      expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
      expect(failed.stderr).toContain(`${pointer} must be an integer in digits only, not ${given}`);
    }
  });

  it('is sent in digits, and a listed fraction as it was written', async () => {
    const argv = [topic, 'create', '-F', 'en=5', '--data', '{"co":5,"mixed":2.50}', '-o', 'json'];
    const done = await runImported(argv, described, { script });
    expect(done).toMatchObject({ stderr: '', code: 0 });
    expect(done.sent[0]?.[2]).toContain('2.50');
  });
});

describe.each(['charges', 'evidence'])('a name of %s as it is written in a form', (topic) => {
  it.each([
    ['{"nest[n]":5.00}', 'nest[n]', 'nest'],
    ['{"nest[n]":"05"}', 'nest[n]', 'nest'],
    ['{"list[]":"1e2"}', 'list[]', 'list'],
    ['{"list[0]":5.0}', 'list[0]', 'list'],
  ])('is refused, with --no-validate, too: %s', async (data, name, outer) => {
    for (const more of [[], ['--no-validate']]) {
      const failed = await runImported([topic, 'create', '--data', data, ...more], described);
      expect(failed).toMatchObject({
        stdout: '',
        stderr: `Error: The request body is not valid: "${name}" names a member of "${outer}", which is checked only as one (bad_body)\nNothing was sent. Give "${outer}" its members instead: as JSON in --data, or with -F.\n`,
        code: 2,
        sent: [],
      });
    }
  });
});

it('sends a name with brackets that the description has itself', async () => {
  const argv = ['charges', 'create', '--data', '{"own[n]":"5.00"}', '-o', 'json'];
  const done = await runImported(argv, described, { script });
  expect(done).toMatchObject({ stderr: '', code: 0, sent: [['POST', '/charges', 'own%5Bn%5D=5.00']] });
});

describe('a text body that is an integer', () => {
  it.each(['5.00', '05', '1e2', 'abc', ' 5', '+5', '', '5'.repeat(101)])(
    'is refused in another form, with --no-validate, too: %j',
    async (text) => {
      for (const more of [[], ['--no-validate']]) {
        const failed = await runImported(['counts', 'create', '--data', text, ...more], described);
        expect(failed).toMatchObject({
          stdout: '',
          stderr:
            'Error: The request body is not valid: the body must be an integer in digits only (bad_body)\nNothing was sent.\n',
          code: 2,
          sent: [],
        });
      }
    },
  );

  it('is sent in digits', async () => {
    const done = await runImported(['counts', 'create', '--data', '-5', '-o', 'json'], described, {
      script,
    });
    expect(done).toMatchObject({ stderr: '', code: 0, sent: [['POST', '/counts', '-5']] });
  });
});

it('refuses a body whose schema was too large to keep, unless --no-validate is given', async () => {
  const schemas: Record<string, unknown> = { S20: { type: 'object', properties: { n: integer } } };
  for (let level = 0; level < 20; level += 1) {
    const next = { $ref: `#/components/schemas/S${level + 1}` };
    schemas[`S${level}`] = { allOf: [next, next] };
  }
  const schema = { $ref: '#/components/schemas/S0' };
  const whole = document(post('/refunds', { 'application/json': { schema } }));
  const home = importedHome({ ...whole, components: { schemas } });
  const argv = ['refunds', 'create', '--data', '{"n":"z"}'];
  expect(await runImported(argv, home)).toMatchObject({
    stdout: '',
    stderr:
      'Error: The request body could not be checked completely: a "$ref" in its schema refers to nothing, or to a schema that is too large; the rest of the body is valid (body_not_checked)\nNothing was sent. To send the body unchecked, add --no-validate\n',
    code: 2,
    sent: [],
  });
  const sent = await runImported([...argv, '--no-validate', '-o', 'json'], home, { script });
  expect(sent).toMatchObject({ code: 0, sent: [['POST', '/refunds', '{"n":"z"}']] });
});
