import { describe, expect, it } from 'vitest';
import { tailRequestOf } from '../../../src/cli/tail/flags.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { BUILT_IN_PROFILES } from '../../../src/config/profile.ts';
import { resolveSettings, type SettingFlags } from '../../../src/config/settings.ts';

const settingsOf = (flags: SettingFlags) =>
  resolveSettings({ flags, environment: readEnvironment({}), profiles: BUILT_IN_PROFILES });

const LOCAL = settingsOf({ 'base-url': 'http://127.0.0.1:8080' });
const REMOTE = settingsOf({ 'base-url': 'https://api.example.com', 'max-retries': '7' });

const command = { words: 'api-logs tail', argv: [] };

describe('what a tail is asked for', () => {
  it('is what the flags say, every five seconds by default', () => {
    const flags = { last: 3, after: 'a', for: 500, 'max-items': 9, 'until-match': '.x', since: '1h' };
    expect(tailRequestOf(flags, REMOTE, command)).toEqual({
      flags,
      command,
      intervalMs: 5000,
      forMs: 500,
      maxItems: 9,
      untilMatch: '.x',
      last: 3,
      isSince: true,
      after: 'a',
      maxRetries: 7,
      timeoutMs: 30_000,
    });
    expect(tailRequestOf({}, REMOTE, command)).toMatchObject({ isSince: false, intervalMs: 5000 });
  });
});

describe('the interval', () => {
  const intervalOf = (interval: string, settings: typeof LOCAL) =>
    tailRequestOf({ interval }, settings, command).intervalMs;

  it('is 100 ms or more on this machine, and a second or more elsewhere', () => {
    expect(intervalOf('100ms', LOCAL)).toBe(100);
    expect(intervalOf('1s', REMOTE)).toBe(1000);
    expect(intervalOf('100ms', settingsOf({ profile: 'emulator' }))).toBe(100);
    expect(() => intervalOf('99ms', LOCAL)).toThrow('--interval must be 100ms or more, not "99ms"');
    expect(() => intervalOf('999ms', REMOTE)).toThrow('--interval must be 1s or more, not "999ms"');
    expect(() => intervalOf('100ms', settingsOf({}))).toThrow('--interval must be 1s or more, not "100ms"');
  });
});
