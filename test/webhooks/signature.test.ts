import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSignature, sign, timestampAt } from '../../src/webhooks/signature.ts';
import { anyText } from '../harness/any-text.ts';
import { propertyRuns } from '../harness/property-runs.ts';
import { accepts, delivery } from '../harness/webhook.ts';

const NOW = Date.parse('2026-03-01T12:00:00.500Z');
const SECRET = 'secret';
const BODY = Buffer.from('{"event":"transaction.captured"}');
const TIMESTAMP = timestampAt(NOW);
const RIGHT = sign(BODY, TIMESTAMP, [SECRET]);

function check(given: Partial<Parameters<typeof checkSignature>[1]> & { readonly body?: Uint8Array } = {}) {
  const { body = BODY, ...rest } = given;
  const usual = {
    signature: RIGHT,
    timestamp: TIMESTAMP,
    secrets: [SECRET],
    nowMs: NOW,
    toleranceMs: 300_000,
  };
  return checkSignature(body, { ...usual, ...rest });
}

describe('the signature of a delivery', () => {
  it('is that of any other implementation, in both directions', () => {
    const { body, headers } = delivery(SECRET);
    const now = { nowMs: Date.now() };
    const [signature, timestamp] = [headers['x-service-signature'], headers['x-service-timestamp']];
    expect(check({ body: Buffer.from(body), signature, timestamp, ...now }).verdict).toBe('ok');
    const own = timestampAt(Date.now());
    const signed = { 'x-service-timestamp': own, 'x-service-signature': sign(BODY, own, ['old', SECRET]) };
    expect(accepts(SECRET, signed, BODY)).toBe(true);
  });

  it.each<readonly [name: string, given: Parameters<typeof check>[0], verdict: string, reason: string]>([
    [
      'another secret',
      { secrets: ['other'] },
      'wrong',
      'the secret is different, or the body or the timestamp was changed',
    ],
    [
      'a changed body',
      { body: Buffer.from('{"event":"transaction.captured" }') },
      'wrong',
      'the secret is different, or the body or the timestamp was changed',
    ],
    [
      'a changed timestamp',
      { timestamp: `0${TIMESTAMP}` },
      'wrong',
      'the secret is different, or the body or the timestamp was changed',
    ],
    [
      'a timestamp that is no number',
      { timestamp: `${TIMESTAMP}.5` },
      'wrong',
      'the timestamp is not a number of seconds',
    ],
    [
      'upper case',
      { signature: RIGHT.toUpperCase() },
      'wrong',
      'no signature consists of 64 lower-case hexadecimal digits',
    ],
    [
      'eleven signatures',
      { signature: Array(11).fill(RIGHT).join(',') },
      'wrong',
      'there are more than 10 signatures',
    ],
    ['no signature', { signature: undefined }, 'missing', 'there is no signature'],
    ['an empty signature', { signature: '' }, 'missing', 'there is no signature'],
    ['no timestamp', { timestamp: undefined }, 'missing', 'there is no timestamp'],
    ['an old timestamp', { nowMs: NOW + 301_000 }, 'old', 'it was signed 5 minutes ago'],
    ['a timestamp in the future', { nowMs: NOW - 301_000 }, 'old', 'it was signed 5 minutes in the future'],
    ['no secret', { secrets: [] }, 'unchecked', 'no secret is known'],
  ])('with %s is not ok', (_name, given, verdict, reason) => {
    expect(check(given)).toEqual({ verdict, reason });
  });

  it('is ok to the last moment of the tolerance, while a secret is rotated, and beside others', () => {
    expect(check({ nowMs: NOW + 300_000 }).verdict).toBe('ok');
    expect(check({ nowMs: NOW - 300_000 }).verdict).toBe('ok');
    expect(check({ secrets: ['new', SECRET] }).verdict).toBe('ok');
    expect(check({ signature: `${'0'.repeat(64)} , ${RIGHT}, v2=x` }).verdict).toBe('ok');
  });

  it('is accepted with its own body, timestamp and secret, and with no others', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 });
    const change = fc.record({
      at: fc.nat(),
      by: fc.integer({ min: 1, max: 255 }),
      part: fc.constantFrom('body', 'time', 'hex'),
    });
    fc.assert(
      fc.property(bytes, fc.string({ minLength: 1 }), change, (body, secret, { at, by, part }) => {
        const signature = sign(body, TIMESTAMP, [secret]);
        const given = { body, signature, secrets: [secret] };
        expect(check(given).verdict).toBe('ok');
        if (part === 'body') {
          const index = at % body.length;
          const changed = body.with(index, ((body[index] ?? 0) + by) % 256);
          expect(check({ ...given, body: changed }).verdict).toBe('wrong');
          expect(check({ ...given, body: body.subarray(0, index) }).verdict).toBe('wrong');
        } else if (part === 'time') {
          expect(check({ ...given, timestamp: String(Number(TIMESTAMP) + by) }).verdict).toBe('wrong');
        } else {
          const index = at % 64;
          const digit = ((Number.parseInt(signature[index] ?? '', 16) + (by % 15) + 1) % 16).toString(16);
          const changed = signature.slice(0, index) + digit + signature.slice(index + 1);
          expect(check({ ...given, signature: changed }).verdict).toBe('wrong');
        }
      }),
      propertyRuns(10_000),
    );
  });

  it('never fails, whatever a stranger sends', () => {
    const text = fc.option(anyText(), { nil: undefined });
    fc.assert(
      fc.property(text, text, fc.uint8Array(), (signature, timestamp, body) => {
        expect(check({ body, signature, timestamp }).verdict).toMatch(/^(wrong|missing)$/);
      }),
      propertyRuns(10_000),
    );
  });
});
