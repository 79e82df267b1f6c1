import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshHome } from '../../harness/run-payctl.ts';

describe('payctl buyers list --profile emulator on a fresh machine', () => {
  it('shows the newest buyers, with nothing set up before', async () => {
    const home = freshHome();
    const run = await home.payctl(['buyers', 'list', '--profile', 'emulator']);
    const rows = run.stdout.split('\n');
    expect(rows[0]).toBe('NAME\tEMAIL\tPHONE\tCOUNTRY\tEXTERNAL ID\tCREATED\tID');
    expect(rows[1]).toBe(
      'Małgorzata Ćwik\t\t\t\tCUST_GD-249\t2025-09-16T22:21:19.967+00:00\tef28fde9-5d24-429e-af7b-494ed25fc77c',
    );
    expect(rows).toHaveLength(22);
    expect(run.stderr).toMatch(
      /^Personal data is masked\. Add --reveal-pii to show it\.\nThere are more buyers after these 20\. For all pages, add --all\. Next page: payctl buyers list --profile emulator --cursor[ =]\S+\n$/,
    );
    expect(run).toMatchObject({ code: 0, signal: null });
  });

  it('gives the same bytes again', async () => {
    const args = ['buyers', 'list', '--profile', 'emulator', '--all', '-o', 'csv'];
    const [first, second] = await Promise.all([freshHome().payctl(args), freshHome().payctl(args)]);
    expect(first.stdout.length).toBeGreaterThan(10_000);
    expect(second).toEqual(first);
  });

  it('works while others do the same on the same machine', async () => {
    const home = freshHome();
    const args = ['buyers', 'list', '--profile', 'emulator', '-o', 'json'];
    const runs = await Promise.all([1, 2, 3].map(() => home.payctl(args)));
    const items = runs.map(({ stdout }) => JSON.parse(stdout).items);
    expect(items[0]).toHaveLength(20);
    expect(items[1]).toEqual(items[0]);
    expect(items[2]).toEqual(items[0]);
  });

  it('takes the profile from PAYCTL_PROFILE, and keeps its data below PAYCTL_CONFIG_DIR', async () => {
    const home = freshHome();
    const run = await home.payctl(['buyers', 'list', '--limit', '1', '-o', 'ndjson', '-q'], {
      env: { PAYCTL_PROFILE: 'emulator' },
    });
    expect(run).toMatchObject({ stderr: '', code: 0 });
    expect(JSON.parse(run.stdout).id).toBe('ef28fde9-5d24-429e-af7b-494ed25fc77c');
    expect(existsSync(join(home.configDirectory, 'data/emulator/emulator.sqlite'))).toBe(true);
  });

  it('keeps its data where the platform keeps data when PAYCTL_CONFIG_DIR is not set', async () => {
    const home = freshHome();
    const run = await home.payctl(['buyers', 'list', '--limit', '1', '--profile', 'emulator', '-q'], {
      env: { PAYCTL_CONFIG_DIR: undefined },
    });
    expect(run).toMatchObject({ stderr: '', code: 0 });
    const folder = process.platform === 'darwin' ? 'Library/Application Support' : '.local/share';
    expect(existsSync(join(home.path, folder, 'payctl/emulator/emulator.sqlite'))).toBe(true);
  });

  it('keeps compiled code in the cache directory of the user', async () => {
    const home = freshHome({ isCold: true });
    await home.payctl(['--version']);
    expect(existsSync(join(home.path, '.cache/payctl/compiled'))).toBe(true);
  });
});
