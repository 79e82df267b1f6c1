import { OUTPUT_FORMATS } from '../../output/formats.ts';
import { commandInShell, inShell, shellQuote } from '../../text/shell.ts';

/** The flags of a command, by their names. */
type Flags = Readonly<Record<string, { readonly helpValue?: unknown; readonly hidden?: unknown }>>;

/** The hint for a flag as other programs call it: the one of this command that does the same. */
export function hintForForeignFlag(flag: string, flags: Flags, command: string): string | undefined {
  const has = (name: string) => Object.hasOwn(flags, name);
  const name = flag.replace(/^--?/, '');
  if (SECRET_FLAGS.has(name)) return secretHint(name, flags);
  if (flag === '-f' && has('field')) return 'Did you mean -F PATH=VALUE, which sets a field of the body?';
  if (flag === '-d' && has('data')) return inShell(DATA);
  if (has('output') && OUTPUT_FORMATS.some((format) => format === name)) return `Did you mean -o ${name}?`;
  const ending = START_FLAGS.has(name) ? STARTS : END_FLAGS.has(name) ? ENDS : undefined;
  const time = ending && timeFlag(Object.keys(flags), ending);
  const example = TIME_EXAMPLES[String(time && flags[time]?.helpValue)];
  if (time) return `Did you mean --${time}?${example ? ` For example: --${time} ${example}` : ''}`;
  const beginning = hintForBeginning(name, flags);
  if (beginning !== undefined) return beginning;
  const isNamed = ([names]: readonly [names: string, ...unknown[]]) => names.split(' ').includes(name);
  const [, ofCommand] = FLAGS_OF_COMMANDS[command]?.find(isNamed) ?? [];
  if (ofCommand !== undefined) return inShell(ofCommand);
  const [, own, hint] = FOREIGN_FLAGS.find((entry) => isNamed(entry) && has(entry[1])) ?? [];
  return own === undefined ? undefined : inShell(hint ?? `Did you mean --${own}?`);
}

const DATA = "Did you mean --data '{...}', --data @FILE or --data -?";

type CommandHints = readonly (readonly [names: string, hint: string])[];

const OF_APPLY: CommandHints = [
  ['resume continue', 'To continue an interrupted plan, repeat the command without this flag.'],
  ['dry-run dryrun simulate', 'To see what a plan sends: payctl bulk rows PLAN'],
];
const OF_TAIL: CommandHints = [['follow f', 'This command already follows the log; remove this flag.']];
const OF_LOGS: CommandHints = [['follow f tail', 'Did you mean: payctl api-logs tail']];

/** Flags of other programs that mean something of these commands alone. */
const FLAGS_OF_COMMANDS: Readonly<Record<string, CommandHints>> = {
  'api-logs list': OF_LOGS,
  'api-logs report': OF_LOGS,
  'api-logs summary': OF_LOGS,
  'api-logs tail': OF_TAIL,
  'audit-logs tail': OF_TAIL,
  'bulk apply': OF_APPLY,
  'bulk run': OF_APPLY,
  'emulator start': [
    ['p', 'Did you mean --port?'],
    ['host bind address', 'The emulator listens on 127.0.0.1 only.'],
    ['d detach daemon background', 'To run it in the background: payctl emulator start &'],
  ],
  'profiles set': [['url endpoint', 'Did you mean --base-url?']],
  'webhooks trigger': [
    ['event type name', 'The event is an argument: payctl webhooks trigger buyer.updated'],
  ],
};

/** Flags of other programs, the flag of payctl that they mean, which the command has to have, and the hint if it says more. */
const FOREIGN_FLAGS: readonly (readonly [names: string, own: string, hint?: string])[] = [
  ['path dir directory out out-dir output-dir dest target folder url endpoint forward-to', 'to'],
  ['file input csv i', 'from'],
  ['type file-format', 'format'],
  ['interval', 'every'],
  ['parallel workers jobs threads j', 'concurrency'],
  ['status-code code-status http-status filter-status', 'status'],
  ['http-method http-methods verb', 'method'],
  ['endpoint url uri route request-path', 'path'],
  ['query email name q text', 'search'],
  ['token-file', 'with-token', 'A token is read from standard input: payctl auth login --with-token < FILE'],
  ['token-file', 'verbose', 'Set PAYCTL_TOKEN_FILE to the path of the file.'],
  ['format fmt output-format', 'output', `Did you mean -o? It takes ${OUTPUT_FORMATS.join(', ')}.`],
  ['fields select', 'columns', 'Did you mean --columns? Without a value, it lists the fields.'],
  ['follow f w', 'watch'],
  ['follow f watch w', 'verbose', 'Logs can be followed: payctl api-logs tail'],
  ['web browser', 'verbose', 'payctl opens no browser. To see every field, add -o detail.'],
  [
    'filter query where',
    'jq',
    "Filters have a flag each; --help lists them. Others take jq: --jq '.items[].id'",
  ],
  [
    'raw raw-output r',
    'jq',
    '--jq prints strings without quotation marks. For the response as it came, use -o json.',
  ],
  ['template', 'jq', "Did you mean --jq? For example: --jq '.items[].id'"],
  ['sort-by order order-by', 'sort'],
  ['reverse desc descending', 'sort', 'Did you mean --sort -COLUMN?'],
  [
    'sort sort-by order order-by',
    'jq',
    "The service decides the order. To sort: --all --jq '.items | sort_by(.id)'",
  ],
  ['no-cli-pager', 'no-pager'],
  ['paginate all-pages', 'all'],
  [
    'page page-token start-after starting-after',
    'cursor',
    'Did you mean --cursor? A list that has more pages prints it.',
  ],
  ['page-size per-page size', 'limit'],
  ['max max-results max-count count first top number n L', 'max-items'],
  ['H', 'header'],
  [
    'region',
    'base-url',
    'payctl has no regions. Choose the service with --profile, --base-url or --instance.',
  ],
  ['env environment context', 'profile'],
  ['account merchant', 'merchant-account'],
  ['debug trace', 'verbose'],
  ['silent', 'quiet'],
  ['non-interactive batch no-prompt no-interactive', 'no-input'],
  ['force assume-yes', 'yes'],
  ['body payload input request-body', 'data', DATA],
  ['dryrun plan simulate', 'dry-run'],
  ['colour color', 'no-color', 'Colour is used on terminals only. To turn it off, use --no-color.'],
  [
    'insecure k no-verify no-verify-ssl skip-tls-verify',
    'verbose',
    'Certificates are always checked. To trust another authority: payctl profiles set NAME --ca-file FILE',
  ],
];

/** The hint for a flag that is the first word of others: the object whose fields have a flag each. */
function hintForBeginning(name: string, flags: Flags): string | undefined {
  const longer = Object.keys(flags).filter((one) => one.startsWith(`${name}-`) && !flags[one]?.hidden);
  if (longer.length === 0 || longer.length > MOST_NAMED) return undefined;
  const [last = '', ...others] = longer.map((one) => `--${one}`).toReversed();
  return `Did you mean ${others.length === 0 ? '' : `${others.toReversed().join(', ')} or `}${last}?`;
}

/** More flags than this are left to the help. */
const MOST_NAMED = 6;

/** A value of a flag, by what its help calls the value. A number may count seconds or milliseconds. */
const TIME_EXAMPLES: Readonly<Record<string, string>> = { TIME: '1h', DATE: '7d' };

/** The hint for a flag that would take a secret: no flag does. */
function secretHint(name: string, flags: Flags): string {
  const why = 'No flag takes a secret, because other processes can read arguments.';
  if (!Object.hasOwn(flags, 'with-token')) {
    return `${why} Set PAYCTL_TOKEN or PAYCTL_PRIVATE_KEY, or store it once: payctl auth login`;
  }
  const isKey = KEY_FLAGS.has(name);
  const command = commandInShell(`payctl auth login --with-${isKey ? 'key' : 'token'} < FILE`);
  return `${why} Pass it on standard input: ${command}${isKey ? ', or leave it in its file: --key-file FILE' : ''}`;
}

const KEY_FLAGS: ReadonlySet<string> = new Set(['key', 'private-key', 'secret-key', 'pem']);
const SECRET_FLAGS: ReadonlySet<string> = new Set([
  ...KEY_FLAGS,
  'token',
  'access-token',
  'bearer',
  'bearer-token',
  'jwt',
  'api-key',
  'api-token',
  'apikey',
  'secret',
  'password',
]);

/** The hint for an argument that is the value of a flag; undefined where it is of none. */
export function hintForArgument(argument: string, argv: readonly string[], flags: Flags): string | undefined {
  const before = argv[argv.indexOf(argument) - 1];
  if (before === '-q' && argument.startsWith('.') && Object.hasOwn(flags, 'jq'))
    return `Did you mean --jq ${shellQuote(argument)}? -q is --quiet.`;
  if (before === '--json' && Object.hasOwn(flags, 'columns') && FIELDS.test(argument))
    return `--json takes no value. To choose fields, add --columns ${argument}`;
  const isGiven = argv.some((word) => /^--search(?:=|$)/.test(word));
  if (isGiven || !Object.hasOwn(flags, 'search')) return undefined;
  return `To search, use --search ${shellQuote(argument)}`;
}

/** The hint for `--json=id,name`, as gh chooses fields; undefined for any other switch with a value. */
export function hintForFields(name: string, value: string, flags: Flags): string | undefined {
  if (name !== 'json' || !Object.hasOwn(flags, 'columns') || !FIELDS.test(value)) return undefined;
  return `To choose fields, use -o json --columns ${value}`;
}

const FIELDS = /^[a-z]\w*(?:[.,]\w+)*$/i;
const START_FLAGS: ReadonlySet<string> = new Set(['since', 'from', 'after', 'start']);
const END_FLAGS: ReadonlySet<string> = new Set(['until', 'to', 'before', 'end']);
const STARTS = /-(?:at|date|time|on)-(?:gte|gt|from|after|since|min)$/;
const ENDS = /-(?:at|date|time|on)-(?:lte|lt|to|before|until|max)$/;

/** When a record was made comes before all other times of it. */
function timeFlag(names: readonly string[], ending: RegExp): string | undefined {
  const found = names.filter((name) => ending.test(`-${name}`));
  return found.find((name) => name.startsWith('created')) ?? found[0];
}
