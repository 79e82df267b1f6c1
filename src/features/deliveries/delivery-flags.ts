import { resolve } from 'node:path';
import { boolean } from '@oclif/core/flags';
import { FlagError, listFlag, textFlag } from '../../cli/flags/types.ts';
import { type Environment, emulatorDirectory } from '../../config/environment.ts';
import { listValues, quote } from '../../text/format.ts';
import type { SendState } from '../../webhooks/sends.ts';

const STATES: readonly SendState[] = ['pending', 'delivered', 'failed', 'not_sent'];

/** Which deliveries of the emulator are meant. */
export function deliveryFilterFlags() {
  return {
    state: listFlag({
      summary: `Only deliveries in these states: ${listValues(STATES)}.`,
      helpValue: 'a,b',
      exclusive: ['failed'],
    }),
    failed: boolean({ summary: 'Only deliveries that were given up; short for --state failed.' }),
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
  readonly state?: readonly string[] | undefined;
  readonly failed: boolean;
  readonly request?: string | undefined;
};

/** The filter that these flags give; no states are all. @throws FlagError */
export function deliveryFilter({ state = [], failed, request }: FilterValues) {
  const wrong = state.find((name) => !STATES.some((known) => known === name));
  if (wrong !== undefined) {
    const hint = `Use one or more of ${listValues(STATES)}, separated by commas.`;
    throw new FlagError(`--state cannot be ${quote(wrong)}`, hint);
  }
  const states = failed ? (['failed'] as const) : STATES.filter((known) => state.includes(known));
  return { states, request };
}

/** The directory of the flag, else that of the profile `emulator`. */
export function dataDirectory(
  { directory }: { readonly directory?: string | undefined },
  environment: Environment,
): string {
  return directory === undefined ? emulatorDirectory(environment) : resolve(directory);
}
