import { describe, expect, it } from 'vitest';
import { clientAt, serve } from '../../client/live-client.ts';
import { document } from '../../descriptions/describe.ts';
import { exchange, importedHome, runImported } from './run-imported.ts';

const FORM = 'application/x-www-form-urlencoded';
const charges = document({
  '/charges': {
    post: {
      operationId: 'create_charge',
      parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }],
      requestBody: {
        required: true,
        content: {
          [FORM]: {
            encoding: { metadata: { style: 'deepObject', explode: true } },
            schema: {
              type: 'object',
              required: ['amount', 'currency'],
              properties: {
                amount: { type: 'integer', minimum: 1 },
                currency: { type: 'string', pattern: '^[a-z]{3}$' },
                capture: { type: 'boolean' },
                metadata: { type: 'object', additionalProperties: { type: 'string' } },
                lines: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
                client_secret: { type: 'string' },
              },
            },
          },
        },
      },
      responses: {
        201: {
          description: '',
          content: {
            'application/json': { schema: { type: 'object', properties: { id: { type: 'string' } } } },
          },
        },
      },
    },
  },
});
const create = ['charges', 'create', '--idempotency-key', 'k1'];
const fields = ['-F', 'amount=100', '-F', 'currency=gbp'];
const script = [{ status: 201, body: '{"id":"ch_1"}' }];

describe('an operation that takes a form', () => {
  it('sends the members of -F as one', async () => {
    const done = await exchange(
      [
        ...create,
        ...fields,
        '-F',
        'metadata[order id]=17 & 4',
        '-F',
        'metadata.b=x',
        '-F',
        'lines[0][name]=Pen',
        '-F',
        'capture=true',
        '-o',
        'json',
      ],
      importedHome(charges),
      { script },
    );
    expect(done).toMatchObject({ stdout: '{"id":"ch_1"}\n', stderr: '', code: 0 });
    const [request] = done.requests;
    expect(request?.body).toBe(
      'amount=100&currency=gbp&metadata[order+id]=17+%26+4&metadata[b]=x&lines[0][name]=Pen&capture=true',
    );
    expect(request?.headers).toMatchObject({ 'content-type': FORM, 'idempotency-key': 'k1' });
  });

  it('takes JSON of --data, in which texts may be what a schema reads in them', async () => {
    const data = '{"amount":"1299","currency":"gbp","lines":[{"name":"a"},{"name":"b"}]}';
    const done = await runImported([...create, '--data', data, '-o', 'json'], importedHome(charges), {
      script,
    });
    expect(done).toMatchObject({ stderr: '', code: 0 });
    expect(done.sent).toEqual([
      ['POST', '/charges', 'amount=1299&currency=gbp&lines[0][name]=a&lines[1][name]=b'],
    ]);
  });

  it.each([
    [['-F', 'amount=0', '-F', 'currency=gbp'], '/amount must be 1 or more'],
    [['-F', 'amount=100'], '/currency is required'],
    [['--data', '{"amount":"ten","currency":"gbp"}'], '/amount must be an integer, not a string'],
    [['--data', '[]'], 'the body must be an object, not an array'],
    [['--data', '[]', '--no-validate'], 'a form must be an object'],
  ])('is checked before anything is sent: %j', async (flags, message) => {
    const failed = await runImported([...create, ...flags], importedHome(charges));
    expect(failed).toMatchObject({ stdout: '', code: 2, sent: [] });
    expect(failed.stderr).toContain(`Error: The request body is not valid: ${message} (bad_body)\n`);
  });

  it('is printed as it would be sent by --dry-run', async () => {
    const described = importedHome(charges);
    const shown = await runImported([...create, ...fields, '-F', 'metadata[a]=b', '--dry-run'], described);
    expect(shown).toMatchObject({ code: 0, sent: [] });
    expect(shown.stdout).toMatch(
      /\ncontent-type: application\/x-www-form-urlencoded\nidempotency-key: k1\nauthorization: Bearer \*{8}\n\namount=100&currency=gbp&metadata\[a\]=b\n\namount {2}100 \(1\.00 GBP\)\n$/,
    );
    const json = await runImported([...create, ...fields, '--dry-run', '-o', 'json'], described);
    expect(JSON.parse(json.stdout)).toMatchObject({ method: 'POST', body: 'amount=100&currency=gbp' });
  });

  it('is shown by --verbose without texts and secrets', async () => {
    const done = await runImported(
      [...create, ...fields, '-F', 'metadata[phone]=5551234', '-v', '-o', 'json'],
      importedHome(charges),
      { script },
    );
    expect(done.stderr).toContain('> amount=100&currency=********&metadata[phone]=********');
    expect(done.stderr).not.toContain('5551234');
  });

  it('is shown before a change in production is confirmed', async () => {
    const refused = await runImported([...create, ...fields], importedHome(charges), {
      env: { PAYCTL_ENVIRONMENT: 'production' },
    });
    expect(refused).toMatchObject({ code: 2, sent: [] });
    expect(refused.stderr).toContain('not_confirmed');
  });

  it('is described by api show', async () => {
    const { stdout } = await runImported(['api', 'show', 'create_charge'], importedHome(charges));
    expect(stdout).toContain('Body (application/x-www-form-urlencoded, required)');
  });

  it('is sent by api post and by the client library', async () => {
    const raw = await runImported(
      ['api', 'post', '/charges', '--idempotency-key', 'k', ...fields, '-o', 'json'],
      importedHome(charges),
      { script },
    );
    expect(raw).toMatchObject({ code: 0, sent: [['POST', '/charges', 'amount=100&currency=gbp']] });
    const server = await serve((_, reply) => void reply.end('{}'));
    const { request } = await clientAt(server.origin).withDescription(charges);
    await request('create_charge', { body: { amount: 5, metadata: { a: 'b' } } });
    expect(server.requests[0]).toMatchObject({
      body: 'amount=5&metadata[a]=b',
      headers: { 'content-type': FORM },
    });
  });
});
