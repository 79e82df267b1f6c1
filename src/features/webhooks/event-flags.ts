import { resolve } from 'node:path';
import { boolean } from '@oclif/core/flags';
import { type TimeFlagValues, timeFlags, timeSpanOf } from '../../cli/flags/time-filter.ts';
import { FlagError, listFlag, textFlag } from '../../cli/flags/types.ts';
import { type Environment, webhooksDirectory } from '../../config/environment.ts';
import { NotFoundError, UsageError } from '../../errors.ts';
import { listValues, quote } from '../../text/format.ts';
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

/** The directory of the flag, else that of the configuration. */
export function eventDirectory(
  { directory }: { readonly directory?: string | undefined },
  environment: Environment,
): string {
  return directory === undefined ? webhooksDirectory(environment) : resolve(directory);
}

const helpGroup = 'FILTER';

/** Which stored events are meant. */
export function eventFilterFlags() {
  return {
    ...timeFlags(),
    event: textFlag({
      helpGroup,
      helpValue: 'GLOB',
      summary: "Only events of these types, such as 'transaction.*'.",
    }),
    record: textFlag({
      helpGroup,
      helpValue: 'ID',
      summary: 'Only events of this record: its ID, or TYPE/ID.',
    }),
    verdict: listFlag({
      helpGroup,
      helpValue: 'a,b',
      summary: `Only events with these verdicts: ${listValues(VERDICTS)}.`,
    }),
    failed: boolean({
      helpGroup,
      summary: 'Only events with a forward that was given up, or that failed and is tried again.',
    }),
  };
}

const VERDICTS: readonly Verdict[] = ['ok', 'wrong', 'missing', 'old', 'unchecked'];

/** What `eventFilterFlags` parse to. */
export type EventFilterValues = TimeFlagValues & {
  readonly event?: string | undefined;
  readonly record?: string | undefined;
  readonly verdict?: readonly string[] | undefined;
  readonly failed?: boolean | undefined;
};

/** The filter that the flags mean. @throws FlagError for a verdict that does not exist; UsageError `empty_time_span` */
export function eventFilterOf(flags: EventFilterValues): EventFilter {
  const { event, record, verdict, failed } = flags;
  const verdicts = verdict?.map((text) => {
    const known = VERDICTS.find((one) => one === text);
    if (known === undefined)
      throw new FlagError(
        `--verdict cannot be ${quote(text)}`,
        `Use one or more of ${listValues(VERDICTS)}, separated by commas.`,
      );
    return known;
  });
  return { ...timeSpanOf(flags, Date.now()), event, record, verdicts, failed };
}

/** The event that an ID means, the whole one or its beginning. @throws NotFoundError, UsageError `ambiguous_id` */
export function findEvent(store: EventStore | undefined, id: string): StoredEvent {
  const found = store?.find(id) ?? [];
  const [first] = found;
  if (!first) {
    throw new NotFoundError(
      `No event with the delivery ID ${quote(id)} is stored`,
      'To see those that are: payctl webhooks list',
    );
  }
  const ids = [...new Set(found.map(({ deliveryId }) => deliveryId))];
  if (ids.length === 1) return first;
  throw new UsageError('ambiguous_id', `Several events have an ID that begins with ${quote(id)}`, {
    hint: `Give more of it: ${ids.slice(0, 3).join(', ')}`,
  });
}
