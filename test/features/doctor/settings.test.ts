import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../../src/config/environment.ts';
import { BUILT_IN_PROFILES, type Profile } from '../../../src/config/profile.ts';
import type { Profiles } from '../../../src/config/profiles.ts';
import { resolveSettings, type SettingFlags } from '../../../src/config/settings.ts';
import { CredentialsError, UsageError } from '../../../src/errors.ts';
import {
  evaluateNoTarget,
  evaluateSettings,
  evaluateUnresolved,
  resolveOrExplain,
  settingsForDisplay,
} from '../../../src/features/doctor/settings.ts';

const ACME: Profile = { name: 'acme', baseUrl: 'https://api.{id}.example.com', instance: 'acme' };

function profilesOf(...stored: Profile[]): Profiles {
  const own = stored.map((profile) => [profile.name, profile] as const);
  return { profiles: new Map([...own, ...BUILT_IN_PROFILES]), active: undefined };
}

function settle(
  { profiles }: Profiles,
  flags: SettingFlags,
  env: Record<string, string> = {},
  activeProfile?: string,
) {
  return resolveSettings({ flags, environment: readEnvironment(env), profiles, activeProfile });
}

describe('settings that lead somewhere', () => {
  it('are told with their sources', () => {
    const settings = settle(profilesOf({ ...ACME, environment: 'production' }), {}, {}, 'acme');
    expect(evaluateSettings(settings, 'https://api.acme.example.com')).toEqual({
      state: 'pass',
      message:
        'profile acme (the active profile), production; base URL https://api.acme.example.com (profile acme)',
      facts: {
        profile: 'acme',
        profile_source: 'the active profile',
        environment: 'production',
        environment_source: 'the profile acme is marked production',
        read_only: false,
        base_url: 'https://api.acme.example.com',
        base_url_source: 'profile acme',
      },
    });
  });

  it('need no profile', () => {
    const settings = settle(profilesOf(), {}, { PAYCTL_BASE_URL: 'https://api.example.com' });
    expect(evaluateSettings(settings, 'https://api.example.com')).toEqual({
      state: 'pass',
      message: 'no profile; base URL https://api.example.com (PAYCTL_BASE_URL)',
      facts: {
        profile: null,
        profile_source: null,
        environment: null,
        environment_source: null,
        read_only: false,
        base_url: 'https://api.example.com',
        base_url_source: 'PAYCTL_BASE_URL',
      },
    });
  });

  it.each(['acme', 'emulator'])('are warned of when a variable leads the profile %s elsewhere', (profile) => {
    const settings = settle(profilesOf(ACME), {}, { PAYCTL_BASE_URL: 'https://other.example' }, profile);
    expect(evaluateSettings(settings, 'https://other.example')).toMatchObject({
      state: 'warn',
      message: `profile ${profile} (the active profile); base URL https://other.example (PAYCTL_BASE_URL), which overrides the base URL of the profile`,
      remedy: 'Unset PAYCTL_BASE_URL, unless you mean the other service.',
    });
  });

  it('are not warned of when a flag does, which somebody has just typed', () => {
    const settings = settle(profilesOf(ACME), { profile: 'acme', 'base-url': 'https://other.example' });
    expect(evaluateSettings(settings, 'https://other.example').state).toBe('pass');
  });
});

describe('production and reading only', () => {
  const LIVE: Profile = { name: 'live', baseUrl: 'https://live.example', environment: 'production' };

  it('are told where the request goes to the address of another profile that is marked production', () => {
    const settings = settle(profilesOf(ACME, LIVE), { profile: 'acme', 'base-url': 'https://live.example' });
    expect(evaluateSettings(settings, 'https://live.example')).toMatchObject({
      message:
        'profile acme (--profile), production; base URL https://live.example (--base-url); production, because the profile live is marked production',
      facts: { environment: 'production', environment_source: 'the profile live is marked production' },
    });
  });

  it('are not told where a profile that is marked production is led elsewhere', () => {
    const settings = settle(profilesOf(LIVE), { profile: 'live', 'base-url': 'https://test.example' });
    expect(evaluateSettings(settings, 'https://test.example')).toMatchObject({
      message: 'profile live (--profile); base URL https://test.example (--base-url)',
      facts: { environment: null },
    });
  });

  it('are told with the variables that ask for them', () => {
    const env = { PAYCTL_ENVIRONMENT: 'production', PAYCTL_READ_ONLY: '1' };
    const settings = settle(profilesOf(ACME), { profile: 'acme' }, env);
    expect(evaluateSettings(settings, 'https://api.acme.example.com')).toMatchObject({
      message:
        'profile acme (--profile), production; base URL https://api.acme.example.com (profile acme); production, because PAYCTL_ENVIRONMENT is production; read-only (PAYCTL_READ_ONLY)',
      facts: { environment: 'production', read_only: true },
    });
  });
});

describe('settings that lead nowhere', () => {
  const notConfigured = new CredentialsError('not_configured', 'payctl does not know', { hint: 'Log in.' });

  it('are a fault with what helps', () => {
    const settings = settle(profilesOf(), {});
    expect(evaluateNoTarget(notConfigured, settings, profilesOf())).toEqual({
      state: 'fail',
      message: 'payctl does not know',
      remedy: 'Log in.',
    });
  });

  it('point to the profiles that there are', () => {
    const one = profilesOf(ACME);
    expect(evaluateNoTarget(notConfigured, settle(one, {}), one)).toMatchObject({
      message: 'no profile is in use; available: acme',
      remedy: 'Use one: payctl profiles use acme',
    });
    const two = profilesOf({ name: 'live' }, ACME);
    expect(evaluateNoTarget(notConfigured, settle(two, {}), two)).toMatchObject({
      state: 'fail',
      message: 'no profile is in use; available: acme, live',
      remedy: 'Use one: payctl profiles use acme',
    });
  });

  it('name the profile that has no base URL', () => {
    const profiles = profilesOf({ name: 'live' });
    const settings = settle(profiles, { profile: 'live' });
    expect(evaluateNoTarget(notConfigured, settings, profiles)).toMatchObject({
      state: 'fail',
      message: 'the profile live has no base URL',
      remedy: 'Set it: payctl profiles set live --base-url https://api.example.com',
    });
  });

  it('are not known while the profiles are not', () => {
    const settings = settle(profilesOf(), {});
    expect(evaluateNoTarget(notConfigured, settings, undefined)).toEqual({
      state: 'skip',
      message: 'not checked: the profiles cannot be read',
    });
    const unknown = new UsageError('unknown_profile', 'there is no such profile');
    expect(evaluateUnresolved(unknown, false).state).toBe('skip');
    expect(evaluateUnresolved(unknown, true).state).toBe('fail');
  });

  it('are a fault when the system refuses the emulator, and no finding when payctl itself is wrong', () => {
    const settings = settle(profilesOf(), {});
    const system = Object.assign(new Error('listen EPERM'), { syscall: 'listen', code: 'EPERM' });
    expect(evaluateNoTarget(system, settings, profilesOf())).toMatchObject({
      state: 'fail',
      message: 'listen EPERM',
    });
    expect(() => evaluateNoTarget(new TypeError('oops'), settings, profilesOf())).toThrow('oops');
  });
});

describe('how to speak when the settings are wrong', () => {
  const environment = (env: Record<string, string>) => readEnvironment(env);

  it('is what the flags and PAYCTL_OUTPUT say', () => {
    const wrong = { PAYCTL_TIMEOUT: 'soon', PAYCTL_OUTPUT: 'ndjson' };
    expect(settingsForDisplay({}, environment(wrong)).output.value).toBe('ndjson');
    expect(settingsForDisplay({ output: 'yaml' }, environment(wrong)).output.value).toBe('yaml');
    expect(settingsForDisplay({ json: true, quiet: true }, environment(wrong))).toMatchObject({
      output: { value: 'json' },
      quiet: { value: true },
    });
  });

  it('is a table when PAYCTL_OUTPUT is what is wrong', () => {
    expect(settingsForDisplay({}, environment({ PAYCTL_OUTPUT: 'xml' })).output.value).toBe('table');
  });

  it('is for errors of payctl’s own alone: others pass', () => {
    const error = new UsageError('invalid_output', 'wrong');
    const fail = (reason: Error) => () => {
      throw reason;
    };
    expect(resolveOrExplain(fail(error))).toEqual({ error });
    expect(() => resolveOrExplain(fail(new TypeError('oops')))).toThrow('oops');
  });
});
