import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Flags that make V8 give the same bytes for the same runs: one seed for the order in tables of names, one thread, no
 * optimization, which functions are marked with when they have run for some time, and no garbage collection, after which objects
 * have remains of others in their padding, or have lost their code.
 */
export const REPRODUCIBLY = [
  '--hash-seed=1',
  '--random-seed=1',
  '--single-threaded',
  '--no-flush-bytecode',
  '--no-sparkplug',
  '--no-maglev',
  '--no-turbofan',
  '--no-memory-reducer',
  '--min-semi-space-size=256',
  '--max-semi-space-size=256',
  '--initial-old-space-size=1024',
];

/** How compiled code begins: numbers for its format and the version of V8, for the source, and for the flags. */
const HEAD = { sourceAt: 8, flagsAt: 12, length: 16 };

/**
 * Takes `REPRODUCIBLY` out of the compiled code that each file has once, so that a program without these flags can use it: none of
 * them changes what the code does. `node` is what compiled it.
 * @throws Error for a file that does not have such code once
 */
export function clearFlags(node: string, files: readonly string[]): void {
  const recorded = headOf(node, REPRODUCIBLY);
  const plain = headOf(node, []);
  for (const file of files) {
    const bytes = readFileSync(file);
    const places = placesOf(recorded, bytes);
    if (places.length !== 1) throw new Error(`${file} has compiled code ${places.length} times`);
    bytes.set(plain.subarray(HEAD.flagsAt), (places[0] ?? 0) + HEAD.flagsAt);
    writeFileSync(file, bytes);
  }
}

/** Where code with this head begins, whatever its source. */
export function placesOf(head: Buffer, bytes: Buffer): readonly number[] {
  const start = head.subarray(0, HEAD.sourceAt);
  const places: number[] = [];
  for (let at = bytes.indexOf(start); at !== -1; at = bytes.indexOf(start, at + 1)) {
    const flags = bytes.subarray(at + HEAD.flagsAt, at + HEAD.length);
    if (flags.equals(head.subarray(HEAD.flagsAt))) places.push(at);
  }
  return places;
}

const COMPILE = `new (require('node:vm').Script)('0').createCachedData().subarray(0, ${HEAD.length}).toString('hex')`;

function headOf(node: string, flags: readonly string[]): Buffer {
  const text = execFileSync(node, [...flags, '-p', COMPILE], { encoding: 'utf8', env: {} });
  return Buffer.from(text.trim(), 'hex');
}
