import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Approver } from '../../../src/config/profile.ts';
import { requireApproval } from '../../../src/features/bulk/apply/approval.ts';
import { readPlan } from '../../../src/features/bulk/plan-file.ts';
import { readPublicKeys } from '../../../src/tokens/public-keys.ts';
import { runInProcess } from '../../commands/run-in-process.ts';
import { lines } from '../../harness/lines.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { stopClock } from '../../harness/stop-clock.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { planHeader, writePlan } from './written-plan.ts';

const second = generateKeyPairSync('ed25519');
const third = generateKeyPairSync('ed25519');
const publicPem = ({ publicKey }: { publicKey: KeyObject }) =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString();
const [approver, other] = (await readPublicKeys(publicPem(second) + publicPem(third))) as [
  Approver,
  Approver,
];

let folder: string;
let plan: string;
let keyFile: string;

beforeEach(async () => {
  stopClock('2026-01-01T13:00:00Z');
  folder = folderForTest();
  plan = join(folder, 'refunds.plan');
  keyFile = join(folder, 'second.pem');
  writeFileSync(keyFile, second.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writePlan(plan, planHeader());
});

const payctl = async (...argv: readonly string[]) =>
  await runInProcess(argv, { env: { PAYCTL_CONFIG_DIR: join(folder, 'config'), NO_COLOR: '1' } });

describe('bulk approve', () => {
  it('signs the plan, and says nothing more the second time', { tags: 'slow' }, async () => {
    const { hash } = await readPlan(plan);
    const record = { plan, sha256: hash, key_id: approver.kid, approval: `${plan}.approval` };
    for (const stderr of ['', 'This key had already approved the plan.\n']) {
      const run = await payctl('bulk', 'approve', plan, '--key-file', keyFile, '--yes');
      const stdout = lines(...Object.entries(record).map(([name, value]) => `${name}\t${value}`));
      expect(run).toEqual({ stdout, stderr, code: 0 });
    }
    await requireApproval(await readPlan(plan), { approvers: [approver], ownKey: other.kid });
  });

  it('compares only the totals of a plan whose description is not known here, and says so', async () => {
    const words = ['bulk', 'approve', plan, '--key-file', keyFile, '--yes', '--json'];
    const header = planHeader({ command: 'transactions refunds create', description: 'd'.repeat(64) });
    await writePlan(plan, { ...header, totals: { EUR: '12.50' } }, { EUR: '12.50' });
    const run = await payctl(...words);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stderr)).toMatchObject({ warning: { code: 'plan_not_compared' } });
    await writePlan(plan, header, { EUR: '12.50' });
    const refused = await payctl(...words);
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.stderr)).toMatchObject({
      error: {
        code: 'plan_changed',
        message: `"${plan}" was changed after it was made: its rows move 12.50 EUR, but its header says nothing`,
      },
    });
  });

  it('warns where the profile of the plan lists other keys', async () => {
    const file = join(folder, 'approvers.pem');
    writeFileSync(file, publicPem(third));
    await payctl('profiles', 'set', 'acme', '--base-url', 'https://api.example.com', '--approvers', file);
    const run = await payctl('bulk', 'approve', plan, '--key-file', keyFile, '--yes', '--json');
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stderr)).toEqual({
      warning: {
        code: 'not_an_approver',
        message: `The key ${approver.kid} does not belong to an approver of the profile acme.`,
      },
    });
  });

  it.each([
    [
      'nobody can be asked',
      ['--key-file', 'KEY'],
      2,
      [
        'Error: The plan PLAN was not approved (not_confirmed)',
        'Add --yes to approve it without confirmation.',
      ],
    ],
    [
      'there is no key',
      ['--yes'],
      2,
      ['Error: Missing flag --key-file (missing_flag)', 'Add --key-file FILE with your private key.'],
    ],
    [
      'the key is gone',
      ['--yes', '--key-file', 'KEY.gone'],
      3,
      [
        'Error: --key-file (KEY.gone) cannot be read: no such file or directory (credentials_unreadable)',
        'Use a file of at most 64 KiB that you have permission to read.',
      ],
    ],
  ])('writes nothing where %s', async (_, flags, code, said) => {
    const words = flags.map((flag) => flag.replace('KEY', keyFile));
    const run = await payctl('bulk', 'approve', plan, ...words);
    const stderr = lines(...said)
      .replace('PLAN', plan)
      .replace('KEY', keyFile);
    expect(run).toEqual({ stdout: '', stderr, code });
    expect(existsSync(`${plan}.approval`)).toBe(false);
  });

  it('refuses a plan that has expired', async () => {
    await writePlan(plan, planHeader({ expires_at: '2026-01-01T12:30:00.000Z' }));
    const run = await payctl('bulk', 'approve', plan, '--key-file', keyFile, '--yes');
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(run.stderr).toContain('expired at 2026-01-01T12:30:00.000Z (plan_expired)');
  });
});

it('an approval does not hold for a plan with another byte, whether or not its hash is made anew', {
  tags: 'slow',
}, async () => {
  await payctl('bulk', 'approve', plan, '--key-file', keyFile, '--yes');
  const bytes = readFileSync(plan);
  const end = bytes.lastIndexOf('{"sha256"');
  await fc.assert(
    fc.asyncProperty(
      fc.nat(bytes.length - 1),
      fc.integer({ min: 0, max: 255 }),
      fc.boolean(),
      async (at, byte, isHashed) => {
        // The end of the last line is no part of the plan.
        fc.pre(bytes[at] !== byte && at < bytes.length - 1);
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        const content = changed.subarray(0, end);
        const sha256 = createHash('sha256').update(content).digest('hex');
        const text = isHashed ? [content, `${JSON.stringify({ sha256 })}\n`] : [changed];
        fc.pre(!isHashed || at < end);
        writeFileSync(plan, Buffer.concat(text.map((part) => Buffer.from(part))));
        const done = readPlan(plan).then((read) =>
          requireApproval(read, { approvers: [approver], ownKey: undefined }),
        );
        await expect(done).rejects.toMatchObject({
          code: expect.stringMatching(/^(not_approved|plan_changed|plan_unreadable)$/),
        });
      },
    ),
    propertyRuns(2000),
  );
});
