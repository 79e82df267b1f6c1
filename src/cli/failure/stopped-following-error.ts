/** How far following came. */
type Followed = {
  /** How many entries were printed; undefined for a list that was shown again and again. */
  readonly printed?: number;
  /** ID of the newest entry that was looked at; undefined where there was none. */
  readonly after?: string | undefined;
  /** As in IncompleteListError. */
  readonly wholeLines?: number;
  /** The command line that continues after that entry. */
  readonly resumeCommand?: string | undefined;
};

/** A log or a list is followed no longer, although its end was not asked for; `cause` is the reason. */
export class StoppedFollowingError extends Error {
  readonly progress: Followed;

  constructor(cause: unknown, progress: Followed = {}) {
    super('The log is followed no longer', { cause });
    this.progress = progress;
  }
}
