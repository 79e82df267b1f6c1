import { boolean, custom } from '@oclif/core/flags';
import type { OutputFlagValues } from '../../cli/flags/list.ts';
import { type FlagValues, integerFlag, repeatable, textFlag } from '../../cli/flags/types.ts';
import { LIFETIMES, parseDuration } from '../../config/values.ts';
import type { DirectoryValue } from './event-flags.ts';
import type { SchemeFlagValues } from './scheme-flags.ts';

const keepFlag = custom<number>({
  parse: async (input, _context, { name }) => parseDuration(input, `--${name}`, LIFETIMES),
});

/** What is received, where, and what becomes of it. `--keep` parses to milliseconds. */
export function listenFlags() {
  return {
    port: integerFlag({
      min: 0,
      max: 65_535,
      summary: 'Port to listen on; 0 is any free port. Default: 4100.',
      helpValue: 'N',
    }),
    host: textFlag({
      summary: 'Address to listen on. Any other than 127.0.0.1 needs a secret.',
      helpValue: 'ADDRESS',
    }),
    path: textFlag({ summary: 'Path of the URL. Default: /webhooks.', helpValue: 'PATH' }),
    forward: textFlag({
      summary: 'Forward events to this URL, with a pattern, only events of matching types. Repeatable.',
      helpValue: '[GLOB=]URL',
      ...repeatable,
    }),
    'forward-unverified': boolean({ summary: 'Also forward events without a correct signature.' }),
    events: textFlag({
      summary: 'Show and forward only these types of events; others are stored.',
      helpValue: 'GLOB',
    }),
    keep: keepFlag({ summary: 'Delete events that are older. Default: 7d.', helpValue: 'DURATION' }),
    'keep-size': textFlag({
      summary:
        'Delete the oldest events that need not be forwarded any more once all take this much. Default: 1GB.',
      helpValue: 'SIZE',
    }),
  };
}

/** What the flags of `webhooks listen` parse to. */
export type ListenFlagValues = OutputFlagValues &
  SchemeFlagValues &
  DirectoryValue &
  FlagValues<typeof listenFlags>;
