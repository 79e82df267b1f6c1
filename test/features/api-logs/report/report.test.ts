import { describe, expect, it, onTestFinished } from 'vitest';
import { logOf, reportOf } from './sample-report.ts';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

describe('a report', () => {
  it('counts by status and over time, and says where it comes from and when it was made', {
    tags: 'slow',
  }, async () => {
    const logs = [399, 400, 499, 500, 599].map((status, index) =>
      logOf({ id: id(index), response_status_code: status }),
    );
    const report = await reportOf(logs);
    expect(report).toMatchObject({
      created_at: '2026-03-01T10:00:00.000Z',
      source: { profile: 'acme', host: 'api.example.com', merchant_account: null, files: [] },
      client_errors: 2,
      server_errors: 2,
      timeline: { bars: [{ count: 5, '4xx': 2, '5xx': 2 }] },
    });
    const forMerchant = await reportOf(logs, { view: 'merchant' });
    expect(forMerchant.source).toEqual({ profile: null, host: null, merchant_account: null, files: [] });
    const ofFiles = await reportOf(logs, { files: ['a'], values: { since: '2026-03-01T09:00:00Z' } });
    expect(ofFiles).toMatchObject({
      created_at: '2026-03-01T10:00:00.000Z',
      source: { profile: null, host: null, files: ['a'] },
      to: '2026-03-01T09:30:00.000Z',
    });
  });

  it('says which part of its span is before everything that is listed', async () => {
    const oldest = { from: '2026-03-01T08:00:00.000Z', to: '2026-03-01T09:30:00.000Z' };
    expect((await reportOf([logOf()], { values: { since: '2h' } })).missed.before_oldest).toEqual(oldest);
    const older = logOf({ id: id(1), request_received_at: '2026-03-01T07:00:00Z' });
    expect((await reportOf([logOf(), older], { values: { since: '2h' } })).missed.before_oldest).toBeNull();
    expect((await reportOf([logOf()])).missed.before_oldest).toBeNull();
    const exact = { values: { since: '2026-03-01T09:30:00Z' } };
    expect((await reportOf([logOf()], exact)).missed.before_oldest).toBeNull();
    expect((await reportOf([], { values: { since: '2h' } })).missed.before_oldest).toEqual({
      ...oldest,
      to: '2026-03-01T10:00:00.000Z',
    });
  });

  it('counts entries without a time only where a span of time leaves them out', async () => {
    const timeless = logOf({ request_received_at: null, response_sent_at: null });
    expect((await reportOf([timeless])).missed.timeless).toBe(0);
    const { kept, missed } = await reportOf([timeless], { values: { since: '2h' } });
    expect({ kept, timeless: missed.timeless }).toEqual({ kept: 0, timeless: 1 });
    expect((await reportOf([timeless], { values: { until: '1h' } })).missed.timeless).toBe(1);
  });

  it.each([
    [{ since: '08:00', until: '09:00' }, '08:00:00.000', '09:00:59.999'],
    [{ until: '23:00' }, '09:30:00.000', '09:30:00.000'],
    [{ since: '09:00', until: '23:00' }, '09:00:00.000', '10:00:00.000'],
  ])('with %j is about the span up to now at most', async (values, from, to) => {
    const zone = process.env.TZ;
    process.env.TZ = 'UTC';
    onTestFinished(() => {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    });
    const report = await reportOf([logOf()], { values });
    expect([report.from, report.to]).toEqual([`2026-03-01T${from}Z`, `2026-03-01T${to}Z`]);
  });

  it('shows the 20 largest groups, examples of 10, and how much it leaves out', async () => {
    const logs = Array.from({ length: 25 }, (_, index) =>
      Array.from({ length: index + 1 }, (_unused, copy) =>
        logOf({ id: id(index * 100 + copy), response_body: { code: `code_${index}` } }),
      ),
    ).flat();
    const { groups, examples, others } = await reportOf(logs);
    expect(groups.map(({ count }) => count)).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index));
    expect(examples.map(({ group }) => group)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(others).toEqual({ groups: 5, entries: 15 });
  });

  it('is made of any JSON', async () => {
    const report = await reportOf([null, 1, {}, [], { response_body: [] }, { request_url: 5 }]);
    expect(report).toMatchObject({ kept: 6, from: null, to: null, timeline: { bars: [] } });
  });
});
