import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimPlan } from '../../../src/features/bulk/apply/applied-plans.ts';
import { readPlan } from '../../../src/features/bulk/plan-file.ts';
import { runInProcess } from '../../commands/run-in-process.ts';
import { lines } from '../../harness/lines.ts';
import { stopClock } from '../../harness/stop-clock.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { planHeader, writePlan } from './written-plan.ts';

let folder: string;
let plan: string;

beforeEach(async () => {
  stopClock('2026-01-01T13:00:00Z');
  folder = folderForTest();
  plan = join(folder, 'rows.plan');
  await writePlan(plan, planHeader());
});

// Nothing listens there: a request would be another error.
const ADDRESS = 'http://127.0.0.1:1';

const payctl = async (...argv: readonly string[]) =>
  await runInProcess(argv, {
    env: { PAYCTL_CONFIG_DIR: join(folder, 'config'), PAYCTL_TOKEN: 'opaque', NO_COLOR: '1' },
  });
const set = (...flags: readonly string[]) =>
  payctl('profiles', 'set', 'acme', '--base-url', ADDRESS, ...flags);
const apply = (...flags: readonly string[]) => payctl('bulk', 'apply', plan, '--profile', 'acme', ...flags);

describe('bulk plan', () => {
  it('does not replace a plan with a journal, and names the whole command that continues it', async () => {
    await set();
    writeFileSync(`${plan}.journal`, '');
    const words = ['bulk', 'plan', 'buyers', 'shipping-details', 'create', '--profile', 'acme'];
    const run = await payctl(...words, '--from', '-', '--out', plan, '--overwrite');
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(run.stderr).toContain(`To continue this plan: payctl bulk apply ${plan} --profile acme\n`);
  });
});

describe('bulk apply sends nothing and asks nothing', () => {
  it('with --dry-run, which it does not have, and says what shows the rows', async () => {
    expect(await apply('--dry-run')).toEqual({
      stdout: '',
      stderr: lines(
        'Error: Unknown flag --dry-run (unknown_flag)',
        'To see what a plan sends: payctl bulk rows PLAN',
      ),
      code: 2,
    });
  });

  it('without the approval that a profile wants', async () => {
    const file = join(folder, 'approvers.pem');
    const { publicKey } = generateKeyPairSync('ed25519');
    writeFileSync(file, publicKey.export({ type: 'spki', format: 'pem' }));
    await set('--approvers', file);
    const run = await apply('--yes');
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(run.stderr).toContain(`${plan} is not approved (not_approved)`);
  });

  it('with a copy of a plan that was applied', async () => {
    await set();
    const journal = join(folder, 'first', 'rows.plan.journal');
    mkdirSync(join(folder, 'first'));
    const directory = join(folder, 'config', 'data');
    claimPlan(await readPlan(plan), { journal, directory, now: new Date() });
    const refused = {
      stdout: '',
      stderr: lines(
        `Error: ${plan} is a copy of a plan that was already applied: its journal is ${journal} (plan_applied)`,
        `To continue with that journal: payctl bulk apply ${plan} --journal ${journal}`,
      ),
      code: 2,
    };
    expect(await apply()).toEqual(refused);
    expect(await apply('--yes')).toEqual(refused);
    expect(readFileSync(journal, 'utf8').split('\n')).toEqual([
      expect.stringContaining('payctl_journal'),
      '',
    ]);
    const named = await apply('--journal', journal);
    expect(named.stderr).toContain('(not_confirmed)');
  });
});
