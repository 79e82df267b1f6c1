import { createHmac } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { EventStore } from '../../src/features/webhooks/store.ts';
import type { Checked } from '../../src/webhooks/signature.ts';
import { freshDirectory } from '../config/config-directory.ts';
import { lines } from '../harness/lines.ts';
import { serve } from '../harness/serve.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { runInProcess } from './run-in-process.ts';

const NOW = '2026-03-01T12:00:00Z';
const TIMESTAMP = String(Date.parse(NOW) / 1000);
const SECRET = 'k9-marked-secret';
const BODY = '{"id": "e-1"}';

let directory = '';
beforeEach(() => {
  directory = freshDirectory();
  stopClock(NOW);
});

function file(text: string, mode = 0o600): string {
  const path = join(directory, `file-${mode}`);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function hmac(body = BODY, { secret = SECRET, timestamp = TIMESTAMP } = {}): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

async function verify(args: readonly string[], body: string | Uint8Array = BODY, env = {}) {
  return await runInProcess(['webhooks', 'verify', ...args], {
    env: { PAYCTL_CONFIG_DIR: directory, PAYCTL_WEBHOOK_SECRET: SECRET, ...env },
    stdin: Buffer.from(body),
  });
}

const signed = (signature: string, timestamp = TIMESTAMP) => [
  '--signature',
  signature,
  '--timestamp',
  timestamp,
];

const OK = { stdout: 'ok: the signature is correct\n', stderr: '', code: 0 };
const OTHER = 'wrong: the secret is different, or the body or the timestamp was changed';

describe('webhooks verify', () => {
  it('accepts what is signed, byte for byte', async () => {
    expect(await verify(signed(hmac()))).toEqual(OK);
    expect(await verify(signed(`${hmac('x')}, ${hmac()}`))).toEqual(OK);
    const bytes = Buffer.from([0xff, 0x00, 0x0a]);
    const signature = createHmac('sha256', SECRET).update(`${TIMESTAMP}.`).update(bytes).digest('hex');
    expect(await verify(signed(signature), bytes)).toEqual(OK);
    const empty = hmac('');
    expect(await verify(signed(empty), '')).toEqual(OK);
    const json = { stdout: '{"verdict":"ok","reason":"the signature is correct"}\n', stderr: '', code: 0 };
    expect(await verify([...signed(hmac()), '-o', 'json'])).toEqual(json);
  });

  it.each([
    ['another secret', hmac(BODY, { secret: 'another' }), BODY, OTHER],
    ['another body', hmac('{"id": "e-2"}'), BODY, OTHER],
    ['a timestamp of its own', hmac(BODY, { timestamp: '1' }), BODY, OTHER],
    ['a line end too many', hmac(), `${BODY}\n`, 'wrong: the body ends with a line break that was not sent'],
    [
      'a line end too few',
      hmac(`${BODY}\n`),
      BODY,
      'wrong: the body lacks the line break at its end that was sent',
    ],
    ['other line ends', hmac('a\r\nb'), 'a\nb', 'wrong: the line ends of the body were changed'],
    ['formatted JSON', hmac('{"id":"e-1"}'), BODY, 'wrong: the body was reformatted after it was received'],
    [
      'upper-case digits',
      hmac().toUpperCase(),
      BODY,
      'wrong: the signature has upper-case digits, which many receivers refuse',
    ],
    [
      'a prefix',
      `sha256=${hmac()}`,
      BODY,
      'wrong: the signature has a prefix such as sha256=, which many receivers refuse',
    ],
    [
      'a secret with its line end',
      hmac(BODY, { secret: `${SECRET}\n` }),
      BODY,
      'wrong: it was signed with the line end after the secret',
    ],
    ['no body', hmac(), '', 'wrong: the body is empty'],
    ['no hexadecimal', 'abc', BODY, 'wrong: no signature consists of 64 lower-case hexadecimal digits'],
  ])('names what is wrong: %s', async (_, signature, body, line) => {
    expect(await verify(signed(signature), body)).toEqual({ stdout: `${line}\n`, stderr: '', code: 1 });
  });

  it('recognises a timestamp in milliseconds, and a body that is an argument', async () => {
    const timestamp = `${TIMESTAMP}000`;
    expect(await verify(signed(hmac(BODY, { timestamp }), timestamp))).toEqual({
      stdout: 'wrong: the timestamp looks like milliseconds; it must be in seconds\n',
      stderr: '',
      code: 1,
    });
    expect(await verify([...signed(hmac()), 'body.json'])).toEqual({
      stdout: '',
      stderr:
        'Error: An ID cannot be used together with --headers, --signature or --timestamp (bad_flag)\n' +
        'To check another body, read it from standard input: payctl webhooks verify --secret @secret --headers headers.txt < body.json\n',
      code: 2,
    });
  });

  it('checks what was received under an ID, as of when it was received', async () => {
    const store = EventStore.open(join(directory, 'data', 'webhooks'));
    const receivedMs = Date.parse(NOW) - 86_400_000;
    const timestamp = String(receivedMs / 1000);
    const unchecked: Checked = { verdict: 'unchecked', reason: '' };
    const add = (deliveryId: string, signature: string, checked = unchecked) =>
      store.add(
        {
          ...{ ...checked, receivedMs, deliveryId, facts: {}, timestamp },
          headers: { 'x-service-signature': signature, 'x-service-timestamp': timestamp },
          body: Buffer.from(BODY),
        },
        [],
      );
    await add('d-right', hmac(BODY, { timestamp }));
    await add('d-wrong', hmac('another', { timestamp }));
    await add('k-right', '', { verdict: 'ok', reason: 'the signature is correct' });
    await add('k-old', hmac(BODY, { timestamp }), { verdict: 'old', reason: 'it was signed 1 day ago' });
    store.close();
    expect(await verify(['d-right'])).toEqual(OK);
    expect(await verify(['d-r'])).toEqual(OK);
    expect(await verify(['d-wrong'])).toEqual({ stdout: `${OTHER}\n`, stderr: '', code: 1 });
    const other = await verify(['d-right'], BODY, { PAYCTL_WEBHOOK_SECRET: 'another' });
    expect(other).toEqual({ stdout: `${OTHER}\n`, stderr: '', code: 1 });
    const found = 'This is what the listener found. To check it again, add --secret @FILE\n';
    const noSecret = { PAYCTL_WEBHOOK_SECRET: '' };
    expect(await verify(['k-right'], BODY, noSecret)).toEqual({ ...OK, stderr: found });
    expect(await verify(['k-old'], BODY, noSecret)).toEqual({
      stdout: 'old: it was signed 1 day ago\n',
      stderr: found,
      code: 1,
    });
    expect(await verify(['k-old'])).toEqual(OK);
    expect(await verify(['d-right'], BODY, noSecret)).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('Error: webhooks verify needs a secret (no_secret)\n'),
      code: 2,
    });
    expect(await verify(['d-', '-o', 'json'])).toMatchObject({ code: 2 });
    expect(await verify(['gone'])).toEqual({
      stdout: '',
      stderr:
        'Error: No event with the delivery ID "gone" is stored (not_found)\nList them: payctl webhooks list\n',
      code: 5,
    });
    const env = { PAYCTL_WEBHOOK_SECRET: SECRET };
    const none = join(directory, 'none');
    expect(await verify(['d-right', '--directory', none], BODY, env)).toMatchObject({
      stderr: expect.stringContaining(`\nList them: payctl webhooks list --directory ${none}\n`),
      code: 5,
    });
  });

  it('accepts timestamps within the tolerance', async () => {
    const at = (seconds: number) => {
      const timestamp = String(Number(TIMESTAMP) + seconds);
      return signed(hmac(BODY, { timestamp }), timestamp);
    };
    expect(await verify(at(-300))).toEqual(OK);
    expect(await verify(at(300))).toEqual(OK);
    expect(await verify(at(-400))).toEqual({
      stdout:
        'old: the signature is correct, but it was signed 7 minutes ago, and the tolerance is 5 minutes\n',
      stderr: '',
      code: 1,
    });
    expect((await verify(at(400))).stdout).toBe(
      'old: the signature is correct, but it was signed 7 minutes in the future, and the tolerance is 5 minutes\n',
    );
    expect(await verify([...at(-86_400), '--tolerance', '2d'])).toEqual(OK);
    expect((await verify([...at(0), '--tolerance', '5'])).code).toBe(2);
  });

  it('reads headers from a file, and finds those of another prefix', async () => {
    const headers = (prefix: string) =>
      file(`> POST / HTTP/1.1\n> ${prefix}Signature: ${hmac()}\n> ${prefix}Timestamp: ${TIMESTAMP}\n> \n`);
    expect(await verify(['--headers', headers('X-Service-')])).toEqual(OK);
    const others = headers('X-Gr4vy-');
    expect(await verify(['--headers', others])).toEqual({
      stdout:
        'missing: there is no header x-service-signature; there is one with another prefix: add --header-prefix x-gr4vy-\n',
      stderr: '',
      code: 1,
    });
    expect(await verify(['--headers', others, '--header-prefix', 'X-GR4VY-'])).toEqual(OK);
    expect(await verify(['--headers', others], BODY, { PAYCTL_WEBHOOK_HEADER_PREFIX: 'x-gr4vy-' })).toEqual(
      OK,
    );
    expect((await verify(['--headers', file(`x-service-signature: ${hmac()}`)])).stdout).toBe(
      'missing: there is no header x-service-timestamp\n',
    );
    expect(await verify(['--headers', file('x-service-signature')])).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/^Error: Line 1 of --headers is not a header \(invalid_headers\)\n/),
      code: 2,
    });
  });

  it('takes the secret from a file, of which the last line end is no part', async () => {
    const env = { PAYCTL_WEBHOOK_SECRET: 'another' };
    const from = (text: string, mode?: number) =>
      verify([...signed(hmac()), '--secret', `@${file(text, mode)}`], BODY, env);
    expect(await from(`${SECRET}\n`)).toEqual(OK);
    expect(await from(`new\r\n${SECRET}\r\n`)).toEqual(OK);
    expect(await from(SECRET, 0o644)).toEqual({
      ...OK,
      stderr: `The file of --secret can be read by other users (mode 644); restrict it with: chmod 600 ${directory}/file-420\n`,
    });
    for (const [text, message] of [
      ['\n', '--secret is empty'],
      [`${SECRET}\n\n`, '--secret contains an empty line'],
      ['a\nb\nc', '--secret contains 3 lines'],
    ] as const) {
      const { stdout, stderr, code } = await from(text);
      expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
      expect(stderr).toContain(`Error: ${message} (invalid_secret)\n`);
    }
  });

  it('refuses a secret that is an argument, and shows nothing of it', async () => {
    for (const secret of [SECRET, '@', '-', '@-']) {
      const { stdout, stderr, code } = await verify([...signed(hmac()), '--secret', secret]);
      expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
      expect(stderr).toMatch(/^Error: --secret (takes a file|cannot read standard input).*\(bad_flag\)\n/);
      expect(stderr).not.toContain(SECRET);
    }
  });

  it.each([
    [[], 'webhooks verify needs the headers of the delivery'],
    [['--signature', 'a'], '--timestamp is missing'],
    [['--timestamp', '1'], '--signature is missing'],
  ])('says what is missing: %j', async (args, message) => {
    expect(await verify(args)).toEqual({
      stdout: '',
      stderr: `Error: ${message} (bad_flag)\nUse --headers FILE, or --signature HEX and --timestamp SECONDS.\n`,
      code: 2,
    });
  });

  it('says where a secret can come from', async () => {
    expect(await verify(signed(hmac()), BODY, { PAYCTL_WEBHOOK_SECRET: '' })).toEqual({
      stdout: '',
      stderr:
        'Error: webhooks verify needs a secret (no_secret)\nUse --secret @FILE, --subscription ID or PAYCTL_WEBHOOK_SECRET\n',
      code: 2,
    });
  });

  it('says so to a replay, too', async () => {
    const env = { PAYCTL_CONFIG_DIR: directory };
    expect(await runInProcess(['webhooks', 'replay', '--failed'], { env })).toEqual({
      stdout: '',
      stderr: lines(
        'Error: The secret that signs the events is missing: it is not stored with them (no_secret)',
        'Use --secret @FILE, --subscription ID or PAYCTL_WEBHOOK_SECRET; or send them as they were received, with --as-received',
      ),
      code: 2,
    });
  });

  it('refuses a body of more than 1 MiB', async () => {
    expect(await verify(signed(hmac()), 'a'.repeat(1024 * 1024 + 1))).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('The body cannot be read from standard input: it is larger than 1 MiB'),
      code: 2,
    });
  });

  it('reads the secret of a subscription, and says so if it is masked', async () => {
    const items = [
      { type: 'webhook-subscription', id: 's-1', secret: SECRET },
      { type: 'webhook-subscription', id: 's-2', secret: '********' },
      { type: 'webhook-subscription', id: 's-3', secret: null },
    ];
    const server = await serve((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ items, next_cursor: null }));
    });
    const from = (id: string) =>
      verify([...signed(hmac()), '--subscription', id], BODY, {
        PAYCTL_BASE_URL: server.origin,
        PAYCTL_TOKEN: 'token',
        PAYCTL_WEBHOOK_SECRET: 'another',
      });
    expect(await from('s-1')).toMatchObject({ stdout: OK.stdout, code: 0 });
    const masked = await from('s-2');
    expect(masked.stderr).toContain('The service masks the secret of the subscription s-2 (secret_masked)\n');
    expect(masked.code).toBe(2);
    expect((await from('s-3')).stderr).toContain(
      'The service does not give the secret of the subscription s-3',
    );
    expect(await from('s-4')).toMatchObject({ stdout: '', code: 5 });
  });
});
