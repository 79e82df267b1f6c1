import type { Runtime } from '../../cli/runtime.ts';
import { readSecretFile, requireSecretSize } from '../../credentials/read.ts';
import { holdsSecret } from '../../credentials/sources.ts';
import { UsageError } from '../../errors.ts';
import { formatLimit, LIMITS } from '../../files/read-file.ts';
import { unreadableInput } from '../../files/read-input.ts';
import { quote } from '../../text/format.ts';
import { bareToken } from '../../tokens/claims.ts';

/**
 * Refuses a command line that contains a token. It has to happen before the command line is parsed, since messages of the
 * parser show what they refuse.
 * @throws UsageError `token_as_argument`, which shows nothing of it
 */
export function refuseTokenArguments(argv: readonly string[]): void {
  if (!argv.some(holdsToken)) return;
  throw new UsageError(
    'token_as_argument',
    'The command line contains a token instead of the path of a file',
    {
      hint: 'Every process on this machine can read arguments: pass the token in a file or on standard input.',
    },
  );
}

/**
 * Reads a token from a file, else from standard input; a person at a terminal is asked for it, without echo. Gives it bare.
 * @throws UsageError `unreadable_file`
 */
export async function readTokenInput(file: string | undefined, runtime: Runtime): Promise<string> {
  if (file !== undefined && file !== '-') return bareToken(await readFile(file, runtime.signal));
  const person = file === undefined ? await runtime.prompter() : undefined;
  const text = person ? await person.askSecret('Token') : await readSecretInput(runtime);
  requireSecretSize(text, 'The token');
  return bareToken(text);
}

/** Reads a token or a key from standard input to its end. @throws UsageError `unreadable_file`; AbortedError */
export async function readSecretInput(runtime: Runtime): Promise<string> {
  try {
    return await runtime.readStdin(LIMITS.secret);
  } catch (error) {
    throw unreadableInput('Standard input cannot be read', error);
  }
}

function holdsToken(argument: string): boolean {
  return holdsSecret(argument) || /^\s*(authorization:|bearer\b)/i.test(argument) || JWT.test(argument);
}

/** The header of a JWT begins with base64url of `{"`, or of `{` with a blank or a line end. */
const JWT = /(eyJ|eyA|ewog|ewoJ|ew0K)[\w-]{8,}\.[\w-]{2,}\./;

async function readFile(path: string, signal: AbortSignal): Promise<string> {
  try {
    return (await readSecretFile(path, signal)).text;
  } catch (error) {
    const hint = `Use a file of at most ${formatLimit(LIMITS.secret)} that you have permission to read, or pass the token on standard input.`;
    throw unreadableInput(`The file ${quote(path)} cannot be read`, error, hint);
  }
}
