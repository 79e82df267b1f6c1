import { describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';
import { BUILT_IN_PROFILES, type Profile } from '../../src/config/profile.ts';
import { nameOfSource, resolveSettings, type SettingFlags } from '../../src/config/settings.ts';
import { UsageError } from '../../src/errors.ts';

const SANDBOX: Profile = {
  name: 'sandbox',
  baseUrl: 'https://api.{id}.sandbox.example',
  instance: 'acme',
  merchantAccount: 'profile-account',
  merchantHeader: 'X-Profile-Account',
  webhookHeaderPrefix: 'X-Profile-',
  output: 'yaml',
};
const profiles = new Map([...BUILT_IN_PROFILES, ['sandbox', SANDBOX]]);

type Variables = Record<string, string>;

function resolve(
  flags: SettingFlags = {},
  variables: Variables = {},
  activeProfile?: string,
  ...others: readonly Profile[]
) {
  const stored = new Map([...profiles, ...others.map((profile) => [profile.name, profile] as const)]);
  const environment = readEnvironment(variables);
  return resolveSettings({ flags, environment, profiles: stored, activeProfile });
}

function refusalOf(flags: SettingFlags, variables: Variables = {}, activeProfile?: string) {
  try {
    resolve(flags, variables, activeProfile);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    const { code, message, hint } = error as UsageError;
    return { code, message, hint };
  }
  return 'resolved';
}

const DEFAULT = { kind: 'default' };

const DEFAULTS = {
  profile: { value: undefined, source: DEFAULT },
  environment: { value: undefined, source: DEFAULT },
  hasDescription: false,
  productionProfiles: [],
  limitedProfiles: [],
  readOnly: { value: false, source: DEFAULT },
  baseUrl: { value: undefined, source: DEFAULT },
  instance: { value: undefined, source: DEFAULT },
  proxy: { value: undefined, source: DEFAULT },
  merchantAccount: { value: undefined, source: DEFAULT },
  merchantHeader: { value: 'x-service-merchant-account-id', source: DEFAULT },
  webhookHeaderPrefix: { value: undefined, source: DEFAULT },
  timeoutMilliseconds: { value: 30_000, source: DEFAULT },
  maxRetries: { value: 3, source: DEFAULT },
  output: { value: 'table', source: DEFAULT },
  noInput: { value: false, source: DEFAULT },
  utc: { value: false, source: DEFAULT },
  verbose: { value: false, source: DEFAULT },
  quiet: { value: false, source: DEFAULT },
};

/** What names an imported description; what it names is not read. */
const BINDING = {} as NonNullable<Profile['description']>;

type Described = {
  readonly variables?: Variables;
  readonly own?: typeof BINDING;
  readonly shared?: typeof BINDING;
  readonly activeProfile?: string;
};

describe('resolveSettings', () => {
  test('without anything given every setting has its default', () => {
    expect(resolve()).toEqual(DEFAULTS);
  });

  test('the profile wins over defaults', () => {
    const source = { kind: 'profile', name: 'sandbox' };
    expect(resolve({ profile: 'sandbox' })).toMatchObject({
      profile: { value: SANDBOX, source: { kind: 'flag', name: '--profile' } },
      baseUrl: { value: 'https://api.{id}.sandbox.example', source },
      instance: { value: 'acme', source },
      proxy: { value: undefined, source: DEFAULT },
      merchantAccount: { value: 'profile-account', source },
      merchantHeader: { value: 'x-profile-account', source },
      webhookHeaderPrefix: { value: 'x-profile-', source },
      output: { value: 'yaml', source },
      timeoutMilliseconds: { value: 30_000, source: DEFAULT },
    });
  });

  const variables = {
    PAYCTL_PROFILE: 'sandbox',
    PAYCTL_BASE_URL: 'https://env.example',
    PAYCTL_INSTANCE: 'env',
    PAYCTL_MERCHANT_ACCOUNT: 'env-account',
    PAYCTL_MERCHANT_HEADER: 'x-env',
    PAYCTL_WEBHOOK_HEADER_PREFIX: 'x-env-',
    PAYCTL_TIMEOUT: '2m',
    PAYCTL_MAX_RETRIES: '0',
    PAYCTL_OUTPUT: 'csv',
    PAYCTL_VERBOSE: 'yes',
    PAYCTL_ENVIRONMENT: 'sandbox',
    PAYCTL_READ_ONLY: 'on',
  };

  test('a variable wins over the profile that PAYCTL_PROFILE or profiles use makes active', () => {
    const from = (name: string) => ({ kind: 'environment', name });
    expect(resolve({}, variables)).toEqual({
      ...DEFAULTS,
      profile: { value: SANDBOX, source: from('PAYCTL_PROFILE') },
      environment: { value: 'sandbox', source: from('PAYCTL_ENVIRONMENT') },
      readOnly: { value: true, source: from('PAYCTL_READ_ONLY') },
      baseUrl: { value: 'https://env.example', source: from('PAYCTL_BASE_URL') },
      instance: { value: 'env', source: from('PAYCTL_INSTANCE') },
      merchantAccount: { value: 'env-account', source: from('PAYCTL_MERCHANT_ACCOUNT') },
      merchantHeader: { value: 'x-env', source: from('PAYCTL_MERCHANT_HEADER') },
      webhookHeaderPrefix: { value: 'x-env-', source: from('PAYCTL_WEBHOOK_HEADER_PREFIX') },
      timeoutMilliseconds: { value: 120_000, source: from('PAYCTL_TIMEOUT') },
      maxRetries: { value: 0, source: from('PAYCTL_MAX_RETRIES') },
      output: { value: 'csv', source: from('PAYCTL_OUTPUT') },
      verbose: { value: true, source: from('PAYCTL_VERBOSE') },
    });
  });

  test('a flag wins over the variable', () => {
    const flags = {
      profile: 'emulator',
      'base-url': 'https://flag.example',
      instance: 'flag',
      'merchant-account': 'flag-account',
      'header-prefix': 'X-Flag-',
      timeout: '500ms',
      'max-retries': '10',
      output: 'ndjson',
      verbose: false,
      quiet: true,
    };
    const from = (name: string) => ({ kind: 'flag', name });
    expect(resolve(flags, variables)).toEqual({
      ...DEFAULTS,
      profile: { value: { name: 'emulator' }, source: from('--profile') },
      environment: { value: 'sandbox', source: { kind: 'environment', name: 'PAYCTL_ENVIRONMENT' } },
      readOnly: { value: true, source: { kind: 'environment', name: 'PAYCTL_READ_ONLY' } },
      baseUrl: { value: 'https://flag.example', source: from('--base-url') },
      instance: { value: 'flag', source: from('--instance') },
      merchantAccount: { value: 'flag-account', source: from('--merchant-account') },
      merchantHeader: { value: 'x-env', source: { kind: 'environment', name: 'PAYCTL_MERCHANT_HEADER' } },
      webhookHeaderPrefix: { value: 'x-flag-', source: from('--header-prefix') },
      timeoutMilliseconds: { value: 500, source: from('--timeout') },
      maxRetries: { value: 10, source: from('--max-retries') },
      output: { value: 'ndjson', source: from('--output') },
      verbose: { value: false, source: from('--verbose') },
      quiet: { value: true, source: from('--quiet') },
    });
  });

  test('the profile named with --profile wins over every variable', () => {
    const whole: Profile = { ...SANDBOX, name: 'whole', timeout: '7s', maxRetries: '1' };
    const named = (flags: SettingFlags) => resolve(flags, variables, undefined, whole);
    const source = { kind: 'profile', name: 'whole' };
    expect(named({ profile: 'whole' })).toMatchObject({
      baseUrl: { value: 'https://api.{id}.sandbox.example', source },
      instance: { value: 'acme', source },
      merchantAccount: { value: 'profile-account', source },
      merchantHeader: { value: 'x-profile-account', source },
      timeoutMilliseconds: { value: 7000, source },
      maxRetries: { value: 1, source },
      output: { value: 'yaml', source },
      noInput: { value: false, source: DEFAULT },
      utc: { value: false, source: DEFAULT },
      verbose: { value: true, source: { kind: 'environment', name: 'PAYCTL_VERBOSE' } },
    });
    expect(named({ profile: 'whole', 'base-url': 'https://flag.example' }).baseUrl.value).toBe(
      'https://flag.example',
    );
  });

  test('a variable gives what the profile named with --profile leaves open', () => {
    const resolved = (profile: string) => resolve({ profile }, variables, undefined, { name: 'open' });
    expect(resolved('open')).toMatchObject({
      baseUrl: { value: 'https://env.example' },
      merchantAccount: { value: 'env-account' },
    });
    // The emulator has an address of its own.
    expect(resolved('emulator')).toMatchObject({
      baseUrl: { value: undefined },
      merchantAccount: { value: 'env-account' },
    });
  });

  test.each(['1', 'true', 'YES', ' on '])('PAYCTL_READ_ONLY=%j allows only read access', (value) => {
    expect(resolve({}, { PAYCTL_READ_ONLY: value }).readOnly).toEqual({
      value: true,
      source: { kind: 'environment', name: 'PAYCTL_READ_ONLY' },
    });
  });

  test.each<[Variables, SettingFlags]>([
    [{}, { profile: 'reader' }],
    [{ PAYCTL_PROFILE: 'reader' }, {}],
    [{ PAYCTL_READ_ONLY: '0' }, { profile: 'reader' }],
  ])('access: read of the profile in use allows only read access: %j %j', (env, flags) => {
    const reader: Profile = { name: 'reader', access: 'read' };
    const { readOnly } = resolve(flags, env, undefined, reader);
    expect(readOnly).toEqual({ value: true, source: { kind: 'profile', name: 'reader' } });
  });

  test('a profile with write access does not lift PAYCTL_READ_ONLY', () => {
    const writer: Profile = { name: 'writer', access: 'write' };
    const { readOnly } = resolve({ profile: 'writer' }, { PAYCTL_READ_ONLY: 'yes' }, undefined, writer);
    expect(readOnly.value).toBe(true);
  });

  test('an invalid value that is overruled does no harm', () => {
    expect(resolve({ timeout: '1s' }, { PAYCTL_TIMEOUT: 'nonsense' }).timeoutMilliseconds.value).toBe(1000);
  });

  test('--json is json, and the source is its own name', () => {
    const source = { kind: 'flag', name: '--json' };
    expect(resolve({ json: true }, { PAYCTL_OUTPUT: 'csv' }).output).toEqual({ value: 'json', source });
    expect(resolve({ json: false }, { PAYCTL_OUTPUT: 'csv' }).output.value).toBe('csv');
    expect(resolve({ json: true, output: 'json' }).output).toEqual({ value: 'json', source });
  });

  test('--json beside another format is refused with both names', () => {
    expect(() => resolve({ json: true, output: 'csv' })).toThrow(
      expect.objectContaining({
        code: 'format_conflict',
        message: '--json and --output csv name different formats',
      }),
    );
  });

  test('the active profile is used where none is named, and gives its settings', () => {
    const source = { kind: 'profile', name: 'sandbox' };
    const settings = resolve({}, {}, 'sandbox');
    expect(settings.profile).toEqual({ value: SANDBOX, source: { kind: 'active' } });
    expect(settings.baseUrl).toEqual({ value: 'https://api.{id}.sandbox.example', source });
    expect(settings.output).toEqual({ value: 'yaml', source });
    expect(nameOfSource(settings.profile.source)).toBe('the active profile');
    expect(resolve({}, { PAYCTL_PROFILE: '' }, 'sandbox').profile.value).toBe(SANDBOX);
  });

  test('a profile that is named wins over the active one, also one that is gone', () => {
    for (const active of ['sandbox', 'gone']) {
      expect(resolve({ profile: 'emulator' }, {}, active).profile).toEqual({
        value: { name: 'emulator' },
        source: { kind: 'flag', name: '--profile' },
      });
      expect(resolve({}, { PAYCTL_PROFILE: 'emulator' }, active).profile).toEqual({
        value: { name: 'emulator' },
        source: { kind: 'environment', name: 'PAYCTL_PROFILE' },
      });
    }
  });

  test('flags and variables win over the active profile', () => {
    const settings = resolve({ 'base-url': 'https://flag.example' }, { PAYCTL_INSTANCE: 'env' }, 'sandbox');
    expect(settings).toMatchObject({
      baseUrl: { value: 'https://flag.example' },
      instance: { value: 'env' },
      proxy: { value: undefined, source: DEFAULT },
      merchantAccount: { value: 'profile-account' },
    });
  });

  test.each([
    [{ profile: 'emulater' }, {}, 'There is no profile "emulater"', 'Did you mean emulator? '],
    [{}, { PAYCTL_PROFILE: 'x' }, 'There is no profile "x", but PAYCTL_PROFILE names it', ''],
    [{ profile: '' }, {}, 'There is no profile ""', ''],
  ])(
    'an unknown profile is an error that lists the known ones: %j %j',
    (flags, environment, message, suggestion) => {
      expect(refusalOf(flags, environment)).toEqual({
        code: 'unknown_profile',
        message,
        hint: `${suggestion}Known profiles: emulator, sandbox.`,
      });
    },
  );

  test('an active profile that is gone is an error too', () => {
    expect(refusalOf({}, {}, 'gone')).toEqual({
      code: 'unknown_profile',
      message: 'There is no profile "gone", but it is set as the active profile',
      hint: 'Known profiles: emulator, sandbox.',
    });
  });

  const SWITCH_HINT = 'Use 1, true, yes or on; or 0, false, no or off.';
  const RETRIES_HINT = 'Use a whole number from 0 to 10.';
  const FORMATS = 'Use one of table, wide, detail, json, ndjson, csv, yaml, markdown.';
  const ACCOUNT_HINT = 'Use a merchant account ID: 1 to 255 printable ASCII characters.';
  const HEADER_HINT = 'Use a name such as x-service-merchant-account-id.';
  /** Flags by their names and variables by theirs, which have none in common. */
  type Given = SettingFlags & Variables;

  /** Rows of what is given and what is wrong with it, with the code and the hint that they share. */
  const refusals = (
    code: string,
    hint: string,
    rows: readonly (readonly [given: Given, message: string])[],
  ) => rows.map(([given, message]) => [given, code, message, hint] as const);

  test.each([
    ...refusals('invalid_duration', 'Use 30s for seconds, 30ms for milliseconds.', [
      [{ PAYCTL_TIMEOUT: '30' }, 'PAYCTL_TIMEOUT is "30", which has no unit'],
    ]),
    ...refusals('invalid_max_retries', RETRIES_HINT, [
      [{ PAYCTL_MAX_RETRIES: '11' }, 'PAYCTL_MAX_RETRIES is "11", which is not a number of retries'],
      [{ 'max-retries': '-1' }, '--max-retries is "-1", which is not a number of retries'],
      [{ 'max-retries': '' }, '--max-retries is "", which is not a number of retries'],
      [{ 'max-retries': '1e1' }, '--max-retries is "1e1", which is not a number of retries'],
    ]),
    ...refusals('invalid_output', `Did you mean json? ${FORMATS}`, [
      [{ PAYCTL_OUTPUT: 'jsno' }, 'PAYCTL_OUTPUT is "jsno", which is not an output format'],
    ]),
    ...refusals('invalid_output', FORMATS, [
      [{ output: 'xml' }, '--output is "xml", which is not an output format'],
    ]),
    ...refusals('invalid_switch', SWITCH_HINT, [
      [{ PAYCTL_VERBOSE: 'loud' }, 'PAYCTL_VERBOSE is "loud", which is neither yes nor no'],
      [{ PAYCTL_READ_ONLY: 'maybe' }, 'PAYCTL_READ_ONLY is "maybe", which is neither yes nor no'],
    ]),
    ...refusals('invalid_environment', 'Use one of sandbox, production.', [
      [
        { profile: 'sandbox', PAYCTL_ENVIRONMENT: 'prod' },
        'PAYCTL_ENVIRONMENT is "prod", which is not an environment',
      ],
    ]),
    ...refusals('invalid_merchant_account', ACCOUNT_HINT, [
      [{ 'merchant-account': ' ' }, '--merchant-account is empty'],
      [{ 'merchant-account': 'a'.repeat(256) }, '--merchant-account has 256 characters'],
      [
        { 'merchant-account': 'a\r\nb: c' },
        '--merchant-account is "a\\r\\nb: c", which is not valid in a header',
      ],
      [{ PAYCTL_MERCHANT_ACCOUNT: ' a' }, 'PAYCTL_MERCHANT_ACCOUNT is " a", which is not valid in a header'],
    ]),
    ...refusals('invalid_merchant_header', HEADER_HINT, [
      [
        { PAYCTL_MERCHANT_HEADER: 'x y' },
        'PAYCTL_MERCHANT_HEADER is "x y", which is not the name of a header',
      ],
    ]),
    ...refusals(
      'invalid_header_prefix',
      'Use a prefix that begins with x- and ends with a hyphen, such as x-service-.',
      ['service-', 'x-', 'x-service', 'x-a b-', 'x--', `x-${'a'.repeat(62)}-`].map((prefix) => [
        { 'header-prefix': prefix },
        `--header-prefix is "${prefix}", which is not the prefix of headers`,
      ]),
    ),
  ])('%j is refused', (given, code, message, hint) => {
    expect(refusalOf(given, given)).toEqual({ code, message, hint });
  });

  test.each([
    'Authorization',
    'host',
    'Content-Type',
    'content-length',
    'transfer-encoding',
    'connection',
    'accept',
    'accept-encoding',
    'cookie',
    'user-agent',
    'proxy-authorization',
    'expect',
  ])('the merchant account does not travel in the header %s', (name) => {
    expect(refusalOf({}, { PAYCTL_MERCHANT_HEADER: name })).toEqual({
      code: 'invalid_merchant_header',
      message: `PAYCTL_MERCHANT_HEADER is "${name}", which is a reserved header`,
      hint: HEADER_HINT,
    });
  });

  test('a bad value of a profile is refused with the name of the profile', () => {
    const bad: Profile = { name: 'bad', output: 'xml' };
    expect(() => resolve({ profile: 'bad' }, {}, undefined, bad)).toThrow(
      expect.objectContaining({ message: 'profile bad is "xml", which is not an output format' }),
    );
  });
});

test('a source is named as people know it', () => {
  const sources = [
    { kind: 'flag', name: '--timeout' },
    { kind: 'environment', name: 'PAYCTL_TIMEOUT' },
    { kind: 'profile', name: 'emulator' },
    { kind: 'active' },
    { kind: 'default' },
  ] as const;
  expect(sources.map(nameOfSource)).toEqual([
    '--timeout',
    'PAYCTL_TIMEOUT',
    'profile emulator',
    'the active profile',
    'default',
  ]);
});

test.each([
  ['PAYCTL_DESCRIPTION names one', { variables: { PAYCTL_DESCRIPTION: 'd.json' } }, true],
  ['one was imported for runs without a profile', { shared: BINDING }, true],
  ['the profile in use has one', { own: BINDING, activeProfile: 'acme' }, true],
  ['only runs without a profile have one', { shared: BINDING, activeProfile: 'acme' }, false],
  ['there is none', {}, false],
] as const)('a run has an API description of its own: %s', (_, inputs: Described, expected) => {
  const { variables = {}, own, shared, activeProfile } = inputs;
  const settings = resolveSettings({
    flags: {},
    environment: readEnvironment(variables),
    profiles: new Map([['acme', { name: 'acme', ...(own && { description: own }) }]]),
    activeProfile,
    description: shared,
  });
  expect(settings.hasDescription).toBe(expected);
});
