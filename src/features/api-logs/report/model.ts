import type { Bars } from '../histogram.ts';
import type { Group } from '../summary.ts';

/** Everything that a report says, masked already; `report -o json` is this document. */
export type Report = {
  readonly created_at: string;
  /** As a user agent: `payctl/1.2.3`. */
  readonly created_by: string;
  /** The intended reader: a merchant sees neither profile and host nor commands. */
  readonly view: ReportView;
  /** Whether it has the texts of messages and bodies. */
  readonly has_messages: boolean;
  readonly source: {
    readonly profile: string | null;
    readonly host: string | null;
    readonly merchant_account: string | null;
    /** The names of the files that the entries were read from; empty where the service was asked. */
    readonly files: readonly string[];
  };
  /** By the flags without dashes. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** The span of time that the report is about; null where no entry has a time. */
  readonly from: string | null;
  readonly to: string | null;
  readonly looked_at: number;
  readonly kept: number;
  readonly client_errors: number;
  readonly server_errors: number;
  readonly missed: Missed;
  readonly timeline: Bars;
  /** The largest first. */
  readonly groups: readonly Group[];
  /** What the groups leave out. */
  readonly others: { readonly groups: number; readonly entries: number };
  readonly examples: readonly ShownExample[];
};

/** The intended reader of a report. */
export type ReportView = 'support' | 'merchant';

/** What a report does not count, and what it cannot know. */
export type Missed = {
  readonly duplicates: number;
  readonly unreadable: number;
  /** Entries without a time, which a span of time leaves out. */
  readonly timeless: number;
  /** The part of the span of the report that is before the oldest entry; null where that is older than the span. */
  readonly before_oldest: { readonly from: string; readonly to: string } | null;
};

/** One entry, for its group. */
export type ShownExample = {
  /** The number of its group, from 1. */
  readonly group: number;
  readonly id: string | null;
  readonly time: string | null;
  readonly took_ms: number | null;
  readonly status: number | null;
  readonly method: string | null;
  readonly url: string | null;
  readonly request_body: unknown;
  readonly response_body: unknown;
  readonly why: string;
  readonly meaning: string | null;
  /** Empty where payctl knows none. */
  readonly causes: readonly string[];
  /** What to do about the first cause; it may quote the service. */
  readonly remedy: string | null;
  /** Complete command lines. */
  readonly commands: readonly string[];
};

/** What a report says about where it comes from. */
export type ReportContext = {
  /** As a user agent: `payctl/1.2.3`. */
  readonly createdBy: string;
  /** When it is made, in milliseconds since 1970. */
  readonly now: number;
  readonly source: Omit<Report['source'], 'host'>;
  readonly view: ReportView;
  readonly hasMessages: boolean;
  /** An imported description may have other paths than the contract. */
  readonly hasOthers?: boolean;
  /** As typed. */
  readonly filters: Readonly<Record<string, string | readonly string[]>>;
  /** Makes a command line of the words of a command. */
  readonly commandOf: (words: string) => string;
};
