import { boolean } from '@oclif/core/flags';
import { OUTPUT_FORMATS, type OutputFormat } from '../../output/format.ts';
import { choiceFlag, textFlag } from './types.ts';

// Each call makes new objects, because oclif's parser changes those that it is given.

/** The flags of every command. */
export function displayFlags() {
  return {
    output: choiceFlag({
      char: 'o',
      options: OUTPUT_FORMATS,
      summary: 'Format of the output.',
      helpGroup: 'GLOBAL',
    })(),
    json: boolean({ summary: 'Short for --output json.', helpGroup: 'GLOBAL' }),
    'no-color': boolean({ summary: 'Print without colour.', helpGroup: 'GLOBAL' }),
    verbose: boolean({
      char: 'v',
      summary: 'Say on stderr what is sent and received, without secrets.',
      helpGroup: 'GLOBAL',
    }),
    quiet: boolean({ char: 'q', summary: 'Say nothing on stderr but errors.', helpGroup: 'GLOBAL' }),
  };
}

/** Where a command that talks to the service sends its requests, and how patiently. */
export function connectionFlags() {
  return {
    profile: textFlag({
      summary: 'Use the settings of this profile.',
      helpGroup: 'GLOBAL',
      helpValue: 'NAME',
    }),
    'base-url': textFlag({
      summary: 'Base URL of the service; {id} stands for the instance.',
      helpGroup: 'GLOBAL',
      helpValue: 'URL',
    }),
    instance: textFlag({
      summary: 'Instance that fills {id} in the base URL.',
      helpGroup: 'GLOBAL',
      helpValue: 'ID',
    }),
    'merchant-account': textFlag({
      char: 'm',
      summary: 'Merchant account to act for.',
      helpGroup: 'GLOBAL',
      helpValue: 'ID',
    }),
    timeout: textFlag({
      summary: 'Time limit of one attempt: 500ms, 30s, 2m.',
      helpGroup: 'GLOBAL',
      helpValue: 'DURATION',
    }),
    'max-retries': textFlag({
      summary: 'How often a failed request is sent again where that is safe.',
      helpGroup: 'GLOBAL',
      helpValue: 'N',
    }),
  };
}

/** What `displayFlags` parse to. */
export type DisplayFlagValues = {
  readonly output?: OutputFormat | undefined;
  readonly json?: boolean | undefined;
  readonly 'no-color'?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly quiet?: boolean | undefined;
};

/** What `connectionFlags` parse to. */
export type ConnectionFlagValues = {
  readonly profile?: string | undefined;
  readonly 'base-url'?: string | undefined;
  readonly instance?: string | undefined;
  readonly 'merchant-account'?: string | undefined;
  readonly timeout?: string | undefined;
  readonly 'max-retries'?: string | undefined;
};
