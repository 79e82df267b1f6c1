import { describe, expect, it } from 'vitest';
import type { Certificate } from '../../../src/client/network/certificate.ts';
import { evaluateCertificate } from '../../../src/features/doctor/network.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const GOOD: Certificate = {
  host: 'api.example.com',
  code: undefined,
  validFrom: new Date('2026-01-01T00:00:00Z'),
  validTo: new Date('2026-04-03T12:00:00Z'),
  fitsHost: true,
  names: 'DNS:api.example.com',
  issuer: 'Example Trust',
};
const facts = { valid_to: '2026-04-03T12:00:00.000Z', issuer: 'Example Trust', store: 'bundled' };
const trust =
  "If it is your company's certificate authority, set NODE_EXTRA_CA_CERTS to its PEM file, or trust it in a profile: payctl profiles set NAME --ca-file AUTHORITY.pem";
const NODE = '(checked against the certificates of Node)';
const judge = (changes: Partial<Certificate>) => evaluateCertificate({ ...GOOD, ...changes }, 'bundled', NOW);

describe('a certificate', () => {
  it('is good, and says until when', () => {
    const message = `the certificate of api.example.com, issued by Example Trust, is valid until 2026-04-03, for 33 days ${NODE}`;
    expect(judge({})).toEqual({ state: 'pass', message, facts });
  });

  it('is warned of with less than 21 days left', () => {
    expect(judge({ validTo: new Date('2026-03-22T11:59:59Z') })).toEqual({
      state: 'warn',
      message: `the certificate of api.example.com, issued by Example Trust, is valid until 2026-03-22, for 21 days more ${NODE}`,
      remedy: 'The operator of api.example.com must renew it.',
      facts: { ...facts, valid_to: '2026-03-22T11:59:59.000Z' },
    });
    expect(judge({ validTo: new Date('2026-03-22T12:00:00Z') }).state).toBe('pass');
  });

  it.each<[string, Partial<Certificate>, string, string]>([
    [
      'expired',
      { code: 'CERT_HAS_EXPIRED', validTo: new Date('2026-02-25T12:00:00Z') },
      'expired on 2026-02-25, 4 days ago',
      'The operator of api.example.com must renew it, unless the date of this machine is wrong.',
    ],
    [
      'not valid yet',
      { code: 'CERT_NOT_YET_VALID', validFrom: new Date('2026-03-02T00:00:00Z') },
      'is not valid before 2026-03-02',
      'Check the date of this machine.',
    ],
    [
      'made out for another host',
      { code: 'ERR_TLS_CERT_ALTNAME_INVALID', fitsHost: false, names: 'DNS:other.example.com' },
      'is issued for DNS:other.example.com',
      'Check that api.example.com is the right host. In a public network, sign in with a browser first.',
    ],
    [
      'made out for nobody',
      { code: 'ERR_TLS_CERT_ALTNAME_INVALID', fitsHost: false, names: '' },
      'is issued for no host',
      'Check that api.example.com is the right host. In a public network, sign in with a browser first.',
    ],
    ['self-signed', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'is self-signed', trust],
    [
      'of an unknown authority',
      { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
      'is issued by an authority that neither Node nor the operating system trusts (Example Trust)',
      trust,
    ],
    [
      'below one that has expired',
      { code: 'CERT_HAS_EXPIRED' },
      'is issued by an authority whose certificate expired',
      'The operator of api.example.com must install a current chain, unless the date of this machine is wrong.',
    ],
    [
      'below one that has expired, which the server showed',
      {
        code: 'CERT_HAS_EXPIRED',
        expiredIssuer: { name: 'Old Root', validTo: new Date('2026-02-01T00:00:00Z') },
      },
      'is issued by an authority whose certificate expired (Old Root, on 2026-02-01)',
      'The operator of api.example.com must install a current chain, unless the date of this machine is wrong.',
    ],
    [
      'revoked',
      { code: 'CERT_REVOKED' },
      'has been revoked',
      'Do not connect: the operator of api.example.com must replace it.',
    ],
    [
      'refused for another reason',
      { code: 'CERT_SIGNATURE_FAILURE' },
      'is not valid (CERT_SIGNATURE_FAILURE)',
      'The operator of api.example.com must replace it.',
    ],
  ])('fails when it is %s', (_, changes, reason, remedy) => {
    const isUnknown = reason.includes('self-signed') || reason.includes('neither');
    const subject = `the certificate of api.example.com${isUnknown ? '' : ', issued by Example Trust,'}`;
    expect(judge(changes)).toMatchObject({ state: 'fail', message: `${subject} ${reason} ${NODE}`, remedy });
  });

  it('has every one of its faults told', () => {
    const validTo = new Date('2026-02-25T12:00:00Z');
    expect(judge({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', validTo, fitsHost: false }).message).toBe(
      'the certificate of api.example.com is self-signed; it expired on 2026-02-25, 4 days ago; it is issued for DNS:api.example.com (checked against the certificates of Node)',
    );
  });
});
