import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pseudonyms } from '../../../../src/features/api-logs/report/pseudonyms.ts';
import { propertyRuns } from '../../../harness/property-runs.ts';

const BUYER = 'a5b1f0de-0000-4000-8000-000000000000';
const OTHER = 'b5b1f0de-0000-4000-8000-000000000000';

/** A JSON document of so many characters, the first of which is a space. */
const jsonOf = (length: number) => ` {"flag":"${''.padEnd(length - 12, 'x ')}"}`;

describe('pseudonyms', () => {
  it.each([
    ['mail ada@example.com and ADA@example.com or bob@example.com', 'mail email-1 and email-1 or email-2'],
    ['encoded ada%40example.com', 'encoded email-1'],
    ['call +44 113 496 0000 or 0113 496 0000', 'call phone-1 or phone-2'],
    ['card 4111 1111 1111 1111 or 4111-1111-1111-1111', 'card number-1 or number-2'],
    ['eyJhbGciOiJFUzUxMiJ9.eyJpc3MiOiJ4In0.c2ln', 'token-1'],
    ['Authorization: Bearer abcdef123456', 'Authorization: Bearer token-1'],
    ['key_live_abcdef123456', 'token-1'],
    ['AKIAIOSFODNN7EXAMPLE and xoxb-1234567890-abcdef', 'token-1 and token-2'],
    ['-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY----- is not one', 'token-1 is not one'],
    ['/buyers;session=s3cr3t/x', '/buyers;session=token-1/x'],
    ['cvv 987 is wrong', 'cvv token-1 is wrong'],
    [`${'a1b2c3d4'.repeat(6)}`, 'token-1'],
    [`${BUYER} ${BUYER.toUpperCase()} ${OTHER}`, 'id-1 id-1 id-2'],
    ["the external_identifier 'order-1004' exists", "the external_identifier 'external-identifier-1' exists"],
    ['must match ^\\+[1-9]\\d{1,14}$', 'must match ^\\+[1-9]\\d{1,14}$'],
    ['at 2026-03-01T10:00:00.000+00:00', 'at 2026-03-01T10:00:00.000+00:00'],
    ['/cart_items/0/quantity must be at most 100', '/cart_items/0/quantity must be at most 100'],
    ['Invalid password hunter2', 'Invalid password ********'],
    ['pwd: letmein, sid: "abc"', 'pwd: ********, sid: "abc"'],
    ['api_key: key_live_abcdef123456', 'api_key: token-1'],
    ['GB82WEST12345698765432 ok, GB82WEST12345698765432.', 'iban-1 ok, iban-1.'],
    ['1\u200b\u200b2 ada@x.io', '1 2 email-1'],
    [
      'password=&quot;abc&quot; or &#34;pwd&#34;: &apos;abc&#39;',
      'password="********" or "pwd": \'********\'',
    ],
    ['a &quot;b&quot;&nbsp;c\u200b', 'a &quot;b&quot;&nbsp;c\u200b'],
    ['\uff41da@example.com\u00a0at 1\u200b2', 'email-1\u00a0at 1 2'],
    ['call&#160;0113&nbsp;496&#160;0000', 'call\u00a0phone-1'],
    ['\ue000 ada@example.com', '\ufffd email-1'],
    ['no /orders/ORD-2024-17 or /orders/open', 'no /orders/reference-1 or /orders/open'],
    ['see https://u:p@h.example/x#top.', 'see https://********@h.example/x#top.'],
    ['run ada%2540example.com or a%20b', 'run email-1 or a%20b'],
    ['surname: Ada Lovelace, surname: is required', 'surname: surname-1, surname: is required'],
  ])('of %j are %j', (text, masked) => {
    expect(new Pseudonyms().text(text)).toBe(masked);
  });

  it('of addresses are named by the parameters of the contract, and keep words of the contract alone', () => {
    const pseudonyms = new Pseudonyms();
    const masked = (address: string) => pseudonyms.url(`https://u:p@h.example${address}`);
    expect(masked(`/buyers/${BUYER}/shipping-details`)).toBe('h.example/buyers/buyer-1/shipping-details');
    expect(masked(`/payment-methods?buyer_id=${BUYER}&status=failed&limit=20`)).toBe(
      'h.example/payment-methods?buyer_id=buyer-1&status=failed&limit=20',
    );
    expect(masked('/buyers?search=Ada%20Lovelace&api_key=x&flag')).toBe(
      'h.example/buyers?search=search-1&api_key=********&flag',
    );
    expect(masked('/payment-service-definitions/acme-bank/sessions')).toBe(
      'h.example/payment-service-definitions/acme-bank/sessions',
    );
    expect(pseudonyms.text(`buyer ${BUYER}`)).toBe('buyer buyer-1');
    expect(masked(`/x/${OTHER}`)).toBe('h.example/x/id-1');
    expect(new Pseudonyms('/v1').url(`https://h/v1/buyers/${BUYER}/shipping-details`)).toBe(
      'h/v1/buyers/buyer-1/shipping-details',
    );
  });

  it('of members are by their names, with what quotes them, and secrets have none', () => {
    const body = {
      message: 'Ada Lovelace is not allowed',
      details: [
        { pointer: '/first_name', message: 'is "Countess"', input: 'Countess' },
        { pointer: '/webhook/secret', input: { a: 'hidden' } },
        { pointer: '/webhook/secret', ctx: { given: 'hidden', limit: 3 } },
      ],
      detail: [{ loc: ['body', 'email_address'], input: ['x@y'] }],
      billing_details: { first_name: 'Ada Lovelace', address: { city: 'London', line1: null } },
      api_key: 'hidden',
      resource_id: OTHER,
      card: 4111111111111111,
      amount: 1299,
    };
    const pseudonyms = new Pseudonyms();
    expect(pseudonyms.value(body)).toEqual({
      message: 'first-name-2 is not allowed',
      details: [
        { pointer: '/first_name', message: 'is "first-name-1"', input: 'first-name-1' },
        { pointer: '/webhook/secret', input: '********' },
        { pointer: '/webhook/secret', ctx: '********' },
      ],
      detail: [{ loc: ['body', 'email_address'], input: ['email-address-1'] }],
      billing_details: { first_name: 'first-name-2', address: { city: 'city-1', line1: null } },
      api_key: '********',
      resource_id: 'resource-1',
      card: 'number-1',
      amount: 1299,
    });
    expect(pseudonyms.text('Ada Lovelace')).toBe('first-name-2');
  });

  it.each([
    [
      'a JSON text within JSON, by the names of its members',
      { raw: ' {"address":{"city":"Ulm"},"b_id":7}' },
      { raw: '{"address":{"city":"city-1"},"b_id":"b-1"}' },
    ],
    [
      'a JSON text up to 20,000 characters, and longer ones as a text',
      [jsonOf(20_000), jsonOf(20_001)],
      [jsonOf(20_000).trim(), jsonOf(20_001).slice(0, 20_000)],
    ],
    ['no text that only looks like JSON', { raw: '{not JSON' }, { raw: '{not JSON' }],
    [
      'the second of two texts after the name of a secret',
      ['password', 'correct horse'],
      ['password', '********'],
    ],
    [
      'the second of two texts after the name of something personal',
      [['surname', 'Lovelace'], ['first_name', 'Ada B'], { by: 'Lovelace' }],
      [['surname', 'surname-1'], ['first_name', 'first-name-1'], { by: 'surname-1' }],
    ],
    [
      'no lists of names',
      [
        ['password', 'pin'],
        ['surname', 'first_name'],
      ],
      [
        ['password', 'pin'],
        ['surname', 'first_name'],
      ],
    ],
    [
      'a value after its name in longer lists, also with an operator between them',
      [
        ['password', 'correct horse', 'battery'],
        [7, 'surname', 'Lovelace', true],
        ['phone', '=', '555 12'],
        ['email', 'NEQ', 'Ada', 'x'],
        ['Accept', '*', 'X-Api-Key', 'K1', 'Cookie', 'a'],
        ['note', '=', 'Ulm', 'x'],
      ],
      [
        ['password', '********', 'battery'],
        [7, 'surname', 'surname-1', true],
        ['phone', '=', 'phone-1'],
        ['email', 'NEQ', 'email-1', 'x'],
        ['Accept', '*', 'X-Api-Key', '********', 'Cookie', 'a'],
        ['note', '=', 'Ulm', 'x'],
      ],
    ],
    [
      'no other names in longer lists, nor what is between them',
      {
        a: ['email', 'createdLast', 'amount'],
        b: ['password', 'status', 'user_name', ''],
        c: ['=', 'Ulm'],
        d: ['pin', '', 'x'],
        e: ['password', 'ulm', 'x'],
      },
      {
        a: ['email', 'createdLast', 'amount'],
        b: ['password', 'status', 'user_name', ''],
        c: ['=', 'Ulm'],
        d: ['pin', '', 'x'],
        e: ['password', 'ulm', 'x'],
      },
    ],
    [
      'every value in a list of pairs',
      {
        a: [
          ['surname', 'lovelace'],
          ['note', 'ulm'],
          ['surname', 'email'],
          ['surname', 'token'],
        ],
        b: [
          ['surname', 'lovelace', 'x'],
          ['surname', 'ulm'],
        ],
        c: ['surname', 'ulm'],
        d: [['surname', 'ulm'], 'x'],
        e: [
          ['buyer_id', 'b7'],
          ['surname', ['hopper']],
          ['password', ['is required']],
        ],
        f: ['password', 'ulm'],
        g: ['surname', ['U 1']],
      },
      {
        a: [
          ['surname', 'surname-1'],
          ['note', 'ulm'],
          ['surname', 'email'],
          ['surname', 'token'],
        ],
        b: [
          ['surname', 'surname-1', 'x'],
          ['surname', 'ulm'],
        ],
        c: ['surname', 'ulm'],
        d: [['surname', 'ulm'], 'x'],
        e: [
          ['buyer_id', 'buyer-1'],
          ['surname', ['surname-2']],
          ['password', ['is required']],
        ],
        f: ['password', '********'],
        g: ['surname', ['U 1']],
      },
    ],
    [
      'the value beside its name, however both are called',
      [
        { label: 'Surname', value: 'lovelace' },
        { Attribute: 'email', Value: 'ada' },
        { op: 'replace', path: '/phone', value: '55' },
        { path: ['buyer', 'email'], values: ['eve', 'bob'] },
        { field_name: 'address', old_value: 'Ulm', newValue: 'Bonn' },
        { propertyName: 'password', attemptedValue: 'x', colour: 'red' },
        { title: 'email', value: 'eva' },
      ],
      [
        { label: 'Surname', value: 'surname-1' },
        { Attribute: 'email', Value: 'email-1' },
        { op: 'replace', path: '/phone', value: 'phone-1' },
        { path: ['buyer', 'email'], values: ['email-2', 'email-3'] },
        { field_name: 'address', old_value: 'address-1', newValue: 'address-2' },
        { propertyName: 'password', attemptedValue: '********', colour: 'red' },
        { title: 'email', value: 'eva' },
      ],
    ],
    [
      'the values of tables by the names of their columns',
      [
        { names: ['surname', 'Email', 'note'], values: ['ulm', 'ada', 'x', 'y'] },
        { columns: ['pin', 'City'], rows: [[1, 'Bonn'], [2, 'Rome'], ['q', 'Bari', 'c'], []] },
        { columns: ['pin', 'City'], row: [['q'], 'Linz', { id: 'y' }, 'x'] },
        { values: [{ id: 'y' }, ['x']], fields: ['email', 'x'] },
        { fields: ['email', 'note'] },
        { keys: ['email', 5], labels: ['email'], rows: 5, values: ['eve'] },
        { headers: ['X-Api-Key', 'K1'] },
      ],
      [
        { names: ['surname', 'Email', 'note'], values: ['surname-1', 'email-1', 'x', 'y'] },
        {
          columns: ['pin', 'City'],
          rows: [['********', 'city-1'], ['********', 'city-2'], ['********', 'city-3', 'c'], []],
        },
        { columns: ['pin', 'City'], row: ['********', 'city-4', { id: 'y' }, 'x'] },
        { values: [{ id: 'y' }, ['x']], fields: ['email', 'x'] },
        { fields: ['email', 'note'] },
        { keys: ['email', 5], labels: ['email'], rows: 5, values: ['email-2'] },
        { headers: ['X-Api-Key', '********'] },
      ],
    ],
    [
      'members that are called like methods',
      { name: { toString: 1 }, email: { toString: 'ada' }, of: [{ toString: 1 }, 'x'] },
      { name: { toString: 'to-string-1' }, email: { toString: 'to-string-2' }, of: [{ toString: 1 }, 'x'] },
    ],
    [
      'numbers in pairs, unless they are an index',
      [
        ['pin', 1000],
        ['phone_number', 447700900123],
        ['email', 3],
        ['count', 8361],
      ],
      [
        ['pin', '********'],
        ['phone_number', 'phone-number-1'],
        ['email', 3],
        ['count', 8361],
      ],
    ],
    [
      'every secret in a pair',
      [
        ['password', 'hunter'],
        ['x-api-key', 'secretkeyabc'],
      ],
      [
        ['password', '********'],
        ['x-api-key', '********'],
      ],
    ],
    [
      'a quoted value of a message',
      { field: 'surname', msg: "'Ulm' is not 'last_name' or '^a' or '/b'" },
      { field: 'surname', msg: "'surname-1' is not 'last_name' or '^a' or '/b'" },
    ],
    [
      'no messages but texts',
      { field: 'surname', message: null, msg: ["'Ulm'"] },
      { field: 'surname', message: null, msg: ["'Ulm'"] },
    ],
    [
      'the name of a person, next to what only a person has',
      { name: 'Ada', email: 'a@x.io', of: { name: 'Ada' } },
      { name: 'name-1', email: 'email-1', of: { name: 'Ada' } },
    ],
    [
      'no messages in other members',
      { field: 'surname', messages: "'Ulm'" },
      { field: 'surname', messages: "'Ulm'" },
    ],
    [
      'known values, by the name of their first member',
      { surname: 'Turing', note: 'by TURING' },
      { surname: 'surname-1', note: 'by surname-1' },
    ],
    [
      'known secrets, without a name',
      { password: '#Enigma1!', note: 'not #Enigma1!.' },
      { password: '********', note: 'not ********.' },
    ],
    [
      'true, false and null never',
      { email: true, password: false, phone: null },
      { email: true, password: false, phone: null },
    ],
    [
      'no versions but whole ones',
      {
        version: '10.0.0.1',
        version_of: '10.0.0.1',
        version2: 'v10.0.0.1 x',
        api_version: '10.0.0.1 x',
        a_version: 'x 10.0.0.1',
      },
      {
        version: '10.0.0.1',
        version_of: 'ip-1',
        version2: 'v10.0.0.1 x',
        api_version: 'ip-1 x',
        a_version: 'x ip-1',
      },
    ],
    [
      'ids by what they are of, in every spelling',
      { buyerId: 'b', buyer_id: 'b', request_id: 'ada@example.com' },
      { buyerId: 'buyer-1', buyer_id: 'buyer-1', request_id: 'email-1' },
    ],
    [
      'a list in which not everything is a remark',
      { password: ['is too short', 'enigma'], pwd: [] },
      { password: '********', pwd: '********' },
    ],
    [
      'a secret that a message quotes',
      { pointer: '/password', message: "'enigma' is short" },
      { pointer: '/password', message: "'********' is short" },
    ],
    [
      'what a message quotes, but no names',
      { field: 'surname', msg: "'a_b_cd' 'ab_cd' 'email' 'token' 'a/b' 'X_y' 'a_1' 'a_b c' 'c a_b'" },
      {
        field: 'surname',
        msg: "'a_b_cd' 'ab_cd' 'email' 'token' 'surname-1' 'surname-2' 'surname-3' 'surname-4' 'surname-5'",
      },
    ],
    [
      'no messages of another name',
      { field: 'surname', error_message: "'Ulm'" },
      { field: 'surname', error_message: "'Ulm'" },
    ],
    [
      'no empty values',
      { buyer_id: '', email: '', address: { a: null } },
      { buyer_id: '', email: '', address: { a: null } },
    ],
    [
      'ids by the whole name',
      { a_id_b_id: 'q', homeIdCardId: 'r', '1_id': 's', home1_id: 't', c_id: ['U7', 'V8'] },
      {
        a_id_b_id: 'a-id-b-1',
        homeIdCardId: 'home-id-card-1',
        '1_id': 'value-1',
        home1_id: 'value-2',
        c_id: ['c-1', 'c-2'],
      },
    ],
    ['personal values by names of several words', { 'Tax  Number': 'q7' }, { 'Tax  Number': 'tax-number-1' }],
    ['no long versions', { version: '10.20.30.40' }, { version: '10.20.30.40' }],
    [
      'no short or plain secrets in other texts',
      {
        password: 'enigm',
        pwd: 'enigmata',
        passwd: 'two Words1',
        secret: 'Words1 two',
        x: 'enigm enigmata two Words1 two',
      },
      {
        password: '********',
        pwd: '********',
        passwd: '********',
        secret: '********',
        x: 'enigm enigmata two Words1 two',
      },
    ],
    ['no pairs of which the first is no secret', ['note', 'correct horse'], ['note', 'correct horse']],
    [
      'the same address in every spelling',
      ['ADA@x.io', 'ada%40x.io', 'adax.io', { email: 'ada%40X.io' }],
      ['email-1', 'email-1', 'adax.io', { email: 'email-1' }],
    ],
  ])('replace in JSON %s', { tags: 'slow' }, (_, value, masked) => {
    expect(new Pseudonyms().value(value)).toEqual(masked);
  });

  it('cut JSON that is nested too deeply, and texts that are too long', { tags: 'slow' }, () => {
    const nest = (levels: number, inner: unknown): unknown =>
      levels === 0 ? inner : { a: nest(levels - 1, inner) };
    const nestLists = (levels: number, inner: unknown): unknown =>
      levels === 0 ? inner : [nestLists(levels - 1, inner)];
    const pseudonyms = new Pseudonyms();
    for (const nested of [nest, nestLists]) {
      expect(pseudonyms.value(nested(30, 'x'))).toEqual(nested(30, '\u2026'));
      expect(pseudonyms.value(nested(29, 'x'))).toEqual(nested(29, 'x'));
      expect(pseudonyms.value({ address: nested(29, 'x') })).toEqual({ address: nested(29, '\u2026') });
    }
    const rows = (levels: number, inner: string) => ({ columns: ['x'], rows: nestLists(levels, inner) });
    expect(pseudonyms.value(rows(28, 'x'))).toEqual(rows(28, 'x'));
    expect(pseudonyms.value(rows(29, 'x'))).toEqual(rows(29, '\u2026'));
    expect(pseudonyms.value(rows(40, 'x'))).toEqual(rows(30, '\u2026'));
    const person = { email: '', username: 'ada', name: nest(29, 'x') };
    expect(pseudonyms.value(person)).toMatchObject({ name: nest(29, '\u2026') });
    expect(pseudonyms.value(nest(28, '{"a":{"b":"x"}}'))).toEqual(nest(28, '{"a":"\u2026"}'));
    expect(pseudonyms.text('x '.repeat(15_000))).toHaveLength(20_000);
  });

  it('leave nothing personal in any JSON', () => {
    const secret = fc.constantFrom(
      'ada@example.com',
      '+441134960000',
      '4111111111111111',
      'eyJhbGci.eyJpc3Mi.c2ln',
      BUYER,
    );
    const around = fc.constantFrom('', ' ', '"', '/', '\n', 'to ');
    const text = fc.tuple(around, secret, around).map((parts) => parts.join(''));
    const name = fc.oneof(text, fc.constantFrom('pointer', 'input', 'loc', 'email_address', 'x', 'b_id'));
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(name, tie('json'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(json, (value) => {
        const masked = JSON.stringify(new Pseudonyms().value(value)) ?? '';
        expect(masked).not.toMatch(/ada@|441134960000|4111111111111111|eyJhbGci|a5b1f0de/);
      }),
      propertyRuns(1000),
    );
  });
});
