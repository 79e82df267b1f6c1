import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskExcerpt } from '../../../src/cli/failure/excerpt.ts';
import { isSecretPair } from '../../../src/cli/secrets/form-text.ts';
import { DataMasker, type MaskOptions, maskData } from '../../../src/cli/secrets/mask.ts';
import { isSecretName } from '../../../src/contract/secret-names.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

const maskSecrets = (text: string) => maskData(text, {}).text;

/** Names that hold a secret, in the spellings of services. */
const SECRET_NAMES = [
  'secret',
  'Secret',
  'SECRET',
  'secrets',
  'webhook_secret',
  'signing_secret',
  'signingSecret',
  'client_secret',
  'client-secret',
  'password',
  'Password',
  'db_password',
  'password2',
  'passwd',
  'passphrase',
  'pass_phrase',
  'passcode',
  'private_key',
  'privateKey',
  'api_key',
  'apiKey',
  'api-key',
  'X-API-Key',
  'api_keys',
  'secret_key',
  'signing_key',
  'encryption_key',
  'access_token',
  'accessToken',
  'refresh_token',
  'id_token',
  'auth_token',
  'session_token',
  'credentials',
  'cvv',
  'cvc2',
  'security_code',
  'secret_v2',
  'secret_2',
  'secret_value',
  'secretValue',
  'secret_hash',
  'secret_text',
  'secretText',
  'secret_base64',
  'secret_current',
  'client_secret_next',
  'password_hash',
  'api_key_value',
  'access_token_v2',
  'private_key_pem',
  'pwd',
  'user_pwd',
  'hmac',
  'hmac_v1',
  'cvv_number',
  'chip_cvv_number',
  'cvcCode',
];

/** Names that hold a secret as a word, or as the whole name. */
const SECRET_WORDS = [
  'pin',
  'PIN',
  'card_pin',
  'cardPin',
  'pin_value',
  'pin2',
  'otp',
  'OTP',
  'totp',
  'login_otp',
  'smsOtp',
  'userOTP',
  'otp_code',
  'authorization',
  'Authorization',
  'Proxy-Authorization',
];

const OTHER_NAMES = [
  'next_cursor',
  'token',
  'token_type',
  'key',
  'key_id',
  'api_key_id',
  'public_key',
  'secret_rotated_at',
  'secret_id',
  'secret_name',
  'secret_type',
  'secret_version',
  'secret_created_at',
  'secret_expires_on',
  'secret_enabled',
  'has_secret_rotation',
  'shipping',
  'spin',
  'adoption',
  'laptop',
  'otp_required',
  'pinned',
  'pin_required',
  'pre_authorization',
  'authorization_code_type',
  'authorization_id',
  'secretary',
  'password_changed_at',
  'passport_number',
  'idempotency_key',
  'access_key_id',
  'code',
  'country_code',
  'id',
  '',
];

describe('the names of secrets', () => {
  it.each([...SECRET_NAMES, ...SECRET_WORDS])('hold %s', (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(maskSecrets(`{"a":[{"${name}": "true value"}]}`)).toBe(`{"a":[{"${name}": "********"}]}`);
  });

  it('hold each word that a secret has, in capitals and with any separators', () => {
    const words = [
      ...[
        'secret',
        'password',
        'passwd',
        'passphrase',
        'passcode',
        'pwd',
        'hmac',
        'credential',
        'credentials',
      ],
      ...['private', 'secret', 'api', 'signing', 'encryption', 'shared', 'access'].map(
        (word) => `${word}key`,
      ),
      ...['access', 'refresh', 'id', 'auth', 'bearer', 'session', 'client', 'api', 'security'].map(
        (word) => `${word}token`,
      ),
      ...['cvv', 'cvc', 'cvv2', 'cvc2', 'securitycode', 'authorization', 'proxyauthorization'],
    ];
    for (const word of words) {
      for (const name of [word, word.toUpperCase(), [...word].join('_'), [...word].join(' ').toUpperCase()])
        expect([name, isSecretName(name)]).toEqual([name, true]);
    }
    for (const name of ['pin', 'PIN', 'cardPin', 'card_pin', 'pinBlock', 'cardPIN', 'new-pin-2'])
      expect([name, isSecretName(name)]).toEqual([name, true]);
  });

  it.each(OTHER_NAMES)('do not hold %s', (name) => {
    expect(isSecretName(name)).toBe(false);
    const text = `{"a":[{"${name}": "true value"}]}`;
    expect(maskSecrets(text)).toBe(text);
  });
});

describe('maskData', () => {
  it('masks secrets at any depth and changes nothing else', () => {
    const text =
      '{"id":1.0, "secret" : "s\\"1", "authentication":{"kind":"basic","password":"p"},"x":["secret"]}';
    expect(maskSecrets(text)).toBe(
      '{"id":1.0, "secret" : "********", "authentication":{"kind":"basic","password":"********"},"x":["secret"]}',
    );
  });

  it('leaves text that only speaks of a secret', () => {
    const text = JSON.stringify({ note: '"secret":"not one"', secret_name: 'many', secret: null });
    expect(maskSecrets(text)).toBe(text);
  });

  it('finds names behind escapes', () => {
    expect(maskSecrets('{"s\\u0065cret":"x"}')).toBe('{"s\\u0065cret":"********"}');
    expect(maskSecrets('{"\\u0061\\u0070\\u0069\\u004Bey":[1]}')).toBe(
      '{"\\u0061\\u0070\\u0069\\u004Bey":"********"}',
    );
  });

  it.each([
    // Put together here, so that no scanner takes them for real ones.
    ...['live_9f8a7b6c5d4e3f2a1b0c', 'test_51Habcdefghijklmnop'].flatMap((rest) => [
      `sk_${rest}`,
      `rk_${rest}`,
    ]),
    `sk-${'proj-0123456789abcdef'}`,
    `sk-admin-${'1f2e3d4c5b6a79880011'}`,
    `whsec_${'C2FVsBQIhrscChlQIMV+b5sSYspob7oD'}`,
    `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`,
    `github_pat_${'11ABCDEFG0abcdefghijkl'}`,
    `xoxb-${'17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy'}`,
    `glpat-${'xxxxxxxxxxxxxxxxxxxx'}`,
    `AIza${'SyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe'}`,
    'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'eyJhbGciOiJSU0EtT0FFUCJ9.a2V5a2V5.aXZpdml2.Y2lwaGVy.dGFnCg',
    'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  ])('masks a secret by what it begins with, whatever its member is called: %s', (secret) => {
    const text = JSON.stringify({ value: secret, list: [secret], next_cursor: secret });
    const masked = maskSecrets(text);
    expect(JSON.parse(masked)).toEqual({ value: '********', list: ['********'], next_cursor: secret });
    expect(maskData(text, { revealSecrets: true }).text).toBe(text);
    expect(maskExcerpt(`{"value":"${secret}`)).not.toContain(secret.slice(-8));
    expect(isSecretPair({ names: ['value'], text: secret })).toBe(true);
  });

  it.each([
    'sk_',
    'sk-learn-is-a-library-of-python',
    'whsec',
    'npm_install',
    'eyJpZCI6MTIzNDU2Nzg5MDEyMzQ1Njc4fQ',
    'eyJpZCI6MTIzfQ.signature_of_a_cursor',
    'SG.',
    'e3f1c5a5-6f0e-4d55-9a3b-2b7a0c1d4e5f',
    'Bearer of good news, everyone',
  ])('shows what begins in a similar way: %s', (value) => {
    const text = JSON.stringify({ value });
    expect(maskSecrets(text)).toBe(text);
  });

  it('masks secrets by their places, next to personal data', () => {
    const text = '{"items":[{"key":"k1","name":"Ada","config":{"key":"k2","token":null}}],"key":"k3"}';
    const secretData = { items: { key: true, config: { '*': true } } } as const;
    const personalData = { items: { name: true } } as const;
    const shown = (options: MaskOptions) =>
      maskData(text, { secretData, personalData, ...options }).text.replaceAll('********', '*');
    expect(shown({})).toBe('{"items":[{"key":"*","name":"*","config":{"key":"*","token":null}}],"key":"k3"}');
    expect(shown({ revealSecrets: true })).toBe(
      '{"items":[{"key":"k1","name":"*","config":{"key":"k2","token":null}}],"key":"k3"}',
    );
  });

  it('leaves no secret of any type under any spelling of its name, in any document', () => {
    const spelled = fc
      .constantFrom(...SECRET_NAMES)
      .chain((name) =>
        fc
          .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
          .map((escaped) =>
            [...name]
              .map((char, index) =>
                escaped[index] ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char,
              )
              .join(''),
          ),
      );
    const before = fc.constantFrom('', 'my_', 'old-', 'the');
    const values = fc.json().filter((value) => value.trim() !== 'null');
    fc.assert(
      fc.property(before, spelled, values, fc.json(), (prefix, name, value, other) => {
        const text = `{"a":${other},"${prefix}${name}": ${value} ,"b":[{"${name}":${value}}]}`;
        const masked = JSON.parse(maskSecrets(text));
        const decoded: string = JSON.parse(`"${name}"`);
        expect(masked[prefix + decoded]).toBe('********');
        expect(masked.b[0][decoded]).toBe('********');
        expect(masked.a).toEqual(JSON.parse(maskSecrets(other)));
      }),
    );
  });

  it('masks personal data and secrets at once, and counts the former', () => {
    const text = '{"secret":"s","person":{"name":"Ada","password":"p"}}';
    const personalData = { person: { name: true } };
    expect(maskData(text, { personalData })).toEqual({
      text: '{"secret":"********","person":{"name":"********","password":"********"}}',
      marked: 1,
    });
    expect(maskData(text, { personalData, revealSecrets: true }).text).toBe(
      '{"secret":"s","person":{"name":"********","password":"p"}}',
    );
  });
});

describe('the warning about personal data', () => {
  const personalData = { items: { person: { name: true, '*': true }, tags: { '*': true }, shown: false } };
  type Options = { paths?: string[]; leftOut?: string[]; reveal?: boolean };
  const warnings = (text: string, options: Options = {}) => {
    const codes: string[] = [];
    const masker = new DataMasker(
      { warn: (code, message) => void codes.push(`${code}: ${message}`) },
      { 'reveal-pii': options.reveal },
      { personalData, paths: options.paths },
    );
    masker.mask(text);
    masker.mask(text);
    masker.report(options.leftOut);
    return codes;
  };
  const WARNING = 'personal_data_masked: Personal data is masked. Add --reveal-pii to show it.';
  const page = '{"items":[{"id":1,"person":{"name":"Ada"}}]}';

  it('is given once where something was masked', () => {
    expect(warnings(page)).toEqual([WARNING]);
    expect(warnings(page, { reveal: true })).toEqual([]);
    expect(warnings('{"items":[{"person":{"name":"***"}}]}')).toEqual([WARNING]);
    expect(warnings('{"items":[{"person":{"name":null,"x":""}}]}')).toEqual([]);
  });

  it.each([
    [['items.id'], []],
    [['items.id', 'items.person.name'], [WARNING]],
    [['items.person'], [WARNING]],
    [['items.person.name.first'], [WARNING]],
    [['items.0.person'], [WARNING]],
    [['items.tags.0'], [WARNING]],
    [['items.12.person'], [WARNING]],
    [['items.2nd'], []],
    [['items.v2'], []],
    [['items.tags.any'], [WARNING]],
    [['items.shown'], []],
    [['items.toString'], []],
    [[], []],
  ])('is given where the fields that are shown hold some: %j', (paths, expected) => {
    expect(warnings(page, { paths })).toEqual(expected);
  });

  it('is not given where a narrow terminal shows none of them', () => {
    const paths = ['items.id', 'items.person.name', 'items.tags'];
    expect(warnings(page, { paths, leftOut: ['items.person.name', 'items.tags'] })).toEqual([]);
    expect(warnings(page, { paths, leftOut: ['items.tags'] })).toEqual([WARNING]);
  });
});

describe('a masker of one run', () => {
  type Shown = ConstructorParameters<typeof DataMasker>[2];
  const maskerOf = (flags: ConstructorParameters<typeof DataMasker>[1], shown: Shown) => {
    const codes: string[] = [];
    const masker = new DataMasker({ warn: (code) => void codes.push(code) }, flags, shown);
    return { masker, codes };
  };
  const text = '{"items":[{"email":"a@b.c","api_key":"k"}]}';

  it.each([
    [{}, '{"email":"********","api_key":"********"}'],
    [{ 'reveal-secrets': true }, '{"email":"********","api_key":"k"}'],
    [{ 'reveal-pii': true }, '{"email":"a@b.c","api_key":"********"}'],
  ])('masks documents and pages in the same way, with %j', (flags, item) => {
    for (const shown of [{ personalByName: true }, { personalData: { items: { email: true } } }]) {
      const { masker } = maskerOf(flags, shown);
      expect(masker.mask(text).text).toBe(`{"items":[${item}]}`);
      expect(masker.page(text)?.texts).toEqual([item]);
      expect(masker.page('{"no":"page"}')).toBeUndefined();
    }
  });

  it('shows personal names where no rule masks them', () => {
    expect(maskerOf({}, {}).masker.mask('{"email":"a@b.c"}').text).toBe('{"email":"a@b.c"}');
    expect(maskerOf({ 'reveal-pii': true }, {}).masker.mask('{"email":"a@b.c"}').text).toBe(
      '{"email":"a@b.c"}',
    );
  });

  it('adds up what it has masked in documents and in pages', () => {
    const { masker, codes } = maskerOf({}, { personalByName: true });
    masker.mask(text);
    masker.page(text);
    masker.report();
    expect(codes).toEqual(['personal_data_masked']);
  });

  it('counts nothing of what is not a page', () => {
    const { masker, codes } = maskerOf({}, { personalByName: true });
    masker.page('{"email":');
    masker.report();
    expect(codes).toEqual([]);
  });

  it.each([
    [['items.id'], false],
    [['items.email'], true],
    [['items.buyer.email.domain'], true],
    [[], false],
  ])(
    'warns of what is personal by its name where the fields that are shown hold some: %j',
    (paths, isWarned) => {
      const { masker, codes } = maskerOf({}, { personalByName: true, paths });
      masker.mask(text);
      masker.report();
      expect(codes).toEqual(isWarned ? ['personal_data_masked'] : []);
    },
  );

  it('warns of a marked field alone where names say nothing', () => {
    const { masker, codes } = maskerOf(
      {},
      { personalData: { items: { note: true } }, paths: ['items.email'] },
    );
    masker.mask('{"items":[{"note":"x","email":"y"}]}');
    masker.report();
    expect(codes).toEqual([]);
  });
});

describe('a secret', () => {
  const values = fc.oneof(fc.string(), fc.constantFrom('token', 'my "secret": x', 'a\\'), fc.integer());

  it('is masked wherever it stands and however its name is escaped', () => {
    const names = fc.tuple(
      fc.string(),
      fc.constantFrom(...SECRET_NAMES, 'pin', 'cardPIN', 'pin_code', 'user_pins'),
    );
    const escaped = (text: string) =>
      text.replace(/[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
    fc.assert(
      fc.property(names, values, fc.boolean(), ([before, name], value, isEscaped) => {
        fc.pre(isSecretName(before + name));
        const text = JSON.stringify({ before: value, items: [{ [before + name]: value }], after: value });
        const shown = isEscaped ? text.replace(JSON.stringify(name).slice(1, -1), escaped) : text;
        const [item] = JSON.parse(maskSecrets(shown)).items;
        expect(item).toEqual({ [before + name]: '********' });
      }),
      propertyRuns(2000),
    );
  });

  it.each([
    ['values', '{"note":"the token","id":"jMPwdCvC"}'],
    ['escaped values', String.raw`{"note":"a \u00e9 \n token"}`],
    ['other names', '{"shipping":1,"opinion":2}'],
  ])('is not looked for in %s', (_, text) => {
    expect(maskSecrets(text)).toBe(text);
  });
});
