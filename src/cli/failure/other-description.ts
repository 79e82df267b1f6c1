import { ApiError } from '../../client/errors.ts';
import { emulatorDirectory } from '../../config/environment.ts';
import { usesEmulator } from '../../config/settings.ts';
import { operations } from '../../contract/generated/operations.ts';
import { PayctlError } from '../../errors.ts';
import { quote } from '../../text/format.ts';
import type { Runtime } from '../runtime.ts';
import { descriptionInUse } from '../session/description-in-use.ts';
import { servedByRunning } from '../session/emulator-profile.ts';
import type { Session } from '../session/session.ts';

/**
 * Why the running emulator does not know what a command asked for: it serves another API description than the one that the
 * command is of. Undefined for every other failure.
 */
export async function otherDescription(
  error: unknown,
  session: Session | undefined,
  { environment, signal }: Runtime,
): Promise<string | undefined> {
  if (!session || !usesEmulator(session.settings) || !isUnknownToEmulator(error)) return undefined;
  try {
    const used = await descriptionInUse({ environment, profile: 'emulator', signal });
    const served = used && (await servedByRunning(emulatorDirectory(environment)));
    if (!used || !served) return undefined;
    const { title, version, operations: own } = used.index;
    const { description } = served;
    if (!description) return `the running emulator serves no API description, and not ${quote(title)}`;
    if (description.title !== title)
      return `the running emulator serves ${quote(description.title)}, and not ${quote(title)}`;
    const isSame = description.version === version && description.operations === own.length;
    return isSame
      ? undefined
      : `the running emulator serves another version of ${quote(title)}: ${description.version} (${description.file})`;
  } catch (failure) {
    // What cannot be read explains nothing; the failure of the command itself is reported.
    if (failure instanceof PayctlError) return undefined;
    throw failure;
  }
}

/** Whether it is a 404 for an operation that is none of payctl's own contract, all of which every emulator serves. */
function isUnknownToEmulator(error: unknown): boolean {
  const failed = error instanceof Error && error.cause instanceof ApiError ? error.cause : error;
  if (!(failed instanceof ApiError) || failed.status !== 404) return false;
  const [path = ''] = failed.request.path.split('?');
  return !Object.values(operations).some(
    (operation) =>
      operation.method === failed.request.method &&
      new RegExp(`^${operation.path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`).test(path),
  );
}
