import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/cli/failure/diagnosis.ts';
import { accountOfKey } from '../../../src/cli/failure/typed-causes.ts';

const causesOf = (status: number, evidence: { message?: string; type?: string; text?: string }) => {
  const { message, type, text } = evidence;
  const details = type === undefined && text === undefined ? [] : [{ type, message: text }];
  return diagnose({ status, message, details }).causes;
};

/** The beginning of a cause, and what names it. */
type Row = readonly [status: number, cause: string, ...texts: string[]];

const MESSAGES: readonly Row[] = [
  [
    403,
    'the API key is restricted to one',
    'restricted to account a',
    'Restricted to the merchant account: "a"',
  ],
  [403, 'the API key is restricted;', 'This key is restricted', 'a restricted API key'],
  [
    403,
    'the service does not accept requests from this IP',
    'IP 1.2.3.4 is not allowed',
    'Your IP was blocked',
    'IP not permitted',
    'IP denied',
    'Not allowed from this ip',
    'blocked IP',
    'denied for your IP',
    'not permitted: IP',
  ],
  [403, 'the resource is locked', 'The session is locked', 'Locked'],
  [409, 'the resource is locked', 'The session is locked'],
  [423, 'the resource is locked', 'The session is locked'],
  [
    400,
    'the Content-Type header',
    'Wrong content type',
    'content-type',
    'ContentType',
    'Unsupported media type',
    'media-type x',
    'mediatype',
    'must be application/json',
  ],
  [422, 'the Content-Type header', 'must be application/json'],
  [
    400,
    'the body is not valid JSON',
    'not JSON',
    'is not valid JSON',
    'must not be a JSON',
    'not a valid JSON',
    'Invalid JSON',
    'malformed json',
    'JSON decode error',
    'JSON parse error',
    'JSON syntax',
  ],
  [400, 'the cursor is not from this list', 'Bad cursor'],
  [404, 'the cursor is not from this list', 'Cursor not found'],
  [
    409,
    'a request with the same idempotency key is still',
    'The idempotency key is in progress',
    'idempotent request is being processed',
    'Idempotency: processing',
    'Idempotency key is running',
    'idempotency concurrent',
    'Concurrent use of an idempotency key',
  ],
  [409, 'the idempotency key was already used', 'Idempotency key reused', 'idempotent'],
  [422, 'the idempotency key was already used', 'Idempotency key reused'],
  [
    404,
    'the service does not know the merchant account',
    'Merchant account not found',
    'merchant_account x is unknown',
    'merchant-account: invalid',
    'merchantaccount: no access',
    'Unknown merchant account',
    'invalid merchant account',
    'unknown merchantaccount',
    'No such merchant account',
  ],
  [
    404,
    'the checkout session has expired',
    'The session has expired',
    'Expired session',
    'expired: your session',
  ],
  [410, 'the checkout session has expired', 'The session has expired'],
  [503, 'the service is down for maintenance', 'Down for Maintenance'],
  [502, 'the service is down for maintenance', 'maintenance'],
  [504, 'the service is down for maintenance', 'maintenance'],
  [401, 'the token had expired', 'Token expired'],
  [
    401,
    'the token was not valid yet',
    'not yet valid',
    'not valid yet',
    'not valid before 10:00',
    'issued in the future',
    'nbf',
  ],
  [401, 'the token has no expiry', 'no expiry', 'The lifetime is too long', 'exp is missing'],
  [
    401,
    'the token is for another instance',
    'wrong audience',
    'for another instance',
    'wrong instance',
    'other environment',
  ],
  [
    401,
    'the request had no bearer token',
    'no token',
    'no bearer token',
    'No access token',
    'missing token',
    'Missing the Authorization header',
    'token missing',
    'The authorization header is required',
  ],
  [
    401,
    'the service does not know the key',
    'The key is unknown',
    'key not found',
    'key revoked',
    'key was deleted',
    'key disabled',
    'key is inactive',
    'unknown key',
    'a revoked key',
    'deleted API key',
    'not a registered key',
  ],
  [401, 'the signature does not fit', 'Signature verification failed'],
  [401, 'the token is damaged', 'malformed', 'cannot be decoded', 'decode', 'not a JWT'],
  [
    400,
    'a required field is missing',
    'name is required',
    'field missing',
    'The field is missing',
    'missing: name',
    'field required',
  ],
  [
    400,
    'the API does not allow a value',
    'one of a, b',
    'unknown field x',
    'extra inputs',
    'permitted values',
    'not allowed here',
    'unexpected value',
  ],
  [
    400,
    'a value does not have the format',
    'must match x',
    'wrong format',
    'pattern x',
    'valid email',
    'valid e-mail',
    'valid uuid',
    'valid date',
    'valid URL',
    'valid uri',
    'valid phone',
  ],
  [
    400,
    'a value is outside the limits',
    'at most 5',
    'at least 5',
    'between 1 and 2',
    'exceeds 5',
    'exceed 5',
    'greater than 5',
    'less than 5',
    'more than 5',
    'fewer than 5',
    'too long',
    'too short',
    'too small',
    'too large',
  ],
  [
    400,
    'a value has the wrong type',
    'must be an integer',
    'should be a string',
    'must be a valid number',
    'must be a boolean',
    'must be an array',
    'must be an object',
    'must be a list',
  ],
];

describe('the cause that a message names', () => {
  it.each(
    MESSAGES.flatMap(([status, cause, ...texts]) => texts.map((text) => [status, text, cause] as const)),
  )('%i %s: %s', (status, message, cause) => {
    for (const evidence of [{ message }, { text: message }]) {
      const causes = causesOf(status, evidence);
      expect(causes).toHaveLength(1);
      expect(causes[0]?.startsWith(cause), causes[0]).toBe(true);
    }
  });

  it.each([
    [403, 'The request was blocked'],
    [403, 'unlocked'],
    [403, 'keyboard restricted'],
    [403, 'shipping not allowed'],
    [400, 'contentment types'],
    [400, 'cursors'],
    [400, 'no expired record'],
    [400, 'merchant account'],
    [409, 'nonidempotent'],
    [401, 'unexpired'],
    [401, 'monkey not found'],
    [401, 'export'],
    [401, 'design ature'],
    [503, 'maintenances'],
    [500, 'Down for maintenance'],
    [401, 'No valid API authentication found'],
    [400, 'Generic error'],
    [404, 'The resource could not be found'],
  ])('is none that %i %s names', (status, message) => {
    expect(causesOf(status, { message })).toEqual(causesOf(status, { message: 'odd' }));
    expect(diagnose({ status, message, details: [] }).source).toBe('status');
  });
});

const TYPES: readonly Row[] = [
  [422, 'a required field is missing', 'missing', 'field_missing', 'value_error.missing', 'value.required'],
  [422, 'the API does not allow a value', 'enum', 'literal_error', 'extra_forbidden', 'union_tag_invalid'],
  [
    422,
    'a value does not have the format',
    'str.regex',
    'string_pattern_mismatch',
    'format',
    'email',
    'uuid_x',
    'date',
    'time',
    'datetime',
    'url',
    'uri',
    'encoding',
  ],
  [
    422,
    'a value is outside the limits',
    'greater_than',
    'less_than_equal',
    'too_long',
    'too_short',
    'too_small',
    'too_large',
    'max',
    'min_items',
    'value_error.min',
    'x_max',
    'not_ge',
    'not_lt',
    'not_le',
    'not_gt',
    'multiple_of',
    'length',
  ],
  [422, 'a value has the wrong type', 'string_type', 'int_parsing', 'type_error.x', 'int_from_float', 'json'],
  [401, 'the token had expired', 'token_expired'],
  [401, 'the token was not valid yet', 'not_yet', 'immature', 'not_before', 'nbf'],
  [401, 'the token has no expiry', 'expiry', 'lifetime', 'exp'],
  [401, 'the token is for another instance', 'audience', 'instance', 'environment', 'issuer'],
  [401, 'the request had no bearer token', 'token_missing', 'absent', 'required'],
  [401, 'the service does not know the key', 'key_unknown', 'kid'],
  [401, 'the signature does not fit', 'signature'],
  [401, 'the token is damaged', 'invalid', 'malformed', 'decode', 'jwt', 'token'],
];

describe('the cause that the type of a detail names', () => {
  it.each(TYPES.flatMap(([status, cause, ...types]) => types.map((type) => [status, type, cause] as const)))(
    '%i %s: %s',
    (status, type, cause) => {
      const [first, ...others] = causesOf(status, { type, text: '' });
      expect(first?.startsWith(cause), first).toBe(true);
      expect(others).toEqual([]);
    },
  );

  it.each([
    [422, 'missing_x'],
    [422, 'dismissing'],
    [422, 'update'],
    [422, 'admin'],
    [422, 'type'],
    [401, 'expo'],
    [401, 'nbfx'],
  ])('is none that %i %s names', (status, type) => {
    const named = causesOf(status, { type, text: '' });
    expect(
      named.every((cause) => !/^(?:a value (?:is outside|does not)|the token (?:was|has no))/.test(cause)),
    ).toBe(true);
  });

  it.each(['dismissing', 'x_missing_y', 'a.missings', 'x_type_y'])('is none that 422 %s names', (type) => {
    expect(diagnose({ status: 422, details: [{ type }] }).source).toBe('status');
  });

  it('gives way to a message if the type is vague', () => {
    expect(causesOf(401, { type: 'token_invalid', text: 'expired' })).toEqual(['the token had expired']);
    expect(causesOf(401, { type: 'token_expired', text: 'signature' })).toEqual(['the token had expired']);
  });

  it('may be that of a wrong clock, or not', () => {
    const isAboutTime = (type: string) => diagnose({ status: 401, details: [{ type }] }).isAboutTime;
    expect(['expired', 'nbf', 'key', 'odd'].map(isAboutTime)).toEqual([true, true, false, false]);
  });
});

describe('the commands of a cause that a message names', () => {
  it.each([
    [403, 'restricted to the account outlet', ['doctor -m outlet']],
    [403, 'The key is restricted', ['doctor']],
    [403, 'The session is locked', []],
    [403, 'Your IP is not allowed', []],
    [503, 'maintenance', ['api-logs summary --status 5xx --by hour']],
  ])('%i %s: %j', (status, message, commands) => {
    expect(diagnose({ status, message, details: [] }).commands).toEqual(commands);
  });
});

describe('the merchant account of a key', () => {
  it.each([
    ['restricted to the merchant account outlet', 'outlet'],
    ['Key restricted to account: "shop.one".', 'shop.one'],
    ["restricted to the account 'a-b_c'", 'a-b_c'],
    ['restricted to account `x`', 'x'],
    ['restricted to account --help', undefined],
    ['restricted to shop', undefined],
    ['unrestricted to account x', undefined],
  ])('is in %j: %j', (message, account) => {
    expect(accountOfKey(message)).toBe(account);
  });
});
