import { boolean } from '@oclif/core/flags';
import { type FlagValues, namesFlag, textFlag } from '../../cli/flags/types.ts';
import { listValues, quote } from '../../text/format.ts';
import type { SendState } from '../../webhooks/sends.ts';
import { onlyOne } from './event-flags.ts';

const STATES: readonly SendState[] = ['pending', 'delivered', 'failed', 'not_sent'];

/** Which deliveries of the emulator are meant. */
export function deliveryFilterFlags() {
  return {
    state: namesFlag(STATES)({
      summary: `Only deliveries in these states: ${listValues(STATES)}.`,
      exclusive: ['failed'],
    }),
    failed: boolean({
      summary: 'Only deliveries that were given up, or that failed and are tried again.',
    }),
    request: textFlag({
      summary: 'Only deliveries that this request caused, by its request ID or the ID of its API log.',
      helpValue: 'ID',
    }),
  };
}

/** The delivery that was meant, of those that were found by a typed ID. @throws as `onlyOne` */
export function theDelivery<Found extends { readonly id: string }>(
  typed: string,
  found: readonly Found[],
): Found {
  return onlyOne(typed, found, {
    idOf: ({ id }) => id,
    missing: `There is no delivery ${quote(typed)}`,
    list: 'payctl emulator deliveries list',
  });
}

/** The filter that these flags give; undefined if they choose nothing. */
export function deliveryFilter({ state, failed, request }: FlagValues<typeof deliveryFilterFlags>) {
  return state || failed || request !== undefined ? { states: state, failed, request } : undefined;
}
