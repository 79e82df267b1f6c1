import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

it('refuses a platform that there is none of, and leaves what was built as it is', () => {
  const hadOut = existsSync(join(root, 'out'));
  const script = join(root, 'scripts/package/run.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, 'linux-x64', 'linux-x68'], {
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'payctl: there is no platform linux-x68; there are darwin-arm64, darwin-x64, linux-arm64, linux-x64, win32-arm64, win32-x64\n',
  });
  expect(existsSync(join(root, 'out'))).toBe(hadOut);
});
