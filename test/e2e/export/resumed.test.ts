import { describe, expect, it } from 'vitest';
import { freshHome } from '../../harness/run-payctl.ts';
import { startCopied } from './copied-service.ts';

describe('export --resume', () => {
  it('fails like the run before where a list fails again, after lists that are whole', async () => {
    const faults = [{ method: 'GET', path: '/ledger-entries', status: 403 }];
    await using service = await startCopied({ faults });
    const { env, copy } = service;
    const home = freshHome();
    const words = ['buyers', 'ledger-entries', '-o', 'json'];
    const first = await home.payctl(['export', ...words, '--to', copy], { env });
    const again = await home.payctl(['export', ...words, '--resume', copy], { env });
    for (const { code, stdout, stderr } of [first, again]) {
      expect(code).toBe(4);
      expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
        error: { code: 'forbidden', resume_command: `payctl export --resume ${copy}` },
      });
      expect(JSON.parse(stdout)).toMatchObject({
        items: [
          { resource: 'buyers', state: 'complete' },
          { resource: 'ledger-entries', state: 'incomplete' },
        ],
      });
    }
  });
});
