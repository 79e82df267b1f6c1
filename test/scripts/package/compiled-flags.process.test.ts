import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { expect, it } from 'vitest';
import { clearFlags, placesOf, REPRODUCIBLY } from '../../../scripts/package/compiled-flags.ts';
import { folderForAll } from '../../harness/temporary-folder.ts';

const folder = folderForAll();

const SOURCE = 'function sum(a, b) { return a + b } sum(1, 2)';
const COMPILE = `process.stdout.write(new (require('node:vm').Script)(${JSON.stringify(SOURCE)}).createCachedData())`;

/** What Node compiles with the flags. */
const compiled = () => execFileSync(process.execPath, [...REPRODUCIBLY, '-e', COMPILE], { env: {} });
const isRefused = (cachedData: Buffer) => new Script(SOURCE, { cachedData }).cachedDataRejected;

it('code that was compiled with the flags is used without them once they are taken out', () => {
  const file = join(folder, 'program');
  const code = compiled();
  expect(isRefused(code)).toBe(true);
  writeFileSync(file, Buffer.concat([Buffer.from('before'), code, Buffer.from('after')]));
  clearFlags(process.execPath, [file]);
  const bytes = readFileSync(file);
  expect(isRefused(bytes.subarray('before'.length, -'after'.length))).toBe(false);
  expect(bytes.length).toBe('before'.length + code.length + 'after'.length);
});

it('the same source gives the same code', () => {
  expect(compiled().equals(compiled())).toBe(true);
});

it('a file without such code, or with more than one, is refused', () => {
  const file = join(folder, 'other');
  for (const [bytes, count] of [
    [Buffer.from('nothing'), 0],
    [Buffer.concat([compiled(), compiled()]), 2],
  ] as const) {
    writeFileSync(file, bytes);
    expect(() => clearFlags(process.execPath, [file])).toThrow(`compiled code ${count} times`);
  }
});

it('code of other flags is left alone', () => {
  const head = compiled().subarray(0, 16);
  const other = Buffer.from(head);
  other[12] = (other[12] ?? 0) ^ 1;
  expect(placesOf(head, Buffer.concat([other, head, Buffer.from('x'), head]))).toEqual([16, 33]);
});
