import { describe, expect, it } from 'vitest';
import type { ConcernedRecord } from '../../../src/cli/money/record.ts';
import type { Prompter } from '../../../src/cli/prompt/prompter.ts';
import { createRuntime } from '../../../src/cli/runtime.ts';
import { confirmWrite, type WriteEvent } from '../../../src/cli/session/confirm-write.ts';
import { createDisplay } from '../../../src/cli/show/display.ts';
import type { Profile } from '../../../src/config/profile.ts';
import { resolveSettings } from '../../../src/config/settings.ts';
import { operations } from '../../../src/contract/generated/operations.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { AbortedError, UsageError } from '../../../src/errors.ts';
import type { OutputName } from '../../../src/output/formats.ts';
import { failureOf } from '../../client/failure-of.ts';
import { lines } from '../../harness/lines.ts';
import { MemoryStream } from '../../output/memory-stream.ts';

type Request = WriteEvent['request'];

type Circumstances = {
  readonly profile?: Profile;
  /** Profiles that are stored, but not in use. */
  readonly others?: readonly Profile[];
  readonly withoutProfile?: boolean;
  readonly env?: Record<string, string>;
  /** What the person at the terminal answers; without one there is no terminal. */
  readonly person?: (() => Promise<boolean>) | undefined;
  /** `--yes`. */
  readonly confirmed?: boolean;
  readonly quiet?: boolean;
  readonly format?: OutputName;
  readonly color?: boolean;
  /** The operation, as far as it matters. */
  readonly operation?: Partial<Operation>;
  /** What the service has; by default there is no record. */
  readonly record?: ConcernedRecord;
};

const CREATE: Operation = { ...operations.createShippingDetail, summary: 'Add a buyer.' };

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
  color = false,
  operation = {},
  record = { state: 'none' },
}: Circumstances) {
  const stderr = new MemoryStream({ isTTY: person !== undefined, columns: 80 });
  const { signal } = new AbortController();
  const stdin = () => {
    throw new Error('nobody reads standard input here');
  };
  const streams = { stdout: new MemoryStream(), stderr, stdin };
  const runtime = createRuntime({ ...streams, env, signal, version: '0.0.0' });
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
  const display = createDisplay({ format, verbose: false, quiet, noColor: !color }, runtime);
  const read: string[] = [];
  const hook = confirmWrite({
    settings,
    display,
    runtime: { ...runtime, prompter: async () => (person ? (prompter as Prompter) : undefined) },
    confirmed,
    record: async ({ path }) => {
      read.push(path);
      return record;
    },
  });
  const send = async (request: Partial<Request> = {}, attempt = 1, body?: string) => {
    const whole = { method: 'POST', origin: 'https://api.example.com', path: '/buyers', ...request };
    const value: unknown = body === undefined ? undefined : JSON.parse(body);
    const call = { operation: { ...CREATE, path: whole.path, ...operation }, body: value };
    await hook({ request: whole, call, body, attempt, below: whole.path });
  };
  const said = async () => {
    await display.stderr.end();
    return stderr.text;
  };
  return { hook, send, said, display, read };
}

const HEAD = 'PRODUCTION  live, no merchant account, https://api.example.com';
const FACTS = [HEAD, 'Add a buyer: POST /buyers'];
const ONE_LINE = FACTS.join('; ');
/** The same on a terminal of 80 columns. */
const BROKEN = [`${HEAD}; Add a buyer:`, 'POST /buyers'];
const QUESTION = 'Send it?';

describe('a request that changes something in production', () => {
  it('is shown, and confirmed once in a run', async () => {
    const { send, said } = confirmation({ person: yes });
    await send({ merchantAccount: 'outlet' });
    await send({ method: 'PUT', path: '/checkout/sessions/1?a=b' });
    expect(await said()).toBe(
      lines(
        'PRODUCTION  live, merchant account outlet, https://api.example.com',
        'Add a buyer: POST /buyers',
        QUESTION,
        `${HEAD}; Add a buyer: PUT`,
        '/checkout/sessions/1; PUT /checkout/sessions/1?a=b',
      ),
    );
  });

  it('is said to be for all where it changes a collection, and not for the record that this belongs to', async () => {
    const record: ConcernedRecord = { state: 'not_read', id: 'b1' };
    const { send, said } = confirmation({ person: yes, operation: { isForAll: true }, record });
    await send({ method: 'DELETE', path: '/buyers?active=false' });
    expect(await said()).toBe(
      lines(
        HEAD,
        'Add a buyer: DELETE /buyers (for all items, not for one)',
        '  DELETE /buyers?active=false',
        QUESTION,
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
      message: 'The change was not confirmed',
      hint: 'Nothing was sent.',
    });
  });

  it('is asked about again after a no', async () => {
    const { send } = confirmation({ person: no });
    await failureOf(send());
    expect(await failureOf(send())).toMatchObject({ code: 'not_confirmed' });
  });

  it('is refused where there is nobody to ask, and shown', async () => {
    const { send, said } = confirmation({});
    expect(await failureOf(send())).toMatchObject({
      code: 'not_confirmed',
      message: 'Nothing was sent: POST /buyers was not confirmed',
      hint: 'Add --yes to send it without confirmation, or --dry-run to see it first.',
    });
    expect(await said()).toBe(lines(ONE_LINE));
  });

  it('ends as the person ends it', async () => {
    const { send } = confirmation({ person: () => Promise.reject(new AbortedError()) });
    expect(await failureOf(send())).toBeInstanceOf(AbortedError);
  });

  it('is shown and not asked about with --yes', async () => {
    const { send, said } = confirmation({ confirmed: true });
    await send();
    expect(await said()).toBe(lines(ONE_LINE));
    const atTerminal = confirmation({ confirmed: true, person: no });
    await atTerminal.send();
    expect(await atTerminal.said()).toBe(lines(...BROKEN));
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
        'PRODUCTION  live, merchant account <U+202E>outlet, https://api.example.com',
        'Add a buyer: POST /buyers/␛[2J********',
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
        'PRODUCTION  test, no merchant account, https://api.example.com (the profile live',
        'is marked production)',
        FACTS[1] ?? '',
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
    expect(await said()).toContain('\n(PAYCTL_ENVIRONMENT is production)\n');
  });

  it.each([
    [{ PAYCTL_ENVIRONMENT: 'production' }, '\n(PAYCTL_ENVIRONMENT is production)'],
    [{}, ' (the\nprofile live is marked production)'],
  ])('is confirmed without a profile, too: %j', async (env, reason) => {
    const { send, said } = confirmation({ withoutProfile: true, env, person: no });
    expect(await failureOf(send())).toMatchObject({ code: 'not_confirmed' });
    expect(await said()).toBe(
      lines(
        `PRODUCTION  no profile, no merchant account, https://api.example.com${reason}`,
        FACTS[1] ?? '',
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
    await send({}, 1, '{"first_name":"Ada","password":"hunter2","card[cvc]":"123"}');
    expect(await said()).toBe(
      lines(...FACTS, '  first_name  Ada', '  password    ********', '  card[cvc]   ********', QUESTION),
    );
  });

  it('is shown without the secrets of this run, whatever the names of their fields', async () => {
    const { send, said, display } = confirmation({ person: yes });
    display.addSecret('a-secret-token');
    await send({}, 1, '{"note":"a-secret-token \\u001b[2J"}');
    expect(await said()).toBe(lines(...FACTS, '  note  ******** ␛[2J', QUESTION));
  });

  it('is shown by its elements or as it is where it is no object', async () => {
    const { send, said } = confirmation({ person: yes });
    await send({}, 1, '[{"a":1},2]');
    await send({}, 1, '5.00');
    expect(await said()).toBe(
      lines(...FACTS, '  1', '    a  1', '  2    2', QUESTION, ...FACTS, '  5', QUESTION),
    );
  });

  it('is cut in its middle only where that leaves out more than one line', async () => {
    const printedLines = async (count: number) => {
      const { send, said } = confirmation({ person: yes });
      await send({}, 1, JSON.stringify(Array.from({ length: count }, () => 'x')));
      return (await said()).split('\n').slice(FACTS.length, -2);
    };
    const whole = await printedLines(19);
    expect(whole).toHaveLength(19);
    expect(whole[9]).toBe('  10  x');
    const cut = await printedLines(20);
    expect(cut).toHaveLength(19);
    expect(cut.slice(8, 11)).toEqual(['  9   x', '  ... (2 more lines)', '  12  x']);
  });

  it('has long lines cut', async () => {
    const { send, said } = confirmation({ person: yes });
    await send({}, 1, JSON.stringify({ long: 'x'.repeat(5000) }));
    const shown = (await said()).split('\n').slice(2, 8);
    expect(shown.slice(0, 3)).toEqual(['  long ', `    | ${'x'.repeat(74)}`, `    | ${'x'.repeat(74)}`]);
    expect(shown.join(' ').match(/x/g)).toHaveLength(294);
    expect(shown.join(' ')).toContain('(5006 characters)');
  });

  it('has no line that a value makes', async () => {
    const { send, said } = confirmation({ person: yes });
    const forged = `a${' '.repeat(90)}amount  1 (0.01 EUR)`;
    const unbroken = `b${'\u00a0'.repeat(71)}amount${'\u00a0'.repeat(2)}1`;
    await send({}, 1, JSON.stringify({ forged, [`c${' '.repeat(90)}d`]: 1, unbroken, x: 'y '.repeat(60) }));
    for (const line of (await said()).split('\n').slice(2, -2))
      expect(line).toMatch(/^ {2}(?:forged|c|unbroken|x) .{0,72}$| {4}\| .{1,74}$/u);
  });

  it('shows the amounts of headers', async () => {
    const { hook, said } = confirmation({ person: yes });
    const request = { method: 'POST', origin: 'https://api.example.com', path: '/buyers' };
    const headers = { 'x-amount': '500', 'x-currency': 'EUR', 'x-note': 'a' };
    await hook({ request, call: { operation: CREATE, headers }, attempt: 1, below: '/buyers' });
    expect(await said()).toBe(lines(...FACTS, '  x-amount: 500', '  x-currency: EUR', QUESTION));
  });

  it('is shown as its parts, without bytes and secrets, and asked about again for other parts', async () => {
    const { hook, said } = confirmation({ person: yes });
    const parts = [
      { name: 'file', fileName: 'a\u001b[2J.pdf', type: 'application/pdf', size: 1 },
      { name: 'password', text: 'hunter2', type: 'text/plain', size: 7 },
      { name: 'meta', text: '{"a":1}', type: 'application/json', size: 7 },
    ];
    const request = { method: 'POST', origin: 'https://api.example.com', path: '/buyers' };
    const event = { request, call: { operation: CREATE }, attempt: 1, below: '/buyers' };
    await hook({ ...event, parts });
    await hook({ ...event, parts });
    await hook({ ...event, parts: [{ name: undefined, type: 'text/csv', size: 2 }] });
    expect(await said()).toBe(
      lines(
        ...FACTS,
        '  file=@"a\\u001b[2J.pdf" (application/pdf, 1 byte)',
        '  password=********',
        '  meta={"a":1} (application/json)',
        QUESTION,
        ...BROKEN,
        ...FACTS,
        '  (text/csv, 2 bytes)',
        QUESTION,
      ),
    );
  });

  it('is asked about again where it is another than the one confirmed', async () => {
    const { send, said } = confirmation({ person: yes });
    await send({}, 1, '{"a":1}');
    await send({}, 1, '{"a":1}');
    await send({}, 1, '{"a":2}');
    const shown = (value: number) => [...FACTS, `  a  ${value}`, QUESTION];
    expect(await said()).toBe(lines(...shown(1), ...BROKEN, ...shown(2)));
  });

  it.each([{ confirmed: true }, {}])('is not shown where nobody is asked: %j', async (circumstances) => {
    const { send, said } = confirmation(circumstances);
    await send({}, 1, '{"first_name":"Ada"}').catch(() => {});
    expect(await said()).toBe(lines(ONE_LINE));
  });
});

describe('the money of a change', () => {
  const path = '/transactions/t1/refunds';
  const requestSchema = {
    properties: { amount: { $ref: '#/$defs/Amount' }, reason: { type: 'string' } },
    $defs: { Amount: { type: 'integer' } },
  };
  const operation = { summary: 'Refund a transaction.', requestSchema };
  const value = { id: 't1', amount: 36815, captured_amount: 10000, refunded_amount: 0, currency: 'SEK' };
  const record = { state: 'read', id: 't1', value, personalData: undefined } as const;
  const refund = { person: yes, operation, record };
  const RECORD = 'Refund a transaction: t1 (authorized 368.15 SEK, captured 100.00 SEK, refunded 0.00 SEK)';

  it('is said in words, with what an amount that is not given means', async () => {
    const { send, said, read } = confirmation(refund);
    await send({ path, merchantAccount: 'default' });
    expect(await said()).toBe(
      lines(
        'PRODUCTION  live, merchant account default, https://api.example.com',
        'Refund a transaction: t1 (authorized 368.15 SEK, captured 100.00 SEK,',
        '    | refunded 0.00 SEK)',
        '  amount  not given: all that can still be refunded, 100.00 SEK',
        QUESTION,
      ),
    );
    expect(read).toEqual([path]);
  });

  it('has the amount in both units, in the currency of the record', async () => {
    const { send, said } = confirmation(refund);
    await send({ path }, 1, '{"amount":500,"reason":"duplicate"}');
    expect(await said()).toContain(lines('  amount  500 (5.00 SEK)', '  reason  duplicate', QUESTION));
  });

  it('is in the unit of its schema, at any depth', async () => {
    const amount = { type: 'number' };
    const line = { properties: { fee: amount, price: { type: 'integer' } } };
    const lineSchema = { properties: { amount, lines: { type: 'array', items: line } } };
    const { send, said } = confirmation({ person: yes, operation: { requestSchema: lineSchema } });
    await send({}, 1, '{"amount":3,"lines":[{"fee":2,"price":2}],"currency":"EUR"}');
    expect(await said()).toContain(
      lines(
        '  amount     3 (3.00 EUR)',
        '  currency   EUR',
        '  lines',
        '    1',
        '      fee    2 (2.00 EUR)',
        '      price  2 (0.02 EUR)',
      ),
    );
  });

  it('comes first in a long body, and is never cut', async () => {
    const { send, said } = confirmation(refund);
    const fields = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, index]));
    const lines20 = Array.from({ length: 20 }, () => ({ unit_amount: 100 }));
    await send({ path }, 1, JSON.stringify({ ...fields, lines: lines20, currency: 'SEK', amount: 500 }));
    const shown = (await said()).split('\n').slice(3);
    expect(shown[0]).toBe('  amount                500 (5.00 SEK)');
    expect(shown[1]).toBe('  lines.0.unit_amount   100 (1.00 SEK)');
    expect(shown[18]).toBe('  ... (3 more amounts: 3.00 SEK)');
    expect(shown[19]).toBe('  currency         SEK');
    expect(shown.filter((line) => line.includes('more lines'))).toHaveLength(1);
  });

  it('says where its currency or its unit is not known', async () => {
    const branch = (kind: string, type: string) => ({
      properties: { kind: { const: kind }, amount: { type } },
      required: ['kind'],
    });
    const union = { oneOf: [branch('a', 'integer'), branch('b', 'number')] };
    const { send, said } = confirmation({ person: yes, operation: { requestSchema: union } });
    await send({}, 1, '{"kind":"a","amount":500,"currency":"EUR"}');
    await send({}, 1, '{"kind":"b","amount":500,"currency":"EUR"}');
    await send({}, 1, '{"kind":"c","amount":500,"currency":"EUR"}');
    await send({}, 1, '{"kind":"a","amount":500,"lines":[{"unit_amount":450}]}');
    const shown = (await said()).split('\n').filter((line) => line.includes('amount '));
    expect(shown.map((line) => line.trim().replace(/ +/g, ' '))).toEqual([
      'amount 500 (5.00 EUR)',
      'amount 500 (500.00 EUR)',
      'amount 500 (unit unknown)',
      'amount 500 (currency unknown)',
      'unit_amount 450 (currency unknown)',
    ]);
  });

  it('says what a capture of less leaves', async () => {
    const { send, said } = confirmation({ ...refund, person: yes });
    await send({ path: '/transactions/t1/capture' }, 1, '{"amount":500}');
    await send({ path: '/transactions/t1/capture' }, 1, '{"amount":26815}');
    const shown = (await said()).split('\n').filter((line) => line.startsWith('  amount'));
    expect(shown).toEqual([
      '  amount  500 (5.00 SEK); 263.15 SEK of the authorization remain uncaptured',
      '  amount  26815 (268.15 SEK)',
    ]);
  });

  it('is one line with --yes', async () => {
    const { send, said } = confirmation({ ...refund, person: undefined, confirmed: true });
    await send({ path }, 1, '{"reason":"duplicate"}');
    await send({ path }, 1, '{"amount":500}');
    expect(await said()).toBe(
      lines(
        `${HEAD}; ${RECORD}; amount not given: all that can still be refunded, 100.00 SEK`,
        `${HEAD}; ${RECORD}; amount 500 (5.00 SEK)`,
      ),
    );
  });

  it.each([
    ['/transactions/t1/capture', 'all that is authorized and not captured, 268.15 SEK'],
    ['/transactions/t1/payouts', 'the service decides'],
  ])('is what the service does at %s', async (other, meaning) => {
    const { send, said } = confirmation(refund);
    await send({ path: other });
    expect(await said()).toContain(`\n  amount  not given: ${meaning}\n`);
  });

  it('is unknown where the record was not read', async () => {
    const { send, said } = confirmation({ ...refund, record: { state: 'not_read', id: 't1' } });
    await send({ path });
    expect(await said()).toBe(
      lines(
        HEAD,
        'Refund a transaction: t1 (not read)',
        '  amount  not given: the service decides',
        QUESTION,
      ),
    );
  });

  it('is not read for anybody who does not see it', async () => {
    const quiet = confirmation({ ...refund, person: undefined, confirmed: true, quiet: true });
    await quiet.send({ path });
    const alone = confirmation({ ...refund, person: undefined });
    expect(await failureOf(alone.send({ path }))).toMatchObject({ code: 'not_confirmed' });
    expect([quiet.read, alone.read, await quiet.said()]).toEqual([[], [], '']);
  });

  it('is followed by what else tells the record, without personal data', async () => {
    const other = { display_name: 'Ada Lovelace', status: 'active\u001b', balance: null };
    const { send, said } = confirmation({
      person: yes,
      record: { state: 'read', id: 'b1', value: other, personalData: { display_name: true } },
    });
    await send({ method: 'DELETE', path: '/buyers/b1' });
    expect(await said()).toContain('\nAdd a buyer: b1 (status active␛)\n');
  });

  it('is marked in colour', async () => {
    const { send, said } = confirmation({ person: yes, color: true, env: { TERM: 'xterm' } });
    await send();
    expect(await said()).toContain('\u001b[31m\u001b[1mPRODUCTION\u001b[22m\u001b[39m  live, ');
  });
});

describe('a DELETE that does not go to production', () => {
  const TEST: Profile = { name: 'test', baseUrl: 'https://test.example.com' };
  const request = { method: 'DELETE', origin: 'https://test.example.com', path: '/things/1' };
  const ASKED = lines(
    'test, no merchant account, https://test.example.com',
    'Add a buyer: DELETE /things/1',
    QUESTION,
  );

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
      message: person
        ? 'The change was not confirmed'
        : 'Nothing was sent: DELETE /things/1 was not confirmed',
      hint: expect.stringMatching(person ? /^Nothing was sent\.$/ : /^Add --yes to send it /),
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
