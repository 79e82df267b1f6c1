import { describe, expect, it } from 'vitest';
import { cellsOf, makeRow } from '../../bench/row.ts';

const OURS = { best: 60, cpu: 70, median: 66 };
const THEIRS = { name: 'bare', values: { best: 40, cpu: 40, median: 45 } };
const LIST = { name: 'list', unit: 'ms', values: OURS, against: THEIRS } as const;

describe('a row of the benchmarks', () => {
  it('reaches a bar by the wall clock and by the time of the processor', () => {
    expect(makeRow({ ...LIST, bar: { atMost: 1.8 } })).toMatchObject({
      ratio: { wall: 1.5, cpu: 1.75 },
      met: true,
    });
    expect(makeRow({ ...LIST, bar: { atMost: 1.5 } }).met).toBe(false);
    expect(makeRow({ ...LIST, bar: { atMost: 1.5 }, wallOnly: true }).met).toBe(true);
  });

  it('goes by the wall clock where the time of the processor is not known', () => {
    const row = makeRow({ ...LIST, values: { best: 60, median: 66 }, bar: { atMost: 1.5 } });
    expect(row).toMatchObject({ ratio: { wall: 1.5 }, met: true });
    expect(row.ratio).not.toHaveProperty('cpu');
  });

  it('says how many times faster payctl is where the bar is a least', () => {
    expect(makeRow({ ...LIST, bar: { atLeast: 0.6 } })).toMatchObject({
      ratio: { wall: 40 / 60 },
      met: false,
    });
    const against = { name: 'other', values: { best: 100, median: 90 } };
    const rate = { name: 'GET', unit: 'per second', values: { best: 600, median: 500 }, against } as const;
    expect(makeRow({ ...rate, bar: { atLeast: 5 } })).toMatchObject({ ratio: { wall: 6 }, met: true });
  });

  it('compares a value with its bar where there is nothing else', () => {
    const memory = { name: 'memory', unit: 'MiB', values: { best: 131, median: 131 } } as const;
    expect(makeRow({ ...memory, bar: { atMost: 130 } })).toEqual({
      ...memory,
      bar: { atMost: 130 },
      met: false,
    });
  });

  it('only informs without a bar', () => {
    const row = makeRow(LIST);
    expect(row).not.toHaveProperty('met');
    expect(cellsOf(row)).toEqual([
      'list',
      '60 ms, CPU 70',
      'bare: 40 ms, CPU 40',
      '1.5 x, CPU 1.75 x',
      '',
      '',
    ]);
  });
});
