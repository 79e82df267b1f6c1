import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSecretFile } from '../../src/credentials/read.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

it.skipIf(process.platform === 'win32')(
  'a pipe is no file that others could read, whatever its mode',
  async () => {
    const folder = folderForTest();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', ['-m', '644', pipe]);
    const writer = spawn('sh', ['-c', 'printf token >"$0"', pipe]);
    const ended = once(writer, 'exit');
    expect(await readSecretFile(pipe)).toEqual({ text: 'token', openMode: undefined });
    await ended;
  },
);
