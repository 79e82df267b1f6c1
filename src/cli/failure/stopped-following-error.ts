/** A log or a list is followed no longer, although its end was not asked for; `cause` is the reason. */
export class StoppedFollowingError extends Error {
  /** How many entries were printed; undefined for a list that was shown again and again. */
  readonly printed: number | undefined;
  /** ID of the newest entry that was looked at; undefined where there was none. */
  readonly after: string | undefined;
  /** As in IncompleteListError. */
  readonly wholeLines: number | undefined;
  /** The command line that continues after that entry. */
  readonly resumeCommand: string | undefined;

  constructor(
    cause: unknown,
    {
      printed,
      after,
      wholeLines,
      resumeCommand,
    }: {
      readonly printed?: number;
      readonly after?: string | undefined;
      readonly wholeLines?: number;
      readonly resumeCommand?: string | undefined;
    } = {},
  ) {
    super('The log is followed no longer', { cause });
    this.printed = printed;
    this.after = after;
    this.wholeLines = wholeLines;
    this.resumeCommand = resumeCommand;
  }
}
