import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { folderForAll } from '../../harness/temporary-folder.ts';

const folder = folderForAll();

const MIB = 1024 * 1024;
/** How many members of a megabyte a file has; it is never as a whole in the memory of the test, which Linux would count for its child, too. */
const MEMBERS = 256;
/** The program takes 130 MiB by itself. */
const ALLOWED = 220 * MIB;

const SOURCE = join(import.meta.dirname, '../../../src/features/api-logs/log-files.ts');
/** Reads the file that the arguments name, and prints the most memory that this took, in bytes. */
const PROGRAM = `
  const { readLogFiles } = await import(${JSON.stringify(SOURCE)});
  const display = { warn() {}, info() {} };
  const looked = { duplicates: 0, unreadable: 0 };
  const reading = readLogFiles(process.argv.slice(1), { signal: new AbortController().signal, display, looked });
  await Array.fromAsync(reading).catch((error) => { if (error.code !== 'unreadable_log') throw error; });
  console.log(process.resourceUsage().maxRSS * 1024);
`;

describe('a small file that expands to very much', () => {
  it.each([
    ['spaces, gzip', () => gzipSync(Buffer.alloc(MIB, ' '))],
    ['spaces, zstd', () => zstdCompressSync(Buffer.alloc(MIB, ' '))],
    ['one long line, gzip', () => gzipSync(Buffer.alloc(MIB, 'x'))],
  ])('takes the memory of a part of it: %s', (_, member) => {
    const path = join(folder, 'bomb');
    writeFileSync(path, Buffer.concat(Array<Buffer>(MEMBERS).fill(member())));
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM, path], {
      encoding: 'utf8',
    });
    expect(Number(printed)).toBeGreaterThan(MIB);
    expect(Number(printed)).toBeLessThan(ALLOWED);
  });
});
