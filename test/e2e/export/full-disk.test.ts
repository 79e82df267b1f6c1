import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshHome } from '../../harness/run-payctl.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { against, serveBuyers } from '../paged-service.ts';

it('continues an export after a file could not be written to its end', async () => {
  const service = await serveBuyers(12_000);
  const home = freshHome();
  const env = { ...against(service), NO_COLOR: '1' };
  const copy = join(folderForTest(), 'copy');
  const words = `export buyers --to ${copy} --compress none --part-size 10MB`;
  // No file may have more than 512 blocks of a kibibyte.
  const full = await home.shell(`ulimit -f 512 && $PAYCTL ${words}`, { env });
  expect(full).toMatchObject({
    code: 1,
    stdout: 'RESOURCE\tMERCHANT ACCOUNT\tROWS\tFILES\tBYTES\tSTATE\nbuyers\t\t0\t0\t0\tincomplete\n',
  });
  expect(full.stderr).toMatch(/cannot be written: the file would be too large; .* \(file_unwritable\)\n/);
  expect(full.stderr).toContain(`Resume with: payctl export --resume ${copy}\n`);
  expect(readdirSync(copy, { recursive: true }).filter((name) => String(name).includes('part-'))).toEqual([]);

  expect(await home.payctl(['export', '--resume', copy], { env })).toMatchObject({ code: 0 });
  const verified = await home.payctl(['export', 'verify', copy]);
  expect(verified).toMatchObject({ code: 0 });
  expect(verified.stdout).toContain('buyers\t\t12000\t1\twhole\n');
});
