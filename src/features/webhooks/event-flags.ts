import { resolve } from 'node:path';
import { boolean } from '@oclif/core/flags';
import { timeFlags, timeSpanOf } from '../../cli/flags/time-filter.ts';
import { type FlagValues, inGroup, namesFlag, textFlag } from '../../cli/flags/types.ts';
import { type Environment, webhooksDirectory } from '../../config/environment.ts';
import { NotFoundError, UsageError } from '../../errors.ts';
import { listValues, quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import type { Verdict } from '../../webhooks/signature.ts';
import type { EventFilter, EventStore, StoredEvent } from './store.ts';

/** Where received events are kept; `use` is what a command does with them there. */
export function directoryFlag(use: 'Keep' | 'Read' = 'Read') {
  return {
    directory: textFlag({
      summary: `${use} the events ${use === 'Keep' ? 'in' : 'from'} this directory. Default: one in the configuration directory.`,
      helpValue: 'DIR',
    }),
  };
}

/** What `directoryFlag` parses to. */
export type DirectoryValue = { readonly directory?: string | undefined };

/** The directory of the flag, else that of the configuration. */
export function eventDirectory({ directory }: DirectoryValue, environment: Environment): string {
  return directory === undefined ? webhooksDirectory(environment) : resolve(directory);
}

/** The words of a command that uses the directory of the flag, too. */
export function inSameDirectory(command: string, { directory }: DirectoryValue): string {
  return directory === undefined ? command : `${command} --directory ${shellQuote(directory)}`;
}

/** Which stored events are meant. */
export function eventFilterFlags() {
  return inGroup('FILTER', {
    ...timeFlags(),
    event: textFlag({
      helpValue: 'GLOB',
      summary: "Only events of these types, such as 'transaction.*'.",
    }),
    record: textFlag({
      helpValue: 'ID',
      summary: 'Only events of this record: its ID, or TYPE/ID.',
    }),
    verdict: namesFlag(VERDICTS)({
      summary: `Only events with these verdicts: ${listValues(VERDICTS)}.`,
    }),
    failed: boolean({
      summary: 'Only events with a forward that was given up, or that failed and is tried again.',
    }),
  });
}

const VERDICTS: readonly Verdict[] = ['ok', 'wrong', 'missing', 'old', 'unchecked'];

/** What `eventFilterFlags` parse to. */
export type EventFilterValues = FlagValues<typeof eventFilterFlags>;

/** The filter that the flags mean. @throws UsageError `empty_time_span` */
export function eventFilterOf(flags: EventFilterValues): EventFilter {
  const { event, record, verdict, failed } = flags;
  return { ...timeSpanOf(flags, Date.now()), event, record, verdicts: verdict, failed };
}

/** The event that an ID means, the whole one or its beginning; the flags name the directory of the store. @throws as `onlyOne` */
export function findEvent(store: EventStore | undefined, typed: string, flags: DirectoryValue): StoredEvent {
  return onlyOne(typed, store?.find(typed) ?? [], {
    idOf: ({ deliveryId }) => deliveryId,
    missing: `No event with the delivery ID ${quote(typed)} is stored`,
    list: inSameDirectory('payctl webhooks list', flags),
  });
}

/**
 * The first of what was found by a typed delivery ID, which may be the beginning of one, if all of it has the same ID.
 * @throws NotFoundError where nothing was found, with the command that lists what there is; UsageError `ambiguous_id`
 */
export function onlyOne<Found>(
  typed: string,
  found: readonly Found[],
  {
    idOf,
    missing,
    list,
  }: { readonly idOf: (one: Found) => string; readonly missing: string; readonly list: string },
): Found {
  const [first] = found;
  if (first === undefined) throw new NotFoundError(missing, `List them: ${list}`);
  const ids = [...new Set(found.map(idOf))];
  if (ids.length === 1) return first;
  throw new UsageError('ambiguous_id', `Several deliveries have an ID that begins with ${quote(typed)}`, {
    hint: `Give more of it: ${ids.slice(0, 3).join(', ')}`,
  });
}
