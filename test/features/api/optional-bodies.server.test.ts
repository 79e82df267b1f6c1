import { describe, expect, it } from 'vitest';
import { completedMembers } from '../../../src/features/api/completed-members.ts';
import { document } from '../../descriptions/describe.ts';
import { importedHome, runImported } from './run-imported.ts';

const text = { type: 'string' };
const schemas = {
  Record: {
    type: 'object',
    required: ['id', 'amount'],
    properties: {
      id: { ...text, readOnly: true },
      amount: { type: 'integer' },
      owner: { $ref: '#/components/schemas/Owner' },
      made: { $ref: '#/components/schemas/Stamp' },
      note: text,
    },
  },
  Owner: { type: 'object', properties: { id: { ...text, readOnly: true }, name: text } },
  Stamp: { ...text, readOnly: true },
};
const body = (schema: object, required?: boolean) => ({
  requestBody: { ...(required !== undefined && { required }), content: { 'application/json': { schema } } },
  responses: { 200: { description: '' } },
});
const record = { $ref: '#/components/schemas/Record' };
const description = document(
  {
    '/things': { post: { operationId: 'make', ...body(record) } },
    '/free': { post: { operationId: 'free', ...body({ type: 'object', properties: { note: text } }) } },
    '/both': { post: { operationId: 'both', ...body({ allOf: [record, { required: ['note'] }] }, false) } },
    '/needed': { post: { operationId: 'needed', ...body(record, true) } },
    '/things/{id}': {
      delete: {
        operationId: 'drop',
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        ...body(record),
      },
    },
  },
  { components: { schemas } },
);
const script = [{ status: 200, body: '{}' }];
const call = (argv: readonly string[]) =>
  runImported(['api', 'call', ...argv, '-o', 'json'], importedHome(description), { script });

describe('a body that may be left out', () => {
  it.each([
    ['make', 'amount'],
    ['both', 'amount, note'],
  ])('is asked for where its schema requires members: %s', async (id, names) => {
    const refused = await call([id]);
    expect(refused).toMatchObject({ stdout: '', code: 2, sent: [] });
    expect(JSON.parse(refused.stderr).error).toMatchObject({
      code: 'no_body',
      message: `The request has no body, in which the description requires ${names}`,
      hint: 'Nothing was sent. Add -F PATH=VALUE or --data, or --no-validate to send the request without a body.',
    });
  });

  it('is left out with --no-validate, where nothing is required of it, and with DELETE', async () => {
    expect(await call(['make', '--no-validate'])).toMatchObject({ code: 0, sent: [['POST', '/things']] });
    expect(await call(['free'])).toMatchObject({ code: 0, sent: [['POST', '/free']] });
    expect(await call(['drop', 't1', '--yes'])).toMatchObject({ code: 0, sent: [['DELETE', '/things/t1']] });
  });

  it('is checked as a whole where a member is given', async () => {
    const refused = await call(['make', '-F', 'note=x']);
    expect(refused).toMatchObject({ code: 2, sent: [] });
    expect(refused.stderr).toContain('The request body is not valid: /amount is required');
    expect(await call(['make', '--data', '{}'])).toMatchObject({ code: 2, sent: [] });
  });

  it('names what is required behind a reference where it must be there', async () => {
    expect((await call(['needed'])).stderr).toContain('Add -F PATH=VALUE or --data. Required: amount.');
  });
});

describe('a member that is read-only', () => {
  it.each([
    ['id=t1', '--field id cannot be set: it is read-only'],
    ['made:=1', '--field made cannot be set: it is read-only'],
    ['owner.id=o', '--field owner.id cannot be set: \\"id\\" is read-only'],
  ])('is refused with -F %s', async (field, message) => {
    const refused = await call(['make', '-F', 'amount=1', '-F', field]);
    expect(refused).toMatchObject({ stdout: '', code: 2, sent: [] });
    expect(refused.stderr).toContain(message);
    expect(refused.stderr).toContain('"code":"bad_field"');
  });

  it('is sent with --no-validate, and in --data, which may be what the service sent', async () => {
    const sent = [['POST', '/things', '{"amount":1,"id":"t1"}']];
    expect(await call(['make', '-F', 'amount=1', '-F', 'id=t1', '--no-validate'])).toMatchObject({
      code: 0,
      sent,
    });
    expect(await call(['make', '--data', '{"amount":1,"id":"t1"}'])).toMatchObject({
      code: 0,
      stderr: '',
      sent,
    });
  });

  it('is offered nowhere', async () => {
    const described = importedHome(description);
    const help = (await runImported(['needed', 'create', '--help'], described)).stdout;
    expect(help).toContain('  amount ');
    expect(help).not.toMatch(/^ {2}(?:id|made) /m);
    const shown = (await runImported(['api', 'show', 'needed'], described)).stdout;
    expect(shown).not.toMatch(/^ {2,}"?(?:id|made)\b/m);
    const schema = {
      ...schemas.Record,
      properties: { ...schemas.Record.properties, owner: schemas.Owner, made: schemas.Stamp },
    };
    expect(completedMembers(schema)).toEqual(['amount=', 'note=', 'owner.name=']);
  });
});
