import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/cli/routing/catalog/probes.ts';
import { ApiError, ConnectionError, ResponseError } from '../../../src/client/errors.ts';
import type { CredentialSource } from '../../../src/credentials/sources.ts';
import type { PayctlError } from '../../../src/errors.ts';
import type { OpenCredentials } from '../../../src/features/doctor/credentials.ts';
import { type Evidence, evaluateCredentials } from '../../../src/features/doctor/credentials.ts';
import type { TokenContent } from '../../../src/tokens/claims.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const SECRET = 'x'.repeat(300);
const request = { method: 'GET', path: '/roles', origin: 'https://api.example.com' };
const KEY: CredentialSource = {
  kind: 'key',
  storage: 'keychain',
  account: 'acme',
  origin: 'profile acme (keychain)',
};
const TOKEN: CredentialSource = {
  kind: 'token',
  storage: 'environment',
  secret: SECRET,
  origin: 'PAYCTL_TOKEN',
};
const FILE: CredentialSource = {
  kind: 'key',
  storage: 'reference',
  path: '/keys/my key.pem',
  origin: 'PAYCTL_PRIVATE_KEY_FILE (/keys/my key.pem)',
};

function credentialsOf(source: CredentialSource, changes: Partial<OpenCredentials> = {}): OpenCredentials {
  const provider = Object.assign(async () => SECRET, { describe: () => ({ origin: source.origin }) });
  const none = { keyId: undefined, claims: undefined, isExposed: false };
  return { source, isOfProfile: source === KEY, others: [], provider, ...none, ...changes };
}

function claimsOf(changes: Partial<TokenContent>): TokenContent {
  const times = { issuedAt: undefined, notBefore: undefined, expiresAt: undefined };
  const scopes = ['buyers.read', 'roles.read'];
  return { header: {}, claims: { scopes }, scopes, keyId: undefined, ...times, ...changes };
}

function judge(credentials: OpenCredentials, outcome: Outcome | undefined, changes: Partial<Evidence> = {}) {
  const withoutSecrets = (text: string) => text.replaceAll(SECRET, '[redacted]');
  return evaluateCredentials({ credentials, outcome, now: NOW, profileFlag: '', withoutSecrets, ...changes });
}

function refused(status: number, message = 'No', details: ApiError['details'] = []): Outcome {
  return { status, error: new ApiError('code', message, { status, request, details, attempts: 1 }) };
}

const ACCEPTED: Outcome = { status: 200 };

describe('credentials that the service accepts', () => {
  it('are good, with the key and what else is set', () => {
    const others = ['PAYCTL_TOKEN_FILE (/run/token)', 'profile acme (keychain)'];
    expect(judge(credentialsOf(FILE, { keyId: 'kid-1', others }), ACCEPTED)).toEqual({
      state: 'pass',
      message:
        'the service accepts the key from PAYCTL_PRIVATE_KEY_FILE (/keys/my key.pem); key ID kid-1; not used: PAYCTL_TOKEN_FILE (/run/token), profile acme (keychain)',
      facts: {
        source: 'PAYCTL_PRIVATE_KEY_FILE (/keys/my key.pem)',
        kind: 'key',
        others,
        key_id: 'kid-1',
        expires_at: null,
        scopes: null,
        accepted: true,
      },
    });
  });

  it('are as good when the call itself is forbidden to them', () => {
    expect(judge(credentialsOf(TOKEN), refused(403))).toMatchObject({
      state: 'pass',
      message: 'the service accepts the token from PAYCTL_TOKEN',
      facts: { accepted: true },
    });
  });

  it.each([
    [
      claimsOf({ expiresAt: new Date('2026-03-01T14:00:00Z') }),
      'expires at 2026-03-01T14:00:00Z, in 2 hours; scopes buyers.read, roles.read',
    ],
    [claimsOf({ claims: { scope: '' }, scopes: [] }), 'no scopes'],
    [claimsOf({ claims: {}, scopes: undefined }), 'no scope claim'],
  ])('tell what their token says', (claims, text) => {
    const { state, message } = judge(credentialsOf(TOKEN, { claims }), ACCEPTED);
    expect({ state, message }).toEqual({
      state: 'pass',
      message: `the service accepts the token from PAYCTL_TOKEN; ${text}`,
    });
  });

  it('are warned of when the clock of this machine says otherwise', () => {
    const claims = claimsOf({ expiresAt: new Date('2026-03-01T11:50:00Z') });
    expect(judge(credentialsOf(TOKEN, { claims }), ACCEPTED)).toMatchObject({
      state: 'warn',
      message:
        'the service accepts the token from PAYCTL_TOKEN; expired at 2026-03-01T11:50:00Z, 10 minutes ago; scopes buyers.read, roles.read',
      remedy: 'According to the clock of this machine, it is not valid: check the clock.',
    });
  });

  it('are warned of in a file of a variable that others may read; those of profiles are the configuration’s', () => {
    expect(judge(credentialsOf(FILE, { isExposed: true }), ACCEPTED)).toMatchObject({
      state: 'warn',
      message:
        'the service accepts the key from PAYCTL_PRIVATE_KEY_FILE (/keys/my key.pem); other users can read its file',
      remedy: "chmod 600 '/keys/my key.pem'",
    });
    expect(judge(credentialsOf(FILE, { isExposed: true, isOfProfile: true }), ACCEPTED).state).toBe('pass');
  });
});

describe('credentials that the service refuses', () => {
  const details = [{ message: 'the token has expired' }];

  it('are a fault that says why, and what to type', () => {
    const outcome = refused(401, 'No valid API authentication found', details);
    expect(judge(credentialsOf(KEY), outcome, { profileFlag: ' --profile acme' })).toMatchObject({
      state: 'fail',
      message:
        'the service rejects the key from profile acme (keychain) (401: No valid API authentication found, the token has expired)',
      remedy: 'Store another key: payctl auth login --profile acme',
      facts: { accepted: false },
    });
  });

  it('are replaced where they are set: a login would not win over a variable', () => {
    expect(judge(credentialsOf(TOKEN), refused(401)).remedy).toBe(
      'The API logs say why; reading them requires a valid token. Replace the token in PAYCTL_TOKEN, or unset it and log in: payctl auth login',
    );
  });

  it('are not shown when the service sends them back, and a long answer is cut', () => {
    const { message } = judge(credentialsOf(TOKEN), refused(401, `${SECRET}${'y'.repeat(300)}`));
    expect(message).toBe(
      `the service rejects the token from PAYCTL_TOKEN (401: [redacted]${'y'.repeat(190)}...)`,
    );
  });
});

describe('a key that is rejected while the clock is wrong', () => {
  const wrong = { state: 'fail', message: 'x', remedy: 'Set the clock.', facts: {} } as const;
  const expired = refused(401, 'No', [{ type: 'token_expired', message: 'the token has expired' }]);

  it.each([
    ['does not say why', refused(401, 'No')],
    ['says that the token has expired', expired],
  ])('is not judged where the service %s: the clock has to be set first', (_, outcome) => {
    const found = judge(credentialsOf(KEY), outcome, { clock: wrong });
    expect(found).toMatchObject({
      state: 'skip',
      message: expect.stringMatching(
        /^not checked: the clock is wrong; the service rejects the key from profile acme/,
      ),
      facts: { accepted: false },
    });
    expect(found.remedy).toBeUndefined();
  });

  it('fails with the remedy of the clock where that is only a warning', () => {
    const clock = { ...wrong, state: 'warn' } as const;
    expect(judge(credentialsOf(KEY), expired, { clock })).toMatchObject({
      state: 'fail',
      remedy: 'Set the clock.',
    });
    expect(judge(credentialsOf(KEY), refused(401), { clock }).remedy).toContain('Store another key');
  });

  it('fails by itself where the service names another cause, and so does a token that was signed elsewhere', () => {
    const unknown = refused(401, 'No', [{ type: 'key_unknown', message: 'x' }]);
    const renew = { state: 'fail', remedy: 'Store another key: payctl auth login' };
    expect(judge(credentialsOf(KEY), unknown, { clock: wrong })).toMatchObject(renew);
    expect(judge(credentialsOf(TOKEN), expired, { clock: wrong }).state).toBe('fail');
  });

  it('is no warning where the service accepts it', () => {
    const claims = claimsOf({ expiresAt: new Date('2026-03-01T11:50:00Z') });
    expect(judge(credentialsOf(TOKEN, { claims }), ACCEPTED, { clock: wrong }).state).toBe('pass');
  });
});

describe('credentials of which nothing is known', () => {
  it('have the remedy of the refusal', () => {
    expect(judge(credentialsOf(TOKEN), refused(400, 'Unknown merchant account'))).toMatchObject({
      state: 'warn',
      remedy: 'Correct the merchant account ID that the request names.',
    });
    expect(judge(credentialsOf(TOKEN), refused(405))).toMatchObject({ state: 'fail', exitCode: 9 });
  });

  const response = (status: number) =>
    new ResponseError('unreadable_response', `The response (${status}) is not JSON`, {
      request,
      status,
      attempts: 1,
    });

  it.each<[string, PayctlError, string, string]>([
    [
      'a page of HTML',
      response(200),
      'GET /roles failed: The response (200) is not JSON',
      'Check that the base URL points to the service.',
    ],
    [
      'a 404',
      new ApiError('http_404', 'Not Found', { status: 404, request, attempts: 1 }),
      'GET /roles failed: Not Found (404)',
      'Check that the base URL points to the service.',
    ],
    [
      'no response',
      new ConnectionError('timeout', 'No response from https://api.example.com: no complete response', {
        request,
        attempts: 1,
        outcomeUnknown: false,
      }),
      'No response from https://api.example.com: no complete response',
      'Probably the service is slow or unreachable; add --timeout 2m to wait longer.',
    ],
  ])('are a failure of the connection: %s', (_, error, text, remedy) => {
    const status = error instanceof ConnectionError ? undefined : 200;
    const outcome = { status: error instanceof ApiError ? error.status : status, error };
    expect(judge(credentialsOf(TOKEN), outcome)).toMatchObject({
      state: 'fail',
      message: `the token from PAYCTL_TOKEN can be used; ${text}`,
      remedy,
      exitCode: 9,
      facts: { accepted: null },
    });
  });

  it.each([429, 500, 503])('are warned of when the service answers %i', (status) => {
    expect(judge(credentialsOf(TOKEN), refused(status))).toMatchObject({
      state: 'warn',
      message: `the token from PAYCTL_TOKEN can be used; GET /roles failed: No (${status})`,
      remedy: 'Try again later.',
      facts: { accepted: null },
    });
  });

  it('are evaluated by themselves where the service could not be asked', () => {
    expect(judge(credentialsOf(KEY), undefined)).toMatchObject({
      state: 'pass',
      message: 'the key from profile acme (keychain) can be used',
      facts: { accepted: null },
    });
    const claims = claimsOf({ notBefore: new Date('2026-03-04T12:00:00Z') });
    expect(judge(credentialsOf(TOKEN, { claims }), undefined)).toMatchObject({
      state: 'fail',
      message:
        'the token from PAYCTL_TOKEN can be used; not valid before 2026-03-04T12:00:00Z, in 3 days; scopes buyers.read, roles.read',
      remedy: 'Replace the token in PAYCTL_TOKEN, or unset it and log in: payctl auth login',
    });
  });
});
