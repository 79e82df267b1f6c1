import { existsSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRuntime } from '../../../src/cli/runtime.ts';
import type { EmulatorAccess } from '../../../src/cli/session/emulator-profile.ts';
import { openTarget } from '../../../src/cli/session/target.ts';
import { createDisplay } from '../../../src/cli/show/display.ts';
import { emulatorDirectory } from '../../../src/config/environment.ts';
import { BUILT_IN_PROFILES, type Profile } from '../../../src/config/profile.ts';
import { resolveSettings, type SettingFlags } from '../../../src/config/settings.ts';
import { startEmulator } from '../../../src/emulator/server.ts';
import { claimServing } from '../../../src/emulator/serving.ts';
import { CredentialsError, UsageError } from '../../../src/errors.ts';
import { failureOf } from '../../client/failure-of.ts';
import { freshDirectory } from '../../config/config-directory.ts';
import { lines } from '../../harness/lines.ts';
import { MemoryStream } from '../../output/memory-stream.ts';

const opened = vi.hoisted((): EmulatorAccess[] => []);
vi.mock('../../../src/cli/session/emulator-profile.ts', async (original) => {
  const actual = await original<typeof import('../../../src/cli/session/emulator-profile.ts')>();
  const { accessEmulator } = actual;
  return {
    ...actual,
    async accessEmulator(...args: Parameters<typeof accessEmulator>) {
      const access = await accessEmulator(...args);
      opened.push(access);
      return access;
    },
  };
});

const ACME: Profile = {
  name: 'acme',
  baseUrl: 'https://api.{id}.example.com/v1/',
  instance: 'one',
  credentials: { kind: 'token', storage: 'keychain', account: 'acme (/c)' },
};
const PLAIN: Profile = { name: 'plain', baseUrl: 'https://api.example.com' };
const EMPTY: Profile = { name: 'empty' };
const STORED = new Map([ACME, PLAIN, EMPTY].map((profile) => [profile.name, profile]));

type Choice = {
  readonly flags?: SettingFlags;
  readonly env?: Record<string, string>;
  readonly active?: string;
};

/** What a target is opened with, in a directory of its own, and everything that was said. */
function partsOf({ flags = {}, env = {}, active }: Choice) {
  const directory = freshDirectory();
  const stderr = new MemoryStream();
  const { signal } = new AbortController();
  const stdin = () => {
    throw new Error('nobody reads standard input here');
  };
  const variables = { PAYCTL_CONFIG_DIR: directory, ...env };
  const streams = { stdout: new MemoryStream(), stderr, stdin };
  const runtime = createRuntime({ ...streams, env: variables, signal, version: '0.0.0' });
  const settings = resolveSettings({
    flags,
    environment: runtime.environment,
    profiles: new Map([...BUILT_IN_PROFILES, ...STORED]),
    activeProfile: active,
  });
  const display = createDisplay({ format: 'table', verbose: false, quiet: false, noColor: true }, runtime);
  const said = async () => {
    await display.stderr.end();
    return stderr.text;
  };
  return { parts: { settings, display, runtime }, said, directory };
}

async function open(choice: Choice) {
  const { parts, said } = partsOf(choice);
  const { close, ...target } = await openTarget(parts);
  await close();
  return { ...target, said: await said() };
}

const failure = (choice: Choice) => failureOf(openTarget(partsOf(choice).parts));

describe('openTarget', () => {
  it.each([
    ['named by the flag', { flags: { profile: 'acme' } }],
    ['named by the variable', { env: { PAYCTL_PROFILE: 'acme' } }],
    ['that is active', { active: 'acme' }],
  ])('finds the service and the credentials of the profile %s', async (_, choice) => {
    expect(await open(choice)).toEqual({
      baseUrl: 'https://api.one.example.com/v1',
      isEmulator: false,
      network: {},
      profile: ACME,
      said: '',
    });
  });

  it('fills the instance of the flag into the base URL of the profile', async () => {
    expect(await open({ flags: { instance: 'two' }, active: 'acme' })).toMatchObject({
      baseUrl: 'https://api.two.example.com/v1',
    });
  });

  it('takes a base URL from elsewhere, and says so', async () => {
    const env = { PAYCTL_BASE_URL: 'http://127.0.0.1:8080' };
    expect(await open({ env, active: 'acme' })).toEqual({
      baseUrl: 'http://127.0.0.1:8080',
      isEmulator: false,
      network: {},
      profile: ACME,
      said: 'PAYCTL_BASE_URL overrides the profile acme: requests go to http://127.0.0.1:8080\n',
    });
  });

  it('needs no profile where there is a base URL', async () => {
    expect(await open({ flags: { 'base-url': 'https://x.example.com' } })).toEqual({
      baseUrl: 'https://x.example.com',
      isEmulator: false,
      network: {},
      profile: undefined,
      said: '',
    });
  });

  it.each([{}, { active: 'empty' }, { flags: { instance: 'two' } }])(
    'says that it does not know where to go: %j',
    async (choice) => {
      const error = await failure(choice);
      expect(error).toBeInstanceOf(CredentialsError);
      expect(error).toMatchObject({
        code: 'not_configured',
        message: 'No base URL is configured',
        hint: 'Add --profile emulator to try payctl without an account, or log in: payctl auth login',
      });
    },
  );

  it('refuses an instance on the command line that has no place', async () => {
    const error = await failure({ flags: { instance: 'two' }, active: 'plain' });
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'instance_unused',
      message: '--instance was given, but the base URL https://api.example.com has no {id}',
    });
  });

  it('lets an instance from anywhere else be without use', async () => {
    const { baseUrl } = await open({ env: { PAYCTL_INSTANCE: 'two' }, active: 'plain' });
    expect(baseUrl).toBe('https://api.example.com');
  });

  it.each([
    [{ env: { PAYCTL_BASE_URL: 'http://x.example.com' } }, 'insecure_base_url', 'PAYCTL_BASE_URL is '],
    [{ flags: { 'base-url': 'x' } }, 'invalid_base_url', '--base-url is '],
    [{ flags: { 'base-url': 'https://{id}.x.example' } }, 'instance_missing', '--base-url is '],
  ])('names what gave a base URL that cannot be used: %j', async (choice, code, beginning) => {
    expect(await failure(choice)).toMatchObject({ code, message: expect.stringMatching(`^${beginning}`) });
  });
});

describe('the profile emulator', () => {
  it.each([{ flags: { profile: 'emulator' } }, { active: 'emulator' }])(
    'leads to an emulator of its own with a key that it knows, until it is closed: %j',
    async (choice) => {
      const { parts, said } = partsOf(choice);
      const { baseUrl, profile, isEmulator, close } = await openTarget(parts);
      expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(isEmulator).toBe(true);
      expect(profile).toMatchObject({ name: 'emulator', credentials: { kind: 'key', storage: 'reference' } });
      const credentials = profile?.credentials;
      expect(credentials && 'path' in credentials && existsSync(credentials.path)).toBe(true);
      expect((await fetch(`${baseUrl}/roles`)).status).toBe(401);
      await close();
      await expect(fetch(`${baseUrl}/roles`)).rejects.toThrow();
      expect(await said()).toBe('');
    },
  );

  it('ends the emulator where the rest of the settings is wrong', async () => {
    opened.length = 0;
    expect(await failure({ flags: { profile: 'emulator', instance: 'x' } })).toMatchObject({
      code: 'instance_unused',
    });
    expect(opened).toHaveLength(1);
    await expect(fetch(`${opened[0]?.baseUrl}/roles`)).rejects.toThrow();
  });

  it('leads to the emulator that runs already, and leaves it running', async () => {
    const { parts } = partsOf({ active: 'emulator' });
    const directory = emulatorDirectory(parts.runtime.environment);
    const emulator = await startEmulator({ directory });
    onTestFinished(() => emulator.close());
    const serving = claimServing(directory);
    serving.advertise(emulator, new Date());
    onTestFinished(() => serving.release());
    const { baseUrl, close } = await openTarget(parts);
    await close();
    expect(baseUrl).toBe(emulator.baseUrl);
    expect((await fetch(`${baseUrl}/roles`)).status).toBe(401);
  });

  it('named with --profile precedes PAYCTL_BASE_URL', async () => {
    const env = { PAYCTL_BASE_URL: 'https://x.example.com' };
    const { baseUrl, said } = await open({ flags: { profile: 'emulator' }, env });
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(said).toBe('');
  });

  it('gives way to a base URL where it is only active, and says so', async () => {
    const env = { PAYCTL_BASE_URL: 'https://x.example.com' };
    expect(await open({ env, active: 'emulator' })).toEqual({
      baseUrl: 'https://x.example.com',
      isEmulator: false,
      network: {},
      profile: expect.objectContaining({ name: 'emulator' }),
      said: lines('PAYCTL_BASE_URL overrides the profile emulator: requests go to https://x.example.com'),
    });
  });
});
