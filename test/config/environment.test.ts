import { expect, test, vi } from 'vitest';
import { ENVIRONMENT_VARIABLES, readEnvironment } from '../../src/config/environment.ts';

test('every variable is read by its name', () => {
  const variables = Object.fromEntries(
    Object.values(ENVIRONMENT_VARIABLES).map((name) => [name, `value of ${name}`]),
  );
  const expected = Object.fromEntries(
    Object.entries(ENVIRONMENT_VARIABLES).map(([key, name]) => [key, `value of ${name}`]),
  );
  expect(readEnvironment(variables)).toEqual(expected);
});

test('a variable that is missing or empty is undefined', () => {
  const environment = readEnvironment({ PAYCTL_TOKEN: '', NO_COLOR: '', OTHER: 'x' });
  expect(Object.keys(environment)).toEqual(Object.keys(ENVIRONMENT_VARIABLES));
  expect(Object.values(environment).every((value) => value === undefined)).toBe(true);
});

test('white space is kept, and a zero is a value', () => {
  expect(readEnvironment({ PAYCTL_TOKEN: ' x ', FORCE_COLOR: '0' })).toMatchObject({
    token: ' x ',
    forceColor: '0',
  });
});

test('the environment of the process is read where none is given', () => {
  vi.stubEnv('PAYCTL_PROFILE', 'from-the-process');
  expect(readEnvironment().profile).toBe('from-the-process');
  vi.unstubAllEnvs();
});
