import { HELP_TOPICS } from '../../src/cli/routing/catalog/help-topics.ts';
import { flagRows, section } from '../../src/cli/routing/help/command-page.ts';
import type { FlagHelp } from '../../src/cli/routing/help/describe-command.ts';
import type { Block, Page, Row, Section } from '../../src/cli/routing/help/page.ts';
import { EXIT_CODES, formats, SETTINGS, variables } from '../../src/cli/routing/help/reference.ts';
import { agentSections } from './agents-page.ts';
import type { CommandTree } from './tree.ts';

/** The pages of `payctl help TOPIC`, by the name of the topic. */
export function topicPages(tree: CommandTree): readonly Page[] {
  const sections: Readonly<Record<keyof typeof HELP_TOPICS, readonly Section[]>> = {
    agents: agentSections(),
    environment: environmentSections(tree),
    'exit-codes': exitCodeSections(),
    flags: flagSections(tree),
    formats: formatSections(),
    money: moneySections(),
    settings: settingSections(),
    times: timeSections(),
  };
  return Object.entries(HELP_TOPICS).map(([name, summary]) => ({
    name,
    summary,
    sections: sections[name as keyof typeof HELP_TOPICS],
  }));
}

function paragraphs(...texts: readonly string[]): Section {
  return { heading: '', blocks: texts.map((text): Block => ({ kind: 'text', text })) };
}

function environmentSections({ commands }: CommandTree): readonly Section[] {
  const flags = new Map(
    commands.flatMap((command) => command.flags.map(({ name, environment }) => [environment, name] as const)),
  );
  const rows = variables().map(([name, summary]): Row => {
    const flag = flags.get(name);
    return [name, flag ? `${summary} Flag: ${flag}.` : summary];
  });
  return [
    paragraphs(
      'An empty variable is ignored. Flags, and the settings of a profile that --profile names, take precedence over variables; variables take precedence over the active profile.',
    ),
    section('VARIABLES', rows),
    paragraphs(
      'Secrets belong in variables, files or profiles, never in flags: other processes on the machine can read the arguments of a command.',
    ),
  ];
}

function exitCodeSections(): readonly Section[] {
  return [
    paragraphs(
      'An exit code other than 0 comes with an error on stderr, as text or, with -o json or ndjson, as JSON.',
    ),
    section(
      'EXIT CODES',
      EXIT_CODES.map(([code, meaning]): Row => [String(code), meaning]),
    ),
  ];
}

/** Titles of the groups of flags, in the order in which the topic lists them. */
const GROUP_TITLES: Readonly<Record<string, string>> = {
  GLOBAL: 'SHARED FLAGS',
  OUTPUT: 'FLAGS OF COMMANDS THAT SHOW DATA',
  PAGING: 'FLAGS OF LISTS',
};
/** The flags of `bodyFlags`; the others of their group are fields of a body. */
const WRITE_FLAGS = new Set(['--data', '--example', '--dry-run', '--yes']);

function flagSections({ commands }: CommandTree): readonly Section[] {
  const flags = commands
    .toSorted((first, second) => second.flags.length - first.flags.length)
    .flatMap((command) => command.flags);
  const groups = Object.entries(GROUP_TITLES).map(([group, title]) =>
    section(title, flagRows(mostCommon(flags.filter((flag) => flag.group === group)))),
  );
  const writing = mostCommon(flags.filter(({ group, name }) => group === 'BODY' && WRITE_FLAGS.has(name)));
  return [
    paragraphs('Shared flags can also come before the command: payctl --profile acme buyers list.'),
    ...groups,
    section('FLAGS OF COMMANDS THAT SEND DATA', flagRows(writing)),
  ];
}

/** Each flag once; where commands describe one differently, as most of them do. */
function mostCommon(flags: readonly FlagHelp[]): FlagHelp[] {
  return [...Map.groupBy(flags, ({ name }) => name).values()].map((same) => {
    const bySummary = [...Map.groupBy(same, ({ summary }) => summary).values()];
    const [most = []] = bySummary.sort((first, second) => second.length - first.length);
    return most[0] as FlagHelp;
  });
}

function formatSections(): readonly Section[] {
  return [
    paragraphs(
      'Data goes to stdout, everything else to stderr. Choose the format with --output (-o), with PAYCTL_OUTPUT or in a profile; --json is short for --output json.',
    ),
    section('FORMATS', formats()),
    section('FIELDS AND FILTERS', [
      [
        '--columns a,b.c',
        'Shows these columns, in this order, in every format. A dotted path leads into objects and lists and shows what the service sent: billing_details.address.city. A header, in any case, names the column as tables show it; the other formats give the fields behind it. A name that is both means the field, unless that is an object: "user" is the column USER, and "?user" the object.',
      ],
      [
        '--jq EXPRESSION',
        'Filters the JSON with jq itself; nothing needs to be installed. With -o ndjson the expression runs on every item, otherwise on the whole document. With -o table, csv, markdown, yaml or ndjson, objects in the result are rows.',
      ],
      ['--no-header', 'Omits the header row of tables and CSV.'],
    ]),
    {
      heading: 'EXAMPLES',
      blocks: [
        { kind: 'text', text: 'One JSON document per buyer, for another program:' },
        { kind: 'command', command: 'payctl buyers list --all -o ndjson --profile emulator' },
        { kind: 'text', text: 'A spreadsheet of two columns:' },
        {
          kind: 'command',
          command: 'payctl buyers list -o csv --columns id,display_name --profile emulator',
        },
        { kind: 'text', text: 'The first item of a list:' },
        { kind: 'command', command: "payctl roles list --jq '.items[0]' --profile emulator" },
      ],
    },
  ];
}

function moneySections(): readonly Section[] {
  return [
    paragraphs(
      'Services take amounts as integers of minor units, the smallest unit of the currency: 500 is 5.00 EUR and 500 JPY. Tables show 5.00 EUR. The fields are those with names such as amount, total_amount, price or balance.',
    ),
    section('WHAT TO TYPE', [
      ['-F amount=500', 'Sends 500: minor units.'],
      [
        '-F amount=5.00EUR',
        'Sends 500, by the decimals that ISO 4217 gives the currency. The currency has to be that of the request or, where the request names none, of the record, which payctl reads. "5.00EUR" in --data means the same.',
      ],
      ['-F amount=5.00', 'Refused, because it could mean five euros or five cents.'],
    ]),
    section('WHAT PAYCTL SHOWS', [
      ['--dry-run, -o detail', 'What is sent and what it means: 500 (5.00 EUR).'],
      [
        '--amounts major',
        'In CSV, and in tables with --columns: 5.00, with a column for the currency next to it.',
      ],
    ]),
    paragraphs(
      'In production, and before every DELETE, payctl says what will happen and asks. A capture or refund without an amount concerns everything that is left, and the question names how much that is.',
    ),
    {
      heading: 'LIMITS',
      blocks: [
        {
          kind: 'text',
          text: 'Refuse every change of more than 500 EUR and every change in another currency, also with --yes:',
        },
        { kind: 'command', command: 'payctl profiles set acme --max-amount EUR=500.00' },
      ],
    },
    paragraphs(
      'A limit holds at the address of the profile, whichever profile is in use. Only a person at a terminal can raise or remove it.',
    ),
  ];
}

function timeSections(): readonly Section[] {
  return [
    paragraphs(
      'On a terminal, tables and records show times in the time zone of the machine (or TZ) and name it: TIME (CET). --utc shows UTC, and so does PAYCTL_UTC=1. Data formats, and tables in a pipe, keep the times as the service sent them.',
    ),
    section('WHAT TO TYPE', [
      ['90s, 30m, 2h30m, 7d, 2w', 'That long ago.'],
      ['now, today, yesterday, 2026-01-15', 'A day means the whole day.'],
      ['10:00, 10:00:30, 10am', 'Today.'],
      ['yesterday 10:00, 2026-01-15 10:00', 'The minute that begins at 10:00:00.'],
      ['2026-01-15T10:00:00Z, 10:00Z, 2026-01-15 10:00+01:00', 'In that zone.'],
    ]),
    paragraphs(
      'A time without a zone is local. Everything that payctl shows can be typed, with its zone or without. A time without seconds is a minute, and a date is a day: --since takes its beginning and --until its end, so a time from a table finds its row.',
      'When clocks go back, one hour is repeated: --since takes the earlier of the two instants, --until the later. A time with its zone (02:30 CEST) is one of them.',
    ),
  ];
}

function settingSections(): readonly Section[] {
  const rows = Object.entries(SETTINGS).map(([flag, { variable, default: usual }]): Row => {
    const parts = [variable ?? '', usual ? `default: ${usual}` : ''].filter((part) => part !== '');
    return [`--${flag}`, parts.join('; ')];
  });
  return [
    paragraphs('The first of these that gives a setting is used:'),
    section('PRECEDENCE', [
      ['1. Flag', 'On the command line.'],
      ['2. --profile NAME', 'The settings of a profile that is named on the command line.'],
      ['3. Variable', 'An environment variable, see payctl help environment.'],
      ['4. Active profile', 'Chosen with payctl profiles use, or with PAYCTL_PROFILE.'],
      ['5. Default', 'The default of payctl, as listed below.'],
    ]),
    section('SETTINGS', rows),
    paragraphs(
      'All of these flags can also come before the command, for example in an alias; a command that does not use one ignores it there, and profiles set does not store it. The columns of tables can be set in a profile, too: see payctl profiles set --help.',
    ),
    section('CREDENTIALS', [
      ['1. PAYCTL_TOKEN', 'A token, sent unchanged.'],
      ['2. PAYCTL_TOKEN_FILE', 'A file that contains a token.'],
      [
        '3. PAYCTL_PRIVATE_KEY',
        'A key; payctl signs a token for each command, with only the scopes that it needs.',
      ],
      ['4. PAYCTL_PRIVATE_KEY_FILE', 'A file that contains a key.'],
      ['5. PAYCTL_API_KEY', 'An API key. The imported API description says where it is sent.'],
      ['6. PAYCTL_API_KEY_FILE', 'A file that contains an API key.'],
      ['7. PAYCTL_BASIC_AUTH', 'USER:PASSWORD, sent with HTTP Basic.'],
      ['8. PAYCTL_BASIC_AUTH_FILE', 'A file that contains USER:PASSWORD.'],
      ['9. Profile', 'What payctl auth login has stored.'],
    ]),
    paragraphs(
      "The first that the operation accepts is used: payctl's own commands take a token or a key.",
      'What a profile stores is sent only to the origin of that profile. If a flag or a variable points elsewhere, the command fails instead.',
      'payctl auth status shows which settings and credentials a command would use, and where they come from. The built-in profile emulator needs no settings.',
    ),
  ];
}
