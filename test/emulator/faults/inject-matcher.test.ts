import { expect, it } from 'vitest';
import { createFaultMatcher } from '../../../src/emulator/faults/inject.ts';
import type { FaultRule } from '../../../src/emulator/faults/plan.ts';

it('hits as many requests as asked for, after those that are let pass', () => {
  const match = createFaultMatcher([{ path: '/a', after: 2, count: 2, status: 503 }]);
  const hits = Array.from({ length: 6 }, () => match('GET', '/a') !== undefined);
  expect(hits).toEqual([false, false, true, true, false, false]);
});

it('takes the first rule that hits, and lets a later one count only what comes to it', () => {
  const [first, second, third] = [
    { status: 503, count: 2 },
    { status: 429, count: 1 },
    { status: 500, after: 1 },
  ];
  const match = createFaultMatcher([first, second, third]);
  const hits = Array.from({ length: 6 }, () => match('GET', '/x')?.status);
  expect(hits).toEqual([503, 503, 429, undefined, 500, 500]);
});

it('compares the method, and the path segment by segment with stars and names for any one', () => {
  const match = createFaultMatcher([
    { method: 'POST', path: '/buyers/*/shipping-details', status: 500 },
    { path: '/checkout/sessions/{checkout_session_id}', status: 502 },
    { method: 'PUT', status: 504 },
  ]);
  expect(match('POST', '/buyers/1/shipping-details')?.status).toBe(500);
  expect(match('GET', '/buyers/1/shipping-details')).toBeUndefined();
  expect(match('POST', '/buyers/1/2/shipping-details')).toBeUndefined();
  expect(match('GET', '/checkout/sessions/x')?.status).toBe(502);
  expect(match('GET', '/checkout/sessions')).toBeUndefined();
  expect(match('PUT', '/anything')?.status).toBe(504);
});

it('hits every third request after those that are let pass, as often as asked for', () => {
  const match = createFaultMatcher([{ after: 2, every: 3, count: 2, drop: true }]);
  const hits = Array.from({ length: 14 }, (_, index) => (match('GET', '/a') ? index + 1 : 0));
  expect(hits.filter((place) => place > 0)).toEqual([5, 8]);
});

it('hits a share of the requests, the same ones for the same seed', () => {
  const placesHit = (...rules: readonly FaultRule[]) => {
    const match = createFaultMatcher(rules);
    return Array.from({ length: 1000 }, (_, index) => index).filter(() => match('GET', '/a'));
  };
  const hit = placesHit({ share: 0.1, drop: true });
  expect(Math.abs(hit.length - 100)).toBeLessThan(30);
  expect(placesHit({ share: 0.1, seed: 1, drop: true })).toEqual(hit);
  expect(placesHit({ share: 0.1, seed: 2, drop: true })).not.toEqual(hit);
  expect(placesHit({ share: 0.1, count: 5, drop: true })).toEqual(hit.slice(0, 5));
  // Two rules of the same share do not hit the same requests.
  const both = placesHit({ path: '/b', share: 0.1, drop: true }, { share: 0.1, drop: true });
  expect(both).not.toEqual(hit);
});
