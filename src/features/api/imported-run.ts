import type { ConnectionFlagValues, DisplayFlagValues } from '../../cli/flags/global.ts';
import type { ListFileFlagValues, OutputFlagValues, PagingFlagValues } from '../../cli/flags/list.ts';
import type { readParameters } from '../../cli/flags/parameters.ts';
import type { OpenedDescription } from '../../cli/session/open-description.ts';
import type { ListCall } from '../../client/paging/resource.ts';
import type { DownloadFlagValues } from './operation-flags.ts';
import type { RunnableOperation } from './own-operations.ts';

/** An operation that is run as a command. */
export type ImportedRun = {
  readonly operation: RunnableOperation;
  /** The words of the command as they were typed, for the command that continues a list. */
  readonly words: string;
  /** The description that it is an operation of; undefined for one of payctl's own contract. */
  readonly description?: OpenedDescription | undefined;
  /** The merchant account header of the description. */
  readonly merchantHeader?: string | undefined;
  /** --output-file takes its list. */
  readonly takesListFile?: boolean;
};

/** The flags that decide how a response is shown. */
export type ShownFlagValues = DisplayFlagValues &
  ConnectionFlagValues &
  OutputFlagValues &
  PagingFlagValues &
  ListFileFlagValues &
  DownloadFlagValues;

/** What one run sends, and how its response is shown. */
export type Sending = {
  readonly flags: ShownFlagValues;
  /** The words after those of the command. */
  readonly argv: readonly string[];
  /** The filters that were given, by their flags. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly asked: ListCall & { readonly query: Awaited<ReturnType<typeof readParameters>> };
};
