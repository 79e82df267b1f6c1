import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_PROFILES, checkProfileName, findProfile } from '../../src/config/profile.ts';
import { UsageError } from '../../src/errors.ts';
import { anyText } from '../harness/any-text.ts';
import { propertyRuns } from '../harness/property-runs.ts';
import { thrownBy } from './config-directory.ts';

const HINT =
  'Use at most 63 lower-case letters, digits, dots, hyphens and underscores, starting with a letter or digit.';

describe('checkProfileName', () => {
  it.each(['a', '0', 'sandbox', 'acme.eu-1_b', 'constructor', 'a..b', 'a'.repeat(63)])('takes %s', (name) => {
    expect(checkProfileName(name)).toBe(name);
  });

  it.each([
    '',
    ' ',
    '.',
    '..',
    '.a',
    '-a',
    '_a',
    '__proto__',
    'a/b',
    'a\\b',
    'a b',
    'a\n',
    'a\0',
    'Acme',
    'ä',
    'a:b',
    'a'.repeat(64),
  ])('refuses %j', (name) => {
    const error = thrownBy(() => checkProfileName(name));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ code: 'invalid_profile_name', hint: HINT });
  });

  it('shows what it refuses escaped and cut', () => {
    expect(thrownBy(() => checkProfileName(`\u001b[2J${'a'.repeat(100)}`))).toMatchObject({
      message: `"\\u001b[2J${'a'.repeat(76)}..." is not a valid profile name`,
    });
  });

  it.each([...BUILT_IN_PROFILES.keys()])('refuses the built-in name %s', (name) => {
    const error = thrownBy(() => checkProfileName(name));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'built_in_profile',
      message: `The profile ${name} is built in and cannot be changed`,
      hint: 'Choose another name.',
    });
  });

  it('gives back a name that is one plain part of a path, or refuses it', () => {
    const alphabet = fc.constantFrom(
      'a',
      'z',
      '0',
      '9',
      '.',
      '-',
      '_',
      '/',
      '\\',
      'A',
      ' ',
      '\n',
      '\0',
      'ß',
      '😀',
    );
    const names = fc.oneof(anyText(), fc.string({ unit: alphabet, maxLength: 70 }));
    fc.assert(
      fc.property(names, (name) => {
        try {
          expect(checkProfileName(name)).toBe(name);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_profile_name' });
          return;
        }
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
        expect(name.toLowerCase()).toBe(name);
        expect(name).not.toMatch(/^[._-]|[/\\\s\p{Cc}:*?"<>|]/u);
      }),
      propertyRuns(1000),
    );
  });
});

describe('findProfile', () => {
  const profiles = new Map([...BUILT_IN_PROFILES, ['sandbox', { name: 'sandbox' }]]);

  it('gives the profile of a name', () => {
    expect(findProfile(profiles, 'sandbox')).toEqual({ name: 'sandbox' });
  });

  it.each(['constructor', '__proto__', 'toString', 'size', 'SANDBOX'])(
    'finds none where the name is only %s',
    (name) => {
      expect(thrownBy(() => findProfile(profiles, name))).toMatchObject({
        code: 'unknown_profile',
        message: `There is no profile "${name}"`,
      });
    },
  );

  it('lists the known ones and suggests the nearest', () => {
    const error = thrownBy(() => findProfile(profiles, 'sandbx', 'PAYCTL_PROFILE names it'));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      message: 'There is no profile "sandbx", but PAYCTL_PROFILE names it',
      hint: 'Did you mean sandbox? Known profiles: emulator, sandbox.',
    });
  });
});
