import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { claimPlan } from '../../../src/features/bulk/apply/applied-plans.ts';
import { planHeader } from './written-plan.ts';

/**
 * A process that claims a copy of a plan, for tests of several at the same time. Its arguments: the folder of all copies, and the name of
 * its own in it. It says `ready`, and begins when there is a file `go`.
 */
const [folder = '', name = ''] = process.argv.slice(2);
const path = join(folder, name, 'refunds.plan');
const header = planHeader({ profile: null, origin: 'https://api.example.com' });
const plan = { path, hash: 'a'.repeat(64), header };

process.stdout.write('ready\n');
while (!existsSync(join(folder, 'go'))) await new Promise((resolve) => setTimeout(resolve, 1));
try {
  claimPlan(plan, { journal: `${path}.journal`, directory: join(folder, 'data'), now: new Date() });
  process.stdout.write('claimed\n');
} catch (error) {
  process.stdout.write(error instanceof Error && 'code' in error ? `${error.code}\n` : `${error}\n`);
}
