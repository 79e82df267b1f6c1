import { InputError } from '../../files/read-file.ts';

/**
 * The UTF-8 text of a log, without a byte order mark, from bytes that may be compressed (gzip, zstd) and may be UTF-16: their first bytes
 * tell. Pieces are valid until the next one is asked for, and memory does not grow with what they expand to.
 * @throws InputError `damaged` for compressed data that is cut off or damaged, `packed` for other archives; what the input throws
 */
export async function* decodeLog(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const packed = await withHead(input);
  const isFormat = ({ magic }: { readonly magic: readonly number[] }) => beginsWith(packed.head, magic);
  const format = COMPRESSED.find(isFormat);
  const archive = format?.name === 'zstd' && losesZstd() ? ZSTD : ARCHIVES.find(isFormat);
  if (archive) {
    const hint = `Unpack it first: ${archive.unpack} FILE | payctl api-logs list --file -`;
    throw new InputError('packed', `it is ${archive.name}`, hint);
  }
  const { head, pieces } = format ? await withHead(decompress(packed.pieces, format)) : packed;
  const [, encoding] = UTF16_MARKS.find(([mark]) => beginsWith(head, mark)) ?? [];
  yield* encoding === undefined ? pieces : decode(pieces, new TextDecoder(encoding));
}

type Format = { readonly name: string; readonly magic: readonly number[]; readonly open: () => Decompressor };
type Decompressor = NodeJS.ReadWriteStream & AsyncIterable<Uint8Array> & { readonly bytesWritten: number };

const zlib = () => process.getBuiltinModule('node:zlib');

const openZstd = () => zlib().createZstdDecompress();

/** The first bytes of a zstd frame that holds data, and of the sixteen kinds that readers skip (RFC 8878). */
const ZSTD_FRAMES = [
  [0x28, 0xb5, 0x2f, 0xfd],
  ...Array.from({ length: 16 }, (_, kind) => [0x50 + kind, 0x2a, 0x4d, 0x18]),
];

const COMPRESSED: readonly Format[] = [
  { name: 'gzip', magic: [0x1f, 0x8b], open: () => zlib().createGunzip() },
  ...ZSTD_FRAMES.map((magic) => ({ name: 'zstd', magic, open: openZstd })),
];

/** Formats that cannot be read, and the command that unpacks them. */
const ARCHIVES = [
  { name: 'a zip archive', magic: [0x50, 0x4b, 0x03, 0x04], unpack: 'unzip -p' },
  { name: 'compressed with xz', magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a], unpack: 'xz -dc' },
  { name: 'compressed with bzip2', magic: [0x42, 0x5a, 0x68], unpack: 'bzip2 -dc' },
];

const ZSTD = { name: 'compressed with zstd', unpack: 'zstd -dc' };

/** Whether this Node decompresses zstd in part without an error: older ones stop after the first frame, and where it is cut off. */
function losesZstd(): boolean {
  const frame = zlib().zstdCompressSync('');
  try {
    zlib().zstdDecompressSync(Buffer.concat([frame, frame.subarray(0, -1)]));
    return true;
  } catch {
    return false;
  }
}

/** Byte order marks. */
const UTF8_MARK = [0xef, 0xbb, 0xbf];
const UTF16_MARKS = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
] as const;

/** The number of bytes that are enough to recognise an input. */
const HEAD = 5;

type Begun = { readonly head: Buffer; readonly pieces: AsyncIterable<Uint8Array> };

/** The beginning of an input, and all of its pieces without the byte order mark of UTF-8. */
async function withHead(input: AsyncIterable<Uint8Array>): Promise<Begun> {
  const iterator = input[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < HEAD) {
    const { done, value } = await iterator.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const pieces = async function* () {
    try {
      yield beginsWith(head, UTF8_MARK) ? head.subarray(UTF8_MARK.length) : head;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  };
  return { head, pieces: pieces() };
}

function beginsWith(head: Buffer, magic: readonly number[]): boolean {
  return magic.every((byte, index) => head[index] === byte);
}

async function* decompress(
  pieces: AsyncIterable<Uint8Array>,
  { name, open }: Format,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { pipeline, Readable } = process.getBuiltinModule('node:stream');
  const stream = open();
  const given = { bytes: 0, name };
  // Its error also ends the loop below.
  pipeline(Readable.from(copies(pieces, given)), stream, () => {});
  let state = 'damaged';
  try {
    yield* stream;
    // Node leaves bytes that follow the end of a member or frame unread, and reports no error.
    if (stream.bytesWritten === given.bytes) return;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!/^(Z_|ZSTD_|ERR_ZSTD)/.test(code)) throw error;
    if (code === 'Z_BUF_ERROR') state = 'cut off';
  }
  throw new InputError('damaged', `its ${name} data is ${state}`, 'Copy or download the file again.');
}

/** Fewer bytes than a zstd frame begins with: Node takes them for a frame, and does not report that it is cut off. */
const BEGUN = 3;
/** Bytes that begin no frame; behind the beginning of one they make Node leave it unread. */
const NO_FRAME = Buffer.alloc(4, 0xff);

/** Copies the pieces, because a stream reads ahead and their bytes change when the next one is read, and counts their bytes. */
async function* copies(
  pieces: AsyncIterable<Uint8Array>,
  given: { bytes: number; readonly name: string },
): AsyncGenerator<Buffer, void, undefined> {
  let held = Buffer.alloc(0);
  for await (const piece of pieces) {
    given.bytes += piece.length;
    const bytes = Buffer.concat([held, piece]);
    const end = Math.max(0, bytes.length - BEGUN);
    held = bytes.subarray(end);
    yield bytes.subarray(0, end);
  }
  yield given.name === 'zstd' && endsWithBegunFrame(held) ? Buffer.concat([held, NO_FRAME]) : held;
}

function endsWithBegunFrame(end: Buffer): boolean {
  return ZSTD_FRAMES.some((magic) =>
    [1, 2, BEGUN].some(
      (length) => end.length >= length && beginsWith(end.subarray(-length), magic.slice(0, length)),
    ),
  );
}

async function* decode(
  pieces: AsyncIterable<Uint8Array>,
  decoder: TextDecoder,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) yield Buffer.from(decoder.decode(piece, { stream: true }));
  yield Buffer.from(decoder.decode());
}
