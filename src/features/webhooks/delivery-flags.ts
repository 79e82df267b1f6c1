import { resolve } from 'node:path';
import { boolean } from '@oclif/core/flags';
import { namesFlag, textFlag } from '../../cli/flags/types.ts';
import { type Environment, emulatorDirectory } from '../../config/environment.ts';
import { listValues } from '../../text/format.ts';
import type { SendState } from '../../webhooks/sends.ts';

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

/** Where the emulator keeps its data. */
export function directoryFlag() {
  return {
    directory: textFlag({
      summary: 'The directory of an emulator that was started with --directory.',
      helpValue: 'DIR',
    }),
  };
}

type FilterValues = {
  readonly state?: readonly SendState[] | undefined;
  readonly failed: boolean;
  readonly request?: string | undefined;
};

/** The filter that these flags give; undefined if they choose nothing. */
export function deliveryFilter({ state, failed, request }: FilterValues) {
  return state || failed || request !== undefined ? { states: state, failed, request } : undefined;
}

/** The directory of the flag, else that of the profile `emulator`. */
export function dataDirectory(
  { directory }: { readonly directory?: string | undefined },
  environment: Environment,
): string {
  return directory === undefined ? emulatorDirectory(environment) : resolve(directory);
}
