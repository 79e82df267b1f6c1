import type { Script } from 'node:vm';
import { makeDirectory } from '../files/make-directory.ts';
import { checksum } from './code-folder.ts';
import { readTwofold } from './read-at-once.ts';

/** The place of compiled code, and the program that it belongs to. */
export type CodeCacheOptions = {
  /** An absolute path below which only the user can write. The folder itself need not be there. */
  readonly folder: string;
  /** The folder of the program, with its separator, in which the names of its files are paths. */
  readonly program: string;
  /** The arguments of the program. */
  readonly argv: readonly string[];
};

/** What is kept of one file: `| header, 128 bytes of text | traits, 128 bytes | code | the same code |`. */
type Kept = { readonly code: Buffer; readonly tag: string; readonly traits: Buffer };
/** A file of the program when it was loaded. */
type Entry = { readonly stamp: string; readonly kept: Remembered | undefined };
/** What was kept except the code itself, whose memory the next file takes; its size is in bytes. */
type Remembered = Omit<Kept, 'code'> & { readonly size: number };

type Scripts = ReadonlyMap<string, Script>;

const PART = 128;
/** The first word of the header: of files that are laid out like this. */
const LAYOUT = 'payctl-code-1';
/** How many other folders stay next to the one in use: those of other versions of payctl, of Node, and flags of Node. */
const OTHERS_KEPT = 4;

const fs = process.getBuiltinModule('node:fs');
const { basename, dirname, join, sep } = process.getBuiltinModule('node:path');

/**
 * Keeps what V8 has compiled of the files of the program, for the runs after this one: with the functions that a run has
 * called, which Node's own compile cache leaves out. Nothing here fails a run: what cannot be read or written is done without.
 */
export function createCodeCache({ folder, program, argv }: CodeCacheOptions) {
  const entries = new Map<string, Entry>();
  let tag: string | undefined;
  // A path of Node's would be normalized letter by letter, for each file twice.
  const fileOf = (name: string) => folder + sep + name;

  /** The cached code of a file, if it is complete and the file has not changed since; valid until the next file is read. */
  function compiled(name: string): Buffer | undefined {
    const stamp = stampOf(program + name);
    const kept = readKept(fileOf(name), stamp);
    const remembered = kept && { tag: kept.tag, traits: kept.traits, size: kept.code.length };
    entries.set(name, { stamp, kept: remembered });
    return kept?.code;
  }

  /** To be called before the program can change the flags of V8: other runs cannot use what is compiled after that. */
  function begin(scripts: Scripts): void {
    const [first] = scripts.values();
    const kept = first?.cachedDataRejected === false ? entries.values().next().value?.kept : undefined;
    tag = kept?.tag ?? versionTag();
  }

  /**
   * Keeps what this run has compiled, if it did what no run before it had done: ran a command, used a flag or a format. To be
   * called at the end of a run that succeeded.
   */
  function learn(scripts: Scripts): void {
    const traits = traitsOf(scripts.keys(), argv);
    const news = [...scripts].filter(([name, { cachedDataRejected }]) => {
      const kept = entries.get(name)?.kept;
      return !kept || cachedDataRejected || traits.some((bit) => !hasBit(kept.traits, bit));
    });
    if (news.length === 0 || versionTag() !== tag) return;
    try {
      makeFolder(folder);
      for (const [name, script] of news) {
        const { stamp = '', kept } = entries.get(name) ?? {};
        const old = script.cachedDataRejected ? undefined : kept;
        const made = script.createCachedData();
        // V8 drops code that a long run has not called for some time.
        const isLess = old !== undefined && old.size > made.length;
        const code = (isLess ? readKept(fileOf(name), stamp)?.code : undefined) ?? made;
        keep(fileOf(name), stamp, { code, tag, traits: withBits(traits, old?.traits) });
      }
    } catch {
      // The disk is full, or the folder is not writable.
    }
  }

  return { compiled, begin, learn };
}

/** Size and time of the last change of a file: V8 compares no more than the length of its text. */
function stampOf(file: string): string {
  const { size, mtimeMs } = fs.statSync(file);
  return `${size} ${mtimeMs}`;
}

function readKept(file: string, stamp: string): Kept | undefined {
  let bytes: Buffer | undefined;
  try {
    // V8 does not check what it is given, and would crash.
    bytes = readTwofold(file, 2 * PART);
  } catch {
    return undefined;
  }
  if (!bytes) return undefined;
  const [layout, size, time, tag = ''] = bytes.toString('latin1', 0, PART).split(' ');
  if (layout !== LAYOUT || `${size} ${time}` !== stamp) return undefined;
  return { code: bytes.subarray(2 * PART), tag, traits: Buffer.from(bytes.subarray(PART, 2 * PART)) };
}

function withBits(bits: readonly number[], old: Buffer | undefined): Buffer {
  const traits = Buffer.alloc(PART);
  old?.copy(traits);
  for (const bit of bits) traits[bit >> 3] = (traits[bit >> 3] ?? 0) | (1 << (bit & 7));
  return traits;
}

/** Replaces a file at once: other runs read the old one or the new one. */
function keep(file: string, stamp: string, { code, tag, traits }: Kept): void {
  const header = Buffer.from(`${LAYOUT} ${stamp} ${tag} `.padEnd(PART));
  const draft = `${file}.${process.pid}.new`;
  makeDirectory(dirname(file));
  try {
    fs.writeFileSync(draft, Buffer.concat([header, traits, code, code]), { mode: 0o600 });
    fs.renameSync(draft, file);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
}

/** Makes the folder of this version; the longest unused of other versions go. */
function makeFolder(folder: string): void {
  if (!makeDirectory(folder)) return;
  const parent = dirname(folder);
  const others = fs
    .readdirSync(parent)
    .filter((name) => name !== basename(folder))
    .map((name) => ({ path: join(parent, name), time: fs.statSync(join(parent, name)).mtimeMs }))
    .sort((one, other) => other.time - one.time);
  for (const { path } of others.slice(OTHERS_KEPT)) fs.rmSync(path, { recursive: true, force: true });
}

/**
 * What tells runs apart that call different functions: the command, the names of the flags, the format. Each is one of 1024 bits;
 * no word of a command line can be read from them.
 */
function traitsOf(names: Iterable<string>, argv: readonly string[]): number[] {
  const traits: number[] = [];
  for (const name of names) if (name.startsWith('commands/')) traits.push(bitOf(name));
  let last: string | undefined;
  for (const word of argv) {
    if (word === '--') break;
    // Each regular expression would be compiled for a run that learns nothing.
    if (word.startsWith('-')) traits.push(bitOf(word.split('=', 1)[0] ?? word));
    else if (last === '-o' || last === '--output') traits.push(bitOf(word));
    last = word;
  }
  return traits;
}

function bitOf(text: string): number {
  return checksum(text) % (PART * 8);
}

function hasBit(bits: Buffer, bit: number): boolean {
  return ((bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
}

/** What compiled code belongs to: the version of V8, its flags, the processor. */
function versionTag(): string {
  return String(process.getBuiltinModule('node:v8').cachedDataVersionTag());
}
