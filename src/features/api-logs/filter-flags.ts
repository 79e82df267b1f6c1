import { custom } from '@oclif/core/flags';
import { FlagError, textFlag } from '../../cli/flags/types.ts';
import { parseDuration } from '../../config/values.ts';
import { quote } from '../../text/format.ts';
import { readTime, TIME_EXAMPLES } from '../../text/instant.ts';

const helpGroup = 'FILTER';

/** A flag for a time, which stays as it was typed: what it means depends on the clock of the service. */
const timeFlag = custom<string>({
  parse: async (input, _context, { name }) => {
    if (readTime(input, Date.now())) return input;
    throw new FlagError(`--${name} must be a time, not ${quote(input)}`, `Use ${TIME_EXAMPLES}.`);
  },
});

const durationFlag = custom<number>({
  parse: async (input, _context, { name }) => parseDuration(input, `--${name}`),
});

/** The filters of the log, which all of its commands share; `openFilter` takes what they parse to. */
export function filterFlags() {
  const several = { helpGroup, multiple: true as const, multipleNonGreedy: true as const };
  return {
    status: textFlag({ ...several, summary: 'Statuses: 401, 4xx, 500-504; !404 excludes.' }),
    code: textFlag({ ...several, summary: 'Error codes, such as bad_request.' }),
    method: textFlag({ ...several, summary: 'HTTP methods.' }),
    path: textFlag({ ...several, summary: 'Paths: * within a segment, ** across, {id} for any ID.' }),
    message: textFlag({ ...several, summary: 'Text, or a /regex/, in a message of the error.' }),
    pointer: textFlag({ ...several, summary: 'JSON pointers of the details; * as in --path.' }),
    since: timeFlag({ helpGroup, helpValue: 'TIME', summary: 'From then on: 1h, today, 10:00, a date.' }),
    until: timeFlag({ helpGroup, helpValue: 'TIME', summary: 'Up to then; a date includes that day.' }),
    'slower-than': durationFlag({
      helpGroup,
      helpValue: 'DURATION',
      summary: 'Answers that took longer, such as 2s.',
    }),
    where: textFlag({ helpGroup, helpValue: 'JQ', summary: 'Entries for which a jq expression is true.' }),
  };
}
