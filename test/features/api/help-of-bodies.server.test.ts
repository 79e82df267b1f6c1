import { describe, expect, it } from 'vitest';
import { importedHome, runImported } from './run-imported.ts';

const countries = Array.from({ length: 250 }, (_, index) => `C${index}`);
const parameter = (where: string, name: string, more = {}) => ({
  in: where,
  name,
  schema: { type: 'string' },
  ...more,
});
const wrapped = (properties: object) => {
  const schema = { type: 'object', properties: { notify: { type: 'boolean' }, ...properties } };
  const content = { 'application/json': { schema } };
  return {
    requestBody: { content },
    responses: {
      200: { description: 'D', content: { 'application/json': { schema: { type: 'object', properties } } } },
    },
  };
};
const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Letters', version: '1' },
  paths: {
    '/letters': {
      get: {
        operationId: 'list_letters',
        parameters: [
          parameter('query', 'unit', { required: true, schema: { type: 'integer', default: 5 } }),
          parameter('query', 'country', { schema: { type: 'string', enum: countries } }),
          parameter('query', 'sort', {
            description:
              'The order, see <a href="https://x.example">sorting</a>. Of all. Default: newest first.',
          }),
        ],
        responses: {},
      },
      post: {
        operationId: 'create_letter',
        description: 'Makes a [letter](https://x.example/letters).<br>It is **sent**.',
        parameters: [parameter('header', 'Idempotency-Key'), parameter('query', 'idempotency_key')],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Letter' } } } },
        responses: {},
      },
    },
    '/parcels': {
      post: { operationId: 'create_parcel', ...wrapped({ parcel: { $ref: '#/components/schemas/Parcel' } }) },
    },
    '/crates': {
      post: {
        operationId: 'create_crate',
        ...wrapped({
          data: {
            type: 'object',
            required: ['type'],
            properties: { type: { const: 'crate' }, attributes: { $ref: '#/components/schemas/Parcel' } },
          },
        }),
      },
    },
  },
  components: {
    schemas: {
      Parcel: {
        type: 'object',
        required: ['to'],
        properties: { size: { type: 'integer' }, to: { type: 'string' }, notify: { type: 'string' } },
      },
      Letter: {
        type: 'object',
        required: ['to'],
        properties: {
          amount: {
            type: 'integer',
            description: 'How much to capture, in cents. Default: all that is left.',
          },
          color: { type: 'boolean', description: 'In <b>colour</b>.', default: false },
          country: { enum: countries },
          to: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/Address' }], default: 'me' },
        },
      },
      Address: {
        type: 'object',
        title: 'An address of a person',
        required: ['line1'],
        properties: { line1: {} },
      },
    },
  },
};
const run = async (...argv: string[]) => await runImported(argv, importedHome(DESCRIPTION));

describe('the help of an operation', () => {
  it('says what the default of a member is, without markup', async () => {
    const { stdout } = await run('letters', 'create', '--help');
    expect(stdout).toContain(`BODY (-F NAME=VALUE)
  to       String or object. Required.
  amount   Integer. How much to capture, in cents. Default: all that is left.
  color    Boolean. In colour. Default: false.
`);
    expect(stdout).toContain('Makes a letter. It is sent.\n');
    const shown = await run('api', 'show', 'create_letter');
    expect(shown.stdout.replace(/\s+/g, ' ')).toContain(
      'How much to capture, in cents. Default: all that is left.',
    );
    expect(shown.stdout).not.toMatch(/<b>|https:/);
  });

  it('has the members of the record that its body wraps, as -F takes them', async () => {
    const { stdout } = await run('parcels', 'create', '--help');
    expect(stdout).toContain(`BODY (-F NAME=VALUE)
  to             String. Required.
  size           Integer.
  parcel.notify  String.
  notify         Boolean.
`);
    const sent = await run(
      'parcels',
      'create',
      '-F',
      'to=a',
      '-F',
      'parcel.notify=b',
      '-F',
      'notify=true',
      '--dry-run',
    );
    expect(sent.stdout).toContain('{"parcel":{"to":"a","notify":"b"},"notify":true}\n');
  });

  it('has the attributes of a record of JSON:API, without the type that payctl adds', async () => {
    const { stdout } = await run('crates', 'create', '--help');
    expect(stdout).toContain(`BODY (-F NAME=VALUE)
  to                      String. Required.
  size                    Integer.
  data.attributes.notify  String.
  notify                  Boolean.
`);
    const sent = await run('crates', 'create', '-F', 'to=a', '--dry-run');
    expect(sent.stdout).toContain('{"data":{"attributes":{"to":"a"},"type":"crate"}}\n');
  });

  it('says what the default of a parameter is, without markup, which is not required then', async () => {
    const { stdout } = await run('letters', 'get', '--help');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      '--sort TEXT The order, see sorting. Default: newest first.',
    );
    expect(stdout).toMatch(/ --unit N +Parameter unit of the request\. Default: 5\.\n/);
  });

  it('has one flag for the idempotency key, that of the header', async () => {
    const { stdout } = await run('letters', 'create', '--help');
    expect(stdout.match(/--\S*idempotency-key/g)).toEqual(['--idempotency-key']);
    const sent = await run('letters', 'create', '-F', 'to=a', '--idempotency-key', 'k1', '--dry-run');
    expect(sent.stdout).toMatch(/^POST http\S*\/letters\n/);
    expect(sent.stdout).toContain('idempotency-key: k1\n');
  });
});

describe('many values', () => {
  const few = 'C0, C1, C2, C3, C4, C5, C6, C7 and 242 more';

  it('are cut in the error of a flag', async () => {
    expect(await run('letters', 'get', '--country', 'nowhere')).toEqual({
      stdout: '',
      stderr: `Error: --country cannot be "nowhere" (bad_flag)\nUse one of ${few}; --help lists all of them.\n`,
      code: 2,
      sent: [],
    });
  });

  it('are cut in the error of a body, whose branch is named as api show names it', async () => {
    expect(await run('letters', 'create', '-F', 'country=nowhere', '--data', '{"to":{}}')).toEqual({
      stdout: '',
      stderr: `Error: The request body is not valid: /country must be one of ${few}; /to/line1 is required (as Address) (bad_body)
Nothing was sent. --no-validate sends it anyway. To see what the body can hold: payctl api show create_letter
`,
      code: 2,
      sent: [],
    });
  });
});
