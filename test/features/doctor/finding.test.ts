import { describe, expect, it } from 'vitest';
import {
  type CheckName,
  exitCodeOfFindings,
  type Finding,
  fail,
  pass,
  skip,
  skipAfter,
  summaryOf,
  warn,
} from '../../../src/features/doctor/finding.ts';

const failed = (name: CheckName): Finding => ({ name, ...fail('broken') });

it('skips the checks between two, and the last of them', () => {
  expect(skipAfter('host', 'clock', 'no name')).toEqual(
    (['tls', 'answer', 'clock'] as const).map((name) => ({
      name,
      state: 'skip',
      message: 'not checked: no name',
    })),
  );
});

describe('the exit code', () => {
  it('is 0 without failures, whatever else was found', () => {
    expect(
      exitCodeOfFindings([
        { name: 'configuration', ...warn('open') },
        { name: 'settings', ...pass('fine') },
        { name: 'clock', ...skip('no response') },
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
  ] as const)('is that of the check that fails: %s', (name, code) => {
    expect(exitCodeOfFindings([{ name: 'settings', ...pass('fine') }, failed(name)])).toBe(code);
  });

  it('is that of the first of several failures', () => {
    expect(exitCodeOfFindings([failed('clock'), failed('scopes')])).toBe(3);
  });

  it('is that of the failure itself where it is of another kind than its check', () => {
    expect(exitCodeOfFindings([{ ...failed('credentials'), exitCode: 9 }])).toBe(9);
  });
});

describe('the last line', () => {
  const findings = (problems: number, warnings: number): Finding[] => [
    ...Array.from({ length: problems }, () => failed('host')),
    ...Array.from({ length: warnings }, (): Finding => ({ name: 'tls', ...warn('soon') })),
    { name: 'settings', ...pass('fine') },
    { name: 'clock', ...skip('no response') },
  ];

  it.each([
    [0, 0, 'No problems.'],
    [0, 1, 'No problems, 1 warning.'],
    [0, 2, 'No problems, 2 warnings.'],
    [1, 0, '1 problem.'],
    [2, 1, '2 problems, 1 warning.'],
  ])('counts %i problems and %i warnings', (problems, warnings, line) => {
    expect(summaryOf(findings(problems, warnings))).toBe(line);
  });
});
