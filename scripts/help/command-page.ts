import type { Page, Row, Section } from './page.ts';
import { EXIT_CODES, variables } from './reference.ts';
import type { ArgumentHelp, CommandHelp, FlagHelp, RequestHelp } from './tree.ts';

/**
 * What `payctl COMMAND --help` shows. To fit on one screen, it names the flags that many commands share instead of describing
 * them, and everything that can be said in a line is one.
 */
export function commandPage(command: CommandHelp): Page {
  const own = command.flags.filter(({ shared }) => !shared);
  return {
    name: command.command,
    summary: command.summary,
    sections: [
      textSection(`Usage: ${command.usage}`),
      ...descriptionSections(command, ''),
      ...argumentSections(command.arguments),
      ...(own.length > 0 ? [section('FLAGS', flagRows(groupedFlags(own).flat()))] : []),
      sharedFlagsByName(command.flags.filter(({ shared }) => shared)),
      ...exampleSections(command),
      ...(command.request ? [textSection(`Request: ${requestsText(command)}`)] : []),
    ],
  };
}

/** The man page of a command, which is complete. */
export function commandManPage(command: CommandHelp): Page {
  const own = command.flags.filter(({ shared }) => !shared);
  const shared = command.flags.filter((flag) => flag.shared);
  const named = new Set(command.flags.map(({ environment }) => environment));
  const needsCredentials = command.request !== null;
  const read = variables().filter(
    ([name]) => named.has(name) || (needsCredentials && /TOKEN|PRIVATE_KEY/.test(name)),
  );
  const codes = EXIT_CODES.filter(([code]) => command.exit_codes.includes(code));
  return {
    name: command.command,
    summary: command.summary,
    sections: [
      { heading: 'SYNOPSIS', blocks: [{ kind: 'text', text: command.usage }] },
      ...descriptionSections(command, 'DESCRIPTION'),
      ...argumentSections(command.arguments),
      ...groupedFlags(own).map((flags) =>
        section(flags[0]?.group ? `${flags[0].group} FLAGS` : 'FLAGS', flagRows(flags)),
      ),
      section('SHARED FLAGS', flagRows(shared)),
      ...(command.request
        ? [{ heading: 'REQUEST', blocks: [{ kind: 'text', text: requestsText(command) } as const] }]
        : []),
      section('ENVIRONMENT', read),
      section(
        'EXIT STATUS',
        codes.map(([code, meaning]): Row => [String(code), meaning]),
      ),
      ...exampleSections(command),
    ],
  };
}

/** A section that is a list of terms. */
export function section(heading: string, rows: readonly Row[]): Section {
  return { heading, blocks: [{ kind: 'rows', rows }] };
}

/** A section that is one paragraph. */
export function textSection(text: string): Section {
  return { heading: '', blocks: [{ kind: 'text', text }] };
}

/** Paragraphs, and lines that are indented in the sources: those are for a shell. */
function descriptionSections({ description }: CommandHelp, heading: string): Section[] {
  if (description === null) return [];
  const blocks = description
    .split('\n\n')
    .map((paragraph) =>
      paragraph.startsWith('  ')
        ? ({ kind: 'command', command: paragraph.trim() } as const)
        : ({ kind: 'text', text: paragraph.replaceAll('\n', ' ') } as const),
    );
  return [{ heading, blocks }];
}

function argumentSections(args: readonly ArgumentHelp[]): Section[] {
  if (args.length === 0) return [];
  const rows = args.map(({ name, summary, values }): Row => [name, withValues(summary, values)]);
  return [section('ARGUMENTS', rows)];
}

function withValues(summary: string, values: readonly string[] | null): string {
  return values ? `${summary} One of ${values.join(', ')}.` : summary;
}

/** The flags by their groups; those that only this command has come first. */
function groupedFlags(flags: readonly FlagHelp[]): (readonly FlagHelp[])[] {
  const groups = Map.groupBy(flags, ({ group }) => group);
  const ungrouped = groups.get(null);
  const others = [...groups].filter(([group]) => group !== null).map(([, members]) => members);
  return ungrouped ? [ungrouped, ...others] : others;
}

/** Each flag with everything that there is to say about it. */
export function flagRows(flags: readonly FlagHelp[]): Row[] {
  const someShort = flags.some(({ short }) => short !== null);
  return flags.map((flag): Row => {
    const { name, short, placeholder, summary, values, environment } = flag;
    const start = short ? `${short}, ` : someShort ? '    ' : '';
    const term = `${start}${name}${placeholder ? ` ${placeholder}` : ''}`;
    const isStated = flag.default === null || /Default|default/.test(summary);
    const text = [
      withValues(summary, values),
      ...(isStated ? [] : [`Default: ${flag.default}.`]),
      ...(environment ? [`Environment: ${environment}.`] : []),
    ];
    return [term, text.join(' ')];
  });
}

/** Shared flags that are about the connection rather than about what is shown. */
const CONNECTION = new Set([
  '--profile',
  '--base-url',
  '--instance',
  '--proxy',
  '--merchant-account',
  '--timeout',
  '--max-retries',
]);

function sharedFlagsByName(flags: readonly FlagHelp[]): Section {
  const names = (members: readonly FlagHelp[]) =>
    members.map(({ name, short }) => (short ? `${name} (${short})` : name)).join(', ');
  const connection = flags.filter(({ name }) => CONNECTION.has(name));
  const output = flags.filter(({ name }) => !CONNECTION.has(name));
  const environment = flags.flatMap((flag) => (flag.environment ? [flag.environment] : []));
  const rows: Row[] = [
    ['Output', names(output)],
    ['Connection', names(connection)],
    ['Environment', environment.join(', ')],
  ];
  return section(
    'SHARED FLAGS (see payctl help flags)',
    rows.filter(([, text]) => text !== ''),
  );
}

function requestsText({ request, further_requests: further }: CommandHelp): string {
  const others = further.map(({ method, path, scopes }) => `${method} ${path} (${scopes.join(' or ')})`);
  const text = request ? requestText(request) : '';
  return others.length === 0 ? text : `${text} If the token allows it, also ${others.join(', ')}.`;
}

function requestText({ method, path, scopes, pii_scope: piiScope }: RequestHelp): string {
  const pii = piiScope ? `; with --reveal-pii also ${piiScope}` : '';
  return `${method} ${path} with the scope ${scopes.join(' or ')}${pii}.`;
}

function exampleSections({ examples }: CommandHelp): Section[] {
  if (examples.length === 0) return [];
  const blocks = examples.flatMap(({ description, command }) => [
    { kind: 'text', text: description } as const,
    { kind: 'command', command } as const,
  ]);
  return [{ heading: 'EXAMPLES', blocks }];
}
