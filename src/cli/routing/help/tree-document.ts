import type { CommandHelp, FlagHelp } from './describe-command.ts';

/** A member of a `CommandHelp` or a `FlagHelp` that is null, false or an empty list is left out. */
export type DocumentFlag = Partial<Omit<FlagHelp, 'shared'>> & Pick<FlagHelp, 'name' | 'type' | 'summary'>;

/** A command of the document. */
export type DocumentCommand = Partial<Omit<CommandHelp, 'flags'>> &
  Pick<CommandHelp, 'command' | 'summary' | 'usage' | 'changes' | 'exit_codes'> & {
    /** The flags that only this command has, or that mean something else in it. */
    readonly flags?: readonly DocumentFlag[];
    /** Names of its other flags, which `shared_flags` of the document describes. */
    readonly shared_flags: readonly string[];
  };

/** The document of `payctl help --json`. A change that is not an addition needs another `version`. */
export type HelpDocument = {
  readonly version: 2;
  readonly program: string;
  readonly program_version: string;
  readonly commands: readonly DocumentCommand[];
  /** What many commands share, each once. */
  readonly shared_flags: readonly DocumentFlag[];
  readonly exit_codes: readonly { readonly code: number; readonly meaning: string }[];
  readonly groups: readonly { readonly group: string; readonly summary: string }[];
  readonly environment: readonly { readonly name: string; readonly summary: string }[];
  readonly formats: readonly { readonly name: string; readonly summary: string }[];
};

/** The shared flags of commands, each once: where commands describe one differently, as most of them do. */
export function sharedFlags(commands: readonly CommandHelp[]): readonly DocumentFlag[] {
  const flags = commands.flatMap((command) => command.flags.filter(({ shared }) => shared));
  return [...Map.groupBy(flags, ({ name }) => name).values()].map((same) => {
    const byText = [...Map.groupBy(same.map(sparseFlag), (flag) => JSON.stringify(flag)).values()];
    const [[most] = []] = byText.sort((first, second) => second.length - first.length);
    return most as DocumentFlag;
  });
}

/** A command as the document has it, next to these shared flags. */
export function documentCommand(
  { flags, ...rest }: CommandHelp,
  shared: readonly DocumentFlag[],
): DocumentCommand {
  const known = new Set(shared.map((flag) => JSON.stringify(flag)));
  const all = flags.map(sparseFlag);
  const isKnown = (flag: DocumentFlag) => known.has(JSON.stringify(flag));
  const own = all.filter((flag) => !isKnown(flag));
  const names = all.filter(isKnown).map(({ name }) => name);
  return { ...(sparse({ ...rest, flags: own }) as DocumentCommand), shared_flags: names };
}

function sparseFlag({ shared: _, ...flag }: FlagHelp): DocumentFlag {
  return sparse(flag) as DocumentFlag;
}

/** Without the members that say nothing, at every depth. */
function sparse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sparse);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null && member !== false && !isEmptyList(member))
      .map(([name, member]) => [name, sparse(member)]),
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
