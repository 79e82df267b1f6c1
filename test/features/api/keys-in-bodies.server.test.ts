import { describe, expect, it } from 'vitest';
import { document } from '../../descriptions/describe.ts';
import { exchange, importedForAll } from './run-imported.ts';

const text = { type: 'string' };
const key = { type: 'string', minLength: 1, maxLength: 45 };
const made = { responses: { 200: { description: '' } } };
const post = (operationId: string, required: readonly string[], properties: object) => ({
  post: {
    operationId,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object', required, properties } } },
    },
    ...made,
  },
});

const imported = importedForAll(
  document({
    '/payments': post('pay', ['idempotency_key', 'source'], { idempotency_key: key, source: text }),
    '/orders': post('order', [], { idempotencyKey: key, note: text }),
    '/orders/pay': post('settle', ['idempotency_key'], { idempotency_key: key, note: text }),
    '/payments/cancel': post('cancel', ['idempotency_key'], { idempotency_key: key }),
    '/payments/search': post('search', [], { idempotency_key: key, note: text }),
    '/counts': post('count', [], { idempotency_key: { type: 'integer' }, note: text }),
    '/both': {
      post: {
        ...post('both', ['idempotency_key'], { idempotency_key: key, note: text }).post,
        parameters: [{ name: 'Idempotency-Key', in: 'header', schema: text }],
      },
    },
  }),
);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const uuid = expect.stringMatching(UUID);

async function run(argv: readonly string[], script: Parameters<typeof exchange>[2] = {}) {
  const done = await exchange([...argv, '-o', 'json'], imported, { script: [{ body: '{}' }], ...script });
  const bodies = done.requests.map(({ body }) => (body === '' ? undefined : JSON.parse(body)));
  return { ...done, bodies };
}
const call = (...argv: readonly string[]) => run(['api', 'call', ...argv]);

describe('an idempotency key in the body', () => {
  it.each([
    ['that is required', ['pay', '-F', 'source=s'], { idempotency_key: uuid, source: 's' }],
    ['that may be left out', ['order', '-F', 'note=n'], { idempotencyKey: uuid, note: 'n' }],
    ['that is all that is required', ['settle'], { idempotency_key: uuid }],
    ['of a body that is not checked', ['pay', '--no-validate', '--data', '{}'], { idempotency_key: uuid }],
  ])('%s is filled in', async (_, argv, body) => {
    expect(await call(...argv)).toMatchObject({ code: 0, bodies: [body] });
  });

  it.each([
    ['-F', ['-F', 'idempotency_key=k']],
    ['--data', ['--data', '{"idempotency_key":"k"}']],
    ['--idempotency-key', ['--idempotency-key', 'k']],
    [
      '--idempotency-key, which overrides --data',
      ['--data', '{"idempotency_key":"x"}', '--idempotency-key', 'k'],
    ],
  ])('is that of %s', async (_, argv) => {
    const { bodies } = await call('pay', '-F', 'source=s', ...argv);
    expect(bodies).toEqual([{ idempotency_key: 'k', source: 's' }]);
  });

  it('is the same in every attempt, and makes a POST safe to repeat', async () => {
    const { bodies, code } = await run(['api', 'call', 'pay', '-F', 'source=s'], {
      script: [{ status: 503, headers: { 'retry-after': '0' } }, { body: '{}' }],
      env: { PAYCTL_MAX_RETRIES: '1' },
    });
    expect([code, bodies.length, bodies[0]?.idempotency_key]).toEqual([0, 2, uuid]);
    expect(bodies[1]).toEqual(bodies[0]);
  });

  it('is filled in for the path of its operation', async () => {
    const { bodies } = await run(['api', 'post', '/payments', '-F', 'source=s', '--idempotency-key', 'k']);
    expect(bodies).toEqual([{ source: 's', idempotency_key: 'k' }]);
  });

  it('is shown under --dry-run', async () => {
    const { stdout, requests } = await call('pay', '-F', 'source=s', '--dry-run');
    expect(requests).toEqual([]);
    expect(JSON.parse(stdout).body).toEqual({ source: 's', idempotency_key: uuid });
  });

  it('is named where the outcome is unknown', async () => {
    const { stderr, bodies } = await run(['api', 'call', 'pay', '-F', 'source=s'], {
      script: [{ status: 503 }],
    });
    expect(JSON.parse(stderr).error.idempotency_key).toBe(bodies[0]?.idempotency_key);
  });

  it('is checked as its schema says', async () => {
    const refused = await call('pay', '-F', 'source=s', '--idempotency-key', 'k'.repeat(46));
    expect(refused).toMatchObject({ code: 2, requests: [] });
    expect(refused.stderr).toContain('/idempotency_key');
  });

  it('is not filled in where it is what the request is about, where the request only reads, and for a number', async () => {
    expect(await call('cancel')).toMatchObject({ code: 2, requests: [] });
    expect(await call('search', '-F', 'note=n')).toMatchObject({ bodies: [{ note: 'n' }] });
    expect((await call('count', '-F', 'note=n')).bodies).toEqual([{ note: 'n' }]);
  });

  it('is the same as in the header, where an operation takes both', async () => {
    const { bodies, requests } = await call('both');
    expect(bodies).toEqual([{ idempotency_key: uuid }]);
    expect(requests[0]?.headers['idempotency-key']).toBe(bodies[0]?.idempotency_key);
  });

  it('is named by the help and by `api show`', async () => {
    const { stdout } = await run(['api', 'show', 'pay']);
    expect(JSON.parse(stdout)).toMatchObject({
      idempotency_header: null,
      idempotency_member: 'idempotency_key',
    });
    expect((await exchange(['api', 'call', 'pay', '--help'], imported)).stdout).toContain(
      '--idempotency-key',
    );
  });
});
