import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../../src/features/export/manifest.ts';
import { numbersFrom } from '../../harness/numbers-from.ts';
import { freshHome } from '../../harness/run-payctl.ts';
import { byId, idOf, rowsOf, startCopied } from './copied-service.ts';

const IS_LONG = process.env.PAYCTL_LONG_TESTS === '1';
/** Killed runs of each format. */
const KILLS = IS_LONG ? 100 : 10;
const RECORDS = IS_LONG ? 8000 : 1200;

const GET = { method: 'GET' } as const;
/** Connections that are cut, and errors that are tried again. */
const FAULTS = [
  { ...GET, share: 0.02, seed: 7, drop: true as const },
  { ...GET, share: 0.02, seed: 8, body: 'cut' as const },
  { ...GET, share: 0.02, seed: 9, status: 503, retry_after: 0 },
  { ...GET, share: 0.02, seed: 10, status: 429, retry_after: 0 },
];

describe('an export that is killed again and again', () => {
  it.each(['ndjson', 'parquet'] as const)('holds each record once, as %s', async (format) => {
    const random = numbersFrom(format.length);
    let onRequest = () => {};
    await using service = await startCopied({
      buyers: RECORDS,
      records: { 'ledger-entries': RECORDS },
      faults: FAULTS,
      onRequest: () => onRequest(),
    });
    const { env, copy } = service;
    const home = freshHome();
    const words = ['export', 'buyers', 'ledger-entries', '--merchant-account', 'default,outlet'];
    const flags = ['--format', format, '--part-size', '20kB', '--reveal-pii', '--reveal-secrets', '--raw'];
    let isBegun = false;
    let killed = 0;
    const runs: (number | null)[] = [];
    for (;;) {
      const running = home.start(
        isBegun ? ['export', '--resume', copy] : [...words, ...flags, '--to', copy],
        { env },
      );
      let left = 1 + Math.floor(random() * 8);
      const delay = random() * 40;
      onRequest = () => {
        left -= 1;
        if (left === 0 && killed < KILLS) setTimeout(() => running.kill('SIGKILL'), delay);
      };
      const { code, signal, stderr } = await running.done;
      if (signal === 'SIGKILL') killed += 1;
      isBegun ||= readdirSync(copy).includes('.state.sqlite');
      runs.push(code);
      if (code === 0) break;
      expect(readdirSync(copy), stderr).not.toContain('manifest.json');
    }
    onRequest = () => {};
    const verified = await home.payctl(['export', 'verify', copy]);
    expect(verified).toMatchObject({ code: 0, stderr: `The copy in "${copy}" is whole.\n` });
    const { lists } = readManifest(copy);
    expect(lists.map(({ resource, merchant_account: account }) => [resource, account])).toEqual([
      ['buyers', 'default'],
      ['buyers', 'outlet'],
      ['ledger-entries', null],
    ]);
    for (const list of lists) {
      const rows = await rowsOf(copy, list);
      const sent = await service.texts(list.request.path, list.merchant_account ?? undefined);
      expect(rows.map(({ text }) => text)).toEqual(sent);
      expect(new Set(rows.map(({ text }) => idOf(text))).size).toBe(list.rows);
      expect(list).toMatchObject({ rows: sent.length, repeated: 0, sent_again_changed: 0, without_id: 0 });
      expect(byId(sent).size).toBe(sent.length);
    }
    expect(readdirSync(copy, { recursive: true }).filter((name) => String(name).endsWith('.tmp'))).toEqual(
      [],
    );
  });
});
