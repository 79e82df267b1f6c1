import { describe, expect, it } from 'vitest';
import { readTrafficPlan } from '../../../src/emulator/traffic/plan.ts';
import { readManifest } from '../../../src/features/export/manifest.ts';
import { freshHome } from '../../harness/run-payctl.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { byId, filesOf, idOf, latestOf, rowsOf, startCopied } from './copied-service.ts';

const IS_LONG = process.env.PAYCTL_LONG_TESTS === '1';
const RECORDS = IS_LONG ? 8000 : 1500;
const KILLED_SYNCS = IS_LONG ? 20 : 3;

const REVEAL = ['--reveal-pii', '--reveal-secrets', '--raw'];

type Service = Awaited<ReturnType<typeof startCopied>>;

/** Those of the latest records of a copy that are not as the service has them now, by their resources. */
async function differences(copy: string, service: Service) {
  const found = readManifest(copy).lists.map(async (list) => {
    const sent = byId(await service.texts(list.request.path, list.merchant_account ?? undefined));
    const latest = latestOf(await rowsOf(copy, list));
    return {
      resource: list.resource,
      missing: [...sent].filter(([id, text]) => latest.get(id) !== text),
      isLeft: [...latest.keys()].some((id) => !sent.has(id)),
    };
  });
  return await Promise.all(found);
}

/** Checks that each ID stands once in the rows of each pass. */
async function expectOncePerPass(copy: string): Promise<void> {
  for (const list of readManifest(copy).lists) {
    const keys = (await rowsOf(copy, list)).map(({ text, pass }) => `${pass} ${idOf(text)}`);
    expect(new Set(keys).size).toBe(keys.length);
  }
}

describe('a copy of lists that change', () => {
  it('holds each record once in a pass, and is the same as the service after a sync', async () => {
    const kept = folderForTest();
    const home = freshHome();
    let onRequest = () => {};
    const changing = await startCopied(
      {
        buyers: RECORDS,
        records: { 'ledger-entries': RECORDS },
        traffic: readTrafficPlan({ records: { buyers: 200, 'ledger-entries': 500 } }),
        faults: [{ method: 'GET', latency_ms: 20 }],
        onRequest: () => onRequest(),
      },
      kept,
    );
    const { copy, env } = changing;
    const words = ['export', 'buyers', 'ledger-entries', '--merchant-account', 'default,outlet'];
    const exported = await home.payctl([...words, ...REVEAL, '--part-size', '50kB', '--to', copy], { env });
    expect(exported).toMatchObject({ code: 0 });
    expect(readManifest(copy).lists.map(({ sent_again_changed: count }) => count > 0)).toEqual([
      false,
      false,
      true,
    ]);
    await expectOncePerPass(copy);
    for (let kill = 1; kill <= KILLED_SYNCS; kill += 1) {
      const running = home.start(['sync', '--to', copy], { env });
      let left = kill * 7;
      onRequest = () => {
        left -= 1;
        if (left === 0) running.kill('SIGKILL');
      };
      expect(await running.done).toMatchObject({ signal: 'SIGKILL' });
    }
    const { port } = changing.emulator;
    await changing.emulator.close();

    await using service = await startCopied({ port, buyers: RECORDS }, kept);
    const sync = async (...flags: readonly string[]) => {
      service.requests.length = 0;
      const run = await home.payctl(['sync', '--to', copy, '-o', 'json', ...flags], { env });
      expect(run).toMatchObject({ code: 0, stderr: '' });
      return (JSON.parse(run.stdout) as { items: unknown }).items;
    };
    const isWhole = (resource: string) => ({ resource, missing: [], isLeft: false });
    await sync();
    const asked = service.requests.filter(({ path }) => path.startsWith('/ledger-entries'));
    expect(asked.filter(({ path }) => !path.includes('updated_at_gte='))).toEqual([]);
    expect(asked.length).toBeGreaterThan(0);
    // Only a whole reading shows that entries are gone.
    expect(await differences(copy, service)).toEqual([
      isWhole('buyers'),
      isWhole('buyers'),
      { ...isWhole('ledger-entries'), isLeft: true },
    ]);
    await sync('--full');
    expect(service.requests.filter(({ path }) => path.includes('updated_at_gte='))).toEqual([]);
    expect(await differences(copy, service)).toEqual(['buyers', 'buyers', 'ledger-entries'].map(isWhole));
    await expectOncePerPass(copy);
    expect(await home.payctl(['export', 'verify', copy])).toMatchObject({ code: 0 });

    const files = filesOf(copy);
    for (const flags of [[], ['--full']]) {
      const lists = await sync(...flags);
      // A filter for changes does not show what is gone.
      const ofLedger = { gone: flags.length === 0 ? null : 0 };
      const nothing = { new: 0, changed: 0, gone: 0, files: 0 };
      expect(lists).toMatchObject([nothing, nothing, { ...nothing, ...ofLedger }]);
      expect(filesOf(copy)).toEqual(files);
    }
  });
});
