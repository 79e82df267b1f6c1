import { FlagError } from '../../cli/flags/types.ts';
import type { Approver } from '../../config/profile.ts';
import { AbortedError, CredentialsError } from '../../errors.ts';
import { fileErrorReason } from '../../files/file-error.ts';
import { inputHint, LIMITS } from '../../files/read-file.ts';
import { readInputFile } from '../../files/read-input.ts';
import { quote } from '../../text/format.ts';
import { readPublicKeys } from '../../tokens/public-keys.ts';

/** More keys than any group of approvers has; all profiles share one file. */
const MOST_KEYS = 50;

/**
 * Reads the public keys of the file that `--approvers` names, at most 64 KiB.
 * @throws FlagError, which says why the file cannot be used; AbortedError
 */
export async function readApprovers(path: string, signal: AbortSignal): Promise<readonly Approver[]> {
  const invalid = (reason: string, hint?: string) =>
    new FlagError(`--approvers is ${quote(path)}, which cannot be used: ${reason}`, hint);
  const { text } = await readInputFile(path, { limit: LIMITS.secret, signal }).catch((error: unknown) => {
    if (error instanceof AbortedError) throw error;
    throw invalid(fileErrorReason(error), inputHint(error));
  });
  const keys = await readPublicKeys(text).catch((error: unknown) => {
    throw error instanceof CredentialsError ? invalid(error.message, error.hint) : error;
  });
  if (keys.length <= MOST_KEYS) return keys;
  throw invalid(`it has ${keys.length} keys, but a profile can have at most ${MOST_KEYS}`);
}
