import { describe, expect, it } from 'vitest';
import type { Outcome, ProbeId } from '../../../src/cli/routing/catalog/probes.ts';
import { ApiError } from '../../../src/client/errors.ts';
import type { SettingSource } from '../../../src/config/settings.ts';
import { evaluateMerchantAccount } from '../../../src/features/doctor/access.ts';

const request = { method: 'GET', path: '/buyers', origin: 'https://api.example.com' };
const BY_FLAG: SettingSource = { kind: 'flag', name: '--merchant-account' };

function answered(status: number): Outcome {
  return status < 300
    ? { status }
    : { status, error: new ApiError('code', 'message', { status, request, attempts: 1 }) };
}

type Statuses = Partial<Record<ProbeId, number>>;

function judge(withAccount: Statuses, withoutAccount: Statuses = {}, source = BY_FLAG) {
  const outcomes = (statuses: Statuses) =>
    new Map(Object.entries(statuses).map(([id, status]) => [id as ProbeId, answered(status)]));
  return evaluateMerchantAccount(
    { id: 'outlet', source },
    { withAccount: outcomes(withAccount), withoutAccount: outcomes(withoutAccount) },
  );
}

describe('a merchant account', () => {
  it('is accepted when one call with it succeeds', () => {
    expect(judge({ listBuyers: 403, listPaymentMethods: 200 })).toEqual({
      state: 'pass',
      message: 'the service accepts outlet (--merchant-account)',
      facts: { merchant_account: 'outlet', source: '--merchant-account', accepted: true },
    });
  });

  it.each([400, 403, 404, 422])('fails when %i becomes a success without it', (status) => {
    expect(
      judge({ listBuyers: 403, listAuditLogs: status }, { listBuyers: 403, listAuditLogs: 200 }),
    ).toEqual({
      state: 'fail',
      message: `the service rejects outlet (--merchant-account): requests fail with it (${status}) and succeed without it`,
      remedy: 'Use another merchant account ID with --merchant-account, or remove it.',
      facts: { merchant_account: 'outlet', source: '--merchant-account', accepted: false },
    });
  });

  it('is not evaluated when nothing succeeds without it either', () => {
    expect(judge({ listBuyers: 403 }, { listBuyers: 403 })).toEqual({
      state: 'skip',
      message: 'outlet (--merchant-account) could not be checked: requests also fail without it',
    });
  });

  it.each<[SettingSource, string]>([
    [
      { kind: 'environment', name: 'PAYCTL_MERCHANT_ACCOUNT' },
      'Set PAYCTL_MERCHANT_ACCOUNT to another merchant account ID, or unset it.',
    ],
    [{ kind: 'profile', name: 'acme' }, 'Set another one: payctl profiles set acme --merchant-account ID'],
  ])('has a remedy where it was chosen: %o', (source, remedy) => {
    expect(judge({ listBuyers: 404 }, { listBuyers: 200 }, source).remedy).toBe(remedy);
  });
});
