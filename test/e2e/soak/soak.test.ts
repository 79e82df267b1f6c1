import { expect, it } from 'vitest';
import { createRandom } from '../../../src/text/random.ts';
import { freshHome } from '../../harness/run-payctl.ts';
import { startFaultyService } from './faulty-service.ts';
import type { Soak } from './soak.ts';
import { tails } from './tails.ts';
import { changes, downloads, exportsOf } from './writes-and-reads.ts';

/** How long everything runs side by side, in milliseconds: ten minutes where there is time for it. */
const DURATION = process.env.PAYCTL_LONG_TESTS === '1' ? 600_000 : 4_000;

/** Another one gives other faults and other moments; a failure is found again with its seed, on the whole. */
const seed = Number(process.env.PAYCTL_SOAK_SEED ?? 1);

it('changes, exports, downloads and tails of a faulty service have each thing once, or name it', {
  timeout: DURATION + 120_000,
}, async () => {
  const service = await startFaultyService(createRandom(seed, 'service'));
  const home = freshHome();
  const end = performance.now() + DURATION;
  const hasTime = () => performance.now() < end;
  const soak = (name: string): Soak => ({ home, service, random: createRandom(seed, name), hasTime });
  const counts = await Promise.all([
    changes(soak('changes')),
    exportsOf(soak('exports')),
    downloads(soak('downloads')),
    tails(soak('tails')),
  ]);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(service.faults()).toBeGreaterThan(0);
});
