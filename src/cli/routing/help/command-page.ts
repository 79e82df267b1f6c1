import type { ArgumentHelp, CommandHelp, FlagHelp, RequestHelp } from './describe-command.ts';
import type { Page, Row, Section } from './page.ts';

/**
 * What `payctl COMMAND --help` shows. To fit on one screen, it leaves the flags that many commands share to `payctl help flags`, and
 * everything that can be said in a line is one.
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
      ...sharedFlags(command.flags.filter(({ shared }) => shared)),
      ...exampleSections(command),
      ...(command.request ? [textSection(`Request: ${requestsText(command)}`)] : []),
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
export function descriptionSections({ description }: CommandHelp, heading: string): Section[] {
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

/** The arguments of a command; nothing where it takes none. */
export function argumentSections(args: readonly ArgumentHelp[]): Section[] {
  if (args.length === 0) return [];
  const rows = args.map(({ name, summary, values }): Row => [name, withValues(summary, values)]);
  return [section('ARGUMENTS', rows)];
}

function withValues(summary: string, values: readonly string[] | null): string {
  return values ? `${summary} One of ${values.join(', ')}.` : summary;
}

/** The flags by their groups; those that only this command has come first. */
export function groupedFlags(flags: readonly FlagHelp[]): (readonly FlagHelp[])[] {
  const groups = Map.groupBy(flags, ({ group }) => group);
  const ungrouped = groups.get(null);
  const others = [...groups].filter(([group]) => group !== null).map(([, members]) => members);
  return ungrouped ? [ungrouped, ...others] : others;
}

/** Each flag with everything that help says about it. */
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

/** The shared flags that a page names as examples, if its command has them. */
const NAMED = ['--profile', '--merchant-account', '--output', '--verbose'];

function sharedFlags(flags: readonly FlagHelp[]): Section[] {
  if (flags.length === 0) return [];
  const named = flags.filter(({ name }) => NAMED.includes(name));
  const names = named.map(({ name, short }) => (short ? `${name} (${short})` : name)).join(', ');
  return [textSection(`Shared flags, such as ${names}, and their variables: payctl help flags`)];
}

/** The requests of a command with their scopes, as sentences. */
export function requestsText({ request, further_requests: further }: CommandHelp): string {
  const others = further.map(({ method, path, scopes }) => `${method} ${path} (${scopes.join(' or ')})`);
  const text = request ? requestText(request) : '';
  return others.length === 0 ? text : `${text} If the token allows it, also ${others.join(', ')}.`;
}

function requestText(request: RequestHelp): string {
  const { method, path, scopes, pii_scope: piiScope, needs_all_scopes: needsAll, credentials } = request;
  const pii = piiScope ? `; with --reveal-pii also ${piiScope}` : '';
  const noun = needsAll && scopes.length > 1 ? 'the scopes' : 'the scope';
  const names = scopes.join(needsAll ? ' and ' : ' or ');
  if (credentials !== undefined)
    return `${method} ${path} with ${credentials}${names && `; a token needs ${noun} ${names}`}${pii}.`;
  return `${method} ${path} with ${names === '' ? 'a token; the description names no scope' : `${noun} ${names}`}${pii}.`;
}

/** The examples of a command; nothing where it has none. */
export function exampleSections({ examples }: CommandHelp): Section[] {
  if (examples.length === 0) return [];
  const blocks = examples.flatMap(({ description, command }) => [
    { kind: 'text', text: description } as const,
    { kind: 'command', command } as const,
  ]);
  return [{ heading: 'EXAMPLES', blocks }];
}
