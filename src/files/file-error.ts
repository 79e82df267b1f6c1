const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EEXIST: 'something else has this name',
  ENOTDIR: 'part of the path is not a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'it is a loop of symbolic links',
  ENAMETOOLONG: 'the path is too long',
  ENXIO: 'it is a socket, not a file',
  EBUSY: 'another program has it open',
  EISDIR: 'it is a directory',
  ERR_FS_EISDIR: 'it is a directory',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EFBIG: 'the file would be too large',
  EIO: 'the device reports an error',
  EBADF: 'it is closed',
};

/** The code of all errors of SQLite, whose messages say what is wrong. */
const SQLITE = 'ERR_SQLITE_ERROR';

/** Why a file could not be read or written, as half a sentence: in words, else the code of the system, else the message. */
export function fileErrorReason(error: unknown): string {
  const code = fileErrorCode(error);
  if (code !== undefined && code !== SQLITE) return REASONS[code] ?? code;
  return error instanceof Error ? error.message : 'the reason is unknown';
}

/** The code of an error of the system, such as `ENOENT`. */
export function fileErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
