import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** A file of an archive. */
export type Entry = {
  /** With slashes, relative. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Whether it is a program. */
  readonly runs?: boolean;
};

const BLOCK = 512;
/** 1 January 1980: a zip can name no earlier day, and archives of Debian packages refuse files of before 1975. */
const TIME = 315_532_800;
/** The longest path that fits into the header as it is. */
const LONGEST_PATH = 100;

/**
 * The files as tar.gz, `quickly` where its size does not matter. Every one belongs to root and has the same time, so that the same files give the same bytes.
 * @throws Error for a path of more than 100 bytes
 */
export function tarGz(entries: readonly Entry[], { quickly = false } = {}): Buffer {
  const blocks = withFolders(entries).flatMap((entry) => {
    const { bytes } = entry;
    return [tarHeader(entry), bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: quickly ? 1 : 9 });
}

/** Each folder before its contents, as dpkg requires. */
function withFolders(entries: readonly Entry[]): readonly Entry[] {
  const folders = new Set<string>();
  for (const { path } of entries) {
    const parts = path.split('/').slice(0, -1);
    for (let length = 1; length <= parts.length; length += 1)
      folders.add(`${parts.slice(0, length).join('/')}/`);
  }
  const named = [...folders]
    .filter((path) => path !== './')
    .map((path) => ({ path, bytes: Buffer.alloc(0) }));
  return [...named, ...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function tarHeader({ path, bytes, runs }: Entry): Buffer {
  if (Buffer.byteLength(path) > LONGEST_PATH) throw new Error(`${path} is too long for the archive`);
  const isFolder = path.endsWith('/');
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  header.write(path, 0);
  header.write(octal(isFolder || runs ? 0o755 : 0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(bytes.length, 12), 124);
  header.write(octal(TIME, 12), 136);
  header.write(' '.repeat(8), 148);
  header.write(isFolder ? '5' : '0', 156);
  header.write('ustar\x0000', 257);
  header.write('root', 265);
  header.write('root', 297);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** `TIME`, as a zip writes it. */
const ZIP_TIME = 0x0021_0000;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
const MADE_ON_UNIX = 0x0314;

/** The files as zip, which Windows opens without another program. */
export function zip(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes, runs } of entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(bytes, { level: 9 });
    const facts = zipFacts(name, bytes, packed.length);
    const local = Buffer.concat([uint32(0x0403_4b50), facts, uint16(0), name, packed]);
    const mode = (runs ? 0o100755 : 0o100644) * 0x1_0000;
    directory.push(
      Buffer.concat([uint32(0x0201_4b50), uint16(MADE_ON_UNIX), facts]),
      Buffer.concat([uint16(0), uint16(0), uint16(0), uint16(0), uint32(mode), uint32(offset), name]),
    );
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const count = uint16(entries.length);
  const end = [uint32(0x0605_4b50), uint32(0), count, count, uint32(list.length), uint32(offset), uint16(0)];
  return Buffer.concat([...parts, list, ...end]);
}

/** The fields that the header of a file and the directory of the archive share. */
function zipFacts(name: Buffer, bytes: Uint8Array, packed: number): Buffer {
  return Buffer.concat([
    uint16(20),
    uint16(UTF8_NAMES),
    uint16(DEFLATED),
    uint32(ZIP_TIME),
    uint32(crc32(bytes)),
    uint32(packed),
    uint32(bytes.length),
    uint16(name.length),
  ]);
}

/**
 * Files as `ar` packs them, which is what a .deb is; each path is a name of at most 16 bytes.
 */
export function ar(entries: readonly Entry[]): Buffer {
  const parts = entries.flatMap(({ path, bytes }) => {
    const fields = [
      path.padEnd(16),
      String(TIME).padEnd(12),
      '0'.padEnd(6),
      '0'.padEnd(6),
      '100644'.padEnd(8),
    ];
    const header = `${fields.join('')}${String(bytes.length).padEnd(10)}\`\n`;
    return [Buffer.from(header), bytes, Buffer.from(bytes.length % 2 === 1 ? '\n' : '')];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
