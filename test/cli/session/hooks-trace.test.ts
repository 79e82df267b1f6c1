import { describe, expect, it } from 'vitest';
import { traceHooks, warningHooks } from '../../../src/cli/session/hooks.ts';
import { operations } from '../../../src/contract/generated/operations.ts';
import { UsageError } from '../../../src/errors.ts';

const request = { method: 'POST', path: '/buyers?search=Ada', origin: 'https://api.example.com' };
const call = { operation: operations.createShippingDetail };
const credentials = { headers: { authorization: 'Bearer ********' } };

function trace() {
  const said: string[] = [];
  return { said, hooks: traceHooks((line) => said.push(line)) };
}

describe('traceHooks', () => {
  it('logs the request with its body redacted, and numbers later attempts', async () => {
    const { said, hooks } = trace();
    const headers = { accept: 'application/json' };
    await hooks.onRequest?.({
      request,
      call,
      credentials,
      headers,
      body: '{"first_name":"Ada","id":"1"}',
      attempt: 1,
    });
    await hooks.onRequest?.({ request, call, credentials, headers, attempt: 2 });
    expect(said).toEqual([
      '> POST https://api.example.com/buyers?search=********',
      '> accept: application/json',
      '> authorization: Bearer ********',
      '> {"first_name":"********","id":"1"}',
      '> POST https://api.example.com/buyers?search=******** (attempt 2)',
      '> accept: application/json',
      '> authorization: Bearer ********',
    ]);
  });

  it('never logs a token, even where one is among the headers', async () => {
    const { said, hooks } = trace();
    await hooks.onRequest?.({
      request,
      call,
      credentials,
      headers: { authorization: 'Bearer secret' },
      attempt: 1,
    });
    expect(said.join('\n')).not.toContain('secret');
  });

  it('logs the response with secret headers and personal data redacted', () => {
    const { said, hooks } = trace();
    const headers = {
      'x-request-id': 'r',
      'set-cookie': 'a=b',
      'www-authenticate': 'c',
      'proxy-authenticate': 'd',
    };
    const reply = {
      text: '{"display_name":"Ada"}',
      status: 200,
      requestId: 'r',
      headers,
      request,
      attempts: 1,
    };
    hooks.onResponse?.({ reply, milliseconds: 12.6 });
    expect(said).toEqual([
      '< 200 in 13 ms',
      '< x-request-id: r',
      '< set-cookie: ********',
      '< www-authenticate: ********',
      '< proxy-authenticate: ********',
      '< {"display_name":"********"}',
    ]);
  });

  it('says of an empty body that it is empty, and shortens a long one', () => {
    const { said, hooks } = trace();
    const reply = { text: '', status: 204, requestId: undefined, headers: {}, request, attempts: 1 };
    hooks.onResponse?.({ reply, milliseconds: 1 });
    hooks.onResponse?.({ reply: { ...reply, text: `[${'1,'.repeat(5_000)}1]` }, milliseconds: 1 });
    expect(said[1]).toBe('< (empty body)');
    expect(said[3]).toHaveLength(2_000 + '< … (10003 characters)'.length);
    expect(said[3]).toMatch(/^< \[1,1,.*… \(10003 characters\)$/);
  });

  it.each([
    [1999, `[${'1,'.repeat(998)}1]`],
    [2000, `[${'1,'.repeat(998)}10]`],
    [2001, `[${'1,'.repeat(998)}100… (2001 characters)`],
  ])('shows 2000 characters of a body in each direction, here of %i', async (length, shown) => {
    const text = `[${'1,'.repeat(998)}${10 ** (length - 1999)}]`;
    expect(text).toHaveLength(length);
    const { said, hooks } = trace();
    await hooks.onRequest?.({ request, call, credentials, headers: {}, body: text, attempt: 1 });
    const reply = { text, status: 200, requestId: undefined, headers: {}, request, attempts: 1 };
    hooks.onResponse?.({ reply, milliseconds: 1 });
    expect([said[2], said.at(-1)]).toEqual([`> ${shown}`, `< ${shown}`]);
  });

  it.each([
    [0, '0'],
    [0.4, '0'],
    [12.49, '12'],
    [12.5, '13'],
    [1234.5678, '1235'],
  ])('rounds the time to whole milliseconds: %d', (milliseconds, shown) => {
    const { said, hooks } = trace();
    const reply = { text: '', status: 204, requestId: undefined, headers: {}, request, attempts: 1 };
    hooks.onResponse?.({ reply, milliseconds });
    expect(said).toEqual([`< 204 in ${shown} ms`, '< (empty body)']);
  });

  it('logs an empty body of a request, and tells only how long a body is that is not JSON', async () => {
    const { said, hooks } = trace();
    await hooks.onRequest?.({ request, call, credentials, headers: {}, body: '', attempt: 1 });
    const reply = { text: '<p>', status: 502, requestId: undefined, headers: {}, request, attempts: 1 };
    hooks.onResponse?.({ reply, milliseconds: 1 });
    expect([said[2], said.at(-1)]).toEqual([
      '> [0 characters that are not JSON]',
      '< [3 characters that are not JSON]',
    ]);
  });
});

describe('warningHooks', () => {
  function warnings(isTrial: boolean) {
    const said: string[] = [];
    const display = { warn: (_: string, message: string) => void said.push(message) };
    const merchantAccount = { value: 'outlet', source: { kind: 'flag', name: '--merchant-account' } };
    const parts = { display, settings: { merchantAccount }, isTrial };
    return { said, hooks: warningHooks(parts as unknown as Parameters<typeof warningHooks>[0]) };
  }

  it.each([
    [0, 'now'],
    [49, 'now'],
    [50, 'in 0.1 s'],
    [1500, 'in 1.5 s'],
  ])('say of a wait of %i ms that the retry comes %s', (delayMilliseconds, when) => {
    const { said, hooks } = warnings(false);
    hooks.onRetry?.({ error: new UsageError('x', 'Broken'), retry: 1, maxRetries: 3, delayMilliseconds });
    expect(said).toEqual([`Broken. Retrying ${when} (retry 1 of 3)`]);
  });

  it('say once that a merchant account is not sent, and nothing where credentials are only tried', async () => {
    for (const isTrial of [false, true]) {
      const { said, hooks } = warnings(isTrial);
      for (const attempt of [1, 2])
        await hooks.onRequest?.({ request, call, credentials, headers: {}, attempt });
      expect(said).toEqual(
        isTrial ? [] : ['POST /buyers takes no merchant account; --merchant-account is not sent'],
      );
    }
  });
});
