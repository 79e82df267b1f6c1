import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import sample from '../../src/emulator/sample.json' with { type: 'json' };
import { eventKinds } from '../../src/features/webhooks/event-kinds.ts';
import { sampleEvent } from '../../src/features/webhooks/sample-event.ts';
import { checkBody } from '../../src/schemas/check-body.ts';
import { freshDirectory } from '../config/config-directory.ts';
import { largeDescription } from '../descriptions/large-description.ts';
import { answers, startServer } from '../harness/http-server.ts';
import { runInProcess } from './run-in-process.ts';

const SECRET = 'k9-marked-secret';

let directory = '';
beforeEach(() => {
  directory = freshDirectory();
});

async function trigger(args: readonly string[], env = {}) {
  return await runInProcess(['webhooks', 'trigger', ...args], {
    env: { PAYCTL_CONFIG_DIR: directory, ...env },
  });
}

const NOWHERE = ['--to', 'http://127.0.0.1:9/hooks', '--dry-run'];

async function described(): Promise<Readonly<Record<string, string>>> {
  const path = join(directory, 'large.json');
  writeFileSync(path, JSON.stringify(largeDescription()));
  return { PAYCTL_DESCRIPTION: path };
}

describe('webhooks trigger', () => {
  it('sends a signed event with the fields that are given, and says how it ended', async () => {
    const server = await startServer(
      answers([
        { status: 204 },
        { status: 500 },
        { status: 302, headers: { location: '/login' } },
        { status: 200 },
      ]),
    );
    const env = { PAYCTL_WEBHOOK_SECRET: SECRET, PAYCTL_WEBHOOK_HEADER_PREFIX: 'x-gr4vy-' };
    const fields = ['-F', 'target.display_name=Ada', '-F', 'id=e-1', '-F', 'created_at=then'];
    const send = (...args: string[]) =>
      trigger(['buyer.updated', '--to', `${server.origin}/hooks?a=b`, '--delivery-id', 'd-1', ...args], env);
    try {
      expect(await send(...fields)).toEqual({
        stdout: expect.stringMatching(/^delivered: 204 in \d+ ms\n$/),
        stderr: '',
        code: 0,
      });
      const [first] = server.requests;
      const { headers = {}, body = '', method, url } = { ...first };
      expect({ method, url }).toEqual({ method: 'POST', url: '/hooks?a=b' });
      const timestamp = String(headers['x-gr4vy-timestamp']);
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'x-gr4vy-event': 'buyer.updated',
        'x-gr4vy-delivery': 'd-1',
        'x-gr4vy-signature': createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex'),
      });
      expect(JSON.parse(body)).toMatchObject({
        type: 'event',
        id: 'e-1',
        created_at: 'then',
        merchant_account_id: 'default',
        event: 'buyer.updated',
        target: { type: 'buyer', display_name: 'Ada', merchant_account_id: 'default' },
      });
      expect(await send()).toMatchObject({
        stdout: expect.stringMatching(/^refused: 500 in \d+ ms\n$/),
        code: 6,
      });
      expect(await send()).toMatchObject({
        stdout: expect.stringMatching(/^refused: 302 in \d+ ms; redirects are not followed: \/login\n$/),
        code: 6,
      });
      const { stdout } = await send('-o', 'json', '-m', 'outlet');
      expect(JSON.parse(stdout)).toEqual({
        request: {
          method: 'POST',
          url: `${server.origin}/hooks?a=b`,
          headers: expect.objectContaining({ 'x-gr4vy-delivery': 'd-1' }),
          body: expect.objectContaining({ merchant_account_id: 'outlet' }),
        },
        outcome: { status: 200, problem: null, location: null, milliseconds: expect.any(Number) },
      });
      expect(server.requests).toHaveLength(4);
    } finally {
      await server.close();
    }
    const closed = await send();
    expect(closed).toEqual({
      stdout: 'no response: the connection was refused (ECONNREFUSED)\n',
      stderr: '',
      code: 9,
    });
  });

  it('prints the request with --dry-run, and says that nothing signs it', async () => {
    const { stdout, stderr, code } = await trigger(['role.deleted', ...NOWHERE]);
    expect(code).toBe(0);
    expect(stderr).toBe(
      'The event has no signature, because there is no secret. To sign it, use --secret @FILE, --subscription ID or PAYCTL_WEBHOOK_SECRET\n',
    );
    expect(stdout).toMatch(
      /^POST http:\/\/127\.0\.0\.1:9\/hooks\nuser-agent: payctl\/[^\n]+\ncontent-type: /,
    );
    expect(stdout).not.toContain('signature');
    const [, body = ''] = stdout.split('\n\n');
    expect(JSON.parse(body).target.type).toBe('role');
  });

  it('takes the record and what can happen to it from an imported description', async () => {
    const env = await described();
    const json = async (...args: string[]) => {
      const run = await trigger([...args, ...NOWHERE, '-o', 'json'], env);
      expect(run).toMatchObject({ stderr: '', code: 0 });
      return JSON.parse(run.stdout).body;
    };
    expect(await json('transaction.captured', '-F', 'amount=1299')).toMatchObject({
      event: 'transaction.captured',
      target: { type: 'transaction', amount: 1299, status: 'captured' },
    });
    expect(await json('transaction.settled-twice')).toMatchObject({ event: 'transaction.settled-twice' });
    expect(await json('transaction.partially_refunded')).toMatchObject({
      event: 'transaction.partially-refunded',
    });
    expect((await trigger(['transaction.captred', ...NOWHERE], env)).stderr).toContain(
      'Did you mean transaction.captured?',
    );
  });

  it('sends an amount beyond 2^53 with all its digits, and calls it an integer', async () => {
    const run = await trigger([
      'gift-card.updated',
      ...NOWHERE,
      '-F',
      'target.balance=9007199254740993',
      '-o',
      'json',
    ]);
    expect(run.stdout).toContain('"balance":9007199254740993');
    expect(run.stderr).toBe('');
  });

  it('sends what breaks the schema, with a warning', async () => {
    const run = await trigger(['gift-card.updated', ...NOWHERE, '-F', 'target.balance:="x"', '-o', 'json']);
    expect(JSON.parse(run.stdout).body.target.balance).toBe('x');
    expect(run.stderr).toBe(
      '{"warning":{"code":"unlike_schema","message":"target.balance must be an integer or null, not a string; sent anyway.","pointer":"/balance"}}\n',
    );
    expect(run.code).toBe(0);
  });

  it.each([
    ['target.balence=5', '/target/balence', 'balance'],
    ['balence=5', '/target/balence', 'balance'],
  ])('sends nothing with %s, which is misspelt', async (field, pointer, meant) => {
    expect(await trigger(['gift-card.updated', ...NOWHERE, '-F', field])).toEqual({
      stdout: '',
      stderr: `Error: The field ${pointer} is not in the schema of the event (did you mean ${meant}?) (bad_field)\nNothing was sent.\n`,
      code: 2,
    });
  });

  it('warns of a field that is not in the schema, and sends it', async () => {
    const args = ['gift-card.updated', ...NOWHERE, '-F', 'target.colour=red', '-o', 'json'];
    const { stdout, stderr, code } = await trigger(args);
    const pointer = '/target/colour';
    const message = `The event has the field ${pointer}, which is not in its schema; it is sent as is.`;
    const warning = { code: 'unknown_member', message, pointer, did_you_mean: null };
    expect([stderr, code]).toEqual([`${JSON.stringify({ warning })}\n`, 0]);
    expect(JSON.parse(stdout).body.target.colour).toBe('red');
  });

  it.each([
    ['transaction.captured', { status: 'captured', captured_amount: 1299, refunded_amount: 0 }],
    ['transaction.refunded', { captured_amount: 1299, refunded_amount: 1299 }],
    ['transaction.voided', { status: 'voided', captured_amount: 0, refunded_amount: 0 }],
  ])('makes the amounts of %s fit', async (event, expected) => {
    const path = join(directory, 'sample.json');
    writeFileSync(path, JSON.stringify(sample));
    const args = [event, ...NOWHERE, '-F', 'amount=1299', '-o', 'json'];
    const run = await trigger(args, { PAYCTL_DESCRIPTION: path });
    expect(run).toMatchObject({ stderr: '', code: 0 });
    expect(JSON.parse(run.stdout).body.target).toMatchObject({ amount: 1299, ...expected });
  });

  it.each([
    ['buyr.updated', 'The API description has no record kind "buyr"', 'Did you mean buyer.updated?'],
    ['buyer.upated', '"upated" is not something that happens to a buyer', 'Did you mean buyer.updated?'],
    ['buyer', '"buyer" is not an event type', 'It has the form RECORD.EVENT, such as buyer.updated.'],
    [
      'zzz.created',
      'The API description has no record kind "zzz"',
      'It has: api-log, audit-log, buyer, checkout-session, digital-wallet, gift-card, payment-method, payment-service-session, role, shipping-details, webhook-subscription. To use the description of your service, import it: payctl api import FILE',
    ],
  ])('refuses %s with what to type instead', async (event, message, hint) => {
    expect(await trigger([event, ...NOWHERE])).toEqual({
      stdout: '',
      stderr: `Error: ${message} (invalid_event)\n${hint}\n`,
      code: 2,
    });
  });

  it('names the flag that is missing', async () => {
    expect(await trigger(['buyer.created'])).toEqual({
      stdout: '',
      stderr: 'Error: Missing --to URL (bad_flag)\nAdd --to URL; --help describes it.\n',
      code: 2,
    });
  });

  it.each([
    [['--to', 'ftp://x']],
    [['--to', 'http://a:b@127.0.0.1']],
    [[...NOWHERE, '--delivery-id', 'a b']],
    [[...NOWHERE, '-F', 'balance=many']],
    [[...NOWHERE, '--secret', SECRET]],
  ])('sends nothing with %j', async (args) => {
    expect(await trigger(['gift-card.created', ...args])).toMatchObject({ stdout: '', code: 2 });
  });

  it('makes records that satisfy the schemas of the contract', async () => {
    for (const kind of (await eventKinds(undefined)).values()) {
      const type = { event: `${kind.name}.created`, kind, past: 'created' };
      const { target } = sampleEvent(type, {
        merchantAccount: 'default',
        now: new Date('2026-03-01T12:00:00Z'),
      });
      expect({ kind: kind.name, problems: checkBody(kind.schema(), target)?.problems }).toEqual({
        kind: kind.name,
        problems: [],
      });
    }
  });
});
