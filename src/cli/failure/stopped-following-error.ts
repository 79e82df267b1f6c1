/** A log is followed no longer, although its end was not asked for; `cause` is the reason. */
export class StoppedFollowingError extends Error {
  readonly printed: number;
  /** ID of the newest entry that was looked at; undefined where there was none. */
  readonly after: string | undefined;
  /** As in IncompleteListError. */
  readonly wholeLines: number | undefined;

  constructor(
    cause: unknown,
    {
      printed,
      after,
      wholeLines,
    }: {
      readonly printed: number;
      readonly after: string | undefined;
      readonly wholeLines?: number;
    },
  ) {
    super('The log is followed no longer', { cause });
    this.printed = printed;
    this.after = after;
    this.wholeLines = wholeLines;
  }
}
