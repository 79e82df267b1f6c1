import { afterEach, describe, expect, it, vi } from 'vitest';
import { adviceFor, connectionAdvice } from '../../../src/cli/failure/advice.ts';
import type { Session } from '../../../src/cli/session/session.ts';
import { ApiError, ConnectionError } from '../../../src/client/errors.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { resolveSettings, type SettingInputs } from '../../../src/config/settings.ts';
import type { TokenDescription } from '../../../src/tokens/provider.ts';
import { fakeSession } from '../session/fake-session.ts';

const request = { method: 'GET', path: '/buyers', origin: 'https://api.example.com' };

type Circumstances = {
  readonly flags?: SettingInputs['flags'];
  readonly env?: Readonly<Record<string, string>>;
  readonly activeProfile?: string;
  readonly isTrial?: boolean;
  /** What the token says about itself; without it there is no provider of tokens yet. */
  readonly token?: Partial<TokenDescription>;
};

/** A session with the profiles `staging` and `emulator`. */
function sessionWith({
  flags = {},
  env = {},
  activeProfile,
  isTrial = false,
  token,
}: Circumstances): Session {
  const profiles = new Map(['staging', 'emulator'].map((name) => [name, { name }]));
  const inputs = { flags, environment: readEnvironment(env), profiles };
  const describe = () => ({ origin: 'PAYCTL_TOKEN', ...token });
  return {
    ...fakeSession().session,
    settings: resolveSettings({ ...inputs, ...(activeProfile !== undefined && { activeProfile }) }),
    isTrial,
    tokenProvider: () => token && Object.assign(async () => 'token', { describe }),
  };
}

function apiError(status: number, more: Partial<ApiError['request']> = {}) {
  return new ApiError('code', 'message', { status, request: { ...request, ...more }, attempts: 1 });
}

const REJECTED = 'the service does not accept the token';

describe('what is probably wrong with a rejected token', () => {
  const probably = (token?: Partial<TokenDescription>) =>
    adviceFor(apiError(401), sessionWith(token ? { token } : {})).probably;

  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    [{}, ''],
    [{ keyId: 'k1' }, '; its key ID is k1'],
    [{ expiresAt: new Date('2020-01-01T00:00:00Z') }, '; it expired at 2020-01-01T00:00:00.000Z'],
    [{ expiresAt: new Date('2999-01-01T00:00:00Z') }, '; it expires at 2999-01-01T00:00:00.000Z'],
    [
      { keyId: 'k1', expiresAt: new Date('2020-01-01T00:00:00Z') },
      '; its key ID is k1; it expired at 2020-01-01T00:00:00.000Z',
    ],
  ])('is said with its source and everything that is known of it: %j', (token, facts) => {
    expect(probably(token)).toEqual([`${REJECTED} from PAYCTL_TOKEN${facts}`]);
  });

  it('is told from the clock to have expired, or to expire', () => {
    vi.useFakeTimers({ now: new Date('2026-05-05T12:00:00.001Z'), toFake: ['Date'] });
    expect(probably({ expiresAt: new Date('2026-05-05T12:00:00.000Z') })?.[0]).toContain('; it expired at');
    expect(probably({ expiresAt: new Date('2026-05-05T12:00:00.002Z') })?.[0]).toContain('; it expires at');
  });

  it('is said without a source where none is known', () => {
    expect(probably()).toEqual([REJECTED]);
    expect(adviceFor(apiError(401), undefined).probably).toEqual([REJECTED]);
  });
});

describe('the commands that help with a rejected token', () => {
  const stored = { origin: 'profile staging (keychain)' };
  const tryNext = (circumstances: Circumstances, path = '/buyers') =>
    adviceFor(apiError(401, { path }), sessionWith(circumstances)).tryNext;
  const others = ['payctl doctor', 'payctl api-logs list --status 401'];

  it('begin with a new login for the stored credentials of a profile', () => {
    expect(tryNext({ activeProfile: 'staging', token: stored })).toEqual([
      'payctl auth login --profile staging',
      ...others,
    ]);
  });

  it.each([
    ['without a session', undefined],
    ['before there is a provider of tokens', { activeProfile: 'staging' }],
    ['for a token of the environment', { activeProfile: 'staging', token: {} }],
    ['for the emulator', { activeProfile: 'emulator', token: { origin: 'profile emulator (key.pem)' } }],
  ])('are no login %s', (_, circumstances) => {
    const session = circumstances && sessionWith(circumstances);
    expect(adviceFor(apiError(401), session).tryNext).toEqual(others);
  });

  it('name the profile that a flag named', () => {
    expect(tryNext({ flags: { profile: 'staging' }, token: {} })).toEqual([
      'payctl doctor --profile staging',
      'payctl api-logs list --status 401 --profile staging',
    ]);
  });

  it('are none while credentials are only being tried', () => {
    expect(tryNext({ flags: { profile: 'staging' }, token: stored, isTrial: true })).toEqual([]);
  });

  it('do not list the logs where listing the logs failed', () => {
    expect(tryNext({}, '/prefix/api-logs')).toEqual(['payctl doctor']);
    expect(tryNext({}, '/api-logs/1')).toEqual(others);
  });
});

describe('advice on a request that is forbidden', () => {
  const otherwise =
    'the API key may be restricted (this request was without a merchant account (-m)), or the resource may be locked';
  const forbidden = (...accepted: string[]) =>
    apiError(403, { needed: { scopes: accepted.slice(0, 1), accepted } });
  const withScopes = (...scopes: string[]) => sessionWith({ token: { scopes } });

  it('names the scopes that are needed and those of the token, which lacks them', () => {
    expect(
      adviceFor(forbidden('gift-cards.read', 'embed'), withScopes('roles.read', 'embed2')).probably,
    ).toEqual([
      'this command needs the scope gift-cards.read or embed; the token from PAYCTL_TOKEN has roles.read, embed2',
    ]);
    expect(adviceFor(forbidden('buyers.read'), withScopes()).probably).toEqual([
      'this command needs the scope buyers.read; the token from PAYCTL_TOKEN has no scopes',
    ]);
  });

  it.each([
    [['buyers.read'], 'buyers.read'],
    [['gift-cards.read', 'embed'], 'embed'],
    [['gift-cards.read', 'embed'], '*.read'],
  ])('has another cause where one of %j is among the scopes of the token: %s', (accepted, scope) => {
    expect(adviceFor(forbidden(...accepted), withScopes(scope)).probably).toEqual([otherwise]);
  });

  it.each([
    ['the token does not tell its scopes', sessionWith({ token: {} })],
    ['there is no provider of tokens', sessionWith({})],
    ['there is no session', undefined],
  ])('names both causes where %s', (_, session) => {
    expect(adviceFor(forbidden('buyers.read'), session)).toEqual({
      probably: ['this command needs the scope buyers.read', otherwise],
      tryNext: ['payctl doctor'],
    });
  });

  it('does not name a scope where none is known to be needed', () => {
    expect(adviceFor(apiError(403, { path: '/odd' }), withScopes('buyers.read'))).toEqual({
      probably: ['the token lacks a scope', otherwise],
      tryNext: ['payctl doctor'],
    });
  });
});

describe('what the service says itself', () => {
  const answered = (status: number, message: string, more: Partial<ApiError> = {}) =>
    Object.assign(new ApiError('code', message, { status, request, attempts: 1 }), more);

  it('beats the scopes of the token: a key that is restricted to one merchant account', () => {
    const flags = { profile: 'staging', 'merchant-account': 'default' };
    const session = sessionWith({ flags, token: { scopes: [] } });
    const message = 'The API key that signed the token is restricted to the merchant account outlet';
    expect(adviceFor(answered(403, message), session)).toEqual({
      probably: [
        'the API key is restricted to one merchant account, which the message names; send the request for that merchant account, or use a key that is not restricted to it',
      ],
      tryNext: ['payctl doctor -m outlet --profile staging'],
    });
  });

  it('is why a token was rejected, beside what is known of the token', () => {
    const details = [{ type: 'token_expired', message: 'the token has expired' }];
    const session = sessionWith({ token: { keyId: 'k1' } });
    expect(adviceFor(answered(401, 'No', { details }), session).probably).toEqual([
      'the token had expired; it comes from PAYCTL_TOKEN; its key ID is k1',
    ]);
  });

  it('leaves scopes as the only cause if it mentions them', () => {
    const needed = { scopes: ['buyers.read'], accepted: [] };
    const error = answered(403, 'Insufficient scope', { request: { ...request, needed } });
    expect(adviceFor(error, undefined).probably).toEqual(['this command needs the scope buyers.read']);
    expect(adviceFor(answered(403, 'This request requires the scope a'), undefined).probably).toEqual([
      'the token lacks the scope buyers.read, which this request needs',
    ]);
  });

  it('is printed beside details that do not say it', () => {
    const details = [{ pointer: '/content-type', message: 'must be application/json' }];
    expect(adviceFor(answered(400, 'Generic error', { details }), undefined)).toEqual({
      probably: [
        'the Content-Type header does not name a media type that the API supports; send the header "Content-Type: application/json"',
      ],
    });
  });

  it('may be a page or a text that is no error object', () => {
    const bodyExcerpt = '<!DOCTYPE html><h1>Blocked by policy</h1>';
    expect(adviceFor(answered(403, 'Forbidden', { bodyExcerpt }), undefined)).toEqual({
      probably: [
        'a proxy, a firewall or another server responded with a web page instead of the service; read the page, and check the base URL and the proxy',
      ],
      tryNext: ['payctl doctor'],
    });
    const maintenance = answered(503, 'Service Unavailable', { bodyExcerpt: 'Scheduled maintenance' });
    expect(adviceFor(maintenance, undefined).probably).toEqual([
      'the service is down for maintenance; try again when the maintenance is over',
    ]);
  });
});

describe('the flags in the commands to try next', () => {
  it('are those that chose the service', () => {
    const flags = { 'base-url': 'https://{id}.example', instance: 'acme', 'merchant-account': 'shop one' };
    expect(adviceFor(apiError(403), sessionWith({ flags })).tryNext).toEqual([
      "payctl doctor --base-url 'https://{id}.example' --instance acme --merchant-account 'shop one'",
    ]);
    const env = { PAYCTL_BASE_URL: 'https://api.example', PAYCTL_MERCHANT_ACCOUNT: 'shop' };
    expect(adviceFor(apiError(403), sessionWith({ env })).tryNext).toEqual(['payctl doctor']);
  });
});

describe('the profile in the commands to try next', () => {
  const tryNext = (circumstances: Circumstances) =>
    adviceFor(apiError(403), sessionWith(circumstances)).tryNext;

  it('is the one that --profile named', () => {
    expect(tryNext({ flags: { profile: 'staging' } })).toEqual(['payctl doctor --profile staging']);
  });

  it.each([
    ['it is the active one', { activeProfile: 'staging' }],
    ['the environment names it', { env: { PAYCTL_PROFILE: 'staging' } }],
    ['it is only being tried', { flags: { profile: 'staging' }, isTrial: true }],
    ['there is none', {}],
  ])('is left out where %s', (_, circumstances) => {
    expect(tryNext(circumstances)).toEqual(['payctl doctor']);
  });

  it('is left out where the flag names no profile', () => {
    const session = sessionWith({});
    const profile = { value: undefined, source: { kind: 'flag', name: '--profile' } } as const;
    const settings = { ...session.settings, profile };
    expect(adviceFor(apiError(403), { ...session, settings }).tryNext).toEqual(['payctl doctor']);
  });
});

describe('advice on another error of the service', () => {
  const hidden = 'the resource does not exist, or you have no access to it (the service does not say which)';
  const limited = (cause: string) => ({
    probably: [`${cause}; wait a while, then try again`],
    tryNext: ['payctl api-logs summary --status 425,429 --by hour'],
  });
  const unnamed = {
    probably: [
      'the request breaks a rule that the service does not name; compare the request with the description of the operation',
    ],
  };
  const failing = {
    probably: ['the service is having problems; try again later'],
    tryNext: ['payctl api-logs summary --status 5xx --by hour'],
  };
  const duplicate = {
    probably: ['a record with this value already exists; the same request may have been sent twice'],
  };

  it('names the idempotency key first where the request had one', () => {
    const idempotency = { header: 'idempotency-key', key: 'order-17' };
    expect(adviceFor(apiError(409, { idempotency }), undefined).probably).toEqual([
      'the idempotency key was already used for another request; each request needs its own key',
      ...duplicate.probably,
    ]);
  });

  it.each([
    [400, unnamed],
    [404, { probably: [hidden] }],
    [409, duplicate],
    [422, unnamed],
    [425, limited('the service was not ready for the request yet')],
    [429, limited('the service is limiting requests')],
    [
      499,
      {
        probably: [
          'a server in front of the service may have sent this status, which the specification does not list; look at the body of the response',
        ],
      },
    ],
    [500, failing],
    [503, { ...failing, probably: ['the service is overloaded, or down for maintenance; try again later'] }],
  ])('comes from its status: %i', (status, advice) => {
    expect(adviceFor(apiError(status), undefined)).toEqual(advice);
    expect(adviceFor(apiError(status), sessionWith({ token: {} }))).toEqual(advice);
  });

  it('points from a failed look at the API logs to nothing that reads them', () => {
    expect(adviceFor(apiError(500, { path: '/v1/api-logs' }), undefined)).toEqual({
      probably: failing.probably,
    });
    expect(adviceFor(apiError(500), sessionWith({ isTrial: true }))).toEqual({ probably: failing.probably });
  });

  it.each(['/checkout/sessions/s-1', '/prefix/checkout/sessions/s%2F1'])(
    'says for a 404 that a checkout session may have expired, and when: %s',
    (path) => {
      const expired = 'the session may have expired; by default, a checkout session lives for 1 hour';
      const session = sessionWith({ env: { PAYCTL_BASE_URL: 'https://api.example.com/prefix/' } });
      expect(adviceFor(apiError(404, { path }), session)).toEqual({ probably: [expired, hidden] });
    },
  );

  it.each(['/checkout/sessions', '/checkout/sessions/s-1/fields?a=/buyers'])(
    'says for a 404 that the path may be misspelled where the contract has none like it: %s',
    (path) => {
      expect(adviceFor(apiError(404, { path }), sessionWith({ flags: { instance: 'acme' } }))).toEqual({
        probably: [
          'the API description that is part of payctl has no such path; correct the path or the base URL of the request',
          hidden,
        ],
        tryNext: ['payctl api list --instance acme'],
      });
    },
  );

  it('does not judge the path where the run has an API description of its own', () => {
    const session = sessionWith({ env: { PAYCTL_DESCRIPTION: 'openapi.json' } });
    expect(adviceFor(apiError(404, { path: '/buyer' }), session)).toEqual({ probably: [hidden] });
    expect(adviceFor(apiError(404, { path: '/checkout/sessions/s-1' }), session)).toEqual({
      probably: ['the session may have expired; by default, a checkout session lives for 1 hour', hidden],
    });
  });

  it('points to the base URL where the body of a 404 is not one of the service', () => {
    const error = Object.assign(apiError(404), { code: 'http_404' });
    const env = { PAYCTL_BASE_URL: 'https://api.example.com/wrong' };
    expect(adviceFor(error, sessionWith({ env }))).toEqual({
      hint: 'This does not look like an error of the service: check the base URL https://api.example.com/wrong (PAYCTL_BASE_URL) and its path.',
    });
    const own = { ...env, PAYCTL_DESCRIPTION: 'openapi.json' };
    expect(adviceFor(error, sessionWith({ env: own }))).toEqual({ probably: [hidden] });
    expect(adviceFor(error, undefined)).toEqual({ probably: [hidden] });
    expect(adviceFor(apiError(404), sessionWith({ env }))).toEqual({ probably: [hidden] });
  });

  it('names the merchant account that may be the wrong one for a 404, and where it comes from', () => {
    const error = apiError(404, { merchantAccount: 'shop' });
    const session = sessionWith({ flags: { 'merchant-account': 'shop' } });
    expect(adviceFor(error, session)).toEqual({
      probably: [hidden, 'the merchant account shop (--merchant-account) may be the wrong one'],
    });
    expect(adviceFor(error, undefined)).toEqual({
      probably: [hidden, 'the merchant account shop may be the wrong one'],
    });
  });
});

describe('advice that the response and the run decide together', () => {
  it.each([400, 422])('is none for a %i whose details say what is wrong', (status) => {
    const details = [{ pointer: '/limit', message: 'must be at most 100', type: 'value_error' }];
    expect(adviceFor(Object.assign(apiError(status), { details }), undefined)).toEqual({});
    expect(adviceFor(Object.assign(apiError(409), { details }), undefined)).not.toEqual({});
  });

  it('names the nearest path of a 404, and how to show it', () => {
    expect(adviceFor(apiError(404, { path: '/buyer?limit=1' }), undefined)).toEqual({
      probably: [
        'the API has no such path; the nearest one is /buyers; correct the path or the base URL of the request',
      ],
      tryNext: ['payctl api show GET /buyers'],
    });
  });

  it('names every scope where all are needed, and the merchant account', () => {
    const needed = { scopes: ['a.read', 'b.read'], accepted: [] };
    const error = apiError(403, { needed, merchantAccount: 'shop' });
    const otherwise =
      'the API key may be restricted (this request was for the merchant account shop), or the resource may be locked';
    expect(adviceFor(error, undefined).probably).toEqual([
      'this command needs the scope a.read and b.read',
      otherwise,
    ]);
    const one = sessionWith({ token: { scopes: ['a.read'] } });
    expect(adviceFor(error, one).probably).toEqual([
      'this command needs the scope a.read and b.read; the token from PAYCTL_TOKEN has a.read',
    ]);
    const both = sessionWith({ token: { scopes: ['a.read', 'b.read'] } });
    expect(adviceFor(error, both).probably).toEqual([otherwise]);
    const none = apiError(403, { needed: { scopes: [], accepted: [] }, merchantAccount: 'shop' });
    expect(adviceFor(none, both).probably).toEqual([otherwise]);
  });

  it('is only the command where the error says itself what to do', () => {
    const fields = { request, attempts: 1, outcomeUnknown: false, hint: 'Do this.' };
    const error = new ConnectionError('proxy_refused', 'message', fields);
    expect(connectionAdvice(error, undefined)).toEqual({ tryNext: ['payctl doctor'] });
  });
});

describe('advice on a request without a response', () => {
  const clientCertificate =
    'the service requires a client certificate; if you have one: payctl profiles set NAME --client-certificate FILE --client-key FILE';
  const noTls = 'the server does not speak TLS at this address';
  const cases = [
    ['dns', 'ENOTFOUND', 'the host name is misspelled, or this machine is offline', true],
    ['connection_refused', 'ECONNREFUSED', 'nothing is listening at this address', true],
    ['unreachable', 'ENETUNREACH', 'this machine is offline, or no network leads to this address', false],
    ['connection_lost', 'ECONNRESET', 'the network or a proxy dropped the connection', false],
    ['tls', 'CERT_HAS_EXPIRED', 'the server and this machine could not agree on a secure connection', false],
    ['tls', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', clientCertificate, false],
    ['tls', 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', clientCertificate, false],
    ['tls', 'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', clientCertificate, false],
    ['tls', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', clientCertificate, false],
    ['tls', 'EPROTO', noTls, true],
    ['tls', 'ERR_SSL_WRONG_VERSION_NUMBER', noTls, true],
    ['tls', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', noTls, true],
    ['tls', 'ERR_SSL_HTTP_REQUEST', noTls, true],
    ['tls', 'ERR_SSL_UNKNOWN_PROTOCOL', noTls, true],
    ['timeout', 'ETIMEDOUT', 'the service is slow or unreachable; add --timeout 2m to wait longer', false],
  ] as const;

  it('is about the address where something else than HTTP responds', () => {
    const cause = Object.assign(new Error('message'), { name: 'HTTPParserError', data: 'SSH-2.0' });
    const fields = { request, attempts: 1, outcomeUnknown: false, cause };
    const error = new ConnectionError('connection_lost', 'message', fields);
    expect(connectionAdvice(error, sessionWith({ env: { PAYCTL_BASE_URL: 'https://x.example' } }))).toEqual({
      probably: ['the server does not speak HTTP at this address; the base URL comes from PAYCTL_BASE_URL'],
      tryNext: ['payctl doctor'],
    });
  });

  it.each(cases)('has the reason for %s (%s)', (code, systemCode, reason, mayBeWrong) => {
    const cause = Object.assign(new Error('message'), { code: systemCode });
    const error = new ConnectionError(code, 'message', {
      request,
      attempts: 1,
      outcomeUnknown: false,
      cause,
    });
    const plain = { probably: [reason], tryNext: ['payctl doctor'] };
    expect(connectionAdvice(error, undefined)).toEqual(plain);
    expect(connectionAdvice(error, sessionWith({}))).toEqual(plain);
    const named = sessionWith({ env: { PAYCTL_BASE_URL: 'https://api.example.com' } });
    const origin = mayBeWrong ? '; the base URL comes from PAYCTL_BASE_URL' : '';
    expect(connectionAdvice(error, named)).toEqual({ ...plain, probably: [`${reason}${origin}`] });
  });
});
