import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check, doctor, HEADER, serviceOf } from '../../features/doctor/run-doctor.ts';
import { lines } from '../../harness/lines.ts';
import { freshHome, type Home } from '../../harness/run-payctl.ts';
import { against } from '../paged-service.ts';

describe('a fault of the configuration or the settings', () => {
  const skippedTail = ['host', 'tls', 'answer', 'clock', 'credentials', 'scopes', 'merchant-account'].map(
    (name) => `skip\t${name}\tnot checked: no usable settings\t`,
  );

  function damaged(): { home: Home; file: string } {
    const home = freshHome();
    mkdirSync(home.configDirectory, { mode: 0o700 });
    const file = join(home.configDirectory, 'profiles.json');
    writeFileSync(file, '{"version":1,', { mode: 0o600 });
    return { home, file };
  }

  it('exits with 2 and says how to begin where nothing is configured', async () => {
    expect(await doctor(freshHome(), [])).toEqual({
      stdout: lines(
        HEADER,
        'pass\tconfiguration\tno profiles yet\t',
        'fail\tsettings\tNo base URL is configured\tAdd --profile emulator to try payctl without an account, or log in: payctl auth login',
        ...skippedTail,
      ),
      stderr: '1 problem.\n',
      code: 2,
    });
  });

  it('exits with 2 and names the file of the profiles when it is damaged', async () => {
    const { home, file } = damaged();
    expect(await doctor(home, [])).toEqual({
      stdout: lines(
        HEADER,
        `fail\tconfiguration\t${file} is damaged: it is not JSON\tRepair the file, or move it away and create the profiles again. payctl does not change it.`,
        'skip\tsettings\tnot checked: the profiles cannot be read\t',
        ...skippedTail,
      ),
      stderr: '1 problem.\n',
      code: 2,
    });
  });

  it('does not keep the other checks from being made where they need no profile', async () => {
    const server = await serviceOf();
    const { home } = damaged();
    const found = await check(home, 'credentials', { PAYCTL_BASE_URL: server.origin });
    expect(found).toMatchObject({
      state: 'skip',
      message: 'not checked: the profiles cannot be read',
      states: 'fail pass pass pass pass pass skip skip skip',
      code: 2,
    });
    const all = await check(home, 'credentials', against(server));
    expect(all).toMatchObject({ states: 'fail pass pass pass pass pass pass pass pass', code: 2 });
  });

  it.each([
    [
      { PAYCTL_PROFILE: 'acme' },
      'There is no profile "acme", but PAYCTL_PROFILE names it',
      'Known profiles: emulator.',
    ],
    [
      { PAYCTL_BASE_URL: 'https://api.{id}.example.com' },
      'PAYCTL_BASE_URL is "https://api.{id}.example.com", which needs an instance to replace {id}',
      'Set the instance with --instance or PAYCTL_INSTANCE.',
    ],
  ])('exits with 2 and names the setting: %o', async (env, message, remedy) => {
    const found = await check(freshHome(), 'settings', { ...env, PAYCTL_OUTPUT: 'json' });
    expect(found).toMatchObject({
      state: 'fail',
      message,
      remedy,
      states: 'pass fail skip skip skip skip skip skip skip',
      code: 2,
    });
  });
});
