import { boolean } from '@oclif/core/flags';
import { OUTPUT_FORMATS } from '../../output/formats.ts';
import { choiceFlag, type FlagValues, textFlag } from './types.ts';

// Each call makes new objects, because oclif's parser changes those that it is given.

/** The flags of every command. */
export function displayFlags() {
  return {
    output: choiceFlag({
      char: 'o',
      options: OUTPUT_FORMATS,
      summary: 'Output format.',
      helpGroup: 'GLOBAL',
      helpValue: 'FORMAT',
    })(),
    profile: textFlag({
      summary: 'Use the settings of this profile.',
      helpGroup: 'GLOBAL',
      helpValue: 'NAME',
    }),
    json: boolean({ summary: 'Short for --output json.', helpGroup: 'GLOBAL' }),
    'no-color': boolean({ summary: 'Do not use colour.', helpGroup: 'GLOBAL' }),
    'no-pager': boolean({ summary: 'Do not show long tables in a pager.', helpGroup: 'GLOBAL' }),
    'no-input': boolean({
      summary: 'Fail instead of asking a question, and open no pager.',
      helpGroup: 'GLOBAL',
    }),
    utc: boolean({ summary: 'Show times in UTC on a terminal, not in local time.', helpGroup: 'GLOBAL' }),
    verbose: boolean({
      char: 'v',
      summary: 'Log requests and responses to stderr, with secrets redacted.',
      helpGroup: 'GLOBAL',
    }),
    quiet: boolean({ char: 'q', summary: 'Print only errors to stderr.', helpGroup: 'GLOBAL' }),
  };
}

/** Where a command sends its requests, and how long and how often it tries. */
export function connectionFlags() {
  return {
    'base-url': textFlag({
      summary: 'Base URL of the service; {id} is replaced by the instance.',
      helpGroup: 'GLOBAL',
      helpValue: 'URL',
    }),
    instance: textFlag({
      summary: 'Instance that replaces {id} in the base URL.',
      helpGroup: 'GLOBAL',
      helpValue: 'ID',
    }),
    proxy: textFlag({
      summary: 'HTTP proxy to connect through, without credentials.',
      helpGroup: 'GLOBAL',
      helpValue: 'URL',
    }),
    'merchant-account': textFlag({
      char: 'm',
      summary: 'Merchant account to use.',
      helpGroup: 'GLOBAL',
      helpValue: 'ID',
    }),
    timeout: textFlag({
      summary: 'Time limit per attempt, such as 500ms, 30s or 2m.',
      helpGroup: 'GLOBAL',
      helpValue: 'DURATION',
    }),
    'max-retries': textFlag({
      summary: 'Maximum number of retries, if retrying is safe.',
      helpGroup: 'GLOBAL',
      helpValue: 'N',
    }),
  };
}

/** What `displayFlags` parse to. */
export type DisplayFlagValues = FlagValues<typeof displayFlags>;

/** What `connectionFlags` parse to. */
export type ConnectionFlagValues = FlagValues<typeof connectionFlags>;
