import { boolean } from '@oclif/core/flags';
import { OUTPUT_FORMATS } from '../../output/formats.ts';
import { choiceFlag, type FlagValues, inGroup, textFlag } from './types.ts';

// Each call makes new objects, because oclif's parser changes those that it is given.

/** The flags of every command. */
export function displayFlags() {
  return inGroup('GLOBAL', {
    output: choiceFlag({
      char: 'o',
      options: OUTPUT_FORMATS,
      summary: 'Output format.',
      helpValue: 'FORMAT',
    })(),
    profile: textFlag({ summary: 'Use the settings of this profile.', helpValue: 'NAME' }),
    json: boolean({ summary: 'Short for --output json.' }),
    'no-color': boolean({ summary: 'Do not use colour.' }),
    'no-pager': boolean({ summary: 'Do not show long tables in a pager.' }),
    'no-input': boolean({ summary: 'Fail instead of asking a question, and open no pager.' }),
    utc: boolean({ summary: 'Show times in UTC on a terminal, not in local time.' }),
    verbose: boolean({ char: 'v', summary: 'Log requests and responses to stderr, with secrets redacted.' }),
    quiet: boolean({ char: 'q', summary: 'Print only errors to stderr.' }),
  });
}

/** Where a command sends its requests, and how long and how often it tries. */
export function connectionFlags() {
  return inGroup('GLOBAL', {
    'base-url': textFlag({
      summary: 'Base URL of the service; {id} is replaced by the instance.',
      helpValue: 'URL',
    }),
    instance: textFlag({ summary: 'Instance that replaces {id} in the base URL.', helpValue: 'ID' }),
    proxy: textFlag({ summary: 'HTTP proxy to connect through, without credentials.', helpValue: 'URL' }),
    'merchant-account': textFlag({ char: 'm', summary: 'Merchant account to use.', helpValue: 'ID' }),
    timeout: textFlag({
      summary: 'Time limit per attempt, such as 500ms, 30s or 2m.',
      helpValue: 'DURATION',
    }),
    'max-retries': textFlag({ summary: 'Maximum number of retries, if retrying is safe.', helpValue: 'N' }),
  });
}

/** What `displayFlags` parse to. */
export type DisplayFlagValues = FlagValues<typeof displayFlags>;

/** What `connectionFlags` parse to. */
export type ConnectionFlagValues = FlagValues<typeof connectionFlags>;
