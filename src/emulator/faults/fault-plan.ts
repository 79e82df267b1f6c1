/**
 * One thing that goes wrong on request. A rule is looked at when a request comes that no earlier rule of the plan has
 * hit; the names are those of the file that `readFaultPlan` reads.
 */
export type FaultRule = {
  /** Hits requests of this method alone. */
  readonly method?: string;
  /** Hits requests to this path alone; a segment that is `*` or `{name}` stands for any one segment. */
  readonly path?: string;
  /** How many requests it hits; all of them without it. */
  readonly count?: number;
  /** Lets that many requests pass first. */
  readonly after?: number;
  /** Answers with this status, 400 to 599, and the operation is not run. */
  readonly status?: number;
  /** `code` of the error object; without `status`, of the status that the contract gives it. */
  readonly code?: string;
  /** Adds `Retry-After`: seconds, or the text as it is. */
  readonly retry_after?: number | string;
  /** Answers that much later, after the operation has run; `trickle` takes that long for the body. */
  readonly latency_ms?: number;
  /**
   * `cut` ends the connection in the middle of the body, `malformed` ends the JSON early, `html` sends a page of a
   * proxy, `trickle` sends the body in small pieces, `hostile` puts text that attacks terminals into names.
   */
  readonly body?: 'cut' | 'malformed' | 'html' | 'trickle' | 'hostile';
  /** Ends the connection without an answer; the operation has run, unless there is a status. */
  readonly drop?: true;
  /** `repeat`: a page that was asked for by a cursor names the same cursor as its next one. */
  readonly cursor?: 'repeat';
};

/** What goes wrong on request, first match wins. */
export type FaultPlan = readonly FaultRule[];
