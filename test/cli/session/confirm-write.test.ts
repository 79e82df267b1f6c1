import { describe, expect, it } from 'vitest';
import type { Prompter } from '../../../src/cli/prompt/prompter.ts';
import { createRuntime } from '../../../src/cli/runtime.ts';
import { confirmWrite } from '../../../src/cli/session/confirm-write.ts';
import { createDisplay } from '../../../src/cli/show/display.ts';
import type { ClientHooks } from '../../../src/client/call.ts';
import type { Profile } from '../../../src/config/profile.ts';
import { resolveSettings } from '../../../src/config/settings.ts';
import { AbortedError, UsageError } from '../../../src/errors.ts';
import type { OutputName } from '../../../src/output/formats.ts';
import { failureOf } from '../../client/failure-of.ts';
import { lines } from '../../harness/lines.ts';
import { MemoryStream } from '../../output/memory-stream.ts';

type Request = Parameters<NonNullable<ClientHooks['onRequest']>>[0]['request'];

type Circumstances = {
  readonly profile?: Profile;
  /** Profiles that are stored, but not in use. */
  readonly others?: readonly Profile[];
  readonly withoutProfile?: boolean;
  readonly env?: Record<string, string>;
  /** What the person at the terminal answers; without one there is no terminal. */
  readonly person?: () => Promise<boolean>;
  /** `--yes`. */
  readonly confirmed?: boolean;
  readonly quiet?: boolean;
  readonly format?: OutputName;
};

const LIVE: Profile = { name: 'live', environment: 'production', baseUrl: 'https://api.example.com' };
const yes = async () => true;
const no = async () => false;

/** The hook, what it said and asked in this order, and one call of it for each attempt of a request. */
function confirmation({
  profile = LIVE,
  others = [],
  withoutProfile = false,
  env = {},
  person,
  confirmed = false,
  quiet = false,
  format = 'table',
}: Circumstances) {
  const stderr = new MemoryStream({ isTTY: person !== undefined, columns: 80 });
  const { signal } = new AbortController();
  const stdin = () => {
    throw new Error('nobody reads standard input here');
  };
  const streams = { stdout: new MemoryStream(), stderr, stdin };
  const runtime = createRuntime({ ...streams, env: { NO_COLOR: '1', ...env }, signal, version: '0.0.0' });
  const prompter: Partial<Prompter> = {
    async confirm(question) {
      await runtime.stderr.write(`${question}\n`);
      return (await person?.()) ?? false;
    },
  };
  const settings = resolveSettings({
    flags: withoutProfile ? {} : { profile: profile.name },
    environment: runtime.environment,
    profiles: new Map([profile, ...others].map((stored) => [stored.name, stored])),
  });
  const display = createDisplay({ format, verbose: false, quiet, noColor: true }, runtime);
  const hook = confirmWrite({
    settings,
    display,
    runtime: { ...runtime, prompter: async () => (person ? (prompter as Prompter) : undefined) },
    confirmed,
  });
  const send = async (
    request: Partial<Request> = {},
    attempt = 1,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const whole = { method: 'POST', origin: 'https://api.example.com', path: '/buyers', ...request };
    await hook({ request: whole, headers, body, attempt });
  };
  const said = async () => {
    await display.stderr.end();
    return stderr.text;
  };
  return { hook, send, said, display };
}

const FACTS = [
  'Production: POST https://api.example.com/buyers',
  '            profile live, merchant account none',
];
const QUESTION = 'Send this request to production?';

describe('a request that changes something in production', () => {
  it('is shown, and confirmed once in a run', async () => {
    const { send, said } = confirmation({ person: yes });
    await send({ merchantAccount: 'outlet' });
    await send({ method: 'PUT', path: '/checkout/sessions/1?a=b' });
    expect(await said()).toBe(
      lines(
        FACTS[0] ?? '',
        '            profile live, merchant account outlet',
        QUESTION,
        'Production: PUT https://api.example.com/checkout/sessions/1?a=b',
        '            profile live, merchant account none',
      ),
    );
  });

  it('is shown once, however often it is tried', async () => {
    const { send, said } = confirmation({ person: yes });
    await send();
    await send({}, 2);
    await send({}, 3);
    expect(await said()).toBe(lines(...FACTS, QUESTION));
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is refused when the answer is no: %s', async (method) => {
    const { send } = confirmation({ person: no });
    const error = await failureOf(send({ method }));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'not_confirmed',
      message: 'Nothing was sent: the request to production was not confirmed',
      hint: 'Add --yes to send it without confirmation, or --dry-run to see it first.',
    });
  });

  it('is asked about again after a no', async () => {
    const { send } = confirmation({ person: no });
    await failureOf(send());
    expect(await failureOf(send())).toMatchObject({ code: 'not_confirmed' });
  });

  it('is refused where there is nobody to ask, and shown', async () => {
    const { send, said } = confirmation({});
    expect(await failureOf(send())).toMatchObject({ code: 'not_confirmed' });
    expect(await said()).toBe(lines(...FACTS));
  });

  it('ends as the person ends it', async () => {
    const { send } = confirmation({ person: () => Promise.reject(new AbortedError()) });
    expect(await failureOf(send())).toBeInstanceOf(AbortedError);
  });

  it('is shown and not asked about with --yes', async () => {
    for (const person of [undefined, no]) {
      const { send, said } = confirmation({ confirmed: true, ...(person && { person }) });
      await send();
      expect(await said()).toBe(lines(...FACTS));
    }
  });

  it('is shown before the question even with --quiet', async () => {
    const { send, said } = confirmation({ person: yes, quiet: true });
    await send();
    await send();
    expect(await said()).toBe(lines(...FACTS, QUESTION));
  });

  it.each([{ quiet: true }, { format: 'json' }, { format: 'ndjson' }] as const)(
    'is not shown where nothing but an error may be printed: %j',
    async (circumstances) => {
      const refused = confirmation(circumstances);
      expect(await failureOf(refused.send())).toMatchObject({ code: 'not_confirmed' });
      const confirmed = confirmation({ ...circumstances, confirmed: true });
      await confirmed.send();
      expect([await refused.said(), await confirmed.said()]).toEqual(['', '']);
    },
  );

  it('is shown without secrets and without control characters', async () => {
    const { send, said, display } = confirmation({ person: yes });
    display.addSecret('a-secret-token');
    await send({ path: '/buyers/\u001b[2Ja-secret-token', merchantAccount: '\u202eoutlet' });
    expect(await said()).toBe(
      lines(
        'Production: POST https://api.example.com/buyers/␛[2J********',
        '            profile live, merchant account <U+202E>outlet',
        QUESTION,
      ),
    );
  });
});

describe('nothing is printed and nothing asked', () => {
  it('of a request that only reads in production', async () => {
    const { send, said } = confirmation({ person: no });
    await send({ method: 'GET' });
    expect(await said()).toBe('');
  });

  it.each([{ name: 'test', environment: 'sandbox' }, { name: 'test' }, { name: 'emulator' }] as const)(
    'in the profile %j',
    async (profile) => {
      const { send, said } = confirmation({ profile, person: no });
      await send();
      expect(await said()).toBe('');
    },
  );
});

describe('production is where the request goes', () => {
  const TEST: Profile = { name: 'test', environment: 'sandbox', baseUrl: 'https://test.example.com' };

  it.each<[string, Profile]>([
    ['of another profile', LIVE],
    ['of another profile, written differently', { ...LIVE, baseUrl: 'HTTPS://API.example.com:443/v1/' }],
    [
      'of another profile and its instance',
      { ...LIVE, baseUrl: 'https://{id}.example.com', instance: 'api' },
    ],
    ['of another profile without an instance', { ...LIVE, baseUrl: 'https://{id}.example.com' }],
  ])('is confirmed at the origin %s that is marked production', async (_, live) => {
    const { send, said } = confirmation({ profile: TEST, others: [live], person: no });
    expect(await failureOf(send())).toMatchObject({ code: 'not_confirmed' });
    expect(await said()).toBe(
      lines(
        'Production: POST https://api.example.com/buyers',
        '            the profile live is marked production',
        '            profile test, merchant account none',
        QUESTION,
      ),
    );
  });

  it.each([
    'https://api.example.com:8443',
    'http://localhost',
    'https://api.example.com.evil.example',
    'https://evil-api.example.com',
  ])('is not asked about at another origin: %s', async (origin) => {
    const { send, said } = confirmation({ profile: LIVE, others: [TEST], person: no });
    await send({ origin });
    expect(await said()).toBe('');
  });

  it('is confirmed where the profile in use is marked and has no address of its own', async () => {
    const { send } = confirmation({ profile: { name: 'live', environment: 'production' }, person: no });
    expect(await failureOf(send())).toMatchObject({ code: 'not_confirmed' });
  });

  it('is every address under PAYCTL_ENVIRONMENT=production', async () => {
    const env = { PAYCTL_ENVIRONMENT: 'production' };
    const { send, said } = confirmation({ profile: TEST, env, person: no });
    expect(await failureOf(send())).toMatchObject({ code: 'not_confirmed' });
    expect(await said()).toContain('            PAYCTL_ENVIRONMENT is production\n');
  });

  it.each([
    [{ PAYCTL_ENVIRONMENT: 'production' }, 'PAYCTL_ENVIRONMENT is production'],
    [{}, 'the profile live is marked production'],
  ])('is confirmed without a profile, too: %j', async (env, reason) => {
    const { send, said } = confirmation({ withoutProfile: true, env, person: no });
    expect(await failureOf(send())).toMatchObject({ code: 'not_confirmed' });
    expect(await said()).toBe(
      lines(
        FACTS[0] ?? '',
        `            ${reason}`,
        '            profile none, merchant account none',
        QUESTION,
      ),
    );
  });

  it('is not lifted by PAYCTL_ENVIRONMENT=sandbox', async () => {
    const { send } = confirmation({ env: { PAYCTL_ENVIRONMENT: 'sandbox' }, person: no });
    expect(await failureOf(send())).toMatchObject({ code: 'not_confirmed' });
  });
});

describe('the body of the request', () => {
  it('is shown before the question, with its secrets masked', async () => {
    const { send, said } = confirmation({ person: yes });
    await send({}, 1, '{"first_name":"Ada","password":"hunter2"}');
    expect(await said()).toBe(
      lines(...FACTS, '            {"first_name":"Ada","password":"********"}', QUESTION),
    );
  });

  it('is shown without the secrets of this run, whatever the names of their fields', async () => {
    const { send, said, display } = confirmation({ person: yes });
    display.addSecret('a-secret-token');
    await send({}, 1, '{"note":"a-secret-token"}');
    expect(await said()).toBe(lines(...FACTS, '            {"note":"********"}', QUESTION));
  });

  it('is on one line as long as it fits the terminal', async () => {
    const body = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;
    const fitting = confirmation({ person: yes });
    await fitting.send({}, 1, body(68));
    expect(await fitting.said()).toBe(lines(...FACTS, `            ${body(68)}`, QUESTION));
    const { send, said } = confirmation({ person: yes });
    await send({}, 1, body(69));
    const laidOut = ['{', `  "a": "${'x'.repeat(61)}"`, '}'];
    expect(await said()).toBe(lines(...FACTS, ...laidOut.map((line) => `            ${line}`), QUESTION));
  });

  it('is cut in its middle only where that leaves out more than one line', async () => {
    const printedLines = async (count: number) => {
      const { send, said } = confirmation({ person: yes });
      const items = Array.from({ length: count - 2 }, () => 'x'.repeat(60));
      await send({}, 1, JSON.stringify(items));
      return (await said()).split('\n').slice(FACTS.length, -2);
    };
    const whole = await printedLines(19);
    expect(whole).toHaveLength(19);
    expect(whole[9]).toBe(`              "${'x'.repeat(60)}",`);
    const cut = await printedLines(20);
    expect(cut).toHaveLength(19);
    expect(cut[9]).toBe('            ... (2 more lines)');
  });

  it('is shown as a form with its secrets masked, over several lines where it is long', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const short = confirmation({ person: yes });
    await short.send({}, 1, 'amount=1&card[password]=hunter2', headers);
    expect(await short.said()).toBe(
      lines(...FACTS, '            amount=1&card[password]=********', QUESTION),
    );
    const { send, said } = confirmation({ person: yes });
    await send({}, 1, `name=${'x'.repeat(80)}&a=1`, headers);
    expect(await said()).toBe(
      lines(...FACTS, `            name=${'x'.repeat(80)}&`, '            a=1', QUESTION),
    );
  });

  it('is shown as its parts, without bytes and secrets, and asked about again for other parts', async () => {
    const { hook, said } = confirmation({ person: yes });
    const parts = [
      { name: 'file', fileName: 'a\u001b[2J.pdf', type: 'application/pdf', size: 1 },
      { name: 'password', text: 'hunter2', type: 'text/plain', size: 7 },
      { name: 'meta', text: '{"a":1}', type: 'application/json', size: 7 },
    ];
    const request = { method: 'POST', origin: 'https://api.example.com', path: '/buyers' } as Request;
    const event = { request, headers: {}, attempt: 1 };
    await hook({ ...event, parts });
    await hook({ ...event, parts });
    await hook({ ...event, parts: [{ name: undefined, type: 'text/csv', size: 2 }] });
    expect(await said()).toBe(
      lines(
        ...FACTS,
        '            file=@"a\\u001b[2J.pdf" (application/pdf, 1 byte)',
        '            password=********',
        '            meta={"a":1} (application/json)',
        QUESTION,
        ...FACTS,
        ...FACTS,
        '            (text/csv, 2 bytes)',
        QUESTION,
      ),
    );
  });

  it('is laid out where it does not fit on a line', async () => {
    const { send, said } = confirmation({ person: yes });
    await send({}, 1, `{"first_name":"Ada","address":{"line1":"${'x'.repeat(40)}","password":"p"}}`);
    expect(await said()).toBe(
      lines(
        ...FACTS,
        '            {',
        '              "first_name": "Ada",',
        '              "address": {',
        `                "line1": "${'x'.repeat(40)}",`,
        '                "password": "********"',
        '              }',
        '            }',
        QUESTION,
      ),
    );
  });

  it('is cut in its middle where it has many lines, and its lines where they are long', async () => {
    const { send, said } = confirmation({ person: yes });
    const items = Array.from({ length: 40 }, (_, index) => index);
    await send({}, 1, JSON.stringify({ long: 'x'.repeat(5000), items }));
    const printed = (await said()).split('\n');
    expect(printed).toHaveLength(FACTS.length + 9 + 1 + 9 + 2);
    expect(printed[3]).toBe(`              "long": "${'x'.repeat(289)}… (5013 characters)`);
    expect(printed.slice(10, 14)).toEqual([
      '                5,',
      '            ... (27 more lines)',
      '                33,',
      '                34,',
    ]);
  });

  it('is asked about again where it is another than the one confirmed', async () => {
    const { send, said } = confirmation({ person: yes });
    await send({}, 1, '{"a":1}');
    await send({}, 1, '{"a":1}');
    await send({}, 1, '{"a":2}');
    const shown = (body: string) => [...FACTS, `            ${body}`, QUESTION];
    expect(await said()).toBe(lines(...shown('{"a":1}'), ...FACTS, ...shown('{"a":2}')));
  });

  it.each([{ confirmed: true }, {}])('is not shown where nobody is asked: %j', async (circumstances) => {
    const { send, said } = confirmation(circumstances);
    await send({}, 1, '{"first_name":"Ada"}').catch(() => {});
    expect(await said()).toBe(lines(...FACTS));
  });
});

describe('a DELETE that does not go to production', () => {
  const TEST: Profile = { name: 'test', baseUrl: 'https://test.example.com' };
  const request = { method: 'DELETE', origin: 'https://test.example.com', path: '/things/1' };
  const ASKED = lines('DELETE https://test.example.com/things/1', 'Send this DELETE request?');

  it('is shown and confirmed, also under --quiet', async () => {
    for (const quiet of [false, true]) {
      const { send, said } = confirmation({ profile: TEST, person: yes, quiet });
      await send(request);
      expect(await said()).toBe(ASKED);
    }
  });

  it.each([no, undefined])('is refused without a yes', async (person) => {
    const { send, said } = confirmation({ profile: TEST, ...(person && { person }) });
    const error = await failureOf(send(request));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'not_confirmed',
      message: 'Nothing was sent: DELETE /things/1 was not confirmed',
      hint: 'Add --yes to delete without confirmation, or --dry-run to see the request first.',
    });
    expect(await said()).toBe(person ? ASKED : '');
  });

  it('needs no question with --yes, and nothing else needs one', async () => {
    const sure = confirmation({ profile: TEST, confirmed: true, person: no });
    await sure.send(request);
    const other = confirmation({ profile: TEST, person: no });
    for (const method of ['POST', 'PUT', 'PATCH', 'GET']) await other.send({ ...request, method });
    expect([await sure.said(), await other.said()]).toEqual(['', '']);
  });
});
