import { holdsSecret } from '../../credentials/sources.ts';
import { UsageError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { argumentName, isCutList, listValues } from '../../text/format.ts';
import { suggest } from '../../text/suggest.ts';
import { flagAlone, flagWords, isLeadingFlag } from '../routing/leading-flags.ts';
import { hintForArgument, hintForFields, hintForForeignFlag } from './flag-hints.ts';

/** What oclif's parser adds to its errors. These members tell which error it is, since messages may change. */
type ParserError = Error & {
  readonly flags?: unknown;
  readonly args?: unknown;
  readonly parse?: unknown;
  readonly oclif?: unknown;
};

/** The flags of a command as far as messages need them: their values where only some are allowed. */
export type KnownFlags = Readonly<
  Record<
    string,
    {
      readonly type?: string;
      readonly char?: string | undefined;
      readonly options?: readonly string[] | undefined;
      readonly multiple?: boolean | undefined;
      readonly helpValue?: unknown;
      readonly required?: boolean | undefined;
      /** The flags without which it does nothing, and those that it rules out. */
      readonly dependsOn?: readonly string[] | undefined;
      readonly exclusive?: readonly string[] | undefined;
    }
  >
>;

/** The arguments of a run, the flags of its command, and its words, such as `buyers list`. */
export type Typed = {
  readonly argv: readonly string[];
  readonly flags: KnownFlags;
  readonly command?: string | undefined;
};

const FLAGS_HELP = 'Add --help to list the flags of this command.';

/** Turns what oclif's parser throws into a usage error of payctl; leaves every other error as it is. */
export function toUsageError(error: unknown, { argv, flags, command = '' }: Typed): unknown {
  if (error instanceof UsageError && error.message !== error.problem)
    return new UsageError(error.code, error.problem, { hint: error.hint, tryNext: error.tryNext });
  if (!isParserError(error)) return error;
  const [flag] = Array.isArray(error.flags) ? error.flags : [];
  if (typeof flag === 'string') return unknownFlag(flagAlone(flag), flags, command);
  const switched = switchWithValue(argv, flags);
  if (switched) return switched;
  const [argument] = Array.isArray(error.args) ? error.args : [];
  if (typeof argument === 'string') return unexpectedArgument(argument, argv, flags);
  const missing = nameOf(argument);
  if (missing !== undefined) return missingArgument(missing);
  const choice = invalidChoice(argv, flags);
  if (choice) return choice;
  const together = wrongTogether(argv, flags) ?? missingFlag(argv, flags);
  if (together) return together;
  return new UsageError('bad_usage', firstSentence(error.message), {
    hint: FLAGS_HELP,
  });
}

/** Whether the parser found a flag that the command does not have. */
export function isUnknownFlag(error: unknown): boolean {
  return isParserError(error) && Array.isArray(error.flags) && typeof error.flags[0] === 'string';
}

/** The number of arguments that were typed, if that number is what the parser rejects; undefined for other errors. */
export function argumentsGiven(error: unknown): number | undefined {
  if (!isParserError(error) || !Array.isArray(error.args) || !isObject(error.parse)) return undefined;
  const { output } = error.parse;
  return isObject(output) && Array.isArray(output.argv) ? output.argv.length : undefined;
}

function isParserError(error: unknown): error is ParserError {
  return error instanceof Error && 'oclif' in error;
}

function unknownFlag(flag: string, flags: KnownFlags, command: string): UsageError {
  // Alone it is never parsed.
  if (flag === '--help') return takesNoValue('help');
  const suggestion = suggest(
    flag,
    Object.keys(flags).map((name) => `--${name}`),
  );
  const isPageSize = flag === '--limit' && 'max-items' in flags;
  const meant = isPageSize
    ? pageSizeHint(flags)
    : (hintForForeignFlag(flag, flags, command) ??
      (suggestion ? `Did you mean ${suggestion}?` : (memberHint(flag, flags) ?? FLAGS_HELP)));
  return new UsageError('unknown_flag', `Unknown flag ${flag}`, {
    hint: isLeadingFlag(flag)
      ? 'This command does not use it: remove it. In an alias, put it before the command, where every command accepts it.'
      : meant,
  });
}

/** Imported lists call the size of a page by their own names; others have none. */
function pageSizeHint(flags: KnownFlags): string {
  const size = Object.keys(flags).find((name) => /^(page-size|per-page|max-results)$/.test(name));
  return size === undefined
    ? 'The service sets the page size of this list. Use --max-items N to list the first N items.'
    : `Use --max-items N to list the first N items; --${size} sets the page size.`;
}

/** A command with --field has a flag for no member of its body. */
function memberHint(flag: string, flags: KnownFlags): string | undefined {
  if (!Object.hasOwn(flags, 'field') || !/^--[a-z]/i.test(flag)) return undefined;
  const member = flag.slice(2).replaceAll('-', '_');
  return `To set a field of the body, use -F ${member}=VALUE. --help lists the flags and fields.`;
}

/** The name of an argument as oclif declares it. */
function nameOf(argument: unknown): string | undefined {
  return isObject(argument) && typeof argument.name === 'string' ? argumentName(argument.name) : undefined;
}

function missingArgument(name: string): UsageError {
  return new UsageError('missing_argument', `Missing argument ${name}`, {
    hint: `Put ${name} after the command; --help describes it.`,
  });
}

const SECRETS_HELP =
  'Other processes on this machine can read arguments. Pass secrets on standard input or in environment variables.';

export const ARGUMENT_HELP = 'Quote values that contain spaces. Add --help to see what this command takes.';

/** After a switch that reads a secret from standard input, an argument is most likely that secret. */
function takesSecret(flags: KnownFlags): boolean {
  return 'with-token' in flags || 'with-key' in flags;
}

/** One long word of letters and digits, as tokens of any make are, and not the id of a record. */
const MAY_BE_SECRET = /^(?=.*\d)(?!.*[/. ])(?![0-9a-f]{8}-[0-9a-f-]{27}$)\S{16,}$|^(sk|pk|rk|key|token)_/i;

function mayBeSecret(text: string): boolean {
  return holdsSecret(text) || MAY_BE_SECRET.test(text);
}

function unexpectedArgument(argument: string, argv: readonly string[], flags: KnownFlags): UsageError {
  if (holdsSecret(argument) || (!takesSecret(flags) && MAY_BE_SECRET.test(argument))) {
    return new UsageError('unexpected_argument', 'Unexpected argument that looks like a secret', {
      hint: SECRETS_HELP,
    });
  }
  if (takesSecret(flags)) {
    return new UsageError('unexpected_argument', 'Unexpected argument', { hint: SECRETS_HELP });
  }
  return new UsageError('unexpected_argument', `Unexpected argument ${JSON.stringify(argument)}`, {
    hint: hintForArgument(argument, argv, flags) ?? ARGUMENT_HELP,
  });
}

/** oclif takes the value of `--switch=value` for an argument. It is not shown: after `--with-token=` it is the token. */
function switchWithValue(argv: readonly string[], flags: KnownFlags): UsageError | undefined {
  const switches = Object.entries(flags).filter(([, { type }]) => type === 'boolean');
  const [given] = argv.flatMap((word) =>
    switches.flatMap(([name]) =>
      word.startsWith(`--${name}=`) ? [{ name, value: word.slice(name.length + 3) }] : [],
    ),
  );
  if (!given) return undefined;
  const { name, value } = given;
  const fields = mayBeSecret(value) ? undefined : hintForFields(name, value, flags);
  return takesNoValue(name, fields);
}

function takesNoValue(name: string, hint?: string): UsageError {
  return new UsageError('bad_flag', `--${name} takes no value`, {
    hint: hint ?? `Use --${name} without a value, or remove it.`,
  });
}

/** Whether the arguments contain a flag, with or without a value. */
function flagFinder(argv: readonly string[], flags: KnownFlags): (name: string) => boolean {
  const words = flagWords(argv);
  return (name) => {
    const char = flags[name]?.char;
    return words.some(
      (word) =>
        word === `--${name}` || word.startsWith(`--${name}=`) || (char && word.startsWith(`-${char}`)),
    );
  };
}

/** Finds a required flag that was not given. */
function missingFlag(argv: readonly string[], flags: KnownFlags): UsageError | undefined {
  const isGiven = flagFinder(argv, flags);
  const [missing] = Object.entries(flags).filter(([name, { required }]) => required && !isGiven(name));
  if (!missing) return undefined;
  const [name, { helpValue }] = missing;
  const usage = typeof helpValue === 'string' ? `--${name} ${helpValue}` : `--${name}`;
  return new UsageError('bad_flag', `Missing ${usage}`, { hint: `Add ${usage}; --help describes it.` });
}

/** Finds a flag without the one that it needs, or with one that it rules out. */
function wrongTogether(argv: readonly string[], flags: KnownFlags): UsageError | undefined {
  const isGiven = flagFinder(argv, flags);
  for (const [name, { dependsOn = [], exclusive = [] }] of Object.entries(flags)) {
    if (!isGiven(name)) continue;
    const needed = dependsOn.find((other) => !isGiven(other));
    if (needed !== undefined)
      return new UsageError('bad_flag', `--${name} needs --${needed}`, {
        hint: `Add --${needed}, or remove --${name}.`,
      });
    const other = exclusive.find(isGiven);
    if (other !== undefined)
      return new UsageError('bad_flag', `--${name} and --${other} cannot be used together`, {
        hint: 'Remove one of them.',
      });
  }
  return undefined;
}

/** Finds the value that its flag does not allow, by reading the arguments again. */
function invalidChoice(argv: readonly string[], flags: KnownFlags): UsageError | undefined {
  for (const [name, { char, options, multiple }] of Object.entries(flags)) {
    if (!options) continue;
    for (const [index, word] of argv.entries()) {
      const value = givenValue(word, argv[index + 1], { name, char });
      if (value === undefined || options.includes(value)) continue;
      const suggestion = value === 'jsonl' ? 'ndjson' : suggest(value, options);
      // The value is a file or a directory to write to.
      const own =
        name === 'output' && ['to', 'out'].find((other) => other in flags && suggestion === undefined);
      const repeated = hintForList(name, value, { options, multiple });
      return new UsageError('bad_flag', `--${name} cannot be ${JSON.stringify(value)}`, {
        hint:
          repeated ??
          (own ? `Did you mean --${own}? -o sets the output format.` : undefined) ??
          `${suggestion ? `Did you mean ${suggestion}? ` : ''}Use one of ${listValues(options)}${isCutList(options) ? '; --help lists all of them' : ''}.`,
      });
    }
  }
  return undefined;
}

/** The hint for allowed values that the user joined with commas. */
function hintForList(
  name: string,
  value: string,
  { options, multiple }: { readonly options: readonly string[]; readonly multiple: boolean | undefined },
): string | undefined {
  const values = value.split(',').map((one) => one.trim());
  if (values.length < 2 || !values.every((one) => options.includes(one))) return undefined;
  if (!multiple) return `The flag takes one value: use one of ${listValues(values)}.`;
  return `Repeat the flag for each value: ${values.map((one) => `--${name} ${one}`).join(' ')}`;
}

function givenValue(
  word: string,
  next: string | undefined,
  { name, char }: { name: string; char: string | undefined },
): string | undefined {
  if (word === `--${name}` || (char && word === `-${char}`)) return next;
  if (word.startsWith(`--${name}=`)) return word.slice(name.length + 3);
  return char && word.startsWith(`-${char}`) ? word.slice(2).replace(/^=/, '') : undefined;
}

/** oclif ends its messages with a reference to --help, and spreads them over lines. */
function firstSentence(message: string): string {
  const lines = message.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('See more help')).join(' ');
}
