import { existsSync, linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startBulk } from './bulk-service.ts';

it.each([
  ['--out', 'table.csv', '--from and --out'],
  ['--out', './table.csv', '--from and --out'],
  ['--refused', 'table.csv', '--from and --refused'],
  ['--refused', 'link.csv', '--from and --refused'],
  ['--refused', 'symbolic.csv', '--from and --refused'],
  ['--refused', 'folder/new.plan', '--out and --refused'],
  ['--refused', 'new.plan.journal', 'the journal and --refused'],
])('a plan is not made where %s %s is another of its files', async (flag, name, which) => {
  await using service = await startBulk({ count: 1 });
  const at = (file: string) => join(service.folder, file);
  const table = `transaction_id,amount\n${service.transactions[0]?.id},100\nbad,bad\n`;
  writeFileSync(at('table.csv'), table);
  linkSync(at('table.csv'), at('link.csv'));
  symlinkSync('table.csv', at('symbolic.csv'));
  symlinkSync('.', at('folder'));
  const out = flag === '--out' ? [] : ['--out', at('new.plan')];
  const files = ['--from', at('table.csv'), ...out, flag, `${service.folder}/${name}`];
  const words = ['plan', 'transactions', 'refunds', 'create', ...files, '--accept-valid', '--overwrite'];
  const { code, stdout, stderr } = await service.bulk(words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe(
    `Error: ${which} name the same file, "${service.folder}/${name}" (same_file)\nNothing was sent. Choose another file for ${flag}.\n`,
  );
  expect(existsSync(at('new.plan'))).toBe(false);
  expect(readFileSync(at('table.csv'), 'utf8')).toBe(table);
});

it.each(['', '.journal', '.approval'])('--results does not replace refunds.plan%s', async (end) => {
  await using service = await startBulk({ count: 1 });
  await service.planRefunds([[0, 100]]);
  const plan = readFileSync(service.plan, 'utf8');
  const { code, stderr } = await service.bulk([
    ...['apply', service.plan, '--yes', '--results', `${service.plan}${end}`, '--overwrite'],
  ]);
  expect(stderr).toContain('(same_file)');
  expect(code).toBe(2);
  expect(service.requests('POST')).toEqual([]);
  expect(readFileSync(service.plan, 'utf8')).toBe(plan);
});
