/** A part that is not what a writer of parts writes. The message is a sentence about the file, without its full stop. */
export class DamagedPart extends Error {
  override readonly name = 'DamagedPart';
}

/** Bytes of the longest record, and of the longest line, that is read. */
export const LONGEST = 2 ** 28;

/** Records that are read at a time. */
export const MOST_RECORDS = 512;
