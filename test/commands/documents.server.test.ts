import { describe, expect, it } from 'vitest';
import { lines } from '../harness/lines.ts';
import { serviceForAll } from './service-for-all.ts';

const SESSION = {
  type: 'checkout-session',
  id: 's-1',
  expires_at: '2026-03-01T13:00:00+00:00',
  cart_items: [{ name: 'Tea', quantity: 2, unit_amount: 12345678901234 }],
  metadata: { order: '1' },
  airline: null,
};

let answer: object = SESSION;
let status = 200;
const service = serviceForAll(() => ({ status, body: answer }));

/** Runs a command; gives what it printed and the requests that it sent. */
async function run(args: readonly string[], columns?: number) {
  const { urls, ...printed } = await service.run(args, { columns });
  return { ...printed, requests: service.requests() };
}

describe('a document', () => {
  const get = (...flags: string[]) => ['checkout-sessions', 'get', 's-1', ...flags];

  it('is the exact text of the service as json', async () => {
    answer = SESSION;
    expect((await run(get('-o', 'json'))).stdout).toBe(`${JSON.stringify(SESSION)}\n`);
  });

  it('says on stderr how long the session lives', async () => {
    answer = { ...SESSION, expires_at: new Date(Date.now() + 90 * 60_000 + 5_000).toISOString() };
    expect((await run(get())).stderr).toBe('The session expires in 90 minutes.\n');
    answer = SESSION;
  });
});

describe('a body', () => {
  it('is needed for an update, and nothing is sent without', async () => {
    const { stderr, code, requests } = await run(['checkout-sessions', 'update', 's-1']);
    expect({ stderr, code, requests }).toEqual({
      stderr:
        "Error: There is nothing to update (nothing_to_update)\nAdd --set-metadata, --add-cart-item or another field, or --data; --data '{}' sends an empty object.\n",
      code: 2,
      requests: [],
    });
  });

  it('may be the empty object when --data says so', async () => {
    const { code, requests } = await run(['checkout-sessions', 'update', 's-1', '--data', '{}']);
    expect({ code, body: requests[0]?.body }).toEqual({ code: 0, body: '{}' });
  });

  it('carries explicit nulls and unknown fields, and flags win over --data', async () => {
    const data = '{"airline":null,"metadata":{"a":"1"},"new":{"x":1.5}}';
    const args = ['checkout-sessions', 'update', 's-1', '--data', data, '--metadata', 'b=2'];
    expect((await run(args)).requests[0]?.body).toBe('{"airline":null,"metadata":{"b":"2"},"new":{"x":1.5}}');
  });

  it.each([
    [['--data', '[]'], '--data must be a JSON object, not an array'],
    [['--data', '{'], '--data is not JSON: '],
    [
      ['--cart-items', '{}'],
      'The request body is not valid: /cart_items must be an array or null, not an object',
    ],
    [['--metadata', 'x'], '--metadata must be KEY=VALUE, not "x"'],
    [
      ['--airline', '{"passengers":[{"first_name":7}]}'],
      '/airline/passengers/0/first_name must be a string or null, not a number (bad_body)',
    ],
  ])('%j is refused before anything is sent', async (flags, message) => {
    const { stderr, code, requests } = await run(['checkout-sessions', 'update', 's-1', ...flags]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });
});

describe('a field that is replaced whole', () => {
  const REPLACED = {
    'cart-items': '--cart-items replaces the whole cart; --add-cart-item adds to it.',
    metadata: '--metadata replaces all metadata; --set-metadata changes single keys.',
    airline: '--airline replaces all airline data.',
  };
  const update = ['checkout-sessions', 'update', 's-1', '--jq', '.id'];
  const all = ['--cart-items', '[]', '--metadata', 'a=1', '--metadata', 'b=2', '--airline', '{}'];

  it('has a warning with a code, before the change and in a dry run', async () => {
    answer = { type: 'checkout-session', id: 's-1' };
    for (const flags of [[], ['--dry-run']]) {
      const { stderr, code } = await run([...update, ...all, ...flags]);
      expect({ stderr, code }).toEqual({ stderr: lines(...Object.values(REPLACED)), code: 0 });
      const json = await run([...update, ...all, ...flags, '-o', 'ndjson']);
      const warnings = Object.values(REPLACED).map((message) =>
        JSON.stringify({ warning: { code: 'field_replaced', message } }),
      );
      expect(json.stderr).toBe(lines(...warnings));
      expect(await run([...update, ...all, ...flags, '-q'])).toMatchObject({ stderr: '', code: 0 });
    }
    answer = SESSION;
  });

  it('has none where it is not given, or where nothing is sent', async () => {
    answer = { type: 'checkout-session', id: 's-1' };
    expect(await run([...update, '--data', '{"metadata":{}}'])).toMatchObject({ stderr: '', code: 0 });
    const { stderr } = await run([...update, '--metadata', 'a=1', '--cart-items', '{}']);
    expect(stderr).not.toContain('replaces');
    answer = SESSION;
  });
});

describe('a checkout session that is not there', () => {
  it.each([['get'], ['update', '--data', '{}'], ['update', '--set-metadata', 'a=1']])(
    'may have expired: %s',
    async (verb, ...flags) => {
      status = 404;
      answer = { type: 'error', code: 'not_found', status, message: 'Not found', details: [] };
      const { stderr, code } = await run(['checkout-sessions', verb, 's-1', ...flags, '--json']);
      status = 200;
      answer = SESSION;
      const { error } = JSON.parse(stderr);
      expect(code).toBe(5);
      expect(error.probably[0]).toBe(
        'the session may have expired; by default, a checkout session lives for 1 hour',
      );
    },
  );
});

describe('a payment service session', () => {
  const create = ['payment-service-definitions', 'sessions', 'create', 'acme', '--data', '{}'];

  it('ends with 0 when the payment service made it', async () => {
    answer = {
      type: 'payment-service-session',
      status: 'succeeded',
      status_code: 201,
      response_body: { token: 't' },
    };
    expect(await run(create)).toMatchObject({ code: 0, stderr: '' });
  });

  it('ends with 8 when the payment service reports a failure, its answer shown', async () => {
    answer = {
      type: 'payment-service-session',
      status: 'failed',
      status_code: 402,
      code: 'service_error',
      response_body: { reason: 'no funds' },
    };
    const { code, stdout, stderr } = await run([...create, '-o', 'json']);
    const message = 'The payment service reported a failure: service_error';
    const warning = { code: 'payment_service_failed', message };
    expect({ code, stdout, stderr }).toEqual({
      code: 8,
      stdout: `${JSON.stringify(answer)}\n`,
      stderr: `${JSON.stringify({ warning })}\n`,
    });
    expect((await run(create)).stderr).toBe(`${message}\n`);
    expect((await run(create)).stdout).toContain('response_body.reason\tno funds\n');
  });

  it('needs a payload', async () => {
    const { code, requests } = await run(create.slice(0, 4));
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });
});

describe('a body with members that the contract does not know', () => {
  const update = (data: object, ...flags: string[]) =>
    run(['checkout-sessions', 'update', 's-1', '--data', JSON.stringify(data), '-o', 'json', ...flags]);
  const warnings = (stderr: string) =>
    stderr
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).warning);

  it('is sent as it is, with a warning for each, once for all elements of a list', async () => {
    const item = { name: 'Tea', quantity: 1, unit_amout: 1 };
    const body = {
      metdata: {},
      'a/b': null,
      cart_items: [item, item],
      airline: { legs: [{ carier_code: 'X' }] },
    };
    const { stderr, requests, code } = await update(body);
    expect(JSON.parse(requests.at(-1)?.body ?? '')).toEqual(body);
    expect(code).toBe(0);
    expect(warnings(stderr)).toEqual([
      {
        code: 'unknown_member',
        message:
          'The request body has the field /metdata, which is not in the contract; it is sent as is. Did you mean metadata?',
        pointer: '/metdata',
        did_you_mean: 'metadata',
      },
      {
        code: 'unknown_member',
        message: 'The request body has the field /a~1b, which is not in the contract; it is sent as is.',
        pointer: '/a~1b',
        did_you_mean: null,
      },
      expect.objectContaining({ pointer: '/cart_items/0/unit_amout', did_you_mean: 'unit_amount' }),
      expect.objectContaining({ pointer: '/airline/legs/0/carier_code', did_you_mean: 'carrier_code' }),
    ]);
  });

  it('is warned of with --dry-run, too, and not with --quiet', async () => {
    const { stdout, stderr, requests } = await update({ metdata: {} }, '--dry-run');
    expect(requests).toEqual([]);
    expect(JSON.parse(stdout).body).toEqual({ metdata: {} });
    expect(warnings(stderr)).toHaveLength(1);
    expect((await update({ metdata: {} }, '-q')).stderr).toBe('');
  });

  it('is not warned of where members are free', async () => {
    const metadata = { anything: { goes: 1 } };
    expect((await update({ metadata, cart_items: [], airline: null })).stderr).toBe('');
    const words = ['payment-service-definitions', 'sessions', 'create', 'p-1', '-o', 'json'];
    expect((await run([...words, '--data', '{"store":"x"}'])).stderr).not.toContain('unknown_member');
  });

  it('is warned of ten times at most', async () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`unknown${index}`, 1]));
    const found = warnings((await update(many)).stderr);
    expect(found).toHaveLength(11);
    expect(found.at(-1)).toEqual({
      code: 'unknown_member',
      message: 'The request body has 2 more fields like this.',
      more: 2,
    });
  });

  it('is warned of by the flag that gives it', async () => {
    const item = '{"name":"Tea","quantity":1,"unit_amout":1}';
    const { stderr } = await run(`checkout-sessions update s-1 --add-cart-item ${item} -o json`.split(' '));
    expect(warnings(stderr)[0]).toMatchObject({
      code: 'unknown_member',
      message: expect.stringMatching(/^--add-cart-item has the field \/unit_amout,/),
      pointer: '/unit_amout',
    });
  });
});
