import type { OutputFlagValues } from '../../cli/flags/list.ts';
import type { CommandAccess } from '../../cli/routing/catalog/allowed-commands.ts';
import type { OperationAccess } from '../../cli/routing/catalog/allowed-operations.ts';
import type { Runtime } from '../../cli/runtime.ts';
import type { Display } from '../../cli/show/display.ts';
import { writerOptions } from '../../cli/show/writer-options.ts';
import type { Settings } from '../../config/settings.ts';
import { readCredentials } from '../../credentials/read.ts';
import { parseExactJson, stringifyExactJson } from '../../json/exact.ts';
import type { Column } from '../../output/columns.ts';
import { type DetailOptions, renderDetail } from '../../output/detail.ts';
import { writeDocument } from '../../output/document-writer.ts';
import { loadColors } from '../../output/terminal.ts';
import { formatDuration } from '../../text/format.ts';
import { ZonedTimes } from '../../text/zoned-times.ts';
import type { OpenedToken } from '../../tokens/claims.ts';
import type { Inspection, TokenIssue } from '../../tokens/lint.ts';
import type { Access } from '../../tokens/scopes.ts';
import { credentialInUse } from './credential-in-use.ts';

/** A token that was looked into, and what was found. */
export type InspectedToken = {
  readonly token: OpenedToken;
  readonly now: Date;
  readonly issues: readonly TokenIssue[];
  readonly commands: readonly CommandAccess[];
  /** What the token says about the operations of the imported description, where there is one. */
  readonly imported?: OperationAccess | undefined;
};

/**
 * The inspection as JSON text. Header and claims are in it as they were signed, so that no number is rounded; times are
 * ISO 8601 or null, `expires_in_seconds` is negative for what has expired.
 */
export function inspectionText({ token, now, issues, commands, imported }: InspectedToken): string {
  const { scopes, keyId, issuedAt, notBefore, expiresAt } = token.content;
  const namesOf = (state: Access) =>
    commands.flatMap(({ command, access }) => (access === state ? [command] : []));
  const found: Readonly<Record<Exclude<InspectionMember, 'header' | 'claims'>, unknown>> = {
    scopes: scopes ?? null,
    key_id: keyId ?? null,
    issued_at: issuedAt?.toISOString() ?? null,
    not_before: notBefore?.toISOString() ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
    expires_in_seconds: expiresAt ? Math.floor((expiresAt.getTime() - now.getTime()) / 1000) : null,
    errors: issues,
    good_for: namesOf('allowed'),
    not_good_for: namesOf('refused'),
    unknown_for: namesOf('unknown'),
    ...(imported ? { operations: operationsRecord(imported) } : {}),
  };
  const rest = stringifyExactJson(found).slice(1);
  return `{"header":${token.headerText},"claims":${token.claimsText},${rest}`;
}

function operationsRecord({ title, total, allowed, refused, unknown }: OperationAccess) {
  const ids = (operations: OperationAccess['refused']) => operations.map(({ id }) => id);
  return {
    title,
    total,
    good_for: allowed.length,
    not_good_for: ids(refused),
    unknown_for: ids(unknown),
  };
}

/**
 * The inspection for a person at a terminal: sections of two columns each, times also in words. Everything that comes from
 * the token is sanitised.
 */
export function viewInspection(inspected: InspectedToken, options: DetailOptions): string {
  const { token, issues, commands } = inspected;
  const sections: [title: string, content: unknown][] = [
    ['header', compact(parseExactJson(token.headerText))],
    ['claims', compact(parseExactJson(token.claimsText))],
    ['summary', summary(inspected, options)],
    ['errors', messagesOf(issues, 'error')],
    ['warnings', messagesOf(issues, 'warning')],
    ...commandSections(commands),
    ...(inspected.imported ? [importedSection(inspected.imported)] : []),
  ];
  return sections.map(([title, content]) => renderDetail({ [title]: content }, options)).join('\n');
}

function importedSection({ title, total, allowed, refused, unknown }: OperationAccess): [string, unknown] {
  return [
    `operations of ${title}`,
    {
      allowed: `${allowed.length} of ${total}`,
      ...(refused.length > 0 ? { 'not allowed': refused.map(({ command }) => command).join(', ') } : {}),
      ...(unknown.length > 0 ? { unknown: unknown.map(({ command }) => command).join(', ') } : {}),
    },
  ];
}

function commandSections(commands: readonly CommandAccess[]): [title: string, content: unknown][] {
  const inState = (state: Access) => commands.filter(({ access }) => access === state);
  if (inState('unknown').length > 0) {
    return [['allowed commands', 'unknown, because the token has no scope claim']];
  }
  return [
    [
      'allowed commands',
      named(inState('allowed').map(({ command, needed }) => [command, needed.join(' and ')])),
    ],
    [
      'commands not allowed',
      named(inState('refused').map(({ command, lacking }) => [command, `lacks ${lacking.join(' and ')}`])),
    ],
  ];
}

/** Puts lists of texts, such as scopes, on one line. */
function compact(members: unknown): unknown {
  if (typeof members !== 'object' || members === null) return members;
  const isTexts = (value: unknown): value is string[] =>
    Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string');
  const entries = Object.entries(members);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isTexts(value) ? value.join(', ') : value]),
  );
}

function summary(
  { token, now }: InspectedToken,
  { times = new ZonedTimes('sent') }: DetailOptions,
): Readonly<Record<string, string>> {
  const { scopes, issuedAt, notBefore, expiresAt } = token.content;
  const time = (date: Date | undefined) => {
    if (!date) return '-';
    const ahead = date.getTime() - now.getTime();
    return `${times.named(date.toISOString(), 'second')}, ${ahead > 0 ? `in ${formatDuration(ahead)}` : `${formatDuration(ahead)} ago`}`;
  };
  return {
    scopes: scopes?.join(', ') || '-',
    issued: time(issuedAt),
    'not before': time(notBefore),
    expires: time(expiresAt),
  };
}

/** One code may come up twice, for two claims. */
function messagesOf(issues: readonly TokenIssue[], severity: TokenIssue['severity']): unknown {
  const messages = new Map<string, string>();
  for (const { code, severity: found, message } of issues) {
    if (found === severity) messages.set(code, [messages.get(code), message].filter(Boolean).join(' '));
  }
  return named([...messages]);
}

function named(entries: readonly (readonly [string, string])[]): unknown {
  return entries.length > 0 ? Object.fromEntries(entries) : 'none';
}

/**
 * Prints an inspection: as sections on a terminal, else as one document in the format of the run.
 * @throws UsageError `invalid_jq`; OutputError `jq_failed`
 */
export async function showInspection(
  inspected: InspectedToken,
  display: Display,
  flags: OutputFlagValues,
): Promise<void> {
  const { stdout, stdoutTerminal, format } = display;
  const isView = format.isForPeople && stdoutTerminal.isTerminal && !flags.columns && !flags.jq;
  if (!isView) {
    await writeDocument(
      inspectionText(inspected),
      await writerOptions({ display }, flags, { columns: INSPECTION_COLUMNS }),
    );
    return;
  }
  const colors = await loadColors(stdoutTerminal.color);
  await stdout.write(
    viewInspection(inspected, { width: stdout.columns, colors, times: new ZonedTimes(stdoutTerminal.times) }),
  );
  await stdout.end();
}

type CommandContext = { readonly settings: Settings; readonly display: Display; readonly runtime: Runtime };

/**
 * The id of the key that the settings in use name; undefined where they name none. A key that cannot be read, in a locked
 * keychain for instance, causes one note and counts as none.
 */
export async function readOwnKey({
  settings,
  display,
  runtime,
}: CommandContext): Promise<Inspection['ownKey']> {
  const inUse = credentialInUse(settings, runtime);
  if (inUse?.source.kind !== 'key' || inUse.awaitsEmulator) return undefined;
  const { origin } = inUse.source;
  try {
    const credentials = await readCredentials(inUse.source, inUse.profile, {
      warn: () => {},
      signal: runtime.signal,
    });
    if (credentials.kind !== 'key') return undefined;
    const { readSigningKey } = await import('../../tokens/keys.ts');
    const { keyId } = await readSigningKey(credentials.pem, { origin });
    if (display.verbose) display.info(`* key in use: ${keyId} (${origin})`);
    return { keyId, origin };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'the reason is unknown';
    display.info(`The key of the token could not be compared with the key in use: ${reason}`);
    return undefined;
  }
}

const MEMBERS = [
  'header',
  'claims',
  'scopes',
  'key_id',
  'issued_at',
  'not_before',
  'expires_at',
  'expires_in_seconds',
  'errors',
  'good_for',
  'not_good_for',
  'unknown_for',
] as const;

/** The name of a member of an inspection. */
export type InspectionMember = (typeof MEMBERS)[number];

/** The members of the JSON of an inspection, in their order. */
export const INSPECTION_COLUMNS: readonly Column[] = MEMBERS.map((path) => ({ path, header: path }));
