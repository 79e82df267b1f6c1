import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createJq } from '../../../src/output/formats/jq.ts';

/** Expressions that need more than a moment, and so a thread. */
const ENDLESS = ['[range(1e12)] | length', 'def f: f; f', 'last(range(1e12))', 'until(false; .)'];

async function openJq(expression: string, signal?: AbortSignal) {
  const jq = await createJq(expression, signal);
  onTestFinished(() => jq.close());
  return jq;
}

describe('an expression that never ends', () => {
  it.each(ENDLESS)(
    'is stopped by the signal: %s',
    async (expression) => {
      const abort = new AbortController();
      const jq = await openJq(expression, abort.signal);
      const outcome = jq.run('null');
      setTimeout(() => abort.abort(), 400);
      await expect(outcome).rejects.toMatchObject({ code: 'aborted' });
      await expect(jq.run('null')).rejects.toMatchObject({ code: 'aborted' });
    },
    20_000,
  );

  it('is stopped where its results would fill the memory', async () => {
    // To fill a gibibyte takes fifteen seconds, so the memory seems to grow eight times as fast as it does.
    const measure = process.memoryUsage.rss;
    const atStart = measure();
    const growing = () => atStart + 8 * (measure() - atStart);
    const spy = vi.spyOn(process.memoryUsage, 'rss').mockImplementation(growing);
    onTestFinished(() => spy.mockRestore());
    const jq = await openJq('repeat("x" * 1000000)');
    await expect(jq.run('null')).rejects.toMatchObject({ code: 'jq_out_of_memory' });
  }, 120_000);
});

describe('an expression without enough memory', () => {
  it.each(['def f: 1 + f; f', 'last(range(3e6)) | "x" * (. * 300) | length'])(
    'ends with a typed error, and jq prints nothing itself: %s',
    async (expression) => {
      const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      onTestFinished(() => printed.mockRestore());
      const logged = vi.spyOn(console, 'error').mockReturnValue();
      onTestFinished(() => logged.mockRestore());
      const jq = await openJq(expression);
      await expect(jq.run('null')).rejects.toMatchObject({ name: 'OutputError', code: 'jq_out_of_memory' });
      expect([printed.mock.calls, logged.mock.calls]).toEqual([[], []]);
    },
    120_000,
  );
});

describe('an expression that takes its time', () => {
  it('gives the same results as one that does not, run after run', async () => {
    const jq = await openJq('if . == 0 then . else (last(range(3e6)) | [.]) end');
    for (const input of ['0', '1', '0']) {
      const { results } = await jq.run(input);
      expect(results.map(({ text }) => text)).toEqual([input === '0' ? '0' : '[2999999]']);
    }
  }, 60_000);

  it('fails on the data as one that does not', async () => {
    const jq = await openJq('last(range(3e6)) | error("no")');
    const { results, failure } = await jq.run('null');
    expect([results, failure?.code, failure?.message]).toEqual([
      [],
      'jq_failed',
      '--jq failed on the data: no',
    ]);
  }, 60_000);

  it('is not tried here where its input is long', async () => {
    const jq = await openJq('length');
    const { results } = await jq.run(JSON.stringify('x'.repeat(2 ** 20)));
    expect(results.map(({ text }) => text)).toEqual([String(2 ** 20)]);
  }, 60_000);
});
