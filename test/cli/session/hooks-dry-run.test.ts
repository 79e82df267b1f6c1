import { describe, expect, it } from 'vitest';
import { createRuntime } from '../../../src/cli/runtime.ts';
import { DryRunEnd, dryRunHooks } from '../../../src/cli/session/hooks.ts';
import { createDisplay } from '../../../src/cli/show/display.ts';
import type { ClientHooks } from '../../../src/client/call.ts';
import { operations } from '../../../src/contract/generated/operations.ts';
import type { OutputName } from '../../../src/output/formats.ts';
import { failureOf } from '../../client/failure-of.ts';
import { lines } from '../../harness/lines.ts';
import { MemoryStream } from '../../output/memory-stream.ts';

type RequestEvent = Parameters<NonNullable<ClientHooks['onRequest']>>[0];

const event: RequestEvent = {
  request: { method: 'POST', path: '/buyers?search=Ada', origin: 'https://api.example.com' },
  call: { operation: operations.createShippingDetail },
  headers: { accept: 'application/json', authorization: 'Bearer secret' },
  credentials: { headers: { authorization: 'Bearer ********' } },
  body: '{"first_name":"Ada","amount":12345678901234567890}',
  attempt: 1,
};

const { body: _, ...eventWithoutBody } = event;

type Options = { readonly columns?: number } & NonNullable<Parameters<typeof dryRunHooks>[1]>;

/** What the hook throws, and what is on stdout and stderr afterwards. */
async function dryRun(
  format: OutputName,
  sent: RequestEvent,
  { columns, mask, amounts = async () => [] }: Options = {},
) {
  const stdout = columns === undefined ? new MemoryStream() : new MemoryStream({ isTTY: true, columns });
  const stderr = new MemoryStream();
  const { signal } = new AbortController();
  const stdin = async function* () {};
  const runtime = createRuntime({ stdout, stderr, stdin, env: {}, signal, version: '0.0.0' });
  const display = createDisplay({ format, verbose: false, quiet: false, noColor: true }, runtime);
  const error = await failureOf(Promise.resolve(dryRunHooks(display, { mask, amounts }).onRequest?.(sent)));
  return { error, stdout: stdout.text, stderr: stderr.text };
}

describe('dryRunHooks', () => {
  it('prints the request as it would be sent, without its token, and ends the run', async () => {
    const { error, stdout, stderr } = await dryRun('table', event);
    expect(error).toBeInstanceOf(DryRunEnd);
    expect(stdout).toBe(
      lines(
        'POST https://api.example.com/buyers?search=Ada',
        'accept: application/json',
        'authorization: Bearer ********',
        '',
        '{"first_name":"Ada","amount":12345678901234567890}',
      ),
    );
    expect(stderr).toBe('');
  });

  it('prints amounts in both units below the body, for people alone', async () => {
    const given = { pointer: '', value: 7, money: { minor: 7n, currency: 'EUR' } };
    const amounts = async () => [
      { ...given, path: 'amount', text: '500 (5.00 EUR)' },
      { ...given, path: 'lines.0.fee', text: '7\u001B (0.07 EUR)' },
      { ...given, path: 'total_amount', text: '7 (currency unknown)', money: undefined },
    ];
    const { stdout } = await dryRun('table', { ...event, headers: {} }, { amounts });
    expect(stdout).toBe(
      lines(
        'POST https://api.example.com/buyers?search=Ada',
        'authorization: Bearer ********',
        '',
        '{"first_name":"Ada","amount":12345678901234567890}',
        '',
        'amount       500 (5.00 EUR)',
        'lines.0.fee  7\u241B (0.07 EUR)',
      ),
    );
    expect((await dryRun('json', event, { amounts })).stdout).not.toContain('EUR');
  });

  it('prints an empty line for a request without a body', async () => {
    const { error, stdout } = await dryRun('table', { ...eventWithoutBody, headers: {} });
    expect(error).toBeInstanceOf(DryRunEnd);
    expect(stdout).toBe(
      lines('POST https://api.example.com/buyers?search=Ada', 'authorization: Bearer ********', '', ''),
    );
  });

  it.each(['json', 'ndjson'] as const)(
    'prints the request as one object, with exact numbers: %s',
    async (format) => {
      const { error, stdout, stderr } = await dryRun(format, event);
      expect(error).toBeInstanceOf(DryRunEnd);
      expect(stdout).toContain('12345678901234567890');
      expect(JSON.parse(stdout)).toEqual({
        method: 'POST',
        url: 'https://api.example.com/buyers?search=Ada',
        headers: { accept: 'application/json', authorization: 'Bearer ********' },
        body: { first_name: 'Ada', amount: Number('12345678901234567890') },
      });
      expect(stderr).toBe('');
    },
  );

  it('has null for a request without a body', async () => {
    const { stdout } = await dryRun('json', eventWithoutBody);
    expect(JSON.parse(stdout)).toMatchObject({ body: null });
  });

  it('lays a body out that is too long for the terminal', async () => {
    const body = `{"name":"${'x'.repeat(40)}","quantity":1.0}`;
    const short = await dryRun('table', { ...event, headers: {}, body }, { columns: 80 });
    expect(short.stdout.split('\n').at(-2)).toBe(body);
    const { stdout } = await dryRun('table', { ...event, headers: {}, body }, { columns: 40 });
    expect(stdout.split('\n').slice(-5)).toEqual([
      '{',
      `  "name": "${'x'.repeat(40)}",`,
      '  "quantity": 1.0',
      '}',
      '',
    ]);
  });

  it('escapes what could control a terminal, and hides what is masked', async () => {
    const body = '{"name":"\u009b2J\u202e","password":"p"}';
    const mask = (text: string) => text.replace('"p"', '"********"');
    const { stdout } = await dryRun('table', { ...event, body }, { mask });
    expect(stdout).toContain('\n{"name":"\\u009b2J\\u202e","password":"********"}\n');
    const json = await dryRun('json', { ...event, body }, { mask });
    expect(JSON.parse(json.stdout).body).toEqual({ name: '\u009b2J\u202e', password: '********' });
  });
});
