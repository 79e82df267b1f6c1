import { describe, expect, it } from 'vitest';
import {
  type CheckName,
  exitCodeOfFindings,
  type Finding,
  fail,
  pass,
  skip,
  summaryOf,
  warn,
} from '../../../src/features/doctor/finding.ts';

const faultOf = (name: CheckName): Finding => ({ name, ...fail('broken') });

describe('the exit code', () => {
  it('is 0 without faults, whatever else was found', () => {
    expect(
      exitCodeOfFindings([
        { name: 'configuration', ...warn('open') },
        { name: 'settings', ...pass('fine') },
        { name: 'clock', ...skip('no answer') },
      ]),
    ).toBe(0);
  });

  it.each([
    ['configuration', 2],
    ['settings', 2],
    ['host', 9],
    ['tls', 9],
    ['answer', 9],
    ['clock', 3],
    ['credentials', 3],
    ['scopes', 4],
    ['merchant-account', 6],
  ] as const)('is that of the kind of the fault: %s', (name, code) => {
    expect(exitCodeOfFindings([{ name: 'settings', ...pass('fine') }, faultOf(name)])).toBe(code);
  });

  it('is that of the first of several faults', () => {
    expect(exitCodeOfFindings([faultOf('clock'), faultOf('scopes')])).toBe(3);
  });

  it('is that of the fault itself where it is of another kind than its check', () => {
    expect(exitCodeOfFindings([{ ...faultOf('credentials'), exitCode: 9 }])).toBe(9);
  });
});

describe('the last line', () => {
  const findings = (faults: number, warnings: number): Finding[] => [
    ...Array.from({ length: faults }, () => faultOf('host')),
    ...Array.from({ length: warnings }, (): Finding => ({ name: 'tls', ...warn('soon') })),
    { name: 'settings', ...pass('fine') },
    { name: 'clock', ...skip('no answer') },
  ];

  it.each([
    [0, 0, 'No faults.'],
    [0, 1, 'No faults, 1 warning.'],
    [0, 2, 'No faults, 2 warnings.'],
    [1, 0, '1 fault.'],
    [2, 1, '2 faults, 1 warning.'],
  ])('counts %i faults and %i warnings', (faults, warnings, line) => {
    expect(summaryOf(findings(faults, warnings))).toBe(line);
  });
});
